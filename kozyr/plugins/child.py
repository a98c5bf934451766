"""A child process that serves rules: its start, its handshake, its output and its end.

The child is told in its environment where to serve, and greets when it does (see
`kozyr.plugins.greeting`). A `kozyr.guardian` sees to it that it never outlives this process.
"""

import os
import secrets
import select
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, final

import structlog

from kozyr.addresses import UNIX
from kozyr.guarded import Lifeline, guarded
from kozyr.guardian import SIGNALLED
from kozyr.plugins.errors import PluginMisbehaved, PluginUnavailable
from kozyr.plugins.greeting import (
    DESCRIPTOR,
    GREETING_BYTES_MAX,
    LISTEN,
    PROTOCOLS,
    PROTOCOLS_SPOKEN,
    read_greeting,
)
from kozyr.plugins.output import Output
from kozyr.plugins.plugin import OnOutput

log = structlog.get_logger()

OURS: Final = "KOZYR_"
"""How variables begin that a child does not get: they may hold the host's secrets."""

STOP_TIMEOUT_S: Final = 5.0
"""How long a child may take to end after SIGTERM, before SIGKILL."""


@final
class Child:
    """One run of a program that serves rules; it runs from here on."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        name: str,
        on_output: OnOutput | None,
        on_end: Callable[[], None],
    ) -> None:
        """Start the program.

        Args:
            name: the plugin's, for messages.
            on_output: told what it prints; by default it is logged.
            on_end: told, on a thread of its own, that it has ended.
        """
        self.name = name
        scratch = Path(tempfile.gettempdir()) / f"kozyr-{secrets.token_hex(8)}"
        self._greeting, greeting = os.pipe()
        out, err = os.pipe(), os.pipe()
        end, self._lifeline = Lifeline.make()
        try:
            self._process = subprocess.Popen(
                guarded(command, stop_timeout_s=STOP_TIMEOUT_S, scratch=str(scratch)),
                stdin=end,
                stdout=out[1],
                stderr=err[1],
                env=_environment(listen=f"{UNIX}{scratch / 'rules.sock'}", descriptor=greeting),
                pass_fds=[greeting],
                start_new_session=True,  # Ctrl-C is for the host, which drains and then stops us
            )
        except BaseException:
            self._lifeline.let_go()
            for descriptor in (self._greeting, out[0], err[0]):
                os.close(descriptor)
            raise
        finally:
            for descriptor in (greeting, out[1], err[1], end):
                os.close(descriptor)
        self.output: Final = Output(
            {"stdout": out[0], "stderr": err[0]},
            on_line=on_output or self._log_line,
            on_dropped=self._log_dropped,
        )
        self._ended = threading.Event()
        threading.Thread(
            target=self._await_end, args=(on_end,), name=f"plugin {name}", daemon=True
        ).start()

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return not self._ended.is_set()

    def address(self, *, timeout_s: float) -> str:
        """Wait until it serves: where.

        Raises:
            PluginUnavailable: it ended instead, or said nothing for too long.
            PluginMisbehaved: what it said is no greeting, or of another protocol.
        """
        try:
            return read_greeting(self._said(time.monotonic() + timeout_s))
        except ValueError as error:
            raise PluginMisbehaved(f"the plugin {self.name} {error}") from error
        finally:
            os.close(self._greeting)
            self._greeting = -1

    def end_in_words(self) -> str:
        """How it ended, and what it printed last."""
        self._ended.wait()
        code = self._process.returncode
        number = -code if code < 0 else code - SIGNALLED
        if number in signal.valid_signals():
            return f"was ended by {signal.Signals(number).name}{self._last_words()}"
        return f"ended with exit code {code}{self._last_words()}"

    def stop(self) -> None:
        """End it and await that; harmless when repeated, from any thread."""
        self._lifeline.let_go()
        self._ended.wait()

    def _said(self, deadline: float) -> bytes:
        said = b""
        while not said.endswith(b"\n") and len(said) <= GREETING_BYTES_MAX:
            left_s = deadline - time.monotonic()
            ready, _, _ = select.select([self._greeting], [], [], max(left_s, 0.0))
            if not ready:
                raise PluginUnavailable(
                    f"the plugin {self.name} did not serve in time{self._last_words()}"
                )
            part = os.read(self._greeting, GREETING_BYTES_MAX)
            if not part:
                raise PluginUnavailable(f"the plugin {self.name} {self.end_in_words()}")
            said += part
        return said

    def _last_words(self) -> str:
        lines = list(self.output.last_lines)
        return "; it printed last:" + "".join(f"\n  {line}" for line in lines) if lines else ""

    def _await_end(self, on_end: Callable[[], None]) -> None:
        self._process.wait()
        self._lifeline.let_go()
        self.output.finish()
        self._ended.set()
        on_end()

    def _log_line(self, stream: str, line: str) -> None:
        log.info("plugin_output", plugin=self.name, stream=stream, line=line)

    def _log_dropped(self, count: int) -> None:
        log.warning("plugin_output_dropped", plugin=self.name, lines=count)


def _environment(*, listen: str, descriptor: int) -> dict[str, str]:
    others = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    return {
        **others,
        LISTEN: listen,
        PROTOCOLS: ",".join(map(str, PROTOCOLS_SPOKEN)),
        DESCRIPTOR: str(descriptor),
    }
