"""The rules of Oh Hell: where they differ from the toolkit's, and nothing else."""

from typing import Final

from kozyr.cards import ACE, pack
from kozyr.tricks import DealPlan, DealState, TrickRules, count_of, one_of, only_suit
from oh_hell.options import OhHellOptions

EXACT: Final = 10  # OH4, in points


class OhHellRules(TrickRules):
    """Oh Hell under one set of options."""

    def __init__(self, options: OhHellOptions, seats: int) -> None:
        super().__init__(
            seats=seats,
            pack=pack(lowest_rank=ACE + 1 - options.cards_per_suit),
            schedule=oh_hell_schedule(options, seats),
            dealer_restriction=options.dealer_restriction,
        )
        self.options = options

    def follow(self, state: DealState, hand: int) -> int:
        return hand & state.asked or hand  # OH3

    def score(self, state: DealState, seat: int) -> int:
        taken = count_of(state.tricks, seat=seat)
        off: int = taken - count_of(state.bids, seat=seat)
        if off and self.options.off_bid_penalty:
            return -self.options.points_per_trick * abs(off)  # OH5
        return self.options.points_per_trick * taken + (0 if off else EXACT)  # OH4, OH5

    def play_clause(self) -> str:
        return "OH3"

    def why_unlawful(self, state: DealState, hand: int, action: int) -> tuple[str, str]:
        return f"you hold a {one_of(only_suit(hand & state.asked))} and must follow suit", "OH3"


def oh_hell_schedule(options: OhHellOptions, seats: int) -> tuple[DealPlan, ...]:
    """The deals of a match; one card is always left to turn up (OH1)."""
    largest = min(options.max_hand, (4 * options.cards_per_suit - 1) // seats)
    up = tuple(DealPlan(size) for size in range(1, largest + 1))
    down = up[::-1]
    return {
        "down_up": down + up[1:],
        "up_down": up + down[1:],
        "down": down,
        "up": up,
        "single": down[:1],
    }[options.schedule]
