"""Child poker, also called painted or student poker: a plugin of kozyr."""

from kozyr_child.game import ChildGame
from kozyr_child.options import ChildOptions
from kozyr_child.rules import ChildRules
from kozyr_child.variant import ChildVariant

__all__ = ["ChildGame", "ChildOptions", "ChildRules", "ChildVariant"]
