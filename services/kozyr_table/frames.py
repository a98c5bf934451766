"""Frames as bytes: an event is encoded once for all who see the same of it.

A session's frame is a ``PlayResponse`` put together from encoded fields: the encoding of a message
is the concatenation of the encodings of its fields, so an update that goes to many streams is
encoded once and joined into each stream's frame as it is.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from kozyr import wire
from kozyr.brain import Decision
from kozyr.events import Event, Seat
from kozyr.match import Match
from kozyr.v1 import session_pb2
from kozyr_table.clock import SeatClock

# The first bytes of fields: (number << 3) | wire type.
_UPDATES: Final = b"\x0a"
_RESULTS: Final = b"\x12"
_TABLE_ID: Final = b"\x0a"
_FULL: Final = b"\x10\x01"
_EVENTS: Final = b"\x22"
_PLACE: Final = b"\x2a"
_PENDING: Final = b"\x32"
_DECISIONS: Final = b"\x3a"
_AT_MS: Final = b"\x40"


def update_frame(
    head: bytes,
    events: Iterable[bytes],
    *,
    rest: bytes = b"",
    decisions: Iterable[Decision] = (),
    full: bool = False,
) -> bytes:
    """A ``PlayResponse`` that holds one table's update.

    Args:
        head: what `table_head` made of the table's id.
        events: encoded events, in order.
        rest: fields of the update that are the same for every viewer.
        decisions: of the viewers' seats.
        full: whether the client must forget what it had.
    """
    varint = wire.varint
    parts = [head, _FULL] if full else [head]
    for event in events:
        parts += (_EVENTS, varint(len(event)), event)
    parts.append(rest)
    for decision in decisions:
        body = wire.decision_bytes(decision)
        parts += (_DECISIONS, varint(len(body)), body)
    update = b"".join(parts)
    return b"".join((_UPDATES, varint(len(update)), update))


def place_fields(match: Match, clocks: Mapping[Seat, SeatClock]) -> bytes:
    """The fields ``place``, ``pending`` and ``at_ms`` of an update."""
    varint = wire.varint
    place = b"\x08%b\x12\x20%b" % (varint(match.version), match.digest)
    parts = [_PLACE, varint(len(place)), place]
    for seat, decision in match.pending.items():
        clock = clocks[seat]
        pending = b"\x10" + varint(decision.id)
        if seat:
            pending += b"\x08" + varint(seat)
        if clock.deadline_ms:
            pending += b"\x18" + varint(clock.deadline_ms)
        if clock.bank_ms:
            pending += b"\x20" + varint(clock.bank_ms)
        parts += (_PENDING, varint(len(pending)), pending)
    parts += (_AT_MS, varint(match.entries[-1].at_ms))
    return b"".join(parts)


def accepted_frame(head: bytes, request_id: str, version: int) -> bytes:
    """A ``PlayResponse`` that says in which version of the log a move is."""
    name = request_id.encode()
    result = b"%b\x12%b%b\x18%b" % (head, wire.varint(len(name)), name, wire.varint(version))
    return b"".join((_RESULTS, wire.varint(len(result)), result))


def result_frame(result: session_pb2.ActResult) -> bytes:
    """A ``PlayResponse`` that holds the answer to a move."""
    body = result.SerializeToString()
    return b"".join((_RESULTS, wire.varint(len(body)), body))


def table_head(table_id: str) -> bytes:
    """The first field of an update, and of a result: it names the table."""
    name = table_id.encode()
    return _TABLE_ID + wire.varint(len(name)) + name


def faces(events: Sequence[Event], first: int, viewers: int) -> list[bytes]:
    """What viewers on one stream see of events, encoded.

    Args:
        first: the ordinal of the first event.
        viewers: the mask of the viewers.
    """
    seen = []
    for ordinal, event in enumerate(events, first):
        for audience, payload in event.faces:
            if common := audience & viewers:
                to = 0 if common == viewers else common
                seen.append(wire.event_bytes(ordinal, to, payload))
    return seen
