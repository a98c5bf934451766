"""Playouts of one deal on one thread, beside OpenSpiel's C++ and Python, and a loop in plain C.

The rules are measured compiled, in the copy of the tree that their tests use, and interpreted.
OpenSpiel plays its oh_hell of four with nine tricks: by the rollouts of its Monte Carlo tree
search, and by its own Python bindings a step at a time.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.playout_rates import rate
from kozyr.tricks.masks import COMPILED
from tests.native.tree import COPY, compile_copy, copy_tree, environment
from tests.native.unit import ROOT, why_not

OH_HELL: Final = "oh_hell(players=4,num_suits=4,num_cards_per_suit=10,num_tricks_fixed=9)"
ROLLOUTS: Final = 20_000
DECISIONS: Final = 4 * 9
PLAIN_DEAL: Final = Path(__file__).with_name("plain_deal.c")
C_PLAYOUTS: Final = 3_000_000

RATES: Final = "benchmarks.playout_rates"
OPENSPIEL_GOALS: Final = ("odessa", "georgian", "child", "odessa-joker", "maverick")


@dataclass(frozen=True, kw_only=True)
class PlayoutResult:
    """Decisions in playouts of a deal, in millions per second."""

    deal: str
    compiled: float
    interpreted: float


@dataclass(frozen=True, kw_only=True)
class YardstickResult:
    """The same of others."""

    yardstick: str
    millions_per_s: float


@dataclass(frozen=True, kw_only=True)
class EndingResult:
    """The time to solve an ending of four, in milliseconds."""

    ending: str
    median_ms: float
    longest_ms: float


@dataclass(frozen=True)
class PlayoutFigures:
    """All figures of a run, in decisions per second."""

    compiled: dict[str, float]
    interpreted: dict[str, float]
    rollouts: float
    loop: float
    plain_c: float

    def results(self) -> list[PlayoutResult]:
        """Ours, a row each."""
        return [
            PlayoutResult(deal=name, compiled=each / 1e6, interpreted=self.interpreted[name] / 1e6)
            for name, each in self.compiled.items()
        ]

    def yardsticks(self) -> list[YardstickResult]:
        """Those of others, a row each."""
        return [
            YardstickResult(yardstick="OpenSpiel C++ rollouts", millions_per_s=self.rollouts / 1e6),
            YardstickResult(yardstick="OpenSpiel Python loop", millions_per_s=self.loop / 1e6),
            YardstickResult(yardstick="plain C, fixed rules", millions_per_s=self.plain_c / 1e6),
        ]

    def ratios(self) -> Iterator[tuple[str, float, float]]:
        """Name, ours and theirs."""
        for name in OPENSPIEL_GOALS:
            yield f"openspiel-c++-{name}", self.compiled[name], self.rollouts
        yield "plain-c", self.compiled["odessa"], self.plain_c
        yield "openspiel-python", self.compiled["odessa-steps"], self.loop
        yield "openspiel-python-interpreted", self.interpreted["odessa-steps"], self.loop


def compiled_tree() -> Path:
    """A copy of the tree in which the rules are compiled.

    Raises:
        RuntimeError: they cannot be compiled here.
    """
    if reason := why_not():
        raise RuntimeError(f"this is measured on compiled rules: {reason}")
    copy_tree()
    compile_copy()
    return COPY


def measure_endings() -> list[EndingResult]:
    """How long endings take to solve, on compiled rules."""
    times = _told(compiled_tree(), "benchmarks.endings")
    return [EndingResult(ending=name, **each) for name, each in times.items()]


def measure_playouts(seconds: float) -> PlayoutFigures:
    """Everything, each for so long.

    Raises:
        RuntimeError: the rules cannot be compiled here, or cannot be run interpreted.
    """
    if COMPILED:
        raise RuntimeError("the rules of this tree are compiled in place: call make clean first")
    compiled = compiled_tree()
    return PlayoutFigures(
        compiled=_told(compiled, RATES, str(seconds)),
        interpreted=_told(ROOT, RATES, str(seconds)),
        rollouts=measure_rollouts(seconds),
        loop=measure_loop(seconds),
        plain_c=measure_plain_c(),
    )


def _told(tree: Path, *module: str) -> dict[str, Any]:
    """What a module prints as JSON, run in a tree."""
    command = [sys.executable, "-m", *module]
    done = subprocess.run(
        command, cwd=tree, env=environment(tree), check=True, stdout=subprocess.PIPE
    )
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def _dealt() -> tuple[Any, Any]:
    """A deal of OpenSpiel about to be played, the bids made; and its game."""
    import pyspiel  # noqa: PLC0415 (of the dev extra)

    game = pyspiel.load_game(OH_HELL)
    state = game.new_initial_state()
    rng = random.Random(1)
    while state.is_chance_node() or "Phase: Bid" in str(state):
        state.apply_action(rng.choice(state.legal_actions()))
    return game, state


def measure_rollouts(seconds: float) -> float:
    """Decisions per second of rollouts under OpenSpiel's search, which makes the first itself."""
    import pyspiel  # noqa: PLC0415

    game, state = _dealt()
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 7)
    bot = pyspiel.MCTSBot(
        game,
        evaluator,
        uct_c=2.0,
        max_simulations=1,
        max_memory_mb=100,
        solve=False,
        seed=42,
        verbose=False,
    )

    def play(number: int) -> None:
        for _ in range(number):
            bot.mcts_search(state)

    return rate(play, ROLLOUTS * (DECISIONS - 1), seconds)


def measure_loop(seconds: float) -> float:
    """Decisions per second of the same deal through OpenSpiel's Python bindings."""
    _, root = _dealt()
    draw = random.Random(1).random

    def play(number: int) -> None:
        for _ in range(number):
            state = root.clone()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(draw() * len(actions))])

    return rate(play, DECISIONS, seconds)


def measure_plain_c() -> float:
    """Decisions per second of the loop in C, compiled on the spot."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    assert compiler is not None, "why_not() has looked"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "plain_deal"
        subprocess.run([compiler, "-O3", "-o", program, PLAIN_DEAL], check=True)
        done = subprocess.run([program, str(C_PLAYOUTS)], check=True, stdout=subprocess.PIPE)
    return float(done.stdout.split()[0])
