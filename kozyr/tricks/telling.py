"""The events of a deal's steps.

A match makes the same few events over and over: each is made once and told again.
"""

from functools import lru_cache
from typing import Final

from kozyr.cards import Card
from kozyr.events import (
    BidMade,
    CardPlayed,
    CardsDealt,
    Event,
    HandLooked,
    Seat,
    TrickTaken,
    private,
    public,
)
from kozyr.tricks.actions import announcement_of, suit_named

EVENTS_KEPT_MAX: Final = 4096
"""How many events of one kind are kept; a few variants do not make so many different ones."""


@lru_cache(maxsize=EVENTS_KEPT_MAX)
def card_played(seat: Seat, card: Card, action: int) -> Event:
    """Tell of a card played by an action."""
    return public(CardPlayed(seat, card, announcement_of(action), suit_named(action)))


@lru_cache(maxsize=EVENTS_KEPT_MAX)
def trick_taken(seat: Seat, points: int) -> Event:
    """Tell of a complete trick."""
    return public(TrickTaken(seat, points))


@lru_cache(maxsize=EVENTS_KEPT_MAX)
def bid_made(seat: Seat, bid: int, *, dark: bool = False) -> Event:
    """Tell of a bid."""
    return public(BidMade(seat, bid, dark))


def cards_dealt(seat: Seat, cards: tuple[Card, ...]) -> Event:
    """Tell of cards dealt to a seat: it alone sees which."""
    count = len(cards)
    return private(seat, CardsDealt(seat, count, cards), CardsDealt(seat, count))


def hand_looked(seat: Seat, cards: tuple[Card, ...]) -> Event:
    """Tell of a look at a hand: its owner alone sees which cards it holds."""
    return private(seat, HandLooked(seat, cards), HandLooked(seat))
