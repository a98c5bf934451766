"""Child as a variant: its options and actions, and how a match of it is made."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from kozyr.cards import DIAMONDS, SPADES, pack
from kozyr.game import Game
from kozyr.moves import ActionTable
from kozyr.tricks import (
    BIDS,
    DARK_BIDS,
    DEMAND,
    DEMAND_NAMING,
    HIGH,
    LOOK,
    NAMES,
    SIMPLE,
    action_table,
)
from kozyr.variant import Variant
from kozyr_child.game import ChildGame
from kozyr_child.options import ChildOptions
from kozyr_child.rules import LOWEST_RANK, POKER, ChildRules, peak

SEATS: Final = (2, 3, 4, 5)

CACHE_SIZE_MAX: Final = 64
"""How many sets of options keep their rules at hand."""

_SILENT_LEAD: Final = {"trump": DIAMONDS, "spades": SPADES}
"""What the option of that name means."""


class ChildVariant(Variant[ChildOptions]):
    """Child poker."""

    @property
    def id(self) -> str:
        return "child"

    @property
    def title(self) -> str:
        return "Child poker"

    @property
    def rules_version(self) -> int:
        return 1

    @property
    def options_type(self) -> type[ChildOptions]:
        return ChildOptions

    def seat_counts(self, options: ChildOptions) -> Sequence[int]:
        return SEATS

    def actions(self, options: ChildOptions) -> ActionTable:
        return _actions(options.circular_trumps)

    def new_game(self, options: ChildOptions, seats: int) -> Game:
        return ChildGame(_rules(options, seats))


@lru_cache(maxsize=2)
def _actions(circular: bool) -> ActionTable:  # noqa: FBT001 (a key of the cache)
    bid_max = peak(seats=min(SEATS))
    used: list[int] = [card for card in pack(lowest_rank=LOWEST_RANK) if card != POKER]
    used += range(BIDS, BIDS + bid_max + 1)
    used += [HIGH, SIMPLE]
    used += range(DEMAND_NAMING, NAMES) if circular else [DEMAND]
    used += [LOOK, *range(DARK_BIDS + 1, DARK_BIDS + bid_max + 1)]
    return action_table(used, special=POKER, silent=HIGH)  # H6


@lru_cache(maxsize=CACHE_SIZE_MAX)
def _rules(options: ChildOptions, seats: int) -> ChildRules:
    return ChildRules(
        seats=seats,
        dealer_restriction=options.dealer_restriction,
        silent_lead=_SILENT_LEAD[options.silent_poker_lead],
        circular=options.circular_trumps,
        revoke_allowed=options.revoke == "penalty",
    )
