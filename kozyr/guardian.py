"""The guardian of a program: starts it, and stops it once its owner is gone.

Run by path and on the standard library alone, so that it starts in a few milliseconds (see
`kozyr.guarded`, which is the owner's side)::

    python -I -S guardian.py STOP_TIMEOUT_S SCRATCH PROGRAM [ARGUMENT …]

Standard input is the lifeline, a pipe whose other end only the owner holds. Nobody writes to it:
it ends when the owner lets go of it or dies, however it dies, so an orderly stop and a SIGKILL of
the owner take the same path: SIGTERM for the program, SIGKILL when it takes too long, and SIGKILL
for whatever is left of its process group. SCRATCH, unless empty, is a directory to make and in the
end remove.

Should the guardian itself be killed, the kernel ends the program (on Linux). In the owner that
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
from contextlib import suppress

SIGNALLED = 128
"""What a guardian returns of a program that a signal has ended, plus the signal; as shells do."""

_LIFELINE = 0
_PR_SET_PDEATHSIG = 1
_WAKE_BYTES_MAX = 256


def main(stop_timeout_s: float, scratch: str, command: Sequence[str]) -> int:
    """Keep the program until it or its owner ends; returns what it returned, as shells say it."""
    if scratch:
        os.mkdir(scratch, stat.S_IRWXU)  # noqa: PTH102 (spares the import of pathlib)
    try:
        return _keep(command, stop_timeout_s)
    except OSError as error:
        sys.stderr.write(f"cannot run {command[0]}: {error.strerror}\n")
        return os.EX_UNAVAILABLE
    finally:
        if scratch:
            shutil.rmtree(scratch, ignore_errors=True)


def _keep(command: Sequence[str], stop_timeout_s: float) -> int:
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)  # without a handler nothing wakes us
    guardian = os.getpid()
    program = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        # The program inherits what the owner has passed on, like the lock of a data directory.
        close_fds=False,
        process_group=0,
        preexec_fn=lambda: _die_with(guardian),  # noqa: PLW1509 (safe: there is one thread)
    )
    try:
        while program.poll() is None:
            ready, _, _ = select.select([_LIFELINE, woken], [], [])
            if _LIFELINE in ready:
                _stop(program, stop_timeout_s)
            else:
                os.read(woken, _WAKE_BYTES_MAX)
    finally:
        _sweep(program.pid)
    code = program.returncode
    return code if code >= 0 else SIGNALLED - code


def _die_with(guardian: int) -> None:
    """Have the kernel end this process, about to be the program, when the guardian dies."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != guardian:  # it died before the kernel knew
            os.kill(os.getpid(), signal.SIGKILL)


def _stop(program: subprocess.Popen[bytes], stop_timeout_s: float) -> None:
    program.terminate()
    try:
        program.wait(stop_timeout_s)
    except subprocess.TimeoutExpired:
        sys.stderr.write(f"still there {stop_timeout_s:.0f} s after SIGTERM: SIGKILL\n")
        program.kill()
        program.wait()


def _sweep(group: int) -> None:
    """End what the program has started itself and left behind."""
    with suppress(ProcessLookupError, PermissionError):  # macOS says the latter of zombies
        os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), sys.argv[2], sys.argv[3:]))
