"""The brains that come with kozyr."""

from kozyr_bots.brains.chance import RandomBrain
from kozyr_bots.brains.greedy import GreedyBrain

__all__ = ["GreedyBrain", "RandomBrain"]
