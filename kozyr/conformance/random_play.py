"""Matches of random legal moves, looked after as they go on."""

import hashlib
import random
from typing import Final

from kozyr.conformance.invariants import Invariants
from kozyr.conformance.playthrough import Case, Playthrough, random_choice
from kozyr.conformance.verdicts import Violated
from kozyr.game import CHANCE
from kozyr.log import Header
from kozyr.referee import Referee
from kozyr.shuffle import Shuffler, commitment_of

ENTRIES_KEPT_MAX: Final = 1_000
"""How much of a match is kept to look at again; what comes later is played and let go."""

CAUTION: Final = (0.0, 0.5, 0.9)
"""How often a match takes the default: a reckless one, a mixed and a careful one."""


def random_match(referee: Referee, case: Case, *, seed: str, entries_max: int) -> Playthrough:
    """A match of random legal moves to its end, or to the first thing that stops it."""
    rng = random.Random(seed)
    caution = rng.choice(CAUTION)
    match, shuffler = _opened(referee, case, seed)
    invariants = Invariants(case)
    match.violation = _violation(invariants, match)
    live = match
    while live.step.outcome is None:
        try:
            if live.version == entries_max:
                raise Violated(f"after {entries_max} entries it has not ended")
            _move_on(live, shuffler, rng, caution)
        except Exception as error:  # noqa: BLE001 (whatever rules raise is a finding)
            match.problem = error
            break
        if match.violation is None:
            match.violation = _violation(invariants, live)
        if len(live.entries) == ENTRIES_KEPT_MAX:
            live = live.forgetful()
    return match


def _opened(referee: Referee, case: Case, seed: str) -> tuple[Playthrough, Shuffler]:
    secret = hashlib.sha256(seed.encode()).digest()
    header = Header(
        match_id=hashlib.sha256(b"id" + secret).hexdigest()[:16],
        variant=referee.variant_id,
        rules_version=referee.rules_version,
        options=case.configuration.options,
        players=tuple(f"player {seat}" for seat in range(case.seats)),
        commitment=commitment_of(secret),
        nonces=(b"",) * case.seats,
    )
    return Playthrough(referee, case, header), Shuffler(secret, header.match_id, header.nonces)


def _move_on(match: Playthrough, shuffler: Shuffler, rng: random.Random, caution: float) -> None:
    """Shuffle, or take a random legal action.

    Raises:
        Violated: there is nothing to do.
    """
    if match.step.deck:
        match.take(CHANCE, deck=shuffler.deck(match.version, match.step.deck))
    elif match.step.pending:
        match.take(*random_choice(match.step, rng, caution=caution))
    else:
        raise Violated("nobody has anything to decide, but the match has no outcome")


def _violation(invariants: Invariants, match: Playthrough) -> Violated | None:
    """What is wrong with the last step, if anything is."""
    try:
        if match.version:
            invariants.take(match.step)
        else:
            invariants.begin(match.step)
    except Violated as violation:
        return Violated(f"{match.where()}: {violation}")
    return None
