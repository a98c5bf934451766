"""``python -m benchmarks.playout_rates SECONDS``: how fast deals are played here, as JSON.

Run in a tree of compiled rules and in one of interpreted rules (see `benchmarks.playouts`).
"""

import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from kozyr.batch import BatchGame
from kozyr.plugins import load_variant
from kozyr.tricks import PLAYING, Playouts, TrickGame, card_list, play_card, playable
from kozyr.tricks.batch import WORD_BITS
from kozyr.variant import seat_list

DEALS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "odessa": ("odessa", {"max_hand": 9}),
    "odessa-joker": ("odessa", {"max_hand": 9, "joker": True}),
    "georgian": ("georgian", {}),
    "child": ("child", {}),
    "child-circular": ("child", {"circular_trumps": True}),
    "maverick": ("maverick", {}),
}
"""The deals that are played: of four, nine cards each where the game lets one choose."""

HANDS: Final = (9, 13)
BATCH: Final = 1_024
"""Matches in a batch."""
PLAYOUTS: Final = 500
"""Between two looks at the time."""


def dealt(variant_id: str, options: dict[str, Any]) -> TrickGame:
    """A deal of four about to be played, the bids made."""
    variant = load_variant(variant_id)
    game = variant.start(variant.parse_options(options), 4)
    assert isinstance(game, TrickGame)
    rng = random.Random(1)
    while not (game.phase == PLAYING and game.state.left == game.state.hand_size in HANDS):
        if game.waiting() >> 16:
            deck = game.deck()
            game.deal(tuple(rng.sample(deck, len(deck))))
        else:
            [seat, *_] = seat_list(game.waiting())
            game.apply(seat, game.default(seat))
    return game


def rate(play: Callable[[int], None], decisions: int, seconds: float) -> float:
    """Decisions per second of something that plays so many deals, after one that does not count."""
    play(1)
    done, number, began = 0, 1, time.perf_counter()
    while (took := time.perf_counter() - began) < seconds:
        play(number)
        done += number
        number = min(2 * number, PLAYOUTS)
    return done * decisions / took


def by_kernel(game: TrickGame, *, aware: bool) -> Callable[[int], None]:
    """Playouts of the kernel."""
    playouts = Playouts(game, seed=1, aware=aware)

    def play(number: int) -> None:
        playouts.deals(number)

    return play


def step_by_step(game: TrickGame) -> Callable[[int], None]:
    """The same deal driven from here, a choice and a step at a time."""
    root, rules, state = game.state, game.rules, game.rules.new_state()
    draw = random.Random(1).random

    def play(number: int) -> None:
        for _ in range(number):
            state.copy_from(root)
            while state.left:
                cards = card_list(playable(state, rules))
                play_card(state, rules, cards[int(draw() * len(cards))])

    return play


def batch_rate(variant: str, options: dict[str, Any], seconds: float) -> float:
    """Decisions per second of many whole matches at once, masks and observations filled in.

    What to do is chosen between the steps, off the clock.
    """
    games = BatchGame(variant, count=BATCH, options=options, seed=1)
    rows = np.arange(BATCH)
    done, took = 0, 0.0
    while took < seconds:
        words = (games.legal != 0).argmax(axis=1)
        lowest = games.legal[rows, words]
        lowest &= -lowest
        games.actions[:] = WORD_BITS * words + np.log2(lowest).astype(np.int64)
        began = time.perf_counter()
        games.step()
        games.restart()
        took += time.perf_counter() - began
        done += BATCH
    return done / took


def measure(seconds: float) -> dict[str, float]:
    """Every rate, by name."""
    rates = {}
    for name, (variant, options) in DEALS.items():
        game = dealt(variant, options)
        decisions = int(game.state.hand_size * game.rules.seats)
        rates[name] = rate(by_kernel(game, aware=False), decisions, seconds)
        rates[f"{name}-aware"] = rate(by_kernel(game, aware=True), decisions, seconds)
        rates[f"{name}-batch"] = batch_rate(variant, options, seconds)
        if name == "odessa":
            rates["odessa-steps"] = rate(step_by_step(game), decisions, seconds)
    return rates


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(float(sys.argv[1]))))
