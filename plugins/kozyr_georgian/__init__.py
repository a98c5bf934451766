"""Georgian poker, a plugin of kozyr."""

from kozyr_georgian.options import GeorgianOptions
from kozyr_georgian.rules import GeorgianRules
from kozyr_georgian.variant import GeorgianVariant

__all__ = ["GeorgianOptions", "GeorgianRules", "GeorgianVariant"]
