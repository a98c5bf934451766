"""Child processes that start in order, stop in reverse, and never outlive their parent."""

import asyncio
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest

from kozyr_cli import running
from kozyr_cli.running import Interrupted, run
from kozyr_cli.stack import ChildEnded, ChildNotReady, Stack
from kozyr_cli.supervised import VARIABLE

END_LIMIT_S = 15.0
"""Only so that a failing test ends: nothing here waits so long."""

# Says that it is ready, tells a file named by argv[1] what happens to it, and ends on SIGTERM.
GOOD = """
import os, signal, sys, time
from kozyr_cli.supervised import Supervisor

def tell(word):
    with open(sys.argv[1], "a") as file:
        file.write(f"{sys.argv[2]} {word}\\n")

def stop(*_):
    tell("stopped")
    sys.exit(0)

signal.signal(signal.SIGTERM, stop)
supervisor = Supervisor.of_this_process()
tell("started")
supervisor.report({"name": sys.argv[2], "pid": str(os.getpid())})
while True:
    time.sleep(600)
"""

# Ignores SIGTERM and the end of its parent, and has a child of its own in its process group.
STUBBORN = """
import os, signal, subprocess, sys, time
from kozyr_cli import supervised

supervised.ORPHAN_STOP_TIMEOUT_S = 0.2
signal.signal(signal.SIGTERM, signal.SIG_IGN)
supervisor = supervised.Supervisor.of_this_process()
child = subprocess.Popen(["sleep", "600"])
supervisor.report({"pid": str(os.getpid()), "child": str(child.pid)})
while True:
    time.sleep(600)
"""

FAILING = "import sys; print('first words'); sys.exit('the address is in use')"
SILENT = "import time; print('thinking', flush=True); time.sleep(600)"

# Starts two children whose scripts are argv[2:], prints what they report, and waits for ever.
PARENT = """
import asyncio, json, sys
from pathlib import Path
from kozyr_cli.running import Interrupted, run
from kozyr_cli.stack import Stack

async def main():
    directory = Path(sys.argv[1])
    async with Stack(directory) as stack:
        for number, script in enumerate(sys.argv[2:]):
            command = [sys.executable, "-c", script, str(directory / "told"), str(number)]
            report = await stack.start(f"child{number}", command)
            print(json.dumps(dict(report)), flush=True)
        await stack.guard(asyncio.Event().wait())

try:
    run(main())
except Interrupted as interrupt:
    sys.exit(interrupt.exit_code)
"""


@pytest.fixture(autouse=True)
def path_to_our_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))


def python(script: str, *arguments: object) -> list[str]:
    return [sys.executable, "-c", script, *map(str, arguments)]


@contextmanager
def ending(*pids: int) -> Iterator[None]:
    """Do something within, then await the end of processes that are nobody's children here."""
    watches = [os.pidfd_open(pid) for pid in pids]
    try:
        yield
        for watch in watches:
            assert select.select([watch], [], [], END_LIMIT_S)[0], "a process is still there"
    finally:
        for watch in watches:
            os.close(watch)


@contextmanager
def parent(directory: Path, *scripts: str) -> Iterator[subprocess.Popen[str]]:
    command = python(PARENT, directory, *scripts)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def reports(process: subprocess.Popen[str], count: int) -> list[dict[str, str]]:
    assert process.stdout is not None
    return [json.loads(process.stdout.readline()) for _ in range(count)]


async def for_ever() -> NoReturn:
    await asyncio.Event().wait()
    raise AssertionError


async def test_children_start_in_order_and_stop_in_reverse(tmp_path: Path) -> None:
    told = tmp_path / "told"
    async with Stack(tmp_path) as stack:
        for name in ("table", "bots"):
            report = await stack.start(name, python(GOOD, told, name))
            assert report["name"] == name
    assert told.read_text().split("\n") == [
        "table started",
        "bots started",
        "bots stopped",
        "table stopped",
        "",
    ]


async def test_child_that_ends_before_it_is_ready_is_reported_with_its_last_lines(
    tmp_path: Path,
) -> None:
    async with Stack(tmp_path) as stack:
        with pytest.raises(ChildEnded, match="table process ended with exit code 1") as failure:
            await stack.start("table", python(FAILING))
    log = tmp_path / "table.log"
    assert str(failure.value).endswith(f"{log}:\n  first words\n  the address is in use")


async def test_only_lines_of_this_start_are_reported(tmp_path: Path) -> None:
    (tmp_path / "table.log").write_text("yesterday\n")
    async with Stack(tmp_path) as stack:
        with pytest.raises(ChildEnded) as failure:
            await stack.start("table", python("import sys; sys.exit(3)"))
    assert "exit code 3; it printed nothing" in str(failure.value)


async def test_child_that_says_nothing_is_given_up_and_stopped(tmp_path: Path) -> None:
    async with Stack(tmp_path, start_timeout_s=1.0) as stack:
        with pytest.raises(ChildNotReady, match=r"not ready within 1 s.*:\n  thinking"):
            await stack.start("table", python(SILENT))


