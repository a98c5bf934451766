"""The guardian of an embedded Redis server: starts it, and stops it once its owner is gone.

Run by path and on the standard library alone, so that it starts in a few milliseconds::

    python -I -S redis_guardian.py SCRATCH PROGRAM [ARGUMENT …]

Standard input is the lifeline, a pipe whose other end only the owner holds. Nobody writes to it:
it ends when the owner lets go of it or dies, however it dies, so an orderly stop and a SIGKILL of
the owner take the same path. SCRATCH, unless empty, is a directory to make and in the end remove.

Should the guardian itself be killed, the kernel ends the server (on Linux). In the owner that
would not be sound, for the signal comes when the *thread* that forked ends; here is one thread.
"""

import ctypes
import os
import select
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Sequence

STOP_TIMEOUT_S = 10.0
"""How long a server may take to flush and end after SIGTERM, before SIGKILL."""

_LIFELINE = 0
_PR_SET_PDEATHSIG = 1
_WAKE_BYTES_MAX = 256


def main(scratch: str, command: Sequence[str]) -> int:
    """Keep the server until it or its owner ends; returns what the server returned."""
    if scratch:
        os.mkdir(scratch, stat.S_IRWXU)  # noqa: PTH102 (spares the import of pathlib)
    try:
        return _keep(command)
    except OSError as error:
        sys.stderr.write(f"cannot run {command[0]}: {error.strerror}\n")
        return os.EX_UNAVAILABLE
    finally:
        if scratch:
            shutil.rmtree(scratch, ignore_errors=True)


def _keep(command: Sequence[str]) -> int:
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)  # without a handler nothing wakes us
    guardian = os.getpid()
    server = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        # The server inherits the lock of its data directory: it is free when the server is gone.
        close_fds=False,
        preexec_fn=lambda: _die_with(guardian),  # noqa: PLW1509 (safe: there is one thread)
    )
    while server.poll() is None:
        ready, _, _ = select.select([_LIFELINE, woken], [], [])
        if _LIFELINE in ready:
            _stop(server)
        else:
            os.read(woken, _WAKE_BYTES_MAX)
    return server.returncode


def _die_with(guardian: int) -> None:
    """Have the kernel end this process, about to become the server, when the guardian dies."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != guardian:  # it died before the kernel knew
            os.kill(os.getpid(), signal.SIGKILL)


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        sys.stderr.write(f"still there {STOP_TIMEOUT_S:.0f} s after SIGTERM: SIGKILL\n")
        server.kill()
        server.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
