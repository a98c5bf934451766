"""The command as people run it: real processes, a real Redis, and nothing left behind."""

import json
import os
import pty
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import grpc
import psutil
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from kozyr.verify import verify_record

pytestmark = pytest.mark.slow

END_LIMIT_S = 60.0
"""Only so that a failing test ends: nothing here waits so long."""

LONG_MATCH = ["demo", "--option", "blind_deals=100", "--option", "no_trump_deals=100"]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Variables for a command that finds our code and keeps its data below ``tmp_path``."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("KOZYR_")}
    return {
        **kept,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "KOZYR_DATA_DIR": str(tmp_path / "data"),
        "TMPDIR": str(tmp_path),
        "COLUMNS": "100",
    }


def kozyr(*words: str) -> list[str]:
    return [sys.executable, "-m", "kozyr_cli", *words]


@contextmanager
def running(words: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """A command under way; when it has ended, no process that it started may be left."""
    with subprocess.Popen(
        kozyr(*words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
        preexec_fn=heed_hangups,  # noqa: PLW1509  # the tests have no threads
    ) as process:
        try:
            yield process
            process.wait(END_LIMIT_S)
        finally:
            process.kill()
            left = processes_of(environment)
            for each in left:
                each.kill()
    assert left == []


def heed_hangups() -> None:
    """Take SIGHUP as usual, also where the tests themselves run under nohup."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def processes_of(environment: dict[str, str]) -> list[psutil.Process]:
    """The processes that know a test's directory, whoever started them.

    A Redis server forgets its environment, but calls itself by the path of its socket.
    """
    directory = environment["TMPDIR"]
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            titled = any(directory in word for word in process.cmdline())
            if titled or process.environ().get("TMPDIR") == directory:
                found.append(process)
    return found


def output_until(process: subprocess.Popen[str], beginning: str) -> str:
    """What a command prints until a line begins so."""
    assert process.stdout is not None
    text = ""
    for line in process.stdout:
        text += line
        if line.startswith(beginning):
            break
    return text


def test_demo_plays_one_match_shows_it_and_its_true_record_and_leaves_nothing_running(
    environment: dict[str, str], tmp_path: Path
) -> None:
    with running(["demo", "odessa", "--brain", "greedy", "--brain", "random"], environment) as demo:
        printed, complaints = demo.communicate(timeout=END_LIMIT_S)
    assert complaints == ""
    assert demo.returncode == 0
    deals = [line for line in printed.splitlines() if line.startswith("deal ")]
    assert [line.partition(":")[0] for line in deals] == [f"deal {n} of 15" for n in range(1, 16)]
    places = re.findall(r"^[1-4]\. ", printed, flags=re.MULTILINE)
    assert len(places) == 4
    [record] = (tmp_path / "data" / "records").rglob("*.jsonl")
    assert f"\nrecord:   {record}\nverified: 300 moves and 16 shuffles" in printed
    match = verify_record(record)
    assert match.header.seats == 4
    assert match.outcome is not None
    for player, score in zip(match.header.players, match.outcome.scores, strict=True):
        assert re.search(rf"^\d\. {re.escape(player)} +{score}\b", printed, flags=re.MULTILINE)
    assert list(tmp_path.glob("kozyr-*")) == []


def test_demo_takes_seats_and_options(environment: dict[str, str], tmp_path: Path) -> None:
    words = ["demo", "--seats", "3", "--option", "max_hand=2", "--option", "joker=on"]
    with running(words, environment) as demo:
        printed, _ = demo.communicate(timeout=END_LIMIT_S)
    assert "deal 6 of 6" in printed
    [record] = (tmp_path / "data" / "records").rglob("*.jsonl")
    header = verify_record(record).header
    assert header.seats == 3
    assert header.options["max_hand"] == 2
    assert header.options["joker"] is True


def test_demo_plays_by_rules_from_elsewhere(environment: dict[str, str]) -> None:
    words = ["demo", "odessa", "--plugin", "isolated:odessa", "--option", "max_hand=1"]
    with running([*words, "--seats", "2"], environment) as demo:
        printed, complaints = demo.communicate(timeout=END_LIMIT_S)
    assert complaints == ""
    assert demo.returncode == 0
    assert "verified: " in printed


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("isolated:georgian", "no variant 'odessa' is installed; there are georgian"),
        ("command:/no/such", "cannot run /no/such: No such file or directory"),
        ("what?", "'what?' is no source of rules: name an installed variant, isolated:VARIANT"),
    ],
)
def test_demo_tells_why_rules_from_elsewhere_cannot_be_had(
    environment: dict[str, str], source: str, complaint: str
) -> None:
    with running(["demo", "odessa", "--plugin", source], environment) as demo:
        _, complaints = demo.communicate(timeout=END_LIMIT_S)
    assert demo.returncode != 0
    assert complaint in complaints


def test_demo_draws_the_sheet_on_a_terminal(environment: dict[str, str], tmp_path: Path) -> None:
    screen, terminal = pty.openpty()
    words = ["demo", "--option", "max_hand=2", "--pace", "0"]
    with subprocess.Popen(
        kozyr(*words), stdin=terminal, stdout=terminal, stderr=terminal, env=environment
    ) as demo:
        os.close(terminal)
        drawn = b""
        with suppress(OSError):  # the terminal is gone with the last process on it
            while part := os.read(screen, 65_536):
                drawn += part
    os.close(screen)
    assert demo.returncode == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", drawn.decode())
    assert re.search(r"deal +cards +trump", text)
    assert "deal 7 of 7" in text
    assert "on the table: " in text
    assert processes_of(environment) == []
    assert list((tmp_path / "data" / "records").rglob("*.jsonl"))


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda each: each.name
)
def test_signal_in_the_middle_of_a_demo_ends_everything_in_order(
    environment: dict[str, str], tmp_path: Path, number: signal.Signals
) -> None:
    with running(LONG_MATCH, environment) as demo:
        output_until(demo, "deal 1 ")
        demo.send_signal(number)
        printed, complaints = demo.communicate(timeout=END_LIMIT_S)
    assert demo.returncode == 128 + number
    assert complaints == ""
    assert "record:" not in printed
    assert list(tmp_path.glob("kozyr-*")) == []


def test_demo_that_is_killed_takes_all_its_processes_along(environment: dict[str, str]) -> None:
    with running(LONG_MATCH, environment) as demo:
        output_until(demo, "deal 1 ")
        others = [each for each in processes_of(environment) if each.pid != demo.pid]
        assert len(others) >= 4, "table service, bot worker, Redis and its guardian"
        demo.kill()
        _, alive = psutil.wait_procs(others, timeout=END_LIMIT_S)
        assert alive == []


def test_demo_whose_redis_does_not_start_tells_its_last_words_and_leaves_nothing_running(
    environment: dict[str, str], tmp_path: Path
) -> None:
    broken = tmp_path / "bin" / "redis-server"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\necho no memory left\nexit 1\n")
    broken.chmod(0o755)
    environment["PATH"] = f"{broken.parent}:{environment['PATH']}"
    with running(["demo"], environment) as demo:
        _, complaints = demo.communicate(timeout=END_LIMIT_S)
    assert demo.returncode == 1
    assert complaints.startswith("kozyr: the table process ended with exit code 1; the end of ")
    assert "no memory left" in complaints
    assert "Traceback" not in complaints


def test_demo_tells_that_the_redis_it_was_given_is_away(environment: dict[str, str]) -> None:
    environment["KOZYR_REDIS_URL"] = "redis://127.0.0.1:1/0"
    with running(["demo"], environment) as demo:
        _, complaints = demo.communicate(timeout=END_LIMIT_S)
    assert demo.returncode == 1
    assert complaints.startswith("kozyr: the table process does not serve")
    assert "Redis does not answer" in complaints


def test_up_keeps_the_stack_until_ctrl_c_and_stops_it_in_order(
    environment: dict[str, str], tmp_path: Path
) -> None:
    data_dir = tmp_path / "data"
    with running(["up", "--listen", "127.0.0.1:0"], environment) as up:
        printed = output_until(up, "logs ")
        address = re.search(r"^table service +(127\.0\.0\.1:\d+)$", printed, flags=re.MULTILINE)
        assert address is not None
        with grpc.insecure_channel(address[1]) as channel:
            health = health_pb2_grpc.HealthStub(channel)
            answer = health.Check(health_pb2.HealthCheckRequest())  # type: ignore[attr-defined]
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
        assert stat.S_IMODE((data_dir / "token.key").stat().st_mode) == 0o600
        up.send_signal(signal.SIGINT)
        rest, complaints = up.communicate(timeout=END_LIMIT_S)
    assert up.returncode == 0
    assert rest.endswith("stopped\n")
    assert complaints == ""
    assert {log.name for log in (data_dir / "logs").iterdir()} == {"table.log", "bots.log"}


def test_up_ends_when_a_process_dies_and_says_which(environment: dict[str, str]) -> None:
    with running(["up", "--listen", "127.0.0.1:0"], environment) as up:
        output_until(up, "logs ")
        [table] = [each for each in processes_of(environment) if "table" in each.cmdline()]
        others = table.children(recursive=True)
        table.kill()
        _, complaints = up.communicate(timeout=END_LIMIT_S)
        _, alive = psutil.wait_procs(others, timeout=END_LIMIT_S)
        assert alive == [], "the guardian of its Redis lets that end in order, and then ends"
    assert up.returncode == 1
    assert complaints.startswith("kozyr: the table process was ended by SIGKILL")


def test_second_stack_on_the_same_data_is_refused(environment: dict[str, str]) -> None:
    with running(["up", "--listen", "127.0.0.1:0"], environment) as up:
        output_until(up, "logs ")
        second = subprocess.run(
            kozyr("table", "serve", "--listen", "127.0.0.1:0"),
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert second.returncode == 1
        assert "is in use by the Redis server of process" in second.stderr
        assert "Traceback" not in second.stderr
        up.send_signal(signal.SIGTERM)


def test_table_service_in_the_foreground_ends_in_order_on_sigterm(
    environment: dict[str, str],
) -> None:
    with running(["table", "serve", "--listen", "127.0.0.1:0"], environment) as table:
        assert table.stderr is not None
        for line in table.stderr:
            if json.loads(line)["event"] == "listening":
                break
        table.send_signal(signal.SIGTERM)
    assert table.returncode == 0
