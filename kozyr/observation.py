"""What a viewer knows: the fold of the events it has heard.

The server, a client, a bot and the page all keep the same `Observation` by feeding it the same
payloads in order, so a view is built up from what its viewer may know and can hold nothing else.
"""

from dataclasses import dataclass, field
from typing import Self

from kozyr.cards import Card, CardSet, Suit, card_set
from kozyr.events import (
    WATCHER,
    BetMade,
    BidMade,
    CardChosen,
    CardPlayed,
    CardReturned,
    CardsDealt,
    CardsGiven,
    CardShown,
    Custom,
    DealBegan,
    DealerDrawn,
    DealScored,
    HandLooked,
    MatchEnded,
    Outcome,
    Payload,
    Revoked,
    Seat,
    SummatorSet,
    TrickTaken,
    TrumpSet,
)
from kozyr.moves import Bet


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One finished deal of the score sheet, by seat."""

    deal: DealBegan
    bids: tuple[int | None, ...]
    tricks: tuple[int, ...]
    scored: DealScored


@dataclass(slots=True)
class Observation:
    """Everything that one viewer knows of a match, with perfect recall.

    Lists are by seat. What concerns the deal is reset when a deal begins.
    """

    viewer: Seat
    """The seat, or `WATCHER`."""
    seats: int
    heard: list[Payload] = field(default_factory=list)
    """All payloads that the viewer has seen, in order."""
    totals: list[int] = field(default_factory=list)
    sheet: list[SheetRow] = field(default_factory=list)
    outcome: Outcome | None = None
    deal: DealBegan | None = None
    deal_start: int = 0
    """The index in `heard` of the deal's `DealBegan`."""
    hand: CardSet = 0
    """The viewer's own cards, as far as it has seen them."""
    counts: list[int] = field(default_factory=list)
    """How many cards each seat holds."""
    shown: list[CardShown] = field(default_factory=list)
    trump: Suit | None = None
    """None until it is known; `NO_SUIT` is no-trump."""
    summator: Suit | None = None
    looked: list[bool] = field(default_factory=list)
    bids: list[BidMade | None] = field(default_factory=list)
    """None until the seat has bid; a count of 0 is a pass."""
    bets: list[Bet | None] = field(default_factory=list)
    trick: list[CardPlayed] = field(default_factory=list)
    """The cards on the table, in the order played."""
    last_trick: list[CardPlayed] = field(default_factory=list)
    played: CardSet = 0
    """Every card played in this deal, those on the table too."""
    tricks: list[int] = field(default_factory=list)
    """Tricks taken in this deal."""
    points: list[int] = field(default_factory=list)
    """Points of the tricks taken in this deal, in games that count them."""
    facts: dict[str, Custom] = field(default_factory=dict)
    """The last custom event of each name."""

    @classmethod
    def empty(cls, viewer: Seat, seats: int) -> Self:
        """The observation of a viewer who has heard nothing yet."""
        fresh = cls(viewer, seats)
        fresh.totals = [0] * seats
        fresh._clear_deal()
        return fresh

    @property
    def watcher(self) -> bool:
        """Whether the viewer sits nowhere."""
        return self.viewer == WATCHER

    def hear(self, payload: Payload) -> None:
        """Fold in the next thing that the viewer sees."""
        self.heard.append(payload)
        match payload:
            case CardPlayed():
                self._move_to_table(payload)
            case TrickTaken():
                self._close_trick(payload)
            case BidMade():
                self.bids[payload.seat] = payload
            case CardsDealt():
                self.counts[payload.seat] += payload.count
                if payload.seat == self.viewer and payload.cards is not None:
                    self.hand |= card_set(payload.cards)
            case DealBegan():
                self._clear_deal()
                self.deal = payload
                self.deal_start = len(self.heard) - 1
            case CardShown():
                self.shown.append(payload)
            case TrumpSet():
                self.trump = payload.suit
            case SummatorSet():
                self.summator = payload.suit
            case HandLooked():
                self.looked[payload.seat] = True
                if payload.seat == self.viewer and payload.cards is not None:
                    self.hand |= card_set(payload.cards)
            case BetMade():
                self.bets[payload.seat] = payload.bet
            case CardsGiven():
                self._hand_over(payload)
            case CardReturned():
                self._take_back(payload)
            case DealScored():
                self._score(payload)
            case MatchEnded():
                self.outcome = payload.outcome
            case Custom():
                self.facts[payload.name] = payload
            case DealerDrawn() | CardChosen() | Revoked():
                pass  # remembered in `heard`; nothing else follows from them
            case _:
                raise TypeError(f"unknown payload {payload!r}")

    def _clear_deal(self) -> None:
        seats = self.seats
        self.hand = 0
        self.counts = [0] * seats
        self.shown = []
        self.trump = None
        self.summator = None
        self.looked = [False] * seats
        self.bids = [None] * seats
        self.bets = [None] * seats
        self.trick = []
        self.last_trick = []
        self.played = 0
        self.tricks = [0] * seats
        self.points = [0] * seats

    def _move_to_table(self, payload: CardPlayed) -> None:
        self.trick.append(payload)
        self.played |= 1 << payload.card
        self.counts[payload.seat] -= 1
        if payload.seat == self.viewer:
            self.hand &= ~(1 << payload.card)

    def _take_back(self, payload: CardReturned) -> None:
        self.trick = [play for play in self.trick if play.card != payload.card]
        self.played &= ~(1 << payload.card)
        self.counts[payload.seat] += 1
        if payload.seat == self.viewer:
            self.hand |= 1 << payload.card

    def _close_trick(self, payload: TrickTaken) -> None:
        self.last_trick = self.trick
        self.trick = []
        self.tricks[payload.seat] += 1
        self.points[payload.seat] += payload.points

    def _hand_over(self, payload: CardsGiven) -> None:
        self.counts[payload.giver] -= payload.count
        self.counts[payload.receiver] += payload.count
        if payload.cards is None:
            return
        if payload.giver == self.viewer:
            self.hand &= ~card_set(payload.cards)
        if payload.receiver == self.viewer:
            self.hand |= card_set(payload.cards)

    def _score(self, payload: DealScored) -> None:
        assert self.deal is not None
        bids = tuple(None if bid is None else bid.count for bid in self.bids)
        self.sheet.append(SheetRow(self.deal, bids, tuple(self.tricks), payload))
        self.totals = list(payload.totals)


def unseen(observation: Observation, pack: tuple[Card, ...]) -> CardSet:
    """The cards of ``pack`` whose place the viewer does not know."""
    known = observation.hand | observation.played
    for shown in observation.shown:
        known |= 1 << shown.card
    return card_set(pack) & ~known
