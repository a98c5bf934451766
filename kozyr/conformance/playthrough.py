"""Lines of play: a header, a log, and what came of each entry."""

import random
import traceback
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kozyr.cards import Card
from kozyr.conformance.verdicts import Violated
from kozyr.errors import KozyrError
from kozyr.events import WATCHER, Event, Seat
from kozyr.game import CHANCE, Game
from kozyr.log import Cause, Entry, Header, entry_digest
from kozyr.observation import Observation
from kozyr.referee import Configuration, Position, Referee, Step
from kozyr.wire.rules import encode_step


@dataclass(frozen=True)
class Case:
    """One way to set up a match.

    Attributes:
        given: the options that differ from the defaults, for people.
        configuration: what all options come to.
    """

    given: Mapping[str, Any]
    seats: int
    configuration: Configuration

    def __str__(self) -> str:
        options = "".join(f", {name}={value}" for name, value in self.given.items())
        return f"{self.seats} seats{options}"

    @property
    def viewers(self) -> list[Seat]:
        """All seats and the watcher."""
        return [*(Seat(seat) for seat in range(self.seats)), WATCHER]


class Playthrough:
    """A match as it goes on.

    Attributes:
        entries: the log, as far as it is kept.
        steps: what came of the opening and of each entry; steps[v] is that of version v.
        problem: why its random moves stopped before its end, if they did.
        violation: what was first wrong with what came of them, if anything was.
    """

    def __init__(self, referee: Referee, case: Case, header: Header) -> None:
        """Open the match."""
        self.referee = referee
        self.case = case
        self.header = header
        self.entries: list[Entry] = []
        self.problem: Exception | None = None
        self.violation: Violated | None = None
        self._positions = [referee.begin(header)]
        self.steps = [self._positions[0].step]
        self._forgotten = 0
        """How many entries came before those that are kept."""
        self._digest = header.digest()

    @property
    def version(self) -> int:
        """The number of entries so far."""
        return self._forgotten + len(self.entries)

    @property
    def step(self) -> Step:
        """What came of the last entry."""
        return self.steps[-1]

    def where(self, version: int | None = None) -> str:
        """A place in the match, for people."""
        return f"{self.case}; version {self.version if version is None else version}"

    def entry(self, actor: Seat, action: int = 0, deck: Sequence[Card] = ()) -> Entry:
        """The entry that would come next."""
        cause = Cause.CHANCE if actor == CHANCE else Cause.PLAYER
        entry = Entry(self.version + 1, actor, action, tuple(deck), cause, b"")
        entry.digest = entry_digest(self._digest, entry)
        return entry

    def take(self, actor: Seat, action: int = 0, deck: Sequence[Card] = ()) -> Step:
        """Go on by an entry.

        Raises:
            MatchError: the referee refuses it.
        """
        entry = self.entry(actor, action, deck)
        position = self.referee.act(self._positions[-1], entry)
        self._digest = entry.digest
        self.entries.append(entry)
        self._positions.append(position)
        self.steps.append(position.step)
        return position.step

    def repeat(self, entry: Entry) -> Step:
        """Go on by the same actor, action and deck as an entry of another match."""
        return self.take(entry.actor, entry.action, entry.deck)

    def fork(self, version: int) -> "Playthrough":
        """The match as it was at a version, to go another way."""
        digest = self.entries[version - 1].digest if version else self.header.digest()
        position = self._positions[version - self.version - 1]
        return self._twin(self.entries[:version], self.steps[: version + 1], position, digest)

    def forgetful(self) -> "Playthrough":
        """The match as it is, without how it came there."""
        twin = self._twin([], [self.step], self._positions[-1], self._digest)
        twin._forgotten = self.version  # noqa: SLF001 (its own class)
        return twin

    def _twin(
        self, entries: list[Entry], steps: list[Step], position: Position, digest: bytes
    ) -> "Playthrough":
        twin = copy(self)
        twin.entries, twin.steps = entries, steps
        twin._positions, twin._digest = [position], digest  # noqa: SLF001 (its own class)
        return twin

    def observation(self, viewer: Seat, version: int | None = None) -> Observation:
        """What a viewer knows at a version, by default now."""
        observation = Observation.empty(viewer, self.case.seats)
        until = self.version if version is None else version
        for step in self.steps[: until + 1]:
            for payload in faces(step.events, viewer):
                if payload is not None:
                    observation.hear(payload)
        return observation


def random_choice(step: Step, rng: random.Random, *, caution: float = 0.0) -> tuple[Seat, int]:
    """A seat that has to decide, and what it does."""
    decision = step.pending[rng.choice(sorted(step.pending))]
    if caution and rng.random() < caution:
        return decision.seat, decision.default
    return decision.seat, rng.choice(decision.legal)


def faces(events: Sequence[Event], viewer: Seat) -> list[Any]:
    """What a viewer sees of each event, None where it sees nothing."""
    return [event.seen_by(viewer) for event in events]


def redo(game: Game, entry: Entry) -> list[Event]:
    """What a game says to an entry that it takes."""
    if entry.actor == CHANCE:
        return game.deal(entry.deck)
    return game.apply(entry.actor, entry.action)


def step_bytes(step: Step) -> bytes:
    """All that came of an entry, as a host of another process sends it."""
    return encode_step(step).SerializeToString(deterministic=True)


def complaint(error: Exception) -> str:
    """An exception in a few words."""
    if isinstance(error, Violated | KozyrError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    place = f" (at {Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"
