"""A toy game for tests: all seats choose at once, in moves and events of its own.

Each deal gives everybody a hand, then there are as many tricks as cards were dealt. In each, all
seats choose a card, known only to themselves, and when all have chosen the cards are laid open and
the highest takes the trick. One may sit out the first trick of a deal, but no other (clause T1).
"""

import random
from collections.abc import Sequence
from functools import lru_cache

from pydantic import Field

from kozyr.cards import Card, card_text, pack, rank_of
from kozyr.errors import IllegalMove, NotYourTurn
from kozyr.events import (
    CardChosen,
    CardPlayed,
    CardsDealt,
    Custom,
    DealBegan,
    DealScored,
    Event,
    MatchEnded,
    Outcome,
    Seat,
    TrickTaken,
    private,
    public,
)
from kozyr.game import CHANCE_BIT, Game
from kozyr.log import Cause
from kozyr.match import Match
from kozyr.moves import ActionTable, CustomMove, Pass
from kozyr.referee import LocalReferee
from kozyr.variant import Options, Variant, seat_list

SIT_OUT = 0
"""The action; actions 1, 2, … lay the lowest card of the hand, the next, …"""

HAND_MAX = 5


class ToyOptions(Options):
    deals: int = Field(default=2, ge=1, le=9)
    hand: int = Field(default=2, ge=1, le=HAND_MAX)


class ToyVariant(Variant[ToyOptions]):
    @property
    def id(self) -> str:
        return "toy"

    @property
    def title(self) -> str:
        return "Toy"

    @property
    def rules_version(self) -> int:
        return 3

    @property
    def options_type(self) -> type[ToyOptions]:
        return ToyOptions

    def seat_counts(self, options: ToyOptions) -> Sequence[int]:
        return range(2, 7)

    def actions(self, options: ToyOptions) -> ActionTable:
        return _actions()

    def new_game(self, options: ToyOptions, seats: int) -> Game:
        return ToyGame(options, seats)


class ToyGame(Game):
    def __init__(self, options: ToyOptions, seats: int) -> None:
        self.options = options
        self.seats = seats
        self.deal_index = 0
        self.trick = 0
        self.hands: list[list[Card]] = []
        self.chosen: dict[Seat, Card | None] = {}
        self.taken = [0] * seats
        self.totals = [0] * seats

    def waiting(self) -> int:
        if self.deal_index == self.options.deals:
            return 0
        if not self.hands:
            return CHANCE_BIT
        return sum(1 << seat for seat in range(self.seats) if seat not in self.chosen)

    def legal(self, seat: Seat) -> list[int]:
        return [SIT_OUT] * (self.trick == 0) + [*range(1, len(self.hands[seat]) + 1)]

    def check(self, seat: Seat, action: int) -> None:
        if not self.waiting() >> seat & 1:
            raise NotYourTurn(seat, waiting=seat_list(self.waiting()))
        if action not in self.legal(seat):
            raise IllegalMove(
                "one sits out the first trick only, and lays what one has", clause="T1"
            )

    def apply(self, seat: Seat, action: int) -> list[Event]:
        card = self.hands[seat].pop(action - 1) if action else None
        self.chosen[seat] = card
        own = Custom("sat_out") if card is None else CardChosen(seat, card)
        events = [private(seat, own, CardChosen(seat))]
        return events if len(self.chosen) < self.seats else events + self._reveal()

    def deck(self) -> tuple[Card, ...]:
        return pack(lowest_rank=6)

    def deal(self, deck: tuple[Card, ...]) -> list[Event]:
        size = self.options.hand
        dealer = Seat(self.deal_index % self.seats)
        began = DealBegan(self.deal_index, self.options.deals, "regular", dealer, size)
        events = [public(began)]
        for seat in map(Seat, range(self.seats)):
            cards = tuple(sorted(deck[seat * size : (seat + 1) * size]))
            self.hands.append([*cards])
            events.append(private(seat, CardsDealt(seat, size, cards), CardsDealt(seat, size)))
        return events

    def default(self, seat: Seat) -> int:
        return self.legal(seat)[0]

    def clone(self) -> "ToyGame":
        copy = ToyGame(self.options, self.seats)
        copy.deal_index, copy.trick = self.deal_index, self.trick
        copy.hands = [hand.copy() for hand in self.hands]
        copy.chosen = self.chosen.copy()
        copy.taken, copy.totals = self.taken.copy(), self.totals.copy()
        return copy

    def scores(self) -> tuple[int, ...]:
        return tuple(self.totals)

    def outcome(self) -> Outcome | None:
        if self.waiting():
            return None
        places = tuple(1 + sum(other > own for other in self.totals) for own in self.totals)
        notes = tuple(("nothing",) if own == 0 else () for own in self.totals)
        return Outcome(tuple(self.totals), places, notes)

    def _reveal(self) -> list[Event]:
        laid = {seat: card for seat, card in sorted(self.chosen.items()) if card is not None}
        events = [public(CardPlayed(seat, card)) for seat, card in laid.items()]
        if laid:
            winner = max(laid, key=lambda seat: rank_of(laid[seat]))
            text = card_text(laid[winner])
            events.append(public(Custom("highest", (("card", text),), (laid[winner],))))
            events.append(public(TrickTaken(winner)))
            self.taken[winner] += 1
        self.chosen = {}
        self.trick += 1
        return events if self.trick < self.options.hand else events + self._score()

    def _score(self) -> list[Event]:
        scores = tuple(self.taken)
        self.totals = [total + score for total, score in zip(self.totals, scores, strict=True)]
        events = [public(DealScored(scores, tuple(self.totals)))]
        self.deal_index, self.trick = self.deal_index + 1, 0
        self.hands, self.taken = [], [0] * self.seats
        outcome = self.outcome()
        return events if outcome is None else [*events, public(MatchEnded(outcome))]


TOY = ToyVariant()
REFEREE = LocalReferee(TOY)


def toy_match(*, seed: int = 1, seats: int = 4, **options: int) -> Match:
    """A toy match that has just been dealt."""
    return Match(TOY, seats=seats, seed=seed, options=options)


def play_out(match: Match, *, seed: int = 1) -> Match:
    """The match after random moves to its end, some of them by a clock that ran out."""
    rng = random.Random(seed)
    at_ms = match.entries[-1].at_ms
    while not match.over:
        seat = rng.choice(sorted(match.pending))
        decision = match.pending[seat]
        action, cause = rng.choice(decision.legal), Cause.PLAYER
        if rng.random() < 0.1:
            action, cause = decision.default, Cause.TIMEOUT
        at_ms += rng.randrange(3)
        match.commit(match.prepare(seat, action, cause=cause, request_id=f"r{at_ms}"), at_ms=at_ms)
    return match


@lru_cache(maxsize=1)
def _actions() -> ActionTable:
    laying = [CustomMove("lay", (("place", str(place)),)) for place in range(1, HAND_MAX + 1)]
    return ActionTable([Pass(), *laying])
