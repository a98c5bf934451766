"""What a child prints reaches the log line by line, cut and thinned."""

import os
import threading

import pytest

from kozyr.plugins.output import LAST_LINES_MAX, LINE_BYTES_MAX, LINES_PER_S_MAX, Output


class Printed:
    """An `Output` of one stream, and what it passed on."""

    def __init__(self) -> None:
        end, self._stream = os.pipe()
        self.lines: list[tuple[str, str]] = []
        self.dropped = 0
        self.output = Output(
            {"stdout": end},
            on_line=lambda stream, line: self.lines.append((stream, line)),
            on_dropped=self._drop,
        )

    def _drop(self, count: int) -> None:
        self.dropped += count

    def print(self, data: bytes) -> None:
        with os.fdopen(os.dup(self._stream), "wb") as stream:
            stream.write(data)

    def end(self) -> list[str]:
        os.close(self._stream)
        self.output.finish()
        return [line for _, line in self.lines]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"one\ntwo\n", ["one", "two"]),
        (b"one\n\nthree", ["one", "", "three"]),
        (b"dos\r\n", ["dos"]),
        ("козырь ♠\n".encode(), ["козырь ♠"]),
        (b"\xff\x1b[2J\x00\n", ["\ufffd\ufffd[2J\ufffd"]),
    ],
)
def test_lines_are_passed_on_as_legible_text(data: bytes, lines: list[str]) -> None:
    printed = Printed()
    printed.print(data)
    assert printed.end() == lines


def test_a_line_may_come_in_pieces() -> None:
    printed = Printed()
    for piece in (b"on", b"e\ntw", b"o\n"):
        printed.print(piece)
    assert printed.end() == ["one", "two"]


def test_a_long_line_is_cut_and_its_rest_is_no_line() -> None:
    printed = Printed()
    printed.print(b"x" * (3 * LINE_BYTES_MAX) + b"\nshort\n")
    assert printed.end() == ["x" * LINE_BYTES_MAX + "…", "short"]


def test_what_is_more_than_a_second_may_hold_is_counted() -> None:
    printed = Printed()
    printed.print(b"".join(b"%d\n" % number for number in range(3 * LINES_PER_S_MAX)))
    lines = printed.end()
    assert len(lines) + printed.dropped == 3 * LINES_PER_S_MAX
    assert printed.dropped >= LINES_PER_S_MAX
    assert list(printed.output.last_lines) == [
        str(number) for number in range(3 * LINES_PER_S_MAX)[-LAST_LINES_MAX:]
    ]


def test_a_pipe_that_somebody_else_holds_open_is_let_go_of() -> None:
    printed = Printed()
    printed.print(b"last words\n")
    printed.output.finish()  # the other end is still open
    assert printed.lines == [("stdout", "last words")]
    assert "plugin output" not in {thread.name for thread in threading.enumerate()}
