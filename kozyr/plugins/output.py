"""What a child prints, line by line, without letting a noisy one harm its host.

Lines are cut to a length. In each second only so many are passed on, the others are counted; and
only so many bytes are read, so that a child that prints more waits for us, not we for it.
"""

import os
import selectors
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Final, final

LINE_BYTES_MAX: Final = 4_096
"""What is passed on of a line."""
LINES_PER_S_MAX: Final = 100
BYTES_PER_S_MAX: Final = 1_048_576
READ_BYTES_MAX: Final = 65_536
LAST_LINES_MAX: Final = 10
"""Lines that an error repeats."""
END_S: Final = 1.0
"""How long after a child's end its last words are waited for; others may hold its pipes."""


@final
class Output:
    """A thread that reads the streams of a child until they end.

    Attributes:
        last_lines: what was printed last.
    """

    def __init__(
        self,
        streams: Mapping[str, int],
        *,
        on_line: Callable[[str, str], None],
        on_dropped: Callable[[int], None],
    ) -> None:
        """Begin to read.

        Args:
            streams: descriptors by name, from here on ours to close.
            on_line: told the name of the stream and the line.
            on_dropped: told how many lines of a second were not passed on.
        """
        self.last_lines: deque[str] = deque(maxlen=LAST_LINES_MAX)
        self._splitters = {
            descriptor: _Splitter(name, descriptor) for name, descriptor in streams.items()
        }
        self._on_line = on_line
        self._on_dropped = on_dropped
        self._allowance = _Allowance()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._read, name="plugin output", daemon=True)
        self._thread.start()

    def finish(self) -> None:
        """Read what is left of a child that has ended, and stop."""
        self._thread.join(END_S)
        self._stopped.set()
        self._thread.join()

    def _read(self) -> None:
        with selectors.DefaultSelector() as selector:
            for descriptor in self._splitters:
                selector.register(descriptor, selectors.EVENT_READ)
            while selector.get_map() and not self._stopped.is_set():
                for key, _ in selector.select(END_S):
                    if not self._read_some(key.fd):
                        selector.unregister(key.fd)
                self._settle()
        self._report_dropped()
        for descriptor in self._splitters:
            os.close(descriptor)

    def _read_some(self, descriptor: int) -> bool:
        """Read what is there; whether there may be more later."""
        splitter = self._splitters[descriptor]
        data = os.read(descriptor, READ_BYTES_MAX)
        self._allowance.bytes_left -= len(data)
        for line in splitter.lines(data):
            self.last_lines.append(line)
            if self._allowance.lines_left:
                self._allowance.lines_left -= 1
                self._on_line(splitter.name, line)
            else:
                self._allowance.dropped += 1
        return bool(data)

    def _settle(self) -> None:
        """Begin a new second when the old one is over; wait for that when all is used up."""
        left_s = self._allowance.until - time.monotonic()
        if left_s > 0 and self._allowance.bytes_left <= 0:
            self._stopped.wait(left_s)
            left_s = 0
        if left_s <= 0:
            self._report_dropped()
            self._allowance = _Allowance()

    def _report_dropped(self) -> None:
        if self._allowance.dropped:
            self._on_dropped(self._allowance.dropped)


class _Allowance:
    """What may be read and passed on in the second that begins now."""

    def __init__(self) -> None:
        self.until = time.monotonic() + 1.0
        self.lines_left = LINES_PER_S_MAX
        self.bytes_left = BYTES_PER_S_MAX
        self.dropped = 0


class _Splitter:
    """Makes lines of one stream."""

    def __init__(self, name: str, descriptor: int) -> None:
        self.name = name
        self.descriptor = descriptor
        self._rest = b""
        self._skipping = False
        """Whether what comes belongs to a line that has been passed on, cut, already."""

    def lines(self, data: bytes) -> list[str]:
        """The lines that the next bytes complete; none ends the stream, and its last line."""
        *whole, rest = (self._rest + data).split(b"\n") if data else (self._rest, b"")
        if self._skipping and whole:
            del whole[0]
            self._skipping = False
        if len(rest) > LINE_BYTES_MAX or self._skipping:
            if not self._skipping:
                whole.append(rest)
            self._skipping = True
            rest = b""
        self._rest = rest
        return [_legible(line) for line in whole if line or data]


def _legible(line: bytes) -> str:
    """A line as text that does nothing to the terminal it may be shown on."""
    text = line[:LINE_BYTES_MAX].decode(errors="replace").rstrip("\r")
    cut = "…" if len(line) > LINE_BYTES_MAX else ""
    return (
        "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text) + cut
    )
