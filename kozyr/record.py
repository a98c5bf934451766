"""Match records: what made a finished match what it is, as JSON Lines.

A record is a header line, a line for each entry of the log, a line with the result and the
revealed seed, and a line with a seal over all bytes before it. There is one way to write it, so
the same match always gives the same bytes; docs/records.md describes it for other programs.

Reading checks the form and the seal. Whether what a record tells is true, `kozyr.verify` finds
out.
"""

import hashlib
import os
import secrets
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from kozyr.errors import InvalidRecord
from kozyr.events import Outcome
from kozyr.log import Entry, Header, is_chance
from kozyr.match import Match
from kozyr.record_lines import (
    entry_line,
    header_line,
    parse_entry,
    parse_header,
    parse_result,
    parse_seal,
    result_line,
    seal_line,
)
from kozyr.referee import Referee

RECORD_BYTES_MAX: Final = 64 * 1024 * 1024

FIRST_ENTRY_LINE: Final = 2
"""The line of the first entry; lines count from 1."""


@dataclass(frozen=True, slots=True)
class Record:
    """A finished match.

    Attributes:
        entries: the whole log.
        moves: what the action of each entry says, as text; empty for a shuffle.
        seed: the seed of the shuffles.
        seal: the SHA-256 of all lines before the last.
    """

    header: Header
    entries: tuple[Entry, ...]
    moves: tuple[str, ...]
    outcome: Outcome
    seed: bytes
    seal: bytes = b""

    @classmethod
    def of(cls, match: Match) -> "Record":
        """The record of a match.

        Raises:
            InvalidRecord: the match is not over, or was opened without its seed.
        """
        return _unsealed(match).sealed()

    @property
    def result_line(self) -> int:
        """The number of the line with the result; the seal is on the next, the last."""
        return FIRST_ENTRY_LINE + len(self.entries)

    def to_bytes(self) -> bytes:
        """The record as a file holds it."""
        return self.lines() + seal_line(self.seal)

    def sealed(self) -> "Record":
        """The same record with the seal that belongs to it."""
        return replace(self, seal=hashlib.sha256(self.lines()).digest())

    def check_seal(self) -> None:
        """Compare the seal with the lines.

        Raises:
            InvalidRecord: it belongs to other lines.
        """
        if self.seal != self.sealed().seal:
            raise InvalidRecord(
                "the seal is not that of the lines above: something in them was changed",
                line=self.result_line + 1,
            )

    def match(self, *, referee: Referee | None = None) -> Match:
        """The match that the record makes, whose every position can be looked at again.

        Args:
            referee: where its rules run; by default in this process.

        Raises:
            MatchError: the log does not follow the rules.
            UnknownVariant, UnsupportedRules, InvalidOptions, InvalidSeatCount: nobody can referee.
        """
        log = [replace(entry) for entry in self.entries]
        return Match.open(self.header, referee=referee, seed=self.seed, log=log)

    def lines(self) -> bytes:
        """All lines before the seal."""
        entries = map(entry_line, self.entries, self.moves)
        result = result_line(self.outcome, self.seed)
        return b"".join([header_line(self.header), *entries, result])


def parse_record(data: bytes) -> Record:
    """The record of a file's bytes, whose seal is not checked.

    Raises:
        InvalidRecord: these bytes are not written like a record; names the line.
    """
    if len(data) > RECORD_BYTES_MAX:
        raise InvalidRecord(f"a record has at most {RECORD_BYTES_MAX} bytes")
    lines = data.splitlines(keepends=True)
    if len(lines) <= FIRST_ENTRY_LINE or not data.endswith(b"\n"):
        raise InvalidRecord("the record is cut off", line=len(lines))
    first, *log, result, last = lines
    header = parse_header(1, first)
    steps = [parse_entry(number, line) for number, line in enumerate(log, FIRST_ENTRY_LINE)]
    outcome, seed = parse_result(len(lines) - 1, result, seats=header.seats)
    return Record(
        header=header,
        entries=tuple(entry for entry, _ in steps),
        moves=tuple(move for _, move in steps),
        outcome=outcome,
        seed=seed,
        seal=parse_seal(len(lines), last),
    )


def read_record(path: str | os.PathLike[str]) -> Record:
    """The record in a file.

    Raises:
        InvalidRecord: it is not written like a record, or its seal is broken.
        OSError: the file cannot be read.
    """
    record = parse_record(record_bytes(path))
    record.check_seal()
    return record


def record_bytes(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a record's file, one more than is allowed at most."""
    with Path(path).open("rb") as file:
        return file.read(RECORD_BYTES_MAX + 1)


def write_record(match: Match | Record, path: str | os.PathLike[str]) -> Record:
    """Write the record of a match so that the file is whole and on the disk, or not there.

    Writing the same match again changes nothing.

    Raises:
        InvalidRecord: the match has no record yet, or one that is beyond the limits, or the file
            holds another one.
        OSError: the file cannot be written; it is not there then.
    """
    if isinstance(match, Record):
        record, data = match, match.to_bytes()
        parse_record(data)  # nothing is written that could not be read again
    else:
        record = _unsealed(match)
        lines = record.lines()
        record = replace(record, seal=hashlib.sha256(lines).digest())
        data = lines + seal_line(record.seal)
        if len(data) > RECORD_BYTES_MAX:
            raise InvalidRecord(f"a record has at most {RECORD_BYTES_MAX} bytes")
    place = Path(path)
    if not place.exists():
        _write_whole(place, data)
    elif record_bytes(place) != data:
        raise InvalidRecord(f"{place} holds another record, which is kept")
    _sync(place.parent)
    return record


def _unsealed(match: Match) -> Record:
    if match.outcome is None:
        raise InvalidRecord("the match goes on; it has a record when it is over")
    if match.seed is None:
        raise InvalidRecord("the match was opened without the seed that its record reveals")
    actions = match.setup.actions
    moves = tuple("" if is_chance(entry) else actions[entry.action].text for entry in match.entries)
    return Record(match.header, tuple(match.entries), moves, match.outcome, match.seed)


def _write_whole(path: Path, data: bytes) -> None:
    """Make the file appear at once with all its bytes, which are on the disk by then."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        with fresh.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.rename(path)
    finally:
        fresh.unlink(missing_ok=True)


def _sync(directory: Path) -> None:
    """Put the names in a directory on the disk."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
