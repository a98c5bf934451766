"""Events on the wire: each face of an event is one message.

`event_bytes` is the hot path of a host, which sends every event of every match. It gives what
serializing `encode_event` would give, several times faster: most payloads (a bid, a card played,
a trick taken) have been met before, and around a payload there are only two small numbers.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from kozyr.events import (
    BetMade,
    BidMade,
    CardPlayed,
    CardShown,
    Payload,
    Seat,
    SummatorSet,
    TrickTaken,
    TrumpSet,
)
from kozyr.v1 import events_pb2
from kozyr.wire.payloads import decode_payload, encode_payload

PAYLOADS_CACHED_MAX: Final = 8192
"""How many recurring payloads are remembered; a table of four uses some 400."""

_RECURRING: Final = frozenset(
    {BetMade, BidMade, CardPlayed, CardShown, SummatorSet, TrickTaken, TrumpSet}
)
"""The payloads that come again, in this match or in others."""

_ONE_BYTE: Final = tuple(bytes((number,)) for number in range(0x80))
_ONE_BYTE_MORE: Final = tuple(bytes((number | 0x80,)) for number in range(0x80))


class Face(NamedTuple):
    """What an audience saw of an event, as a client receives it."""

    ordinal: int
    """The event's place in the match, from 0."""
    audience: int
    """The viewers on the stream that see it, as a mask; 0 stands for all of them."""
    payload: Payload

    def seen_by(self, viewer: Seat) -> bool:
        """Whether a viewer of the stream sees it."""
        return self.audience == 0 or self.audience >> viewer & 1 == 1


def encode_event(ordinal: int, audience: int, payload: Payload) -> events_pb2.Event:
    """A face of an event for the wire."""
    return events_pb2.Event(ordinal=ordinal, audience=audience, payload=encode_payload(payload))


def decode_event(message: events_pb2.Event) -> Face:
    """A face of an event from the wire.

    Raises:
        InvalidMessage: it says nothing that is known here.
    """
    return Face(message.ordinal, message.audience, decode_payload(message.payload))


def event_bytes(ordinal: int, audience: int, payload: Payload) -> bytes:
    """The bytes of `encode_event`."""
    body = payload_bytes(payload)
    head = b""
    if ordinal:
        head = b"\x08" + varint(ordinal)
    if audience:
        head += b"\x10" + varint(audience)
    return head + b"\x1a" + varint(len(body)) + body


def payload_bytes(payload: Payload) -> bytes:
    """The bytes of `encode_payload`."""
    if type(payload) in _RECURRING:
        return _recurring_bytes(payload)
    return encode_payload(payload).SerializeToString()


def varint(number: int) -> bytes:
    """A number from 0 as protobuf writes it: seven bits a byte, the lowest first."""
    if number < 0x80:
        return _ONE_BYTE[number]
    return _ONE_BYTE_MORE[number & 0x7F] + varint(number >> 7)


@lru_cache(maxsize=PAYLOADS_CACHED_MAX)
def _recurring_bytes(payload: Payload) -> bytes:
    return encode_payload(payload).SerializeToString()
