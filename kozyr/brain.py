"""The contract of a bot: it sees an observation and a decision, and nothing else.

A brain is found by the entry point group ``kozyr.brains``; the entry point names a class that
takes the text after the colon in ``search:0.1s`` as its one argument, ``budget``.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kozyr.events import Seat
from kozyr.moves import ActionTable
from kozyr.observation import Observation


@dataclass(slots=True)
class Decision:
    """What a seat must decide now.

    Attributes:
        id: names the decision; a move says which decision it answers.
        seat: whose decision it is.
        legal: the actions it may take, ascending.
        default: the action that is taken when its time is up.
    """

    id: int
    seat: Seat
    legal: tuple[int, ...]
    default: int


@dataclass(frozen=True, slots=True)
class Setup:
    """What everybody at the table knows before the first card.

    Attributes:
        actions: the meaning of every action of the variant under these options.
        teams: the team of each seat.
    """

    variant: str
    rules_version: int
    options: Mapping[str, Any]
    seats: int
    teams: tuple[int, ...]
    actions: ActionTable = field(repr=False)


class Brain(ABC):
    """One player of one match."""

    def __init__(self, budget: str = "") -> None:
        """Read the budget.

        Raises:
            ValueError: the brain takes no such budget; the message says what it takes.
        """
        if budget:
            raise ValueError(f"{type(self).__name__} takes no budget, but got {budget!r}")

    def begin(self, setup: Setup, seat: Seat, rng: random.Random) -> None:
        """Sit down. All of the brain's randomness must come from ``rng``."""
        self.setup = setup
        self.seat = seat
        self.rng = rng

    @abstractmethod
    def decide(self, observation: Observation, decision: Decision) -> int:
        """One of the decision's legal actions."""
