"""Child processes that live and die together: started in order, stopped in reverse.

::

    async with Stack(log_dir) as stack:
        table = await stack.start("table", [...])   # returns what it reported when it was ready
        await stack.start("bots", [...])
        await stack.guard(work())                   # raises ChildEnded when one of them ends before

Each child is the leader of its own session, so that Ctrl-C reaches only the parent, which stops
the children one by one. A parent that dies without doing so takes them along: see
`kozyr_cli.supervised`, which is the child's side.
"""

import asyncio
import json
import os
import signal
import socket
import subprocess
from asyncio.subprocess import Process
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from kozyr_cli.supervised import VARIABLE

T = TypeVar("T")

START_TIMEOUT_S: Final = 60.0
"""From the start of a child to its report; an embedded Redis may have to load its data."""

STOP_TIMEOUT_S: Final = 15.0
"""From SIGTERM to SIGKILL, for each child."""

BLAME_S: Final = 0.5
"""How long after a failure of the work the end of a child still counts as its cause."""

LAST_LINES_MAX: Final = 15
"""Lines of a child's log that an error repeats."""


class StackError(Exception):
    """A child did not do what it was started for."""


class ChildEnded(StackError):
    """A child ended that nobody had asked to."""

    def __init__(self, child: "_Child", *, exit_code: int) -> None:
        super().__init__(f"the {child.name} process {_end_in_words(exit_code)}{child.log.quote()}")
        self.name = child.name
        self.exit_code = exit_code


class ChildNotReady(StackError):
    """A child said nothing for too long after its start."""

    def __init__(self, child: "_Child", *, timeout_s: float) -> None:
        super().__init__(
            f"the {child.name} process was not ready within {timeout_s:g} s{child.log.quote()}"
        )
        self.name = child.name


class Stack:
    """Children in the order of their start.

    Attributes:
        log_dir: where each child's output is appended to a file of its name.
    """

    def __init__(
        self,
        log_dir: Path,
        *,
        start_timeout_s: float = START_TIMEOUT_S,
        stop_timeout_s: float = STOP_TIMEOUT_S,
    ) -> None:
        self.log_dir = log_dir
        self._start_timeout_s = start_timeout_s
        self._stop_timeout_s = stop_timeout_s
        self._children: list[_Child] = []

    async def start(
        self, name: str, command: Sequence[str], *, variables: Mapping[str, str] | None = None
    ) -> Mapping[str, str]:
        """Start a child and await its report.

        Args:
            variables: what its environment has beyond this process's.

        Raises:
            StackError: it or another one ended instead, or it said nothing for too long.
        """
        self.log_dir.mkdir(parents=True, exist_ok=True)
        log = _Log(self.log_dir / f"{name}.log")
        child = await _Child.start(name, command, variables or {}, log=log)
        self._children.append(child)
        return await self.guard(child.report(timeout_s=self._start_timeout_s))

    async def guard(self, work: Coroutine[Any, Any, T]) -> T:
        """Await ``work`` for as long as all children live.

        Raises:
            ChildEnded: a child ended before; the work is cancelled.
        """
        task = asyncio.ensure_future(work)
        ends = [asyncio.ensure_future(child.end()) for child in self._children]
        try:
            await asyncio.wait([task, *ends], return_when=asyncio.FIRST_COMPLETED)
            failed = task.done() and not task.cancelled() and task.exception() is not None
            if failed:  # perhaps because a child is just ending, which says more
                await asyncio.wait(ends, timeout=BLAME_S, return_when=asyncio.FIRST_COMPLETED)
            for end in ends:
                if end.done() and (failed or not task.done()):
                    end.result()
            return await task
        finally:
            for each in (task, *ends):
                each.cancel()
            await asyncio.gather(task, *ends, return_exceptions=True)

    def quote(self, name: str) -> str:
        """The end of a child's log, for a message."""
        return next(child.log.quote() for child in self._children if child.name == name)

    async def stop(self) -> None:
        """Stop the children, the last started first: SIGTERM, and SIGKILL when that fails."""
        while self._children:
            await self._children[-1].stop(timeout_s=self._stop_timeout_s)
            self._children.pop()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.stop()


class _Log:
    """The file of a child's output, and where this start began in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._start = path.stat().st_size if path.exists() else 0

    def open(self) -> int:
        return os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def quote(self) -> str:
        with self.path.open("rb") as file:
            file.seek(self._start)
            lines = file.read().decode(errors="replace").splitlines()[-LAST_LINES_MAX:]
        if not lines:
            return f"; it printed nothing to {self.path}"
        return "".join([f"; the end of {self.path}:", *(f"\n  {line}" for line in lines)])


class _Child:
    """A process, and this end of the socket to it."""

    def __init__(self, name: str, process: Process, parent_end: socket.socket, log: _Log) -> None:
        self.name = name
        self.log = log
        self._process = process
        self._socket = parent_end

    @classmethod
    async def start(
        cls, name: str, command: Sequence[str], variables: Mapping[str, str], *, log: _Log
    ) -> Self:
        parent_end, child_end = socket.socketpair()
        output = log.open()
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **variables, VARIABLE: str(child_end.fileno())},
                pass_fds=[child_end.fileno()],
                start_new_session=True,
            )
        except BaseException:
            parent_end.close()
            raise
        finally:
            child_end.close()
            os.close(output)
        return cls(name, process, parent_end, log)

    async def report(self, *, timeout_s: float) -> Mapping[str, str]:
        """What the child says when it is ready.

        Raises:
            ChildEnded, ChildNotReady: it says nothing.
        """
        self._socket.settimeout(0)
        loop = asyncio.get_running_loop()
        said = b""
        try:
            async with asyncio.timeout(timeout_s):
                while not said.endswith(b"\n"):
                    part = await loop.sock_recv(self._socket, 4096)
                    if not part:
                        await self.end()
                    said += part
        except TimeoutError:
            raise ChildNotReady(self, timeout_s=timeout_s) from None
        facts: dict[str, str] = json.loads(said)
        return facts

    async def end(self) -> None:
        """Await the end of the child.

        Raises:
            ChildEnded: always.
        """
        raise ChildEnded(self, exit_code=await self._process.wait())

    async def stop(self, *, timeout_s: float) -> None:
        try:
            if self._process.returncode is None:
                self._process.terminate()
            with suppress(TimeoutError):
                async with asyncio.timeout(timeout_s):
                    await self._process.wait()
        finally:
            # Whatever it started itself and did not stop goes with it.
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._socket.close()
        await self._process.wait()


def _end_in_words(exit_code: int) -> str:
    if exit_code < 0:
        return f"was ended by {signal.Signals(-exit_code).name}"
    return f"ended with exit code {exit_code}"
