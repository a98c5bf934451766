"""The bots of the naive loop, a stream for each seat, and the clients of the bare echo."""

import argparse
import asyncio
import time
from typing import Any, TypeAlias

import grpc
import uvloop

from benchmarks.naive.meter import Tally, observe
from benchmarks.naive.wire import (
    ECHO,
    GET_UP,
    MOVES_PER_MATCH,
    PLAY,
    SEATS,
    SERVICE,
    Move,
    seat_to_move,
)

Stream: TypeAlias = "grpc.aio.StreamStreamCall[Any, Any]"


async def open_stream(channel: grpc.aio.Channel, method: str, *, table: int, seat: int) -> Stream:
    """A stream that the server has accepted."""
    start = channel.stream_stream(
        f"/{SERVICE}/{method}",
        request_serializer=Move.SerializeToString,
        response_deserializer=Move.FromString,
    )
    stream = start(metadata=(("table", str(table)), ("seat", str(seat))))
    await stream.initial_metadata()
    return stream


async def play(stream: Stream, *, table: int, seat: int, tally: Tally) -> None:
    """Answer each turn of this seat at once, until the table gets up; seat 0 opens the game."""

    async def move(version: int) -> float:
        sent_at = time.perf_counter()
        card = GET_UP if tally.over else version % MOVES_PER_MATCH
        await stream.write(Move(table=table, version=version, seat=seat, card=card))
        tally.messages += 1
        return sent_at

    sent_at = await move(0) if seat == seat_to_move(0) else 0.0
    async for made in stream:
        tally.messages += 1
        if made.seat == seat:
            tally.done += 1
            tally.latencies_ms.append((time.perf_counter() - sent_at) * 1e3)
        if made.card == GET_UP:
            return
        if seat == seat_to_move(made.version + 1):
            sent_at = await move(made.version + 1)
    raise ConnectionError(f"table {table} ended: {await stream.code()} {await stream.details()}")


async def echo(stream: Stream, tally: Tally) -> None:
    """Keep one message in the air."""
    version = 0
    while not tally.over:
        sent_at = time.perf_counter()
        await stream.write(Move(version=version, card=version % MOVES_PER_MATCH))
        back: Any = await stream.read()
        assert back.version == version, back
        tally.latencies_ms.append((time.perf_counter() - sent_at) * 1e3)
        tally.messages += 2
        tally.done += 1
        version += 1


async def load(args: argparse.Namespace) -> None:
    """Open all streams one after another, let them run, print what was seen as JSON."""
    tally = Tally()
    async with grpc.aio.insecure_channel(args.address) as channel, asyncio.TaskGroup() as tasks:
        if args.load == "play":
            seats = [(table, seat) for table in range(args.count) for seat in range(SEATS)]
            streams = [await open_stream(channel, PLAY, table=t, seat=s) for t, s in seats]
            for stream, (table, seat) in zip(streams, seats, strict=True):
                tasks.create_task(play(stream, table=table, seat=seat, tally=tally))
        else:
            streams = [await open_stream(channel, ECHO, table=i, seat=0) for i in range(args.count)]
            for stream in streams:
                tasks.create_task(echo(stream, tally))
        seen = await observe(tally, args.seconds, server=args.server_pid, redis=args.redis_pid)
    print(seen.to_json())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("load", choices=["play", "echo"])
    parser.add_argument("--address", required=True)
    parser.add_argument("--count", type=int, required=True, help="tables, or streams of echo")
    parser.add_argument("--server-pid", type=int, required=True)
    parser.add_argument("--redis-pid", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    uvloop.run(load(parser.parse_args()))


if __name__ == "__main__":
    main()
