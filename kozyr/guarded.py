"""Programs that never outlive this process: each has a `kozyr.guardian` between it and us."""

import os
import sys
import threading
from collections.abc import Sequence
from typing import ClassVar, Self, final

from kozyr import guardian


def guarded(program: Sequence[str], *, stop_timeout_s: float, scratch: str = "") -> list[str]:
    """The command line that runs a program under a guardian.

    Its standard input must be the end of a `Lifeline`.

    Args:
        program: the program and its arguments.
        stop_timeout_s: how long it may take to end after SIGTERM, before SIGKILL.
        scratch: a directory that is there for as long as the program runs.
    """
    python = [sys.executable, "-I", "-S"]  # bare, so that it starts quickly
    return [*python, guardian.__file__, str(stop_timeout_s), scratch, *program]


@final
class Lifeline:
    """What keeps a guardian and its program alive, for as long as this process holds it."""

    _held: ClassVar[set[int]] = set()

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()
        self._held.add(descriptor)

    @classmethod
    def make(cls) -> tuple[int, Self]:
        """The end that is to be the guardian's standard input, then to be closed; and ours."""
        end, ours = os.pipe()
        return end, cls(ours)

    def let_go(self) -> None:
        """Have the program stopped; harmless when repeated."""
        with self._lock:
            if self._descriptor in self._held:
                self._held.remove(self._descriptor)
                os.close(self._descriptor)
            self._descriptor = -1

    @classmethod
    def forget_all(cls) -> None:
        """Let go in a forked child, which must not keep its parent's programs alive."""
        for descriptor in cls._held:
            os.close(descriptor)
        cls._held.clear()


os.register_at_fork(after_in_child=Lifeline.forget_all)
