"""Running a coroutine as the whole of a process, until it returns or a signal ends it."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

import uvloop

T = TypeVar("T")

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

REPEAT_S: Final = 1.0
"""A terminal and a parent may both pass the same Ctrl-C on; it takes less than this."""


class Interrupted(Exception):
    """A signal ended the work, and everything was put in order."""

    def __init__(self, number: signal.Signals) -> None:
        super().__init__(number.name)
        self.number = number

    @property
    def exit_code(self) -> int:
        """What a shell gives to a command that a signal ended."""
        return 128 + self.number


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run ``work``; the first SIGINT, SIGTERM or SIGHUP cancels it.

    What follows at once is the same signal on another way, and changes nothing. A later one
    cancels the cleaning up as well.

    Raises:
        Interrupted: it was cancelled so.
    """
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_until_signal(work))


async def _until_signal(work: Coroutine[Any, Any, T]) -> T:
    loop = asyncio.get_running_loop()
    task = loop.create_task(work)
    received: list[tuple[signal.Signals, float]] = []

    def interrupt(number: signal.Signals) -> None:
        received.append((number, loop.time()))
        if len(received) == 1 or loop.time() - received[0][1] > REPEAT_S:
            task.cancel()

    for number in SIGNALS:
        if number is signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN:
            continue  # nohup
        loop.add_signal_handler(number, interrupt, number)
    try:
        return await task
    except asyncio.CancelledError:
        if received:
            raise Interrupted(received[0][0]) from None
        raise