async def test_program_that_cannot_be_run_leaves_nothing_behind(tmp_path: Path) -> None:
    async with Stack(tmp_path) as stack:
        with pytest.raises(FileNotFoundError):
            await stack.start("table", [str(tmp_path / "missing")])


async def test_work_is_cancelled_when_a_child_ends(tmp_path: Path) -> None:
    async with Stack(tmp_path) as stack:
        report = await stack.start("table", python(GOOD, tmp_path / "told", "table"))
        work = asyncio.create_task(stack.guard(for_ever()))
        os.kill(int(report["pid"]), signal.SIGKILL)
        with pytest.raises(ChildEnded, match="table process was ended by SIGKILL"):
            await work


async def test_end_of_a_child_is_told_before_the_failure_that_it_causes(tmp_path: Path) -> None:
    async with Stack(tmp_path) as stack:
        report = await stack.start("table", python(GOOD, tmp_path / "told", "table"))

        async def work() -> None:
            os.kill(int(report["pid"]), signal.SIGKILL)
            raise ConnectionError("the table service is away")

        with pytest.raises(ChildEnded, match="SIGKILL"):
            await stack.guard(work())


async def test_work_that_fails_by_itself_keeps_its_own_error(tmp_path: Path) -> None:
    async def work() -> NoReturn:
        raise ConnectionError("unplugged")

    async with Stack(tmp_path) as stack:
        await stack.start("table", python(GOOD, tmp_path / "told", "table"))
        with pytest.raises(ConnectionError, match="unplugged"):
            await stack.guard(work())


async def test_child_that_ignores_sigterm_is_killed_with_what_it_started(tmp_path: Path) -> None:
    async with Stack(tmp_path, stop_timeout_s=0.2) as stack:
        report = await stack.start("table", python(STUBBORN))
        with ending(int(report["child"])):
            await stack.stop()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda each: each.name)
def test_signal_to_the_parent_stops_its_children_in_order(
    tmp_path: Path, number: signal.Signals
) -> None:
    with parent(tmp_path, GOOD, GOOD) as process:
        pids = [int(report["pid"]) for report in reports(process, 2)]
        with ending(*pids):
            process.send_signal(number)
        assert process.wait(END_LIMIT_S) == 128 + number
    told = (tmp_path / "told").read_text().split("\n")
    assert told[2:] == ["1 stopped", "0 stopped", ""]


def test_children_of_a_parent_that_is_killed_end_in_order_by_themselves(tmp_path: Path) -> None:
    with parent(tmp_path, GOOD, GOOD) as process:
        pids = [int(report["pid"]) for report in reports(process, 2)]
        with ending(*pids):
            process.kill()
    assert sorted((tmp_path / "told").read_text().split("\n")[2:]) == [
        "",
        "0 stopped",
        "1 stopped",
    ]


def test_stubborn_child_of_a_killed_parent_is_killed_with_what_it_started(tmp_path: Path) -> None:
    with parent(tmp_path, STUBBORN) as process:
        [report] = reports(process, 1)
        with ending(int(report["pid"]), int(report["child"])):
            process.kill()


def test_child_ends_as_well_with_a_parent_that_has_not_read_its_report(tmp_path: Path) -> None:
    parent_end, child_end = socket.socketpair()
    environment = {**os.environ, VARIABLE: str(child_end.fileno())}
    with subprocess.Popen(
        python(GOOD, tmp_path / "told", "table"),
        env=environment,
        pass_fds=[child_end.fileno()],
        start_new_session=True,
    ) as child:
        child_end.close()
        assert select.select([parent_end], [], [], END_LIMIT_S)[0]
        parent_end.close()
        assert child.wait(END_LIMIT_S) == 0
    assert (tmp_path / "told").read_text() == "table started\ntable stopped\n"


def test_child_does_not_hand_its_supervisor_on_to_its_own_children(tmp_path: Path) -> None:
    script = GOOD.replace('tell("started")', f"tell({VARIABLE!r} in os.environ)")

    async def started() -> None:
        async with Stack(tmp_path) as stack:
            await stack.start("table", python(script, tmp_path / "told", "table"))

    asyncio.run(started())
    assert (tmp_path / "told").read_text().startswith("table False\n")


async def work_that_gets_another_signal_while_it_cleans_up(done: list[str]) -> None:
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        await for_ever()
    finally:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0.1)
        done.append("cleaned up")


def test_signal_that_follows_at_once_does_not_disturb_the_cleaning_up() -> None:
    done: list[str] = []
    with pytest.raises(Interrupted) as interrupt:
        run(work_that_gets_another_signal_while_it_cleans_up(done))
    assert done == ["cleaned up"]
    assert interrupt.value.exit_code == 128 + signal.SIGTERM


def test_later_signal_ends_the_cleaning_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "REPEAT_S", -1.0)
    done: list[str] = []
    with pytest.raises(Interrupted) as interrupt:
        run(work_that_gets_another_signal_while_it_cleans_up(done))
    assert done == []
    assert interrupt.value.exit_code == 128 + signal.SIGTERM
