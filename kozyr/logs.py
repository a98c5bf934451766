"""The log of a process: one line an event, on standard error.

Where standard error is no terminal, each line is a JSON object with at least ``timestamp`` (UTC),
``level`` and ``event``. Modules log with `structlog.get_logger`; what libraries say through
`logging` comes out in the same form.
"""

import io
import json
import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any, Final, TextIO, cast

import structlog
from structlog.typing import Processor, WrappedLogger

from kozyr.settings import LogFormat, LogLevel

SECRET_NAMES: Final = frozenset(
    {"authorization", "password", "secret", "seed", "token", "token_key"}
)
"""Values under these names are never logged. The seed of a match tells all its cards."""

MASK: Final = "***"

_SECRET_TEXT: Final = re.compile(
    r"(?P<scheme>\w+://)[^\s/@]+@"  # the user and password of a URL
    r"|(?P<bearer>[Bb]earer )\S+"
)


class _StandardError(io.TextIOBase):
    """Standard error as it is at each line: who embeds us may put another stream in its place."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()

    def isatty(self) -> bool:
        return sys.stderr.isatty()


def configure(*, level: LogLevel, form: LogFormat, stream: TextIO | None = None) -> None:
    """Set up this process's log; to be called once, at its start.

    Args:
        stream: where it goes; by default standard error.
    """
    stream = stream or cast("TextIO", _StandardError())
    if form == "auto":
        form = "console" if stream.isatty() else "json"
    number = logging.getLevelNamesMapping()[level.upper()]
    common: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last = _last_steps(form, colors=stream.isatty())
    structlog.configure(
        processors=[*common, *last],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(stream),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*common, structlog.stdlib.add_logger_name],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    logging.basicConfig(level=number, handlers=[handler], force=True)
    logging.captureWarnings(capture=True)


def mask_secrets(
    logger: WrappedLogger,  # noqa: ARG001 (the signature is structlog's)
    method: str,  # noqa: ARG001
    event: MutableMapping[str, Any],
) -> MutableMapping[str, Any]:
    """Replace what must not be read in a log, by its name or by its form."""
    for name, value in event.items():
        if name in SECRET_NAMES:
            event[name] = MASK
        elif isinstance(value, str):
            event[name] = _SECRET_TEXT.sub(_masked, value)
    return event


def _masked(match: re.Match[str]) -> str:
    if match["bearer"]:
        return match["bearer"] + MASK
    return f"{match['scheme']}{MASK}@"


def _last_steps(form: LogFormat, *, colors: bool) -> list[Processor]:
    steps: list[Processor] = [structlog.processors.format_exc_info, mask_secrets]
    if form == "json":
        return [*steps, structlog.processors.JSONRenderer(json.dumps, default=str)]
    return [*steps, structlog.dev.ConsoleRenderer(colors=colors)]
