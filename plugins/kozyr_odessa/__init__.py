"""Odessa poker, a plugin of kozyr; its kin builds on these rules."""

from kozyr_odessa.options import OdessaOptions
from kozyr_odessa.rules import OdessaRules, odessa_pack
from kozyr_odessa.variant import FULL_DEAL_TRUMP, OdessaVariant

__all__ = ["FULL_DEAL_TRUMP", "OdessaOptions", "OdessaRules", "OdessaVariant", "odessa_pack"]
