"""How fast the rules run, in this process and on one thread.

A *playout* takes random legal actions to the end. Cards are shuffled by a seeded generator, so
what is timed is the rules: ``legal`` and ``apply`` with their events, as a host calls them, then
the same through `Match`, with its log, digests and committed shuffles.
"""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from kozyr import Match, load_variant
from kozyr.events import Seat
from kozyr.game import CHANCE_BIT

GAMES: Final[tuple[tuple[str, Mapping[str, Any]], ...]] = (
    ("default", {}),
    ("joker", {"joker": True}),
    ("9 cards", {"max_hand": 9, "blind_deals": 0}),
)


@dataclass(frozen=True)
class Rate:
    """Playouts of whole matches."""

    name: str
    matches_per_s: float
    decisions_per_s: float


def playout(options: Mapping[str, Any], rng: random.Random) -> int:
    """One random match of four; returns how many decisions it took."""
    variant = load_variant("odessa")
    game = variant.start(variant.parse_options(options), 4)
    decisions = 0
    while waiting := game.waiting():
        if waiting == CHANCE_BIT:
            deck = list(game.deck())
            rng.shuffle(deck)
            game.deal(tuple(deck))
        else:
            seat = Seat(waiting.bit_length() - 1)
            game.apply(seat, rng.choice(game.legal(seat)))
            decisions += 1
    return decisions


def logged_match(options: Mapping[str, Any], rng: random.Random) -> int:
    """The same through `Match`."""
    match = Match("odessa", seats=4, options=options, seed=rng.getrandbits(64))
    decisions = 0
    while not match.over:
        for seat, decision in match.pending.items():
            match.play(seat, rng.choice(decision.legal))
            decisions += 1
    return decisions


def measure(seconds: float) -> list[Rate]:
    """Every game through both, each for so long."""
    drivers: tuple[tuple[str, Callable[[Mapping[str, Any], random.Random], int]], ...] = (
        ("rules", playout),
        ("match", logged_match),
    )
    return [
        _rate(f"odessa, {name}, by {how}", partial(driver, options), seconds)
        for name, options in GAMES
        for how, driver in drivers
    ]


def _rate(name: str, play: Callable[[random.Random], int], seconds: float) -> Rate:
    rng = random.Random(1)
    play(rng)
    matches = decisions = 0
    began = time.perf_counter()
    while (elapsed := time.perf_counter() - began) < seconds:
        decisions += play(rng)
        matches += 1
    return Rate(name, matches / elapsed, decisions / elapsed)
