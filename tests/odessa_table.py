"""A table for tests of Odessa: stacked decks, moves as people type them, refusals by clause.

Hands are given by seat, seat 0 first. `deal_of` seats the dealer last, so that seat 0 is always
the one who bids and leads first.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

import pytest

from kozyr.cards import ACE, HEARTS, Card, card, cards_text, parse_card, parse_cards
from kozyr.errors import IllegalMove
from kozyr.events import DealBegan, DealScored, Event, Payload, Seat
from kozyr.game import CHANCE_BIT
from kozyr.moves import parse_move
from kozyr.observation import Observation
from kozyr.variant import Variant, seat_list
from kozyr_odessa import OdessaVariant

PayloadT = TypeVar("PayloadT", bound=Payload)

VARIANT = OdessaVariant()


class OdessaTable:
    """One match under test, with all that has happened in it."""

    def __init__(self, seats: int, *, variant: Variant[Any] = VARIANT, **options: Any) -> None:
        self.options = variant.parse_options(options)
        self.actions = variant.actions(self.options)
        self.game = variant.start(self.options, seats)
        self.seats = seats
        self.events: list[Event] = []

    @property
    def turn(self) -> Seat:
        """The one seat that must decide now."""
        [seat] = seat_list(self.game.waiting())
        assert seat < self.seats, "the game waits for a shuffle"
        return seat

    @property
    def shuffling(self) -> bool:
        """Whether the game waits for a shuffled deck."""
        return self.game.waiting() == CHANCE_BIT

    def draw_lot(self, *, dealer: int) -> None:
        """Let ``dealer`` win the lot."""
        pack = list(self.game.deck())
        highest = card(HEARTS, ACE)
        pack.remove(highest)
        pack.insert(dealer, highest)
        self.hand_out(pack)

    def hand_out(self, deck: Sequence[Card]) -> None:
        """Give the game this deck as the shuffled one."""
        assert self.shuffling
        self.events += self.game.deal(tuple(deck))

    def deal(
        self, *hands: str, dealer: int, turned_up: str | None = None, hand_size: int | None = None
    ) -> None:
        """Deal these cards, first card first; a short hand is filled with whatever is left."""
        given = [list(parse_cards(hand)) for hand in hands]
        rest = list(self.game.deck())
        for each in [each for hand in given for each in hand]:
            rest.remove(each)
        if turned_up is not None:
            rest.remove(parse_card(turned_up))
        size = hand_size or max(len(hand) for hand in given)
        for hand in given:
            missing = size - len(hand)
            hand.extend(rest[:missing])
            del rest[:missing]
        eldest = dealer + 1
        deck = [
            given[(eldest + place) % self.seats][turn]
            for turn in range(size)
            for place in range(self.seats)
        ]
        if turned_up is not None:
            deck.append(parse_card(turned_up))
        self.hand_out(deck + rest)

    def bid(self, bids: str) -> None:
        """Make these bids, like ``"1 0 2"``, each by the seat whose turn it is."""
        self.act(*("pass" if bid == "0" else f"bid {bid}" for bid in bids.split()))

    def act(self, *texts: str) -> None:
        """Make these moves, each by the seat whose turn it is."""
        for text in texts:
            seat, action = self.turn, self.actions.number(parse_move(text))
            self.game.check(seat, action)
            self.events += self.game.apply(seat, action)

    def play(self, *cards: str) -> None:
        """Play these cards, each by the seat whose turn it is."""
        self.act(*(f"play {each}" for each in cards))

    def refusal(self, text: str) -> str:
        """The clause by which the seat on turn is refused this move."""
        with pytest.raises(IllegalMove) as refused:
            self.game.check(self.turn, self.actions.number(parse_move(text)))
        return refused.value.clause

    def moves(self) -> set[str]:
        """The legal moves of the seat on turn."""
        return {self.actions[action].text for action in self.game.legal(self.turn)}

    def playable(self) -> set[str]:
        """What the seat on turn may play, as one writes it after the word ``play``."""
        return {text.removeprefix("play ") for text in self.moves()}

    def said(self, kind: type[PayloadT], viewer: int = 0) -> list[PayloadT]:
        """All payloads of this kind that the viewer has seen."""
        faces = [event.seen_by(Seat(viewer)) for event in self.events]
        return [face for face in faces if isinstance(face, kind)]

    def deals_over(self) -> int:
        """How many deals of the schedule are over."""
        return sum(scored.result != "revoked" for scored in self.said(DealScored))

    def scores(self) -> tuple[int, ...]:
        """The scores of the last deal that was scored."""
        return self.said(DealScored)[-1].scores

    def view(self, viewer: int) -> Observation:
        """What the viewer knows."""
        observation = Observation.empty(Seat(viewer), self.seats)
        for event in self.events:
            face = event.seen_by(Seat(viewer))
            if face is not None:
                observation.hear(face)
        return observation

    def hand(self, seat: int) -> str:
        """The cards of a seat as it knows them, lowest number first."""
        held = self.view(seat).hand
        return cards_text(Card(each) for each in range(held.bit_length()) if held >> each & 1)

    def skip_to_deal(self, index: int) -> None:
        """Play on, anyhow but lawfully, until ``index`` deals of the schedule are over."""
        while self.deals_over() < index:
            if self.shuffling:
                self.hand_out(self.game.deck())
            else:
                self.events += self.game.apply(self.turn, self.game.default(self.turn))

    def finish(self) -> list[DealBegan]:
        """Play on to the end of the match; all deals that were begun, in order."""
        self.skip_to_deal(len(self.schedule()))
        assert self.game.waiting() == 0
        return self.said(DealBegan)

    def schedule(self) -> list[int]:
        """The hand sizes of the whole match, from clause O1."""
        options = self.options
        top = options.max_hand
        rising = list(range(1, top))
        extra = options.blind_deals + options.no_trump_deals
        return rising + [top] * self.seats + rising[::-1] + [top] * extra


def table_before(
    hand_size: int, *, seats: int, kind: str = "regular", **options: Any
) -> OdessaTable:
    """A table at the beginning of the first deal of that size and kind; the last seat deals."""
    table = OdessaTable(seats, **{"max_hand": hand_size, **options})
    blind_from = 2 * (table.options.max_hand - 1) + seats
    index = {
        "regular": hand_size - 1,
        "blind": blind_from,
        "no_trump": blind_from + table.options.blind_deals,
    }[kind]
    table.draw_lot(dealer=(seats - 1 - index) % seats)
    table.skip_to_deal(index)
    return table


def deal_of(
    *hands: str, turned_up: str | None = None, bids: str = "", **options: Any
) -> OdessaTable:
    """A table in a regular or no-trump deal of these hands, after these bids (``"1 0 2"``).

    The last seat deals. Options may hold ``kind`` and ``hand_size`` beside those of the variant.
    """
    hand_size = options.pop("hand_size", None) or max(len(hand.split()) for hand in hands)
    table = table_before(hand_size, seats=len(hands), **options)
    dealer = len(hands) - 1
    table.deal(*hands, dealer=dealer, turned_up=turned_up, hand_size=hand_size)
    table.bid(bids)
    return table
