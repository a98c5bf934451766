"""The child's side of `kozyr_cli.stack`: says when it is ready, and ends with its parent.

Parent and child hold the two ends of one socket. The child writes a single line of JSON to it when
it is ready. The parent writes nothing: its end closes when it lets go or dies, however it dies.
"""

import json
import os
import signal
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, Self

VARIABLE: Final = "KOZYR_SUPERVISOR_FD"
"""Names the descriptor of the child's end."""

ORPHAN_STOP_TIMEOUT_S: Final = 15.0
"""How long an orphan may take to end in order."""


class Supervisor:
    """The parent, as its child sees it."""

    def __init__(self, parent: socket.socket) -> None:
        self._parent = parent

    @classmethod
    def of_this_process(cls) -> Self | None:
        """The parent that supervises this process; None where nobody does.

        From here on this process ends when the parent has gone: first like on SIGTERM, then, when
        that takes too long, by SIGKILL together with all its process group.
        """
        number = os.environ.pop(VARIABLE, None)  # it is not for our own children
        if number is None:
            return None
        parent = socket.socket(fileno=int(number))
        parent.set_inheritable(inheritable=False)
        supervisor = cls(parent)
        threading.Thread(target=supervisor._watch, name="supervisor", daemon=True).start()
        return supervisor

    def report(self, facts: Mapping[str, str]) -> None:
        """Say that this process is ready, and what the parent must know of it."""
        self._parent.sendall(json.dumps(facts).encode() + b"\n")

    def _watch(self) -> None:
        # In a thread, so that it works while the event loop is stuck.
        with suppress(ConnectionResetError):  # it has gone without having read our report
            self._parent.recv(1)
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(ORPHAN_STOP_TIMEOUT_S)
        os.killpg(0, signal.SIGKILL)
