"""Georgian as a variant: its options and actions, and how a match of it is made."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from kozyr.game import Game
from kozyr.moves import ActionTable
from kozyr.tricks import BiddingGame
from kozyr.variant import Variant
from kozyr_georgian.options import GeorgianOptions
from kozyr_georgian.rules import HAND_MAX, GeorgianRules, georgian_schedule
from kozyr_odessa import kin_actions, kin_rules

SEATS: Final = (2, 3, 4, 5, 6)

CACHE_SIZE_MAX: Final = 256
"""How many sets of options keep their rules at hand."""


class GeorgianVariant(Variant[GeorgianOptions]):
    """Georgian poker."""

    @property
    def id(self) -> str:
        return "georgian"

    @property
    def title(self) -> str:
        return "Georgian poker"

    @property
    def rules_version(self) -> int:
        return 1

    @property
    def options_type(self) -> type[GeorgianOptions]:
        return GeorgianOptions

    def seat_counts(self, options: GeorgianOptions) -> Sequence[int]:
        return SEATS

    def actions(self, options: GeorgianOptions) -> ActionTable:
        return kin_actions(options, bid_max=HAND_MAX)

    def new_game(self, options: GeorgianOptions, seats: int) -> Game:
        return BiddingGame(_rules(options, seats))


@lru_cache(maxsize=CACHE_SIZE_MAX)
def _rules(options: GeorgianOptions, seats: int) -> GeorgianRules:
    peak_deals = options.peak_deals or seats
    schedule = georgian_schedule(seats=seats, deck=options.deck, peak_deals=peak_deals)
    return kin_rules(GeorgianRules, options, seats=seats, schedule=schedule)
