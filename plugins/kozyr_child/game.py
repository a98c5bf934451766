"""A match of Child: looking at one's cards, bids in the dark, and the golden deal."""

from mypy_extensions import i64, mypyc_attr

from kozyr.events import Event, Seat
from kozyr.tricks import (
    DARK,
    DARK_BIDS,
    GOLDEN,
    LOOK,
    BiddingGame,
    TrumpSource,
    bit_of,
    card_list,
    hand_looked,
)
from kozyr_child.rules import ChildRules, fixed_trump
from kozyr_child.state import ChildState


@mypyc_attr(allow_interpreted_subclasses=True)
class ChildGame(BiddingGame):
    """A match of Child."""

    @property
    def child_rules(self) -> ChildRules:
        """The rules, as what they are."""
        rules = self.rules
        assert isinstance(rules, ChildRules)
        return rules

    @property
    def child_state(self) -> ChildState:
        """The deal under way, as what it is."""
        state = self.state
        assert isinstance(state, ChildState)
        return state

    def deal_cards(self, events: list[Event]) -> None:
        state = self.state
        golden = state.plan.kind == GOLDEN
        self.hand_out(state.hand_size if golden else 0, events)  # H3
        self.make_trump(TrumpSource.NONE, events)
        if golden:  # H5
            self.begin_play()
        else:
            self.begin_bidding()

    def make_trump(self, source: TrumpSource, events: list[Event]) -> None:
        """Make the trump of the deal, which no card decides (H2, H12)."""
        self.set_trump(fixed_trump(circular=self.child_rules.circular), events)

    def seen_hand(self, seat: i64) -> i64:
        state = self.child_state
        golden = state.plan.kind == GOLDEN
        return state.hands[seat] if golden or state.looked & bit_of(seat) else 0

    def choices(self, seat: Seat) -> list[int]:
        state = self.child_state
        if state.looked & bit_of(seat):
            return super().choices(seat)
        dark = [DARK_BIDS + bid for bid in card_list(self.child_rules.dark_bids(state))]
        return dark if state.plan.kind == DARK else [LOOK, *dark]

    def choose(self, seat: Seat, action: int, events: list[Event]) -> None:
        if action == LOOK:
            self.look(seat, events)
        elif action > DARK_BIDS:
            self.child_state.dark |= bit_of(seat)
            self.bid(seat, action - DARK_BIDS, events, dark=True)
            self.look(seat, events)
        else:
            super().choose(seat, action, events)

    def look(self, seat: i64, events: list[Event]) -> None:
        """Show a seat its cards (H3)."""
        self.child_state.looked |= bit_of(seat)
        if not self.mute:
            events.append(hand_looked(Seat(seat), self.cards_of(seat)))
