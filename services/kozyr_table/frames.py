"""Frames as bytes: an event is encoded once for all who see the same of it.

A session's frame is a ``PlayResponse`` put together from encoded fields: the encoding of a message
is the concatenation of the encodings of its fields, so an update that goes to many streams is
encoded once and joined into each stream's frame as it is.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from kozyr import wire
from kozyr.brain import Decision
from kozyr.events import Event
from kozyr.v1 import session_pb2

_UPDATES: Final = b"\x0a"
_RESULTS: Final = b"\x12"
_TABLE_ID: Final = b"\x0a"
_FULL: Final = b"\x10\x01"
_EVENTS: Final = b"\x22"
_DECISIONS: Final = b"\x3a"


def update_frame(
    head: bytes,
    events: Iterable[bytes],
    *,
    rest: session_pb2.TableUpdate | None = None,
    decisions: Iterable[Decision] = (),
    full: bool = False,
) -> bytes:
    """A ``PlayResponse`` that holds one table's update.

    Args:
        head: what `table_head` made of the table's id.
        events: encoded events, in order.
        rest: an update with all fields that are the same for every viewer.
        decisions: of the viewers' seats.
        full: whether the client must forget what it had.
    """
    parts = [head]
    if full:
        parts.append(_FULL)
    for event in events:
        parts += (_EVENTS, _length(event), event)
    if rest is not None:
        parts.append(rest.SerializeToString())
    for decision in decisions:
        body = wire.decision_bytes(decision)
        parts += (_DECISIONS, _length(body), body)
    body = b"".join(parts)
    return _UPDATES + _length(body) + body


def result_frame(result: session_pb2.ActResult) -> bytes:
    """A ``PlayResponse`` that holds the answer to a move."""
    body = result.SerializeToString()
    return _RESULTS + _length(body) + body


def table_head(table_id: str) -> bytes:
    """The field of an update that names its table."""
    name = table_id.encode()
    return _TABLE_ID + _length(name) + name


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


def _length(body: bytes) -> bytes:
    return wire.varint(len(body))
