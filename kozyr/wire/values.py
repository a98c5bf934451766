"""The small things that messages are made of: cards, suits, seats and other closed sets.

An encoder takes what the library made and trusts it. A decoder takes what anybody may have sent
and raises `InvalidMessage` for a number that means nothing.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

from google.protobuf.message import DecodeError, Message

from kozyr.cards import (
    CARD_COUNT,
    CLUBS,
    DIAMONDS,
    HEARTS,
    NO_SUIT,
    SPADES,
    Card,
    Suit,
    is_card,
)
from kozyr.errors import InvalidMessage
from kozyr.events import SEATS_MAX, Seat
from kozyr.moves import Announcement, Bet
from kozyr.v1 import cards_pb2, moves_pb2

MessageT = TypeVar("MessageT", bound=Message)
KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")

_CARDS: Final = frozenset(number for number in range(CARD_COUNT) if is_card(number))

ENCODED_SUIT: Final = {
    NO_SUIT: cards_pb2.SUIT_UNSPECIFIED,
    SPADES: cards_pb2.SUIT_SPADES,
    CLUBS: cards_pb2.SUIT_CLUBS,
    DIAMONDS: cards_pb2.SUIT_DIAMONDS,
    HEARTS: cards_pb2.SUIT_HEARTS,
}
"""A suit named with a card; `NO_SUIT` says that none was named."""

ENCODED_TRUMP: Final = {**ENCODED_SUIT, NO_SUIT: cards_pb2.SUIT_NONE}
"""A suit that was decided; `NO_SUIT` says that it was decided to be none."""

ENCODED_ANNOUNCEMENT: Final = {
    Announcement.NONE: moves_pb2.ANNOUNCEMENT_UNSPECIFIED,
    Announcement.HIGH: moves_pb2.ANNOUNCEMENT_HIGH,
    Announcement.LOW: moves_pb2.ANNOUNCEMENT_LOW,
    Announcement.SIMPLE: moves_pb2.ANNOUNCEMENT_SIMPLE,
    Announcement.DEMAND: moves_pb2.ANNOUNCEMENT_DEMAND,
}

ENCODED_BET: Final = {
    Bet.NONE: moves_pb2.BET_UNSPECIFIED,
    Bet.BLIND: moves_pb2.BET_BLIND,
    Bet.ZERO: moves_pb2.BET_ZERO,
    Bet.SMART: moves_pb2.BET_SMART,
}


def inverse(table: Mapping[KeyT, ValueT]) -> dict[ValueT, KeyT]:
    """The way back through a table of pairs."""
    return {value: key for key, value in table.items()}


_SUITS: Final = inverse(ENCODED_SUIT)
_TRUMPS: Final = inverse(ENCODED_TRUMP)
_ANNOUNCEMENTS: Final = inverse(ENCODED_ANNOUNCEMENT)
_BETS: Final = inverse(ENCODED_BET)


def parse(kind: type[MessageT], data: bytes) -> MessageT:
    """The message of that kind that the bytes say.

    Raises:
        InvalidMessage: they say none.
    """
    try:
        return kind.FromString(data)
    except DecodeError as error:
        raise InvalidMessage(f"these bytes are no {kind.DESCRIPTOR.full_name}") from error


def decode_card(number: int) -> Card:
    """A card.

    Raises:
        InvalidMessage: no card has that number; so do all decoders here.
    """
    if number not in _CARDS:
        raise InvalidMessage(f"no card has the number {number}")
    return Card(number)


def decode_cards(numbers: Iterable[int]) -> tuple[Card, ...]:
    """Several cards."""
    return tuple([decode_card(number) for number in numbers])


def decode_seat(number: int) -> Seat:
    """A seat of any match."""
    if not 0 <= number < SEATS_MAX:
        raise InvalidMessage(f"no seat has the number {number}; seats are 0 to {SEATS_MAX - 1}")
    return Seat(number)


def decode_suit(number: cards_pb2.Suit.ValueType) -> Suit:
    """A suit named with a card, or `NO_SUIT`."""
    return _lookup(_SUITS, number, "suit of a card")


def decode_trump(number: cards_pb2.Suit.ValueType) -> Suit:
    """A suit that was decided, or `NO_SUIT` when it was decided to be none."""
    return _lookup(_TRUMPS, number, "trump")


def decode_announcement(number: moves_pb2.Announcement.ValueType) -> Announcement:
    """What is said with a card."""
    return _lookup(_ANNOUNCEMENTS, number, "announcement")


def decode_bet(number: moves_pb2.Bet.ValueType) -> Bet:
    """A bet."""
    return _lookup(_BETS, number, "bet")


def encode_args(args: Iterable[tuple[str, str]]) -> list[moves_pb2.Move.Argument]:
    """The arguments of a custom move or event."""
    return [moves_pb2.Move.Argument(name=name, value=value) for name, value in args]


def decode_args(args: Iterable[moves_pb2.Move.Argument]) -> tuple[tuple[str, str], ...]:
    """The arguments of a custom move or event."""
    return tuple([(each.name, each.value) for each in args])


def encode_options(options: Mapping[str, Any]) -> str:
    """Options as a JSON object."""
    return json.dumps(dict(options), sort_keys=True, ensure_ascii=False, allow_nan=False)


def decode_options(text: str) -> dict[str, Any]:
    """Options from a JSON object; an empty text is none."""
    try:
        options = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:
        raise InvalidMessage(f"the options are no JSON: {error}") from error
    if not isinstance(options, dict):
        raise InvalidMessage("the options are no JSON object")
    return options


def _lookup(table: Mapping[KeyT, ValueT], number: KeyT, what: str) -> ValueT:
    value = table.get(number)
    if value is None:
        raise InvalidMessage(f"no {what} has the number {number}")
    return value
