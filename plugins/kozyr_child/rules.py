"""The rules of Child, clause by clause."""

from typing import Final

from mypy_extensions import i64, mypyc_attr

from kozyr.cards import DIAMONDS, NO_SUIT, SPADES, Suit, card, next_suit, pack
from kozyr.tricks import (
    BIDS,
    DARK,
    DARK_BIDS,
    DEMAND,
    DEMAND_NAMING,
    GOLDEN,
    HIGH,
    LOOK,
    NAMES,
    SIMPLE,
    SPECIALS,
    DealPlan,
    DealState,
    TrickRules,
    bit_of,
    count_of,
    one_of,
    only_suit,
    pyramid,
    suit_cards,
    suit_named,
)
from kozyr_child.state import ChildState

POKER: Final = card(SPADES, 7)
"""The 7♠ (H6)."""

DECK: Final = 36
LOWEST_RANK: Final = 6

REVOKE_PENALTY: Final = -50
"""H13, in points."""

_HIGH_OR_SIMPLE: Final = 0x005
_BY_TRUMPS: Final = 0x008
_BY_SUIT: Final = 0xF000
"""H6, H8, H9, H12: bits of the Poker's ways from `SPECIALS` on."""


@mypyc_attr(allow_interpreted_subclasses=True)
class ChildRules(TrickRules):
    """Child under one set of options.

    Attributes:
        circular: whether each trick has its own trump (H12).
        silent_lead: the suit that a Poker asks for that is led high with no demand (H10).
    """

    def __init__(
        self,
        *,
        seats: int,
        dealer_restriction: bool,
        silent_lead: Suit,
        circular: bool,
        revoke_allowed: bool,
    ) -> None:
        super().__init__(
            seats=seats,
            pack=pack(lowest_rank=LOWEST_RANK),
            schedule=child_schedule(seats=seats),
            special=POKER,
            dealer_restriction=dealer_restriction,
            revoke_allowed=revoke_allowed,
            revoke_penalty=REVOKE_PENALTY,
        )
        self.circular = circular
        self.silent_lead = SPADES if circular else silent_lead

    def new_state(self) -> DealState:
        return ChildState(self.seats)

    # The cards of a trick.

    def open(self, state: DealState, bit: i64) -> None:
        assert isinstance(state, ChildState)
        state.silent = False
        if self.circular:
            state.set_trump(next_suit(only_suit(bit)))
        super().open(state, bit)

    def follow(self, state: DealState, hand: i64) -> i64:
        if self.special & state.trumps:
            nothing_else = not hand & (state.asked | state.trumps)
            if nothing_else and self.special & state.hands[state.turn]:
                return 0  # H7: the Poker is the only trump, and must be played
        return super().follow(state, hand)

    # The Poker.

    def words(self, state: DealState) -> i64:
        if state.laid:
            return _HIGH_OR_SIMPLE
        return _HIGH_OR_SIMPLE | (_BY_SUIT if self.circular else _BY_TRUMPS)

    def lawful_words(self, state: DealState, hand: i64) -> i64:
        words = self.words(state)
        if state.laid and not self.special & super().follow(state, hand):
            return words & ~bit_of(SIMPLE - SPECIALS)  # H8
        return words

    def open_special(self, state: DealState, action: i64) -> None:
        assert isinstance(state, ChildState)
        if action == SIMPLE:  # H8
            self.open(state, self.special)
            return
        asked: i64
        if action >= DEMAND_NAMING:  # H12
            state.set_trump(NO_SUIT)
            asked = suit_named(action)
        elif action == DEMAND:  # H9
            asked = state.trump
        else:  # H10
            asked = self.silent_lead
            if self.circular:
                state.set_trump(next_suit(SPADES))
        state.asked = suit_cards(asked)
        state.silent = action == HIGH
        state.demanded = action != HIGH
        state.over = 0

    def spend(self, state: DealState, action: i64) -> bool:
        if action == HIGH:  # H6
            state.over = 0
            return True
        if not self.special & state.over:
            return False
        state.over = self.over(state, self.special)
        return True

    # Bids and scores.

    def dark_bids(self, state: DealState) -> i64:
        """Which bids the seat on turn may make in the dark, as a set of counts (H3)."""
        return self.bids(state) & ~bit_of(0)

    def score(self, state: DealState, seat: i64) -> i64:
        taken = count_of(state.tricks, seat=seat)
        if state.plan.kind == GOLDEN:
            return 20 * taken  # H5
        assert isinstance(state, ChildState)
        score = bid_score(count_of(state.bids, seat=seat), taken=taken)
        return 2 * score if state.dark & bit_of(seat) else score  # H3

    def facts(self, state: DealState) -> i64:
        """The seats that have looked, and from bit 8 on those that bid in the dark."""
        assert isinstance(state, ChildState)
        return state.looked | state.dark << 8

    def wants_trick(self, state: DealState, seat: i64) -> bool:
        return state.plan.kind == GOLDEN or super().wants_trick(state, seat)

    # Why not.

    def why_not_bid(self, state: DealState, action: int) -> tuple[str, str]:
        assert isinstance(state, ChildState)
        looked = state.looked & bit_of(state.turn) != 0
        size = state.hand_size
        if looked:
            if action == LOOK:
                return "you have looked at your cards already", "H3"
            if DARK_BIDS < action <= DARK_BIDS + size:
                return "you have looked at your cards, and bid in the dark no more", "H3"
            return super().why_not_bid(state, action)
        if state.plan.kind == DARK:
            if action == LOOK or BIDS <= action <= BIDS + size:
                return f"in a dark deal everybody bids in the dark, 1 to {size}", "H3"
        elif BIDS <= action <= BIDS + size:
            return "look at your cards first, or bid in the dark", "H3"
        if DARK_BIDS < action <= DARK_BIDS + size:
            if not self.dark_bids(state):
                return "every dark bid would make the bids add up: look, and pass", "H11"
            return super().why_not_bid(state, action - DARK_BIDS + BIDS)
        return f"it is time to bid 1 to {size} in the dark, or to look at your cards", "H3"

    def why_unlawful(self, state: DealState, hand: i64, action: int) -> tuple[str, str]:
        if action == POKER or action >= SPECIALS:
            return self.why_not_so(state, hand, action)
        rest = hand & ~self.special
        wanted = rest & state.asked
        if wanted:
            suit = one_of(only_suit(wanted))
            if state.demanded:
                clause = "H12" if self.circular else "H9"
                return f"the Poker demands your highest {suit}", clause
            assert isinstance(state, ChildState)
            if state.silent:
                return f"the Poker asks for a {suit}, and you hold one", "H10"
        elif self.special & hand & state.trumps and not rest & state.trumps:
            return "the Poker is your only trump, and you must play a trump", "H7"
        return super().why_unlawful(state, rest, action)

    def why_not_so(self, state: DealState, hand: i64, action: int) -> tuple[str, str]:
        """Why the Poker may not be played with this word: a sentence and the clause."""
        if action == SIMPLE:
            message, _ = super().why_unlawful(state, hand & ~self.special, action)
            return f"a simple Poker is a plain 7♠: {message}", "H8"
        if action == DEMAND or DEMAND_NAMING <= action < NAMES:
            if state.laid:
                return "only a Poker that is led demands anything", "H9"
            if self.circular:
                return "a demand names the suit of which all play their highest", "H12"
            return "a demand is for trumps, and names no suit", "H9"
        return "the Poker is played high or simple, or led with a demand", "H6"


def bid_score(bid: i64, *, taken: i64) -> i64:
    """What a bid comes to, in points, before it counts double (H4)."""
    if taken < bid:
        return 10 * (taken - bid)
    if taken > bid:
        return taken
    return 10 * bid if bid else 5


def fixed_trump(*, circular: bool) -> Suit:
    """The trump of a whole deal, `NO_SUIT` where each trick has its own (H2, H12)."""
    return NO_SUIT if circular else DIAMONDS


def peak(*, seats: int) -> int:
    """The cards of the largest hand (H1)."""
    return DECK // seats


def child_schedule(*, seats: int) -> tuple[DealPlan, ...]:
    """The deals of a match: up, across and down, then the dark deals and the golden one (H1)."""
    largest = peak(seats=seats)
    regular = [DealPlan(size) for size in pyramid(largest, at_peak=seats)]
    return (*regular, *[DealPlan(largest, DARK)] * seats, DealPlan(largest, GOLDEN))
