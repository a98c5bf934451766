"""Odessa poker, a plugin of kozyr."""

from kozyr_odessa.options import OdessaOptions
from kozyr_odessa.rules import OdessaRules
from kozyr_odessa.variant import OdessaVariant

__all__ = ["OdessaOptions", "OdessaRules", "OdessaVariant"]
