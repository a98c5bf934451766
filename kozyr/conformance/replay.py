"""Checks that a position is its log: the same log gives the same, however it is told."""

import random
from dataclasses import replace
from typing import Final

from kozyr.conformance.exam import Exam
from kozyr.conformance.playthrough import Playthrough, random_choice, step_bytes
from kozyr.conformance.verdicts import Violated, require
from kozyr.game import CHANCE
from kozyr.referee import Step

PREFIXES: Final = 3
"""How many prefixes of each match are replayed."""

FORKS: Final = 8
"""How many positions of each match are left by two ways."""


def determinism(exam: Exam) -> None:
    """The same log gives the same bytes again, in a match of another name."""
    for match in exam.matches:
        header = replace(match.header, match_id="another")
        again = Playthrough(match.referee, match.case, header)
        for version, entry in enumerate(match.entries, 1):
            _compare(match, version, again.repeat(entry), how="played again")


def replay(exam: Exam) -> None:
    """A log that is told at once, whole or in part, gives what it gave step by step."""
    rng = exam.rng("replay")
    for match in exam.matches:
        lengths = [rng.randint(0, match.version) for _ in range(PREFIXES)]
        for length in (*lengths, match.version):
            opening = match.referee.begin(match.header)
            middle = rng.randint(0, length)
            first = match.referee.follow(opening, match.entries[:middle])
            rest = match.referee.follow([opening, *first][-1], match.entries[middle:length])
            require(
                len(first) + len(rest) == length,
                f"{match.where()}: {length} entries told at once give {len(first) + len(rest)}",
            )
            for version, position in enumerate([*first, *rest], 1):
                _compare(match, version, position.step, how="told at once")


def branches(exam: Exam) -> None:
    """A position stays as it was when a match goes on from it, by whichever way."""
    rng = exam.rng("branches")
    for match in exam.matches:
        for _ in range(FORKS if match.version else 0):
            version = rng.randrange(match.version)
            _leave(match.fork(version), rng)
            again = match.fork(version)
            step = again.repeat(match.entries[version])
            _compare(match, version + 1, step, how="played after another way was tried")


def _leave(match: Playthrough, rng: random.Random) -> None:
    """Go on for some steps, somehow."""
    for _ in range(3):
        if match.step.pending:
            match.take(*random_choice(match.step, rng))
        elif match.step.deck:
            match.take(CHANCE, deck=rng.sample(match.step.deck, len(match.step.deck)))


def _compare(match: Playthrough, version: int, step: Step, *, how: str) -> None:
    expected = match.steps[version]
    if step_bytes(step) == step_bytes(expected):
        return
    for name in ("events", "pending", "deck", "scores", "outcome"):
        was, now = getattr(expected, name), getattr(step, name)
        if was != now:
            raise Violated(f"{match.where(version)}: {how}, the {name} are {now}, not {was}")
    raise Violated(f"{match.where(version)}: {how}, the step has other bytes")
