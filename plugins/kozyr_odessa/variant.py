"""Odessa as a variant: its options and actions, and how a match of it is made."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeVar

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
    DealPlan,
    TrumpSource,
    action_table,
)
from kozyr.variant import Variant
from kozyr_odessa.options import KinOptions, OdessaOptions
from kozyr_odessa.rules import OdessaRules, odessa_pack, odessa_schedule

SEATS_MIN: Final = 2
SEATS_MAX: Final = 6

CACHE_SIZE_MAX: Final = 256
"""How many sets of options keep their rules and their table of actions at hand."""

_FULL_DEAL_TRUMP: Final = {
    "last_card": TrumpSource.LAST_CARD,
    "none": TrumpSource.NONE,
    "eldest_names": TrumpSource.NAMED,
}
"""What the option of that name means."""

RulesT = TypeVar("RulesT", bound=OdessaRules)


class OdessaVariant(Variant[OdessaOptions]):
    """Odessa poker."""

    @property
    def id(self) -> str:
        return "odessa"

    @property
    def title(self) -> str:
        return "Odessa poker"

    @property
    def rules_version(self) -> int:
        return 1

    @property
    def options_type(self) -> type[OdessaOptions]:
        return OdessaOptions

    def seat_counts(self, options: OdessaOptions) -> Sequence[int]:
        return range(SEATS_MIN, min(SEATS_MAX, options.deck // options.max_hand) + 1)  # O1

    def actions(self, options: OdessaOptions) -> ActionTable:
        return kin_actions(options, bid_max=options.max_hand)

    def new_game(self, options: OdessaOptions, seats: int) -> Game:
        return BiddingGame(_rules(options, seats))


@lru_cache(maxsize=CACHE_SIZE_MAX)
def _rules(options: OdessaOptions, seats: int) -> OdessaRules:
    schedule = odessa_schedule(
        seats=seats,
        max_hand=options.max_hand,
        blind_deals=options.blind_deals,
        no_trump_deals=options.no_trump_deals,
    )
    return kin_rules(
        OdessaRules, options, seats=seats, schedule=schedule, made_pass=options.made_pass
    )


# For Odessa and its kin.


@lru_cache(maxsize=CACHE_SIZE_MAX)
def kin_actions(options: KinOptions, *, bid_max: int) -> ActionTable:
    """The actions of Odessa or a kindred game; equal options give the same table."""
    used: list[int] = [*odessa_pack(options.deck, joker=False)]
    used += range(BIDS, BIDS + bid_max + 1)
    if options.joker:
        used += [HIGH, LOW, *range(HIGH_NAMING, DEMAND_NAMING)]
    elif options.full_deal_trump == "eldest_names":
        used += range(NAMES, LOOK)
    return action_table(used, special=BIG_JOKER)


def kin_rules(
    rules_type: type[RulesT],
    options: KinOptions,
    *,
    seats: int,
    schedule: tuple[DealPlan, ...],
    made_pass: int = 0,
) -> RulesT:
    """The rules of Odessa or a kindred game under these options."""
    return rules_type(
        seats=seats,
        schedule=schedule,
        deck=options.deck,
        dealer_restriction=options.dealer_restriction,
        full_deal_trump=_FULL_DEAL_TRUMP[options.full_deal_trump],
        joker=options.joker,
        joker_demand=options.joker_demand,
        made_pass=made_pass,
        revoke_allowed=options.revoke == "penalty",
    )
