"""The service's tasks: none without an owner, none that fails unseen, none left at the end."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, Self

import structlog

log = structlog.get_logger()

CANCEL_AGAIN_S: Final = 0.1


class Tasks:
    """The tasks of a service, as a context: they end with it."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        while self._tasks:  # a library may swallow a cancellation that comes at the wrong moment
            for task in self._tasks:
                task.cancel()
            await asyncio.wait(self._tasks, timeout=CANCEL_AGAIN_S)
        if self._failed.done():
            self._failed.exception()  # it was raised by `failure`, or the service ends anyhow

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something to its end; an exception is logged and costs nothing else."""
        self._run(work).add_done_callback(_log_failure)

    def forever(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something that must not end before the service does."""
        self._run(work).add_done_callback(self._note_end)

    async def failure(self) -> None:
        """Wait for one of those that run for ever to fail.

        Raises:
            Exception: what it raised.
        """
        await asyncio.shield(self._failed)

    def _run(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _note_end(self, task: asyncio.Task[None]) -> None:
        if task.cancelled() or self._failed.done():
            return
        error = task.exception() or RuntimeError("a task that runs for ever has ended")
        log.critical("service_broken", exc_info=error)
        self._failed.set_exception(error)


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("task_failed", exc_info=error)
