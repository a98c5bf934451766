"""Measure the rules and the table service beside their baselines: ``make bench``.

All figures of a run are taken in that run, the table service and the naive loop in turn, so that
their ratios hold on a noisy machine too.
"""

import argparse
import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from benchmarks import rules
from benchmarks.naive.run import measure_echo, measure_naive, measure_script
from benchmarks.neighbour import measure_neighbours
from benchmarks.playouts import measure_endings, measure_playouts
from benchmarks.report import machine, print_ratio, print_table
from benchmarks.tables import measure_tables

WHAT: Final = ("rules", "playouts", "endings", "tables", "neighbour")
ECHO_STREAMS: Final = 64
SCRIPT_SHAPES: Final = ((1, 1), (16, 1), (1, 16))
"""Calls in a round trip, and moves in a call."""
NEIGHBOUR_TABLES: Final = 16
"""Tables of bots beside each kind of neighbour: few, so that the service is not busy with them."""


async def measure_services(tables: list[int], seconds: float) -> dict[str, list[Any]]:
    """The table service, the naive loop, the bare echo and the bare script."""
    ours, naive = [], []
    for count in tables:
        naive.append(await measure_naive(count, seconds))
        ours.append(await measure_tables(count, seconds))
    return {
        "table service, bot workers": ours,
        "naive loop": naive,
        "bare grpc.aio echo": [await measure_echo(ECHO_STREAMS, seconds)],
        "bare script": [
            await measure_script(pipeline=pipeline, chunk=chunk, seconds=seconds)
            for pipeline, chunk in SCRIPT_SHAPES
        ],
    }


async def _listed(results: AsyncIterator[Any]) -> list[Any]:
    return [each async for each in results]


def main() -> None:
    """Read the arguments, measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("what", nargs="*", choices=[*WHAT, []], default=[])
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 64, 256])
    parser.add_argument("--seconds", type=float, default=5.0, help="length of each measurement")
    parser.add_argument("--json", type=Path, help="write all figures to this file too")
    arguments = parser.parse_args()
    what = arguments.what or WHAT
    print(machine())
    figures: dict[str, list[Any]] = {}
    if "rules" in what:
        figures["rules, one thread"] = list(rules.measure(arguments.seconds / 2))
    playouts = None
    if "playouts" in what:
        playouts = measure_playouts(arguments.seconds / 5)
        figures["playouts, one thread, millions of decisions a second"] = playouts.results()
        figures["the same of others"] = playouts.yardsticks()
    if "endings" in what:
        figures["endings, one thread"] = measure_endings()
    if "tables" in what:
        figures |= asyncio.run(measure_services(arguments.tables, arguments.seconds))
    if "neighbour" in what:
        beside = measure_neighbours(NEIGHBOUR_TABLES, arguments.seconds)
        figures["beside a neighbour"] = asyncio.run(_listed(beside))
    for title, results in figures.items():
        print_table(title, results)
    print()
    for name, our_rate, theirs in playouts.ratios() if playouts is not None else ():
        print_ratio(name, our_rate, theirs)
    for ours, naive in zip(
        figures.get("table service, bot workers", []), figures.get("naive loop", []), strict=True
    ):
        print_ratio(f"naive-{ours.tables}-tables", ours.moves_per_s, naive.moves_per_s)
    alone, *beside_others = figures.get("beside a neighbour", [None])
    for each in beside_others:
        print_ratio(f"neighbour-{each.neighbour}-p99", each.latency_ms_p99, alone.latency_ms_p99)
    if arguments.json:
        plain = {title: [asdict(each) for each in results] for title, results in figures.items()}
        arguments.json.write_text(json.dumps(plain, indent=2) + "\n")


if __name__ == "__main__":
    main()
