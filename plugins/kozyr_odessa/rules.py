"""The rules of Odessa poker, clause by clause; also the ground of its kin."""

from typing import Final

from mypy_extensions import i64, mypyc_attr

from kozyr.cards import ACE, BIG_JOKER, Card, pack
from kozyr.tricks import (
    BLIND,
    LOW,
    LOW_NAMING,
    NO_TRUMP,
    SPECIALS,
    DealPlan,
    DealState,
    TrickRules,
    TrumpSource,
    count_of,
    highest,
    one_of,
    only_suit,
    pyramid,
    suit_cards,
    suit_named,
)

REVOKE_PENALTY: Final = -50
"""O9, in points."""

_WORDS_FOLLOWING: Final = 0x003
_WORDS_LED: Final = 0xFF0
"""O10, O11: the joker high or low; the joker high or low with each of four suits."""


@mypyc_attr(allow_interpreted_subclasses=True)
class OdessaRules(TrickRules):
    """Odessa under one set of options; a kindred game has another schedule and another `score`.

    Attributes:
        full_deal_trump: what makes trump in a deal of the whole pack (C7).
        joker_demand: whether a joker led high makes everybody play their highest card (O11).
        made_pass: what a pass scores when no trick was taken (O3).
    """

    def __init__(
        self,
        *,
        seats: int,
        schedule: tuple[DealPlan, ...],
        deck: int,
        dealer_restriction: bool,
        full_deal_trump: TrumpSource,
        joker: bool,
        joker_demand: bool,
        made_pass: int,
        revoke_allowed: bool,
    ) -> None:
        super().__init__(
            seats=seats,
            pack=odessa_pack(deck, joker=joker),
            schedule=schedule,
            special=BIG_JOKER if joker else None,
            dealer_restriction=dealer_restriction,
            revoke_allowed=revoke_allowed,
            revoke_penalty=REVOKE_PENALTY,
        )
        self.full_deal_trump = full_deal_trump
        self.joker_demand = joker_demand
        self.made_pass: i64 = made_pass

    def trump_source(self, plan: DealPlan) -> TrumpSource:
        if plan.kind == NO_TRUMP:  # O8
            return TrumpSource.NONE
        if self.deals_whole_pack(plan):  # C7
            return self.full_deal_trump
        return TrumpSource.TURNED_UP  # O2, O12

    def score(self, state: DealState, seat: i64) -> i64:
        bid = count_of(state.bids, seat=seat)
        taken = count_of(state.tricks, seat=seat)
        if taken < bid:
            return 10 * (taken - bid)  # O5
        if taken > bid:
            return taken  # O4
        return 10 * bid if bid else self.made_pass  # O3

    def notes(self, total: int) -> tuple[str, ...]:
        return ("double_loss",) if total < 0 else ()  # O6

    # The joker.

    def words(self, state: DealState) -> i64:  # O10
        return _WORDS_FOLLOWING if state.laid else _WORDS_LED

    def open_special(self, state: DealState, action: i64) -> None:
        state.asked = suit_cards(suit_named(action))  # O11
        if action < LOW_NAMING:
            state.over = 0
            state.demanded = self.joker_demand
        else:
            state.over = state.asked | state.trumps

    def spend(self, state: DealState, action: i64) -> bool:
        if action == LOW:
            return False
        state.over = 0
        return True

    def why_unlawful(self, state: DealState, hand: i64, action: int) -> tuple[str, str]:
        if action >= SPECIALS or action == BIG_JOKER:
            if state.laid:
                return "a joker that follows is called high or low, and names no suit", "O10"
            return "a joker that is led is called high or low, and names a suit", "O11"
        wanted = highest(hand & state.asked)
        if wanted and state.demanded:
            return f"the joker demands your highest {one_of(only_suit(wanted))}", "O11"
        return super().why_unlawful(state, hand, action)


def odessa_pack(deck: int, *, joker: bool) -> tuple[Card, ...]:
    """The pack of 36 or 52 cards, and the joker (O10)."""
    return pack(lowest_rank=ACE + 1 - deck // 4, jokers=int(joker))


def odessa_schedule(
    *, seats: int, max_hand: int, blind_deals: int, no_trump_deals: int
) -> tuple[DealPlan, ...]:
    """The deals of a match (O1, O7, O8)."""
    regular = [DealPlan(size) for size in pyramid(max_hand, at_peak=seats)]
    blind = DealPlan(max_hand, BLIND, multiplier=2, bids_first=True)
    no_trump = DealPlan(max_hand, NO_TRUMP)
    return (*regular, *[blind] * blind_deals, *[no_trump] * no_trump_deals)
