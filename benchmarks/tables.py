"""How many moves a second go through gRPC and Redis, from bot workers, by number of tables.

A private Redis with AOF everysec, the table service and one bot worker are processes of their own,
on one machine; the same Redis configuration serves the naive baseline.
"""

import secrets
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.naive.processes import redis_child, run_load
from kozyr.client import Client
from kozyr.tokens import Identity, mint
from kozyr_cli.stack import Stack


@dataclass(frozen=True, kw_only=True)
class TablesResult:
    """The table service. Latency: from sending a move until its sender sees it made."""

    tables: int
    moves_per_s: float
    latency_ms_p50: float
    latency_ms_p99: float
    server_us_per_move: float
    redis_us_per_move: float
    client_us_per_move: float
    messages_per_move: float


async def measure_tables(
    tables: int,
    seconds: float,
    *,
    brain: str = "random",
    redis_server: str | None = None,
    plugins: str = "",
    beside: Callable[[Client], Awaitable[None]] | None = None,
) -> TablesResult:
    """Play at so many tables at a time for so long.

    Args:
        plugins: where the service's rules come from, by default its own.
        beside: done with a client of the same service before the measurement.
    """
    key = secrets.token_hex(32)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        variables = {"KOZYR_TOKEN_KEY": key, "KOZYR_DATA_DIR": folder}
        async with redis_child(redis_server) as redis, Stack(Path(folder) / "logs") as stack:
            variables["KOZYR_REDIS_URL"] = f"unix://{redis.socket}"
            variables["KOZYR_TABLE_PLUGINS"] = plugins
            table = await stack.start(
                "table",
                [sys.executable, "-m", "kozyr_cli", "table", "serve", "--listen", "127.0.0.1:0"],
                variables=variables,
            )
            if beside is not None:
                token = mint(key, Identity("beside"))
                async with Client.connect(table["address"], token=token) as client:
                    await beside(client)
            seen = await run_load(
                "benchmarks.bot_load",
                *("--address", table["address"], "--token-key", key, "--brain", brain),
                *("--tables", str(tables)),
                *("--server-pid", table["pid"], "--redis-pid", str(redis.pid)),
                seconds=seconds,
            )
    moves = max(seen.done, 1)
    return TablesResult(
        tables=tables,
        moves_per_s=seen.done / seen.seconds,
        latency_ms_p50=seen.latency_ms_p50,
        latency_ms_p99=seen.latency_ms_p99,
        server_us_per_move=seen.cpu_us["server"],
        redis_us_per_move=seen.cpu_us["redis"],
        client_us_per_move=seen.cpu_us["client"],
        messages_per_move=seen.messages / moves,
    )
