"""Checks that nobody is told what it may not know: change what is hidden, compare what is heard.

A card is hidden from a viewer as long as no event has named it to the viewer since the shuffle,
whoever holds it. Hidden cards are exchanged in the deck and the same actions taken again. Until a
card is laid open that the viewer learns only then (or a revoke, which tells of what a hand holds),
everything it gets must be the same: its faces and their ordinals, its own decision, who must
decide, scores and outcome. The same holds for what one of several deciding seats chooses, until all
have chosen.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final

from kozyr.cards import CardSet, card_set
from kozyr.conformance.exam import Exam
from kozyr.conformance.playthrough import Playthrough, faces
from kozyr.conformance.verdicts import NotApplicable, Violated
from kozyr.events import Payload, Revoked, Seat
from kozyr.game import CHANCE
from kozyr.plugins.scrutiny import named_cards
from kozyr.referee import Step

TRIALS: Final = 6
"""How many exchanges are tried for each viewer of each match."""

ROUNDS: Final = 8
"""At how many simultaneous decisions of each match two choices are compared."""


def hidden_cards(exam: Exam) -> None:
    """Exchanging cards that a viewer has not seen changes nothing that it is told."""
    rng, compared = exam.rng("hidden cards"), 0
    for match in exam.matches:
        shuffles = [at for at, entry in enumerate(match.entries) if entry.actor == CHANCE]
        for viewer in match.case.viewers if shuffles else ():
            for _ in range(TRIALS):
                compared += _exchange(match, rng.choice(shuffles), viewer, rng)
    if not compared:
        raise NotApplicable("no card is ever hidden")


def hidden_choices(exam: Exam) -> None:
    """What one of several deciding seats chooses is told to nobody else before all have chosen."""
    rng, compared = exam.rng("hidden choices"), 0
    for match in exam.matches:
        rounds = [at for at, step in enumerate(match.steps) if len(step.pending) > 1]
        for version in rng.sample(rounds, min(ROUNDS, len(rounds))):
            compared += _choose_otherwise(match, version, rng)
    if not compared:
        raise NotApplicable("seats never decide at the same time")


def named_set(payload: Payload | None) -> CardSet:
    """The cards that a payload names, as a set."""
    return card_set(named_cards(payload))


def _exchange(match: Playthrough, shuffle: int, viewer: Seat, rng: random.Random) -> int:
    """Exchange hidden cards of one shuffle; how many steps could be compared then."""
    stretch = list(_stretch(match, shuffle))
    end = rng.randint(1, len(stretch))
    seen = 0
    for version in stretch[:end]:
        for payload in faces(match.steps[version].events, viewer):
            seen |= named_set(payload)
    deck = list(match.entries[shuffle].deck)
    hidden = [place for place, card in enumerate(deck) if not seen >> card & 1]
    if len(hidden) < 2:
        return 0
    moved = rng.sample(hidden, min(len(hidden), rng.choice((2, 3, len(hidden)))))
    for place, card in zip(moved, [deck[place] for place in moved[1:] + moved[:1]], strict=True):
        deck[place] = card
    twin = match.fork(shuffle)
    twin.take(CHANCE, deck=deck)
    compared = 0
    known = 0
    for version in stretch[:end]:
        real = match.steps[version]
        if version > shuffle + 1:
            entry = match.entries[version - 1]
            decision = twin.step.pending.get(entry.actor)
            if decision is None or entry.action not in decision.legal:
                break
            twin.repeat(entry)
        news = _compare_faces(match, version, (real, twin.step), viewer, known)
        if news is None:
            break
        known |= news
        _compare_rest(match, version, (real, twin.step), viewer)
        compared += 1
    return compared


def _stretch(match: Playthrough, shuffle: int) -> Iterator[int]:
    """The versions from a shuffle to the entry before the next."""
    yield shuffle + 1
    for version in range(shuffle + 1, match.version):
        if match.entries[version].actor == CHANCE:
            return
        yield version + 1


def _compare_faces(
    match: Playthrough, version: int, steps: tuple[Step, Step], viewer: Seat, known: CardSet
) -> CardSet | None:
    """The cards that both steps name to the viewer; None when they part for a good reason.

    The reason is something that is laid open to the viewer now, and is another in the other deal.
    """
    told = [faces(step.events, viewer) for step in steps]
    for real, other in zip_longest(*told):
        if real == other:
            known |= named_set(real)
        elif _opens(real, known) or _opens(other, known):
            return None
        else:
            raise Violated(
                f"{match.where(version)}: viewer {viewer} is told {real}; were cards that it has "
                f"not seen dealt otherwise, it would be told {other}"
            )
    return known


def _opens(payload: Payload | None, known: CardSet) -> bool:
    """Whether a payload tells what was hidden, as it may."""
    return isinstance(payload, Revoked) or named_set(payload) & ~known != 0


def _compare_rest(match: Playthrough, version: int, steps: tuple[Step, Step], viewer: Seat) -> None:
    real, other = (_public(step, viewer) for step in steps)
    if real != other:
        raise Violated(
            f"{match.where(version)}: viewer {viewer} gets {real}; were cards that it has not "
            f"seen dealt otherwise, it would get {other}"
        )


def _public(step: Step, viewer: Seat) -> dict[str, Any]:
    """What a viewer gets of a step beside its events."""
    return {
        "waiting": sorted(step.pending),
        "decision": step.pending.get(viewer),
        "deck": sorted(step.deck),
        "scores": step.scores,
        "outcome": step.outcome,
    }


def _choose_otherwise(match: Playthrough, version: int, rng: random.Random) -> int:
    """Let a seat choose one thing or another; how many viewers could be compared then."""
    pending = match.steps[version].pending
    able = [seat for seat, decision in pending.items() if len(decision.legal) > 1]
    if not able:
        return 0
    seat = rng.choice(able)
    steps = []
    for action in rng.sample(pending[seat].legal, 2):
        steps.append(match.fork(version).take(seat, action))
        if not all(other in steps[-1].pending for other in pending if other != seat):
            return 0  # that was the last, and all is revealed
    return _compare_choices(match, version, seat, steps)


def _compare_choices(match: Playthrough, version: int, seat: Seat, steps: Sequence[Step]) -> int:
    others = [viewer for viewer in match.case.viewers if viewer != seat]
    for viewer in others:
        one, other = ((faces(step.events, viewer), _public(step, viewer)) for step in steps)
        if one != other:
            raise Violated(
                f"{match.where(version)}: viewer {viewer} is told what seat {seat} chooses before "
                f"all have chosen: {one} is not {other}"
            )
    return len(others)
