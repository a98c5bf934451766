"""What happens in a game, as typed events that carry their audience.

An `Event` has one ordinal for everybody (its place in the match's history) and a face for each
audience that sees something of it: a payload with what that audience may know. A viewer sees at
most one face of an event, so neither the numbering nor the count of events tells a secret.

The payloads are the standard vocabulary of trick-taking games; `Custom` is for games of other
kinds. Everything that a seat may ever know must be in the faces it sees: an `Observation` is
nothing but the fold of these (see `kozyr.observation`).
"""

from dataclasses import dataclass
from typing import Final, NewType

from kozyr.cards import NO_SUIT, Card, Suit
from kozyr.moves import Announcement, Bet

Seat = NewType("Seat", int)
"""A seat of a match, 0 .. seats-1, clockwise."""

SEATS_MAX: Final = 16
"""How many seats a game may have at most."""

WATCHER: Final = Seat(16)
"""The viewer who sits nowhere: a spectator, who sees only what is public."""

EVERYBODY: Final = (1 << 17) - 1
"""The audience of all seats and the watchers; audiences are masks with bit ``viewer`` set."""


@dataclass(frozen=True, slots=True)
class Payload:
    """The base of all that a face can say."""


@dataclass(frozen=True, slots=True)
class DealerDrawn(Payload):
    """The first dealer was drawn by lot: each seat drew a card, the highest deals."""

    cards: tuple[Card, ...]
    dealer: Seat


@dataclass(frozen=True, slots=True)
class DealBegan(Payload):
    """A deal began, before any of its cards is dealt."""

    index: int
    """Its place in the schedule, from 0; a replayed deal keeps its index."""
    deal_count: int
    """How many deals the schedule has, 0 where the match ends by points."""
    kind: str
    """``regular``, ``blind``, ``no_trump``, ``dark``, ``golden``, or a plugin's own word."""
    dealer: Seat
    hand_size: int
    multiplier: int = 1
    """What every score of the deal is multiplied by."""
    replay: int = 0
    """How many times this deal was dealt before, after revokes."""


@dataclass(frozen=True, slots=True)
class CardsDealt(Payload):
    """A seat received cards from the deck; their owner's face names them, the others' does not."""

    seat: Seat
    count: int
    cards: tuple[Card, ...] | None = None


@dataclass(frozen=True, slots=True)
class CardShown(Payload):
    """A card lies open for all: turned up from the deck, or shown by the seat that holds it."""

    card: Card
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class TrumpSet(Payload):
    """The trump suit of the deal (or of the trick) is known; `NO_SUIT` is no-trump."""

    suit: Suit


@dataclass(frozen=True, slots=True)
class SummatorSet(Payload):
    """The summator suit of the deal is known."""

    suit: Suit


@dataclass(frozen=True, slots=True)
class HandLooked(Payload):
    """A seat looked at its own cards; its own face names them, the others' does not."""

    seat: Seat
    cards: tuple[Card, ...] | None = None


@dataclass(frozen=True, slots=True)
class BidMade(Payload):
    """A seat bid; 0 is a pass."""

    seat: Seat
    count: int
    dark: bool = False


@dataclass(frozen=True, slots=True)
class BetMade(Payload):
    """A seat made a bet on the deal; `Bet.NONE` is a pass."""

    seat: Seat
    bet: Bet


@dataclass(frozen=True, slots=True)
class CardChosen(Payload):
    """A seat laid a card aside for somebody; only its own face names the card."""

    seat: Seat
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class CardsGiven(Payload):
    """Cards went from hand to hand; the two faces concerned name them."""

    giver: Seat
    receiver: Seat
    count: int
    cards: tuple[Card, ...] | None = None


@dataclass(frozen=True, slots=True)
class CardPlayed(Payload):
    """A seat played a card to the trick, perhaps saying something with it."""

    seat: Seat
    card: Card
    announcement: Announcement = Announcement.NONE
    suit: Suit = NO_SUIT
    """The suit named with the card."""


@dataclass(frozen=True, slots=True)
class CardReturned(Payload):
    """A revoke: the card went back to the hand it came from, known to all."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class TrickTaken(Payload):
    """The trick is complete and went to a seat."""

    seat: Seat
    points: int = 0
    """What the trick itself is worth, in games that count it."""


@dataclass(frozen=True, slots=True)
class Revoked(Payload):
    """A seat played a card that the rules forbade, and pays for it."""

    seat: Seat
    card: Card
    clause: str
    penalty: int


@dataclass(frozen=True, slots=True)
class DealScored(Payload):
    """The deal is over; ``scores`` are its own, ``totals`` the match's, by seat."""

    scores: tuple[int, ...]
    totals: tuple[int, ...]
    result: str = "played"
    """``played``, ``revoked`` (it is dealt anew) or ``skipped``."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended, by seat.

    Attributes:
        scores: final totals.
        places: from 1, shared by equals (9 9 5 is 1 1 3).
        notes: words about a seat, like ``double_loss``.
    """

    scores: tuple[int, ...]
    places: tuple[int, ...]
    notes: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class MatchEnded(Payload):
    """The match is over."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Custom(Payload):
    """An event of a game of another kind; its cards are listed so that a host can check them."""

    name: str
    args: tuple[tuple[str, str], ...] = ()
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened: pairs of an audience mask and what that audience sees.

    The masks of an event do not overlap.
    """

    faces: tuple[tuple[int, Payload], ...]

    def seen_by(self, viewer: Seat) -> Payload | None:
        """What a seat, or `WATCHER`, sees of the event; None when it sees nothing."""
        bit = 1 << viewer
        for audience, payload in self.faces:
            if audience & bit:
                return payload
        return None


def public(payload: Payload) -> Event:
    """An event that everybody sees alike."""
    return Event(((EVERYBODY, payload),))


def private(seat: Seat, own: Payload, others: Payload | None = None) -> Event:
    """An event that one seat sees in full and all others see as ``others``, or not at all."""
    bit = 1 << seat
    if others is None:
        return Event(((bit, own),))
    return Event(((bit, own), (EVERYBODY & ~bit, others)))
