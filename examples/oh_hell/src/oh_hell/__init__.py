"""Oh Hell, a plugin of kozyr."""

from oh_hell.options import OhHellOptions
from oh_hell.rules import OhHellRules
from oh_hell.variant import OhHellVariant

__all__ = ["OhHellOptions", "OhHellRules", "OhHellVariant"]
