"""A match with bids: one a seat before the first trick, or even before the cards are dealt."""

from typing import Final

from mypy_extensions import i64, mypyc_attr

from kozyr.cards import NO_SUIT, SUITS, card_set
from kozyr.events import Event, Seat
from kozyr.tricks.actions import BIDS, LOOK, NAMES
from kozyr.tricks.game import BIDDING, DEALING, NAMING, TrickGame
from kozyr.tricks.masks import card_list
from kozyr.tricks.play import make_bid
from kozyr.tricks.rules import TrumpSource
from kozyr.tricks.telling import bid_made, cards_dealt

NAMING_CARDS: Final = 3
"""How many of its cards each seat sees until the trump is named (C7); all, if it has fewer."""


@mypyc_attr(allow_interpreted_subclasses=True)
class BiddingGame(TrickGame):
    """A match under some `TrickRules` in which every seat bids in every deal (C2, C3)."""

    def open_deal(self) -> None:
        self.phase = BIDDING if self.state.plan.bids_first else DEALING

    def deal_cards(self, events: list[Event]) -> None:
        state = self.state
        source = self.rules.trump_source(state.plan)
        if source is TrumpSource.NAMED:
            self.hand_out(NAMING_CARDS, events)
            state.turn = state.after(state.dealer)
            self.phase = NAMING
        else:
            self.hand_out(state.plan.hand_size, events)
            self.make_trump(source, events)
            self.begin_bidding()

    def seen_hand(self, seat: i64) -> i64:
        if self.phase == NAMING:
            return card_set(self.cards_of(seat)[:NAMING_CARDS])
        return super().seen_hand(seat)

    def begin_bidding(self) -> None:
        """Let the dealer's left bid, or lead if the bids were made before the dealing (C2, O7)."""
        state = self.state
        if state.bid_count == state.seats:
            self.begin_play()
        else:
            self.phase = BIDDING

    def choices(self, seat: Seat) -> list[int]:
        if self.phase == NAMING:
            return list(range(NAMES, LOOK))
        return [BIDS + bid for bid in card_list(self.rules.bids(self.state))]

    def choose(self, seat: Seat, action: int, events: list[Event]) -> None:
        if self.phase == NAMING:
            self.name_trump(action, events)
        else:
            self.bid(seat, action - BIDS, events)

    def name_trump(self, action: int, events: list[Event]) -> None:
        """Make the named suit trump, and show every seat the rest of its hand (C7)."""
        state = self.state
        self.set_trump((*SUITS, NO_SUIT)[action - NAMES], events)
        seat = state.dealer
        for _ in range(state.seats):
            seat = state.after(seat)
            rest = self.cards_of(seat)[NAMING_CARDS:]
            if rest:
                events.append(cards_dealt(Seat(seat), rest))
        self.begin_bidding()

    def bid(self, seat: Seat, bid: int, events: list[Event], *, dark: bool = False) -> None:
        """Take a bid; after the last one come the first trick, or the cards (O7)."""
        state = self.state
        make_bid(state, bid)
        events.append(bid_made(seat, bid, dark=dark))
        if state.bid_count == state.seats:
            if state.left:
                self.begin_play()
            else:
                self.phase = DEALING

    def why_not(self, seat: Seat, action: int) -> tuple[str, str]:
        if self.phase == NAMING:
            return "it is time to name the trump suit, or no-trump", "C7"
        if self.phase == BIDDING:
            return self.rules.why_not_bid(self.state, action)
        return super().why_not(seat, action)
