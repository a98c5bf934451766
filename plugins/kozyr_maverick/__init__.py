"""Maverick, a plugin of kozyr: two teams of two, an exchange of cards, and bets."""

from kozyr_maverick.game import BETTING, EXCHANGING, LOOKING, MaverickGame
from kozyr_maverick.options import MaverickOptions
from kozyr_maverick.rules import MaverickRules
from kozyr_maverick.state import MaverickState
from kozyr_maverick.variant import MaverickVariant

__all__ = [
    "BETTING",
    "EXCHANGING",
    "LOOKING",
    "MaverickGame",
    "MaverickOptions",
    "MaverickRules",
    "MaverickState",
    "MaverickVariant",
]
