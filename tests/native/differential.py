"""Random matches of all variants over their options, as digests of everything that they tell.

Run as a program it prints a line for each match: variant, number, digest. The same numbers give the
same lines whether the rules run compiled or interpreted, or they do not do the same.
"""

import hashlib
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from kozyr.conformance import Exam
from kozyr.conformance.playthrough import Case, random_choice, step_bytes
from kozyr.game import CHANCE
from kozyr.log import Cause, Entry, Header
from kozyr.observation import Observation
from kozyr.plugins import load_variant
from kozyr.referee import LocalReferee

SHORT: Final[Mapping[str, Mapping[str, Sequence[Any]]]] = {
    "child": {},
    "georgian": {"peak_deals": [None, 1, 3]},
    "maverick": {"max_deals": [1, 2, 3]},
    "odessa": {
        "max_hand": [3, 1, 6, 9],
        "blind_deals": [1, 0, 2],
        "no_trump_deals": [0, 1],
        "made_pass": [0, -7, 5],
    },
}
"""Options whose bounds would make long matches; all others take every telling value."""


def digests(variant: str, numbers: range) -> Iterator[tuple[int, str]]:
    """The digest of each match of these numbers."""
    referee = LocalReferee(load_variant(variant))
    cases = Exam(referee, values=SHORT[variant]).cases
    for number in numbers:
        yield number, digest(referee, cases[number % len(cases)], number)


def digest(referee: LocalReferee, case: Case, number: int) -> str:
    """All events, decisions, decks, scores and observations of a random match, in one number."""
    rng = random.Random(number)
    header = Header(
        match_id=str(number),
        variant=referee.variant_id,
        rules_version=referee.rules_version,
        options=case.configuration.options,
        players=tuple(map(str, range(case.seats))),
        commitment=b"",
        nonces=(b"",) * case.seats,
    )
    views = [Observation.empty(viewer, case.seats) for viewer in case.viewers]
    hashed = hashlib.sha256()
    position = referee.begin(header)
    version = 0
    while position.step.outcome is None:
        step = position.step
        hashed.update(step_bytes(step))
        version += 1
        if step.deck:
            deck = tuple(rng.sample(step.deck, len(step.deck)))
            entry = Entry(version, CHANCE, 0, deck, Cause.CHANCE, b"")
        else:
            seat, action = random_choice(step, rng, caution=0.3)
            entry = Entry(version, seat, action, (), Cause.PLAYER, b"")
        position = referee.act(position, entry)
        for view in views:
            for event in position.step.events:
                payload = event.seen_by(view.viewer)
                if payload is not None:
                    view.hear(payload)
    hashed.update(step_bytes(position.step))
    for view in views:
        hashed.update(repr(view).encode())
    return hashed.hexdigest()


def main(variant: str, first: str, count: str) -> None:
    """Write the digests of ``count`` matches from number ``first`` on."""
    for number, text in digests(variant, range(int(first), int(first) + int(count))):
        sys.stdout.write(f"{variant} {number} {text}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
