"""The rules, where they differ from those of `kozyr.tricks.TrickRules`."""

from kozyr.cards import pack
from kozyr.tricks import DealPlan, DealState, TrickRules, count_of, one_of, only_suit
from skeleton.options import SkeletonOptions


class SkeletonRules(TrickRules):
    """The rules under one set of options."""

    def __init__(self, options: SkeletonOptions, seats: int) -> None:
        super().__init__(
            seats=seats,
            pack=pack(lowest_rank=2),
            schedule=(DealPlan(options.hand_size),) * options.deals,  # R1
        )

    def follow(self, state: DealState, hand: int) -> int:
        return hand & state.asked or hand  # R2

    def score(self, state: DealState, seat: int) -> int:
        return count_of(state.tricks, seat=seat)  # R3

    def play_clause(self) -> str:
        return "R2"

    def why_unlawful(self, state: DealState, hand: int, action: int) -> tuple[str, str]:
        return f"you hold a {one_of(only_suit(hand & state.asked))} and must follow suit", "R2"
