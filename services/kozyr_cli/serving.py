"""Running one service as a process, with or without a parent that supervises it."""

import os
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any

from kozyr import logs
from kozyr.settings import Settings
from kozyr_cli.running import Interrupted, run
from kozyr_cli.supervised import Supervisor

Report = Callable[[Mapping[str, str]], None]
"""To be called once, when the service is ready."""


def serve_until_signal(
    settings: Settings, serve: Callable[[Report], Coroutine[Any, Any, None]]
) -> None:
    """Run a service until a signal or the end of its supervisor stops it."""
    logs.configure(level=settings.log_level, form=settings.log_format)
    supervisor = Supervisor.of_this_process()

    def report(facts: Mapping[str, str]) -> None:
        if supervisor is not None:
            supervisor.report({**facts, "pid": str(os.getpid())})

    with suppress(Interrupted):  # the regular end of a service
        run(serve(report))
