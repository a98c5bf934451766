"""The lines of a record. There is one way to write each, and nothing else is read."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from kozyr.cards import cards_text, parse_cards
from kozyr.errors import InvalidRecord
from kozyr.events import SEATS_MAX, Outcome, Seat
from kozyr.game import CHANCE
from kozyr.log import Cause, Entry, Header, is_chance
from kozyr.shuffle import NONCE_BYTES_MAX, SEED_BYTES

FORMAT_VERSION: Final = 1
DIGEST_BYTES: Final = 32
LINE_BYTES_MAX: Final = 64 * 1024

_CHANCE_TEXT: Final = "chance"


def header_line(header: Header) -> bytes:
    """The first line."""
    return _line({"format_version": FORMAT_VERSION, "header": header.plain()})


def entry_line(entry: Entry, move: str) -> bytes:
    """The line of an entry; ``move`` is its action as text."""
    plain: dict[str, Any] = {
        "version": entry.version,
        "cause": entry.cause.name.lower(),
        "request_id": entry.request_id,
        "at_ms": entry.at_ms,
        "digest": entry.digest.hex(),
    }
    if is_chance(entry):
        plain |= {"seat": _CHANCE_TEXT, "deck": cards_text(entry.deck)}
    else:
        plain |= {"seat": entry.actor, "action": entry.action, "move": move}
    return _line(plain)


def result_line(outcome: Outcome, seed: bytes) -> bytes:
    """The line before the last."""
    return _line(
        {
            "scores": outcome.scores,
            "places": outcome.places,
            "notes": outcome.notes,
            "seed": seed.hex(),
        }
    )


def seal_line(seal: bytes) -> bytes:
    """The last line."""
    return _line({"seal": seal.hex()})


def parse_header(number: int, line: bytes) -> Header:
    """The header that the first line says.

    Raises:
        InvalidRecord: it says none; so do all parsers here, and name the line.
    """
    reader = _Reader(number, line)
    version = reader.whole("format_version", bits=32)
    if version != FORMAT_VERSION:
        raise reader.refusal(f"format_version {version} is not known here, {FORMAT_VERSION} is")
    try:
        header = Header.from_plain(reader.value("header"))
        check_header(header)
    except KeyError as error:
        raise reader.refusal(f"{error} is missing in the header") from error
    except (TypeError, ValueError) as error:
        raise reader.refusal(f"this is no header: {error}") from error
    reader.check_form(lambda: header_line(header))
    return header


def parse_entry(number: int, line: bytes) -> tuple[Entry, str]:
    """The entry that a line says, with its action as text."""
    reader = _Reader(number, line)
    cause = Cause.__members__.get(reader.text("cause").upper())
    if cause is None:
        raise reader.refusal(f"{reader.text('cause')!r} is no cause")
    entry = Entry(
        version=reader.whole("version", bits=63),
        actor=CHANCE,
        action=0,
        deck=(),
        cause=cause,
        digest=reader.hex("digest", size=DIGEST_BYTES),
        request_id=reader.text("request_id"),
        at_ms=reader.whole("at_ms", bits=63),
    )
    move = ""
    if reader.value("seat") == _CHANCE_TEXT:
        try:
            entry.deck = parse_cards(reader.text("deck"))
        except ValueError as error:
            raise reader.refusal(f"this is no deck: {error}") from error
    else:
        entry.actor = Seat(reader.whole("seat", bits=4))
        entry.action = reader.whole("action", bits=32)
        move = reader.text("move")
    reader.check_form(lambda: entry_line(entry, move))
    return entry, move


def parse_result(number: int, line: bytes, *, seats: int) -> tuple[Outcome, bytes]:
    """The outcome and the seed that the line before the last says."""
    reader = _Reader(number, line)
    notes = reader.items("notes", list, count=seats)
    if not all(isinstance(word, str) for words in notes for word in words):
        raise reader.refusal("'notes' holds something that is no text")
    outcome = Outcome(
        scores=tuple(reader.items("scores", int, count=seats)),
        places=tuple(reader.items("places", int, count=seats)),
        notes=tuple(tuple(words) for words in notes),
    )
    seed = reader.hex("seed", size=SEED_BYTES)
    reader.check_form(lambda: result_line(outcome, seed))
    return outcome, seed


def parse_seal(number: int, line: bytes) -> bytes:
    """The seal that the last line says."""
    reader = _Reader(number, line)
    seal = reader.hex("seal", size=DIGEST_BYTES)
    reader.check_form(lambda: seal_line(seal))
    return seal


def check_header(header: Header) -> None:
    """Check the sizes in a header that came from outside.

    Raises:
        ValueError: no match has such a header.
    """
    if not 1 <= header.seats <= SEATS_MAX:
        raise ValueError(f"a match has 1 to {SEATS_MAX} players, not {header.seats}")
    if not 1 <= header.rules_version < 1 << 32:
        raise ValueError(f"rules have no version {header.rules_version}")
    if len(header.commitment) != DIGEST_BYTES:
        raise ValueError(f"a commitment has {DIGEST_BYTES} bytes, not {len(header.commitment)}")
    if len(header.nonces) != header.seats:
        raise ValueError(f"there are {len(header.nonces)} nonces for {header.seats} players")
    if any(len(nonce) > NONCE_BYTES_MAX for nonce in header.nonces):
        raise ValueError(f"a nonce has at most {NONCE_BYTES_MAX} bytes")


def _line(plain: Mapping[str, Any]) -> bytes:
    """Canonical JSON: keys sorted, no spaces, UTF-8."""
    text = json.dumps(
        plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode() + b"\n"


class _Reader:
    """Reads the values of one line, and names the line in every refusal."""

    def __init__(self, number: int, line: bytes) -> None:
        self.number = number
        self.line = line
        if len(line) > LINE_BYTES_MAX:
            raise self.refusal(f"a line has at most {LINE_BYTES_MAX} bytes")
        try:
            plain = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise self.refusal(f"this is no JSON: {error}") from error
        if not isinstance(plain, dict):
            raise self.refusal("this is no JSON object")
        self.plain: dict[str, Any] = plain

    def refusal(self, message: str) -> InvalidRecord:
        return InvalidRecord(message, line=self.number)

    def value(self, name: str) -> Any:
        if name not in self.plain:
            raise self.refusal(f"{name!r} is missing")
        return self.plain[name]

    def whole(self, name: str, *, bits: int) -> int:
        value = self.value(name)
        if type(value) is not int or not 0 <= value < 1 << bits:
            raise self.refusal(f"{name!r} is no whole number of {bits} bits")
        return value

    def text(self, name: str) -> str:
        value = self.value(name)
        if not isinstance(value, str):
            raise self.refusal(f"{name!r} is no text")
        return value

    def hex(self, name: str, *, size: int) -> bytes:
        text = self.text(name)
        try:
            value = bytes.fromhex(text)
        except ValueError as error:
            raise self.refusal(f"{name!r} is not in hex") from error
        if len(value) != size:
            raise self.refusal(f"{name!r} has {len(value)} bytes, not {size}")
        return value

    def items(self, name: str, kind: type, *, count: int) -> list[Any]:
        value = self.value(name)
        if not isinstance(value, list) or len(value) != count:
            raise self.refusal(f"{name!r} is no list of {count}")
        if any(type(item) is not kind for item in value):
            raise self.refusal(f"{name!r} holds something that is no {kind.__name__}")
        return value

    def check_form(self, write: Callable[[], bytes]) -> None:
        """Refuse the line unless it is what ``write`` makes of all that was read from it.

        So nothing passes that reading alone would not notice: an unknown or repeated name,
        another order, a space, a capital letter in hex.
        """
        try:
            written = write()
        except (ValueError, RecursionError) as error:  # NaN, half of a character
            raise self.refusal(f"this cannot be in a record: {error}") from error
        if written != self.line:
            raise self.refusal("this is not how a record writes what it says")
