"""Georgian as a variant: its options and actions, and how a match of it is made."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from kozyr.cards import BIG_JOKER
from kozyr.game import Game
from kozyr.moves import ActionTable
from kozyr.tricks import (
    BIDS,
    DEMAND_NAMING,
    HIGH,
    HIGH_NAMING,
    LOOK,
    LOW,
    NAMES,
    BiddingGame,
    action_table,
)
from kozyr.variant import Variant
from kozyr_georgian.options import GeorgianOptions
from kozyr_georgian.rules import HAND_MAX, GeorgianRules, georgian_schedule
from kozyr_odessa import FULL_DEAL_TRUMP, odessa_pack

SEATS: Final = (2, 3, 4, 5, 6)

CACHE_SIZE_MAX: Final = 256
"""How many sets of options keep their rules and their table of actions at hand."""


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
        return _actions(options)

    def new_game(self, options: GeorgianOptions, seats: int) -> Game:
        return BiddingGame(_rules(options, seats))


@lru_cache(maxsize=CACHE_SIZE_MAX)
def _actions(options: GeorgianOptions) -> ActionTable:
    used: list[int] = [*odessa_pack(options.deck, joker=False)]
    used += range(BIDS, BIDS + HAND_MAX + 1)
    if options.joker:
        used += [HIGH, LOW, *range(HIGH_NAMING, DEMAND_NAMING)]
    elif options.full_deal_trump == "eldest_names":
        used += range(NAMES, LOOK)
    return action_table(used, special=BIG_JOKER)


@lru_cache(maxsize=CACHE_SIZE_MAX)
def _rules(options: GeorgianOptions, seats: int) -> GeorgianRules:
    peak_deals = seats if options.peak_deals is None else options.peak_deals
    return GeorgianRules(
        seats=seats,
        schedule=georgian_schedule(seats=seats, deck=options.deck, peak_deals=peak_deals),
        deck=options.deck,
        dealer_restriction=options.dealer_restriction,
        full_deal_trump=FULL_DEAL_TRUMP[options.full_deal_trump],
        joker=options.joker,
        joker_demand=options.joker_demand,
        made_pass=0,
        revoke_allowed=options.revoke == "penalty",
    )
