"""The entry point of the `kozyr` command: turns what goes wrong into one line and an exit code.

0 is success, 2 a mistake in what was asked for, 1 anything else, 130 Ctrl-C.
"""

import os
import signal
import sys
from collections.abc import Sequence
from typing import Final

FAILED: Final = 1
MISTAKEN: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line ``arguments``, by default this process's; returns the exit code."""
    # We fork only to run other programs; gRPC need not, and is not to, say that it takes no part.
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
    try:
        # Here, because Ctrl-C may come while half of the world is being imported.
        from kozyr_cli.app import run_app  # noqa: PLC0415

        return run_app(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:
        # Whoever read our output has had enough; nothing may be flushed there at the exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
