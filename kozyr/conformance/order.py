"""Checks of decisions that several seats have at the same time."""

import random
from collections import Counter
from dataclasses import replace
from typing import Final

from kozyr.conformance.exam import Exam
from kozyr.conformance.playthrough import Playthrough, faces, random_choice
from kozyr.conformance.verdicts import NotApplicable, Violated, require
from kozyr.events import Seat
from kozyr.game import CHANCE
from kozyr.observation import Observation

ROUNDS: Final = 4
"""How many simultaneous decisions of each match are taken in other orders."""

ORDERS: Final = 4
"""How many orders are tried of each."""

ROUND_ENTRIES_MAX: Final = 50
"""After so many entries it does not matter whether the seats go on to decide at the same time."""

ENTRIES_AFTER: Final = 30
"""How many entries are played after them, to see that the positions are the same."""

Scripts = dict[Seat, list[int]]
"""What each seat does, in its own order."""


def order(exam: Exam) -> None:
    """Seats that decide at the same time may do so in any order: position and views are equal."""
    rng, compared = exam.rng("order"), 0
    for match in exam.matches:
        rounds = [
            version
            for version, step in enumerate(match.steps)
            if len(step.pending) > 1 and len(match.steps[version - 1].pending) < 2
        ]
        for version in rng.sample(rounds, min(ROUNDS, len(rounds))):
            first, scripts = _one_order(match.fork(version), rng)
            for _ in range(ORDERS):
                other = _other_order(match.fork(version), scripts, rng)
                _compare(first, other, since=version, seed=rng.random())
                compared += 1
    if not compared:
        raise NotApplicable("seats never decide at the same time")


def _one_order(match: Playthrough, rng: random.Random) -> tuple[Playthrough, Scripts]:
    """Let all decide in one order, some of them perhaps several times; what they did."""
    until = match.version + ROUND_ENTRIES_MAX
    scripts: Scripts = {seat: [] for seat in match.step.pending}
    left = set(scripts)
    while left and left == match.step.pending.keys() and match.version < until:
        seat, action = random_choice(match.step, rng)
        scripts[seat].append(action)
        if seat not in match.take(seat, action).pending:
            left.discard(seat)
    return match, scripts


def _other_order(match: Playthrough, scripts: Scripts, rng: random.Random) -> Playthrough:
    """Let the seats do the same, in a random order among them."""
    rest = {seat: list(actions) for seat, actions in scripts.items() if actions}
    while rest:
        able = sorted(seat for seat in rest if seat in match.step.pending)
        if not able:
            raise Violated(
                f"{match.where()}: seats {sorted(rest)} could decide in one order of decisions, "
                "but not in another"
            )
        seat = rng.choice(able)
        action = rest[seat].pop(0)
        if not rest[seat]:
            del rest[seat]
        if action not in match.step.pending[seat].legal:
            raise Violated(
                f"{match.where()}: action {action} of seat {seat} is legal in one order of "
                "decisions, but not in another"
            )
        match.take(seat, action)
    return match


def _compare(one: Playthrough, other: Playthrough, *, since: int, seed: float) -> None:
    where = f"{one.where(since)}: in another order of decisions"
    _same_position(one, other, where)
    for viewer in one.case.viewers:
        heard = [
            Counter(
                repr(payload)
                for step in match.steps[since + 1 :]
                for payload in faces(step.events, viewer)
                if payload is not None
            )
            for match in (one, other)
        ]
        odd = [*(heard[0] - heard[1]), *(heard[1] - heard[0])]
        require(not odd, f"{where} viewer {viewer} hears something else: {', '.join(odd)}")
        same = _folded(one.observation(viewer)) == _folded(other.observation(viewer))
        require(same, f"{where} the view of {viewer} is another one")
    _play_both(one, other, random.Random(seed), where)


def _folded(observation: Observation) -> Observation:
    """An observation without what depends on the order in which it was heard."""
    return replace(observation, heard=[], facts={})


def _play_both(one: Playthrough, other: Playthrough, rng: random.Random, where: str) -> None:
    """Go on alike from both: what comes of it must be the same."""
    one, other = one.fork(one.version), other.fork(other.version)
    for _ in range(ENTRIES_AFTER):
        if one.step.deck:
            deck = rng.sample(one.step.deck, len(one.step.deck))
            steps = [match.take(CHANCE, deck=deck) for match in (one, other)]
        elif one.step.pending:
            choice = random_choice(one.step, rng)
            steps = [match.take(*choice) for match in (one, other)]
        else:
            return
        _same_position(one, other, where)
        was, now = (list(step.events) for step in steps)
        require(was == now, f"{where} the match goes on by {now}, not {was}")


def _same_position(one: Playthrough, other: Playthrough, where: str) -> None:
    was, now = one.step.left_to_do(), other.step.left_to_do()
    require(was == now, f"{where} there is {now}, not {was}")
