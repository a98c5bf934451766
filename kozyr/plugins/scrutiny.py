"""Whether a step that comes from another process keeps the contract.

A host cannot know another's rules, but it can hold the plugin to what it has told before: who may
know which card, who holds how many, what the scores add up to, and what may be decided.
"""

from dataclasses import fields, replace
from itertools import pairwise
from typing import Final, Self, final

from kozyr.cards import CARD_COUNT, Card, CardSet, card_set, card_text
from kozyr.events import (
    EVERYBODY,
    WATCHER,
    CardChosen,
    CardPlayed,
    CardReturned,
    CardsDealt,
    CardsGiven,
    Custom,
    DealBegan,
    DealerDrawn,
    DealScored,
    Event,
    HandLooked,
    MatchEnded,
    Outcome,
    Payload,
    Seat,
)
from kozyr.moves import UNUSED, ActionTable
from kozyr.referee import Step

_SEAT_FIELDS: Final = frozenset({"seat", "giver", "receiver", "dealer"})


class Fault(Exception):
    """What a plugin did against the contract, as the end of a sentence that begins with it."""


@final
class Ledger:
    """What the events of a match have told, as far as scrutiny needs it.

    Attributes:
        totals: points, by seat.
        counts: cards held, by seat.
        hands: the cards that each seat was told it holds, by seat.
        known: the cards of the deal that each viewer was told, by viewer.
    """

    __slots__ = ("actions", "counts", "hands", "known", "seats", "totals")

    def __init__(self, seats: int, actions: ActionTable) -> None:
        self.seats = seats
        self.actions = actions
        self.totals = (0,) * seats
        self.counts = [0] * seats
        self.hands: list[CardSet] = [0] * seats
        self.known: list[CardSet] = [0] * (WATCHER + 1)

    def opening(self, step: Step) -> Self:
        """The ledger after the opening of the match.

        Raises:
            Fault: the step breaks the contract.
        """
        if not step.deck:
            raise Fault("begins a match with something else than a shuffle")
        return self.after(step)

    def after(self, step: Step) -> Self:
        """The ledger after a step; this one stays as it is.

        Raises:
            Fault: the step breaks the contract.
        """
        twin = type(self)(self.seats, self.actions)
        twin.totals = self.totals
        twin.counts[:] = self.counts
        twin.hands[:] = self.hands
        twin.known[:] = self.known
        twin.take(step)
        return twin

    def take(self, step: Step) -> None:
        """Take a step in.

        Raises:
            Fault: the step breaks the contract; this ledger is of no more use.
        """
        ended: Outcome | None = None
        for event in step.events:
            if ended is not None:
                raise Fault("goes on after the end of the match")
            ended = self._hear(event)
        self._check_result(step, ended)
        self._check_pending(step)

    # What happened.

    def _hear(self, event: Event) -> Outcome | None:
        """Take an event in; how the match ended, if it tells that."""
        seen = 0
        told: dict[type[Payload], Payload] = {}
        for audience, payload in event.faces:
            if audience & seen or not 0 < audience <= EVERYBODY:
                raise Fault(f"tells one viewer two faces of an event, or nobody one: {payload}")
            seen |= audience
            self._check_seats(payload)
            self._check_secrets(audience, payload)
            public = _without_cards(payload)
            if told.setdefault(type(payload), public) != public and type(payload) is not Custom:
                raise Fault(f"tells the viewers of an event different things: {payload}")
        for payload in told.values():
            self._count(payload)
        for audience, payload in event.faces:
            self._learn(audience, payload)
        ended = told.get(MatchEnded)
        return ended.outcome if isinstance(ended, MatchEnded) else None

    def _check_seats(self, payload: Payload) -> None:
        for field in fields(payload):
            if field.name in _SEAT_FIELDS:
                seat = getattr(payload, field.name)
                if seat is not None and not 0 <= seat < self.seats:
                    raise Fault(f"names a seat that is not there: {payload}")
        if isinstance(payload, DealerDrawn) and len(payload.cards) != self.seats:
            raise Fault(f"does not draw a card for each seat: {payload}")

    def _check_secrets(self, audience: int, payload: Payload) -> None:
        """Check that a face names cards only to those who may know them."""
        match payload:
            case CardsDealt(seat, count, cards):
                self._check_owners(audience, payload, 1 << seat)
                if count >= CARD_COUNT or (cards is not None and len(cards) != count):
                    raise Fault(f"deals other cards than it counts: {payload}")
            case HandLooked(seat) | CardChosen(seat):
                self._check_owners(audience, payload, 1 << seat)
            case CardsGiven(giver, receiver, count, cards):
                self._check_owners(audience, payload, 1 << giver | 1 << receiver)
                if cards is not None and len(cards) != count:
                    raise Fault(f"gives other cards than it counts: {payload}")
            case Custom(cards=cards):
                named = card_set(cards)
                for viewer in self._viewers(audience):
                    if named & ~self.known[viewer]:
                        raise Fault(f"names cards that viewer {viewer} may not know: {payload}")

    def _check_owners(self, audience: int, payload: Payload, owners: int) -> None:
        cards = named_cards(payload)
        if len(set(cards)) != len(cards):
            raise Fault(f"names a card twice: {payload}")
        if cards and audience & ~owners:
            raise Fault(f"names cards to viewers who may not know them: {payload}")

    def _count(self, payload: Payload) -> None:
        """Follow the cards and the points, as everybody can."""
        match payload:
            case DealBegan():
                self.counts = [0] * self.seats
                self.hands = [0] * self.seats
                self.known = [0] * len(self.known)
            case CardsDealt(seat, count):
                self.counts[seat] += count
            case CardPlayed(seat, card):
                self._take_from_hand(seat, card)
            case CardReturned(seat, card):
                self.counts[seat] += 1
                self.hands[seat] |= 1 << card
            case CardsGiven(giver, receiver, count):
                if self.counts[giver] < count:
                    raise Fault(f"gives cards that seat {giver} does not hold: {payload}")
                self.counts[giver] -= count
                self.counts[receiver] += count
            case DealScored(scores, totals):
                self._add(scores, totals)

    def _take_from_hand(self, seat: Seat, card: Card) -> None:
        hand, bit = self.hands[seat], 1 << card
        whole = hand.bit_count() == self.counts[seat]
        if not self.counts[seat] or (whole and not hand & bit):
            raise Fault(f"plays {card_text(card)} for seat {seat}, which does not hold it")
        self.counts[seat] -= 1
        self.hands[seat] = hand & ~bit

    def _add(self, scores: tuple[int, ...], totals: tuple[int, ...]) -> None:
        if not len(scores) == len(totals) == self.seats:
            raise Fault(f"does not score a deal for each seat: {scores}, {totals}")
        sums = tuple(total + score for total, score in zip(self.totals, scores, strict=True))
        if totals != sums:
            raise Fault(f"adds {scores} to {self.totals} and gets {totals}")
        self.totals = totals

    def _learn(self, audience: int, payload: Payload) -> None:
        """Remember which cards a face has told whom."""
        named = card_set(named_cards(payload))
        if not named:
            return
        for viewer in self._viewers(audience):
            self.known[viewer] |= named
        match payload:
            case CardsDealt(seat) | HandLooked(seat):
                self.hands[seat] |= named
            case CardsGiven(giver, receiver):
                if audience >> giver & 1:
                    self.hands[giver] &= ~named
                if audience >> receiver & 1:
                    self.hands[receiver] |= named

    def _viewers(self, audience: int) -> list[int]:
        return [each for each in (*range(self.seats), WATCHER) if audience >> each & 1]

    # What it came to.

    def _check_result(self, step: Step, ended: Outcome | None) -> None:
        if step.scores != self.totals:
            raise Fault(f"gives scores of {step.scores}, but told of {self.totals}")
        if step.outcome != ended:
            raise Fault(f"gives the outcome {step.outcome}, but told of {ended}")
        if ended is None:
            return
        if ended.scores != self.totals:
            raise Fault(f"ends with {ended.scores}, but told of {self.totals}")
        if not all(1 <= place <= self.seats for place in ended.places):
            raise Fault(f"gives places that are not there: {ended.places}")

    def _check_pending(self, step: Step) -> None:
        awaited = [bool(step.pending), bool(step.deck), step.outcome is not None]
        if sum(awaited) != 1:
            raise Fault("does not await exactly one of decisions, a shuffle, and nothing any more")
        if len(set(step.deck)) != len(step.deck):
            raise Fault("wants a deck shuffled that has a card twice")
        for decision in step.pending.values():
            legal = decision.legal
            if decision.seat >= self.seats:
                raise Fault(f"asks seat {decision.seat}, which is not there")
            if any(a >= b for a, b in pairwise(legal)) or legal[-1] >= len(self.actions):
                raise Fault(f"lists actions that are not ascending, or none: {legal}")
            if any(self.actions[action] == UNUSED for action in legal):
                raise Fault(f"lists an action that means nothing: {legal}")
            if decision.default not in legal:
                raise Fault(f"has a default that is not legal: {decision.default}")


def named_cards(payload: Payload | None) -> tuple[Card, ...]:
    """The cards that a payload names."""
    cards: tuple[Card, ...] = getattr(payload, "cards", None) or ()
    card: Card | None = getattr(payload, "card", None)
    return cards if card is None else (*cards, card)


def _without_cards(payload: Payload) -> Payload:
    """What all viewers of an event are told alike."""
    match payload:
        case CardsDealt() | HandLooked() | CardsGiven():
            return replace(payload, cards=None)
        case CardChosen():
            return replace(payload, card=None)
    return payload
