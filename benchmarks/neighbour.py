"""What tables under good rules notice of a plugin beside them that misbehaves.

The hostile plugin of the tests serves its game at tables that only the clock plays: every tenth of
a second it wants a move of each, and each time that fails in the same way.
"""

import shlex
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.tables import measure_tables
from kozyr.client import Client
from kozyr.v1.table_pb2 import Clock

HOSTILE: Final = Path(__file__).parents[1] / "tests" / "hostile_plugin.py"
FAULTS: Final = ("honest", "fail", "hang", "crash", "answer_huge", "make_noise")
"""What the neighbour does; ``honest`` is a good one, which asks the clock as often."""
HOSTILE_TABLES: Final = 32
LIMIT_MS: Final = 100
NOBODY: Final = "greedy"
"""A brain that the load does not offer, so that nobody plays."""


@dataclass(frozen=True, kw_only=True)
class NeighbourResult:
    """Tables of odessa beside a neighbour. Latency: from sending a move until it is seen made."""

    neighbour: str
    tables: int
    moves_per_s: float
    latency_ms_p50: float
    latency_ms_p99: float


async def measure_neighbours(tables: int, seconds: float) -> AsyncIterator[NeighbourResult]:
    """The same load alone, and beside each kind of neighbour."""
    yield await _measure("none", tables, seconds)
    for fault in FAULTS:
        yield await _measure(fault, tables, seconds)


async def _measure(fault: str, tables: int, seconds: float) -> NeighbourResult:
    alone = fault == "none"
    command = shlex.join((sys.executable, str(HOSTILE), fault))
    result = await measure_tables(
        tables,
        seconds,
        plugins="odessa" if alone else f"odessa,command:{command}",
        beside=None if alone else _sit_beside,
    )
    return NeighbourResult(
        neighbour=fault,
        tables=tables,
        moves_per_s=result.moves_per_s,
        latency_ms_p50=result.latency_ms_p50,
        latency_ms_p99=result.latency_ms_p99,
    )


async def _sit_beside(client: Client) -> None:
    for _ in range(HOSTILE_TABLES):
        await client.create_table(
            "toy",
            seats=3,
            options={"deals": 9, "hand": 5},
            plan=dict.fromkeys(range(3), NOBODY),
            clock=Clock(per_move=Clock.PerMove(limit_ms=LIMIT_MS)),
        )
