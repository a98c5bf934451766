"""Few combinations in which every two values of different factors meet.

Most faults of options take two of them. The cover is greedy, not minimal: each row is built around
a pair that has not met yet and completed so that many others meet in it.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

Row = dict[str, Any]
Pair = tuple[tuple[str, int], tuple[str, int]]
"""Two factors, each with the place of a value."""

TRIES_MAX: Final = 40
"""How many rows are tried around a pair before it is taken to be impossible."""


def pairwise(
    factors: Mapping[str, Sequence[Any]], accepts: Callable[[Row], bool] = lambda _: True
) -> list[Row]:
    """Rows in which every two values meet, in a fixed order.

    Args:
        factors: the values of each factor; the first of each are tried together first.
        accepts: whether a row is possible; pairs that meet in no possible row are left out.
    """
    rng = random.Random(0)
    names = list(factors)
    first = dict.fromkeys(names, 0)
    missing = dict.fromkeys(_all_pairs(factors))  # a set that keeps its order
    rows: list[dict[str, int]] = []

    def values(places: Mapping[str, int]) -> Row:
        return {name: factors[name][places[name]] for name in names}

    def keep(places: dict[str, int]) -> None:
        rows.append(places)
        for pair in combinations(places.items(), 2):
            missing.pop(pair, None)

    if len(names) == 1:
        rows = [{name: place} for name in names for place in range(len(factors[name]))]
        return [row for row in map(values, rows) if accepts(row)]
    if accepts(values(first)):
        keep(first)
    while missing:
        seed = next(iter(missing))
        for attempt in range(TRIES_MAX):
            row = _complete(seed, factors, missing, rng, greedy=attempt < TRIES_MAX // 2)
            if accepts(values(row)):
                keep(row)
                break
        else:
            del missing[seed]
    return [values(row) for row in rows]


def _all_pairs(factors: Mapping[str, Sequence[Any]]) -> Iterator[Pair]:
    for (one, some), (other, others) in combinations(factors.items(), 2):
        for place in range(len(some)):
            for another in range(len(others)):
                yield (one, place), (other, another)


def _complete(
    seed: Pair,
    factors: Mapping[str, Sequence[Any]],
    missing: Mapping[Pair, None],
    rng: random.Random,
    *,
    greedy: bool,
) -> dict[str, int]:
    """A row with that pair in it, the other factors one after the other in a random order."""
    chosen = dict(seed)
    rest = [name for name in factors if name not in chosen]
    rng.shuffle(rest)
    for name in rest:
        places = list(range(len(factors[name])))
        rng.shuffle(places)
        if greedy:
            places.sort(key=lambda place: -_new_pairs(name, place, chosen, factors, missing))
        chosen[name] = places[0]
    return {name: chosen[name] for name in factors}


def _new_pairs(
    name: str,
    place: int,
    chosen: Mapping[str, int],
    factors: Mapping[str, Sequence[Any]],
    missing: Mapping[Pair, None],
) -> int:
    """How many pairs would meet that have not met."""
    order = {each: at for at, each in enumerate(factors)}
    found = 0
    for other, another in chosen.items():
        pair = ((name, place), (other, another))
        found += (pair if order[name] < order[other] else pair[::-1]) in missing
    return found
