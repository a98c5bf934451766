"""``python -m benchmarks.endings``: how long small endings take to solve, as JSON.

Random endings of four players, solved for the score of one of them, or in Maverick of its team.
"""

import json
import random
import statistics
import sys
import time
from typing import Final

from benchmarks.playout_rates import DEALS, dealt
from kozyr.cards import SUITS, card_set
from kozyr.tricks import DealState, EndingSolver, TrickGame

SIZES: Final = {4: 200, 6: 40}
"""How many endings are solved, by the cards in each hand."""

BID_MAX: Final = 2


def ending(game: TrickGame, size: int, rng: random.Random) -> DealState:
    """A random position with so many cards in each hand, between two tricks."""
    rules = game.rules
    seats = range(rules.seats)
    state = rules.new_state()
    state.copy_from(game.state)
    cards = rng.sample(rules.pack, size * len(seats))
    state.bids = sum(rng.randint(0, BID_MAX) << 5 * seat for seat in seats)
    for seat in seats:
        state.hands[seat] = card_set(cards[seat * size : (seat + 1) * size])
    state.left = size
    state.turn = rng.choice(seats)
    state.set_trump(state.trump if game.rules.special else rng.choice(SUITS))
    return state


def measure() -> dict[str, dict[str, float]]:
    """The times to solve endings in milliseconds, median and longest, by game and size."""
    times = {}
    for name, (variant, options) in DEALS.items():
        game = dealt(variant, options)
        allies = 1 << 2 if variant == "maverick" else 0
        solver = EndingSolver(game.rules, seat=0, allies=allies)
        for size, number in SIZES.items():
            rng = random.Random(size)
            took_ms = []
            for _ in range(number):
                state = ending(game, size, rng)
                began = time.perf_counter()
                solver.value(state)
                took_ms.append((time.perf_counter() - began) * 1e3)
            times[f"{name}, {size} cards"] = {
                "median_ms": statistics.median(took_ms),
                "longest_ms": max(took_ms),
            }
    return times


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure()))
