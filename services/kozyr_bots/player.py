"""A seat that a brain plays, whatever the brain does."""

import random
from collections.abc import Callable

import structlog

from kozyr.brain import Brain, Decision, Setup
from kozyr.events import Seat
from kozyr.observation import Observation
from kozyr.v1 import bots_pb2

log = structlog.get_logger()


class Player:
    """One brain at one seat of a table.

    Attributes:
        answered: the decision that was answered last, None before the first.
        request_id: of that answer, the same whenever the same decision is answered.
        confirmed: whether the service gave the seat to this worker since it last connected.
    """

    def __init__(self, assignment: bots_pb2.Assignment, brain: Brain) -> None:
        self.seat = Seat(assignment.seat.seat)
        self.answered: Decision | None = None
        self.request_id = ""
        self.confirmed = True
        self._name = assignment.brain
        self._seed = assignment.seed
        self._table_id = assignment.seat.table_id
        self._brain = brain
        self._seated = False
        self._action = 0

    def is_for(self, assignment: bots_pb2.Assignment) -> bool:
        """Whether the assignment is the one that this player was made for."""
        return self._name == assignment.brain and self._seed == assignment.seed

    def answer(
        self, observation: Observation, decision: Decision, setup: Callable[[], Setup]
    ) -> int:
        """The action to take; the same one when the same decision comes again.

        Args:
            setup: says what the brain is told before its first decision.
        """
        if self.answered is None or self.answered.id != decision.id:
            self._action = self._decide(observation, decision, setup)
            self.answered = decision
            self.request_id = f"bot-{self.seat}-{decision.id}"
        return self._action

    def _decide(
        self, observation: Observation, decision: Decision, setup: Callable[[], Setup]
    ) -> int:
        """What the brain says, or the default when it fails or breaks the rules."""
        try:
            if not self._seated:
                self._brain.begin(setup(), self.seat, random.Random(self._seed))
                self._seated = True
            action = self._brain.decide(observation, decision)
        except Exception:
            log.exception("brain_failed", **self._where(decision))
            return decision.default
        if action not in decision.legal:
            log.error("brain_illegal", action=action, legal=decision.legal, **self._where(decision))
            return decision.default
        return action

    def _where(self, decision: Decision) -> dict[str, object]:
        return {
            "brain": self._name,
            "table": self._table_id,
            "seat": self.seat,
            "decision": decision.id,
        }
