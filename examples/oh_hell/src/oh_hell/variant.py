"""Oh Hell as a variant: its options and actions, and how a match of it is made."""

from collections.abc import Sequence
from typing import Final

from kozyr import ActionTable, Game, Variant
from kozyr.cards import pack
from kozyr.tricks import BIDS, BiddingGame, action_table
from oh_hell.options import OhHellOptions
from oh_hell.rules import OhHellRules

ACTIONS: Final = action_table([*pack(lowest_rank=2), *range(BIDS, BIDS + 18)])


class OhHellVariant(Variant[OhHellOptions]):
    """Oh Hell."""

    id = "oh_hell"
    title = "Oh Hell"
    summary = "Follow suit, trump if you like, and take exactly as many tricks as you have bid."
    rules_version = 1
    options_type = OhHellOptions

    def seat_counts(self, options: OhHellOptions) -> Sequence[int]:
        return range(3, 8)

    def actions(self, options: OhHellOptions) -> ActionTable:
        return ACTIONS

    def new_game(self, options: OhHellOptions, seats: int) -> Game:
        return BiddingGame(OhHellRules(options, seats))
