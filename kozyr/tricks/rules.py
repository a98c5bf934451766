"""The rules of a trick-taking game, as methods to override.

What is here is the common ground of the family: follow suit, else trump, else anything (C5); one
bid each, from 0 to the number of cards (C2, C3); a card turned up makes trump (O2).
"""

from enum import Enum
from typing import Final

from mypy_extensions import i64, mypyc_attr

from kozyr.cards import Card, Suit, card_sign, is_card, suit_text
from kozyr.tricks.actions import BIDS, is_play
from kozyr.tricks.masks import (
    COUNT_MAX,
    SEATS_MAX,
    above,
    bit_of,
    count_of,
    counts_upto,
    highest,
    only_suit,
    suit_cards_of,
)
from kozyr.tricks.schedule import DealPlan
from kozyr.tricks.state import DealState

REPLAYS_MAX: Final = 20
"""How many times a deal is dealt anew after a revoke before it is skipped (C6)."""


class TrumpSource(Enum):
    """What makes the trump of a deal."""

    NONE = "none"
    """There is no trump."""
    TURNED_UP = "turned up"
    """The card after the last one dealt is turned up; a joker makes the deal no-trump."""
    LAST_CARD = "last card"
    """The dealer's last card is shown, and stays in the hand."""
    NAMED = "named"
    """The dealer's left names it after its first three cards."""


