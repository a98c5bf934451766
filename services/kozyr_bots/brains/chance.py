"""The brain that plays whatever it may."""

from collections.abc import Sequence
from typing import Final

from kozyr.observation import Observation
from kozyr_bots.brains.outlook import expected_tricks
from kozyr_bots.brains.player import CardPlayer

BID_NOISE: Final = 0.6
"""The standard deviation of a bid from what the hand is worth, in tricks."""


class RandomBrain(CardPlayer):
    """Bids about what its hand is worth, then plays at random."""

    def tricks_wanted(self, observation: Observation) -> float:
        return expected_tricks(observation, self.pack) + self.rng.gauss(0, BID_NOISE)

    def play(self, observation: Observation, plays: Sequence[int]) -> int:
        return self.rng.choice(plays)

    def name_suit(self, observation: Observation, names: Sequence[int]) -> int:
        return self.rng.choice(names)
