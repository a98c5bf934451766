"""Maverick as a variant: its options and actions, and how a match of it is made."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from kozyr.game import Game
from kozyr.moves import ActionTable, Bet
from kozyr.tricks import BETS, BIDS, GIVES, LOOK, action_table
from kozyr.variant import Variant
from kozyr_maverick.game import MaverickGame
from kozyr_maverick.options import MaverickOptions
from kozyr_maverick.rules import MaverickRules, maverick_pack
from kozyr_maverick.state import SEATS, team_of

CACHE_SIZE_MAX: Final = 256
"""How many sets of options keep their rules and their table of actions at hand."""


class MaverickVariant(Variant[MaverickOptions]):
    """Maverick."""

    @property
    def id(self) -> str:
        return "maverick"

    @property
    def title(self) -> str:
        return "Maverick"

    @property
    def rules_version(self) -> int:
        return 1

    @property
    def options_type(self) -> type[MaverickOptions]:
        return MaverickOptions

    def seat_counts(self, options: MaverickOptions) -> Sequence[int]:
        return (SEATS,)

    def teams(self, options: MaverickOptions, seats: int) -> tuple[int, ...]:
        return tuple(team_of(seat) for seat in range(seats))

    def actions(self, options: MaverickOptions) -> ActionTable:
        return _actions(options.bets)

    def new_game(self, options: MaverickOptions, seats: int) -> Game:
        return MaverickGame(_rules(options))


@lru_cache(maxsize=2)
def _actions(bets: bool) -> ActionTable:  # noqa: FBT001 (a key of the cache)
    used: list[int] = [*maverick_pack()]
    used += [GIVES + card for card in maverick_pack()]
    if bets:
        used += [BIDS, LOOK, BETS + Bet.BLIND, BETS + Bet.ZERO, BETS + Bet.SMART]
    return action_table(used)


@lru_cache(maxsize=CACHE_SIZE_MAX)
def _rules(options: MaverickOptions) -> MaverickRules:
    return MaverickRules(
        trumps_beat=options.trumps_beat,
        bets=options.bets,
        target=options.target,
        max_deals=options.max_deals,
        revoke_allowed=options.revoke == "penalty",
    )
