"""The variant: its name, its options and actions, and how a match of it is made."""

from collections.abc import Sequence
from typing import Final

from kozyr import ActionTable, Game, Variant
from kozyr.cards import pack
from kozyr.tricks import TrickGame, action_table
from skeleton.options import SkeletonOptions
from skeleton.rules import SkeletonRules

ACTIONS: Final = action_table(pack(lowest_rank=2))


class SkeletonVariant(Variant[SkeletonOptions]):
    """A skeleton."""

    id = "skeleton"
    title = "A skeleton"
    rules_version = 1
    options_type = SkeletonOptions

    def seat_counts(self, options: SkeletonOptions) -> Sequence[int]:
        return range(2, 7)

    def actions(self, options: SkeletonOptions) -> ActionTable:
        return ACTIONS

    def new_game(self, options: SkeletonOptions, seats: int) -> Game:
        return TrickGame(SkeletonRules(options, seats))  # BiddingGame, where seats bid