@mypyc_attr(allow_interpreted_subclasses=True)
class TrickRules:
    """One variant's rules under one set of options for one number of seats.

    It holds no position: one object serves all matches that are played by it.

    Attributes:
        seats: how many play.
        pack: the cards of a deal, in the order that they have before they are shuffled.
        schedule: the deals of a match, in order.
        special: the set of the one card that may be played at any time, and is played with
            words; empty if there is none.
        dealer_restriction: whether the dealer may not make the bids sum to the tricks (C3).
        revoke_allowed: whether any card may be played, at a price (C6).
        revoke_penalty: that price, below 0.
    """

    def __init__(
        self,
        *,
        seats: int,
        pack: tuple[Card, ...],
        schedule: tuple[DealPlan, ...],
        special: Card | None = None,
        dealer_restriction: bool = False,
        revoke_allowed: bool = False,
        revoke_penalty: int = 0,
    ) -> None:
        assert seats <= SEATS_MAX
        assert all(plan.hand_size <= COUNT_MAX for plan in schedule)
        self.seats: i64 = seats
        self.pack = pack
        self.schedule = schedule
        self.special: i64 = 0 if special is None else bit_of(special)
        self.dealer_restriction = dealer_restriction
        self.revoke_allowed = revoke_allowed
        self.revoke_penalty: i64 = revoke_penalty

    def new_state(self) -> DealState:
        """A state for the deals of these rules."""
        return DealState(self.seats)

    # The cards of a trick.

    def lead(self, state: DealState, hand: i64) -> i64:
        """Which cards of a hand may be led."""
        return hand

    def follow(self, state: DealState, hand: i64) -> i64:
        """Which cards of a hand may be played to a trick that another seat has led.

        The special card is not in ``hand``: it may be played at any time.
        """
        following = hand & state.asked
        if following:
            return highest(following) if state.demanded else following
        trumps = hand & state.trumps
        return trumps or hand

    def open(self, state: DealState, bit: i64) -> None:
        """Set what is asked, and what beats it, when a card is led with no word said."""
        state.asked = suit_cards_of(bit)
        state.over = self.over(state, bit)

    def over(self, state: DealState, bit: i64) -> i64:
        """Which cards would beat this one, the best of the trick."""
        if bit & state.trumps:
            return state.trumps & above(bit)
        return state.asked & above(bit) | state.trumps

    def close(self, state: DealState) -> None:
        """Note what a complete trick is worth, while ``table`` and ``best`` still tell of it."""

    # The special card.

    def words(self, state: DealState) -> i64:
        """What can be called with the special card now: a bit for each way from `SPECIALS` on."""
        return 0

    def lawful_words(self, state: DealState, hand: i64) -> i64:
        """Which of these ways the rules allow to a hand that holds the special card (C6)."""
        return self.words(state)

    def open_special(self, state: DealState, action: i64) -> None:
        """Set what is asked, and what beats it, when the special card is led."""
        raise NotImplementedError

    def spend(self, state: DealState, action: i64) -> bool:
        """Whether the special card, not led, is now the best; if so, set what beats it."""
        raise NotImplementedError

    # Bids and scores.

    def bids(self, state: DealState) -> i64:
        """Which bids the seat on turn may make, as a set of counts (C2, C3)."""
        allowed = counts_upto(state.hand_size)
        if self.dealer_restriction and state.turn == state.dealer:
            missing = state.hand_size - state.bid_total
            if missing >= 0:
                allowed ^= bit_of(missing)
        return allowed

    def score(self, state: DealState, seat: i64) -> i64:
        """What a seat scores for a complete deal, before the multiplier of its plan."""
        return count_of(state.tricks, seat=seat)

    def wants_trick(self, state: DealState, seat: i64) -> bool:
        """Whether one more trick does a seat good: by default, unless its bid is just made.

        It is a hint for playouts that keep an eye on the bids, and no rule.
        """
        return count_of(state.tricks, seat=seat) != count_of(state.bids, seat=seat)

    def standing(self, state: DealState, seat: i64) -> i64:
        """All that the tricks so far mean for the score of a seat, as a number of up to 30 bits.

        From states of one deal with the same standing and hands the same plays lead to one score.
        """
        return count_of(state.tricks, seat=seat)

    def facts(self, state: DealState) -> i64:
        """What everybody knows of a deal beside what every game has, as a number; 0 for nothing."""
        return 0

    # The match.

    def plan(self, index: int) -> DealPlan:
        """The deal of that index."""
        return self.schedule[index]

    def trump_source(self, plan: DealPlan) -> TrumpSource:
        """What makes the trump of such a deal."""
        return TrumpSource.NONE if self.deals_whole_pack(plan) else TrumpSource.TURNED_UP

    def deals_whole_pack(self, plan: DealPlan) -> bool:
        """Whether such a deal leaves no card to turn up (C7)."""
        return plan.hand_size * self.seats == len(self.pack)

    def notes(self, total: int) -> tuple[str, ...]:
        """Words about a final total."""
        return ()

    # Why not.

    def why_not_play(self, state: DealState, hand: i64, action: int) -> tuple[str, str]:
        """Why an action is no lawful play of a hand: a sentence and the clause."""
        if not is_play(action):
            return "it is time to play a card", self.play_clause()
        bit = bit_of(action) if action < BIDS else self.special
        if bit & hand:
            return self.why_unlawful(state, hand, action)
        if not is_card(action):
            return "there is no such card", self.play_clause()
        return f"you do not hold {card_sign(Card(action))}", self.play_clause()

    def play_clause(self) -> str:
        """The clause that says which cards may be played."""
        return "C5"

    def why_unlawful(self, state: DealState, hand: i64, action: int) -> tuple[str, str]:
        """Why a card that the hand holds is no lawful play: a sentence and the clause."""
        following = hand & state.asked
        if following:
            suit = one_of(only_suit(following))
            return f"you hold a {suit} and must follow suit", "C5"
        trump = one_of(Suit(state.trump))
        return f"you cannot follow suit but hold a {trump}, and must play a trump", "C5"

    def why_not_bid(self, state: DealState, action: int) -> tuple[str, str]:
        """Why an action that is no allowed bid may not be taken: a sentence and the clause."""
        bid = action - BIDS
        if 0 <= bid <= state.hand_size:
            return f"with {bid} the bids would add up to {state.hand_size}, the tricks", "C3"
        return f"it is time to bid, 0 (pass) to {state.hand_size}", "C2"


def one_of(suit: Suit) -> str:
    """What a card of the suit is called, like ``spade``."""
    return suit_text(suit)[:-1]
