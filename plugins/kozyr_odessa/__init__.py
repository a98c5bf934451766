"""Odessa poker, a plugin of kozyr; its kin builds on these rules."""

from kozyr_odessa.options import KinOptions, OdessaOptions
from kozyr_odessa.rules import OdessaRules
from kozyr_odessa.variant import OdessaVariant, kin_actions, kin_rules

__all__ = [
    "KinOptions",
    "OdessaOptions",
    "OdessaRules",
    "OdessaVariant",
    "kin_actions",
    "kin_rules",
]
