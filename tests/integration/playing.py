"""Whole matches through outages: players who come back, and what must be true in the end."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress

import grpc

from kozyr.record import Record
from kozyr.verify import verify_record
from kozyr_table.errors import StoreUnavailable
from tests.integration.service import LIMIT_S, Caller, causes
from tests.integration.stream import Player, StreamEnded, stream


def check_nothing_lost(record: Record, players: Sequence[Player]) -> None:
    """Every move that was acknowledged is in the record, and none is there twice."""
    verify_record(record)
    for player in players:
        for request_id, version in player.acknowledged.items():
            entry = record.entries[version - 1]
            assert (entry.actor, entry.request_id) == (player.seat, request_id)
    named = [(entry.actor, entry.request_id) for entry in record.entries if entry.request_id]
    assert len(set(named)) == len(named) == len(causes(record))
    assert sum(len(player.acknowledged) for player in players) == len(named)


async def moves_made(players: Sequence[Player], count: int) -> None:
    """Wait until so many moves have been acknowledged."""
    async with asyncio.timeout(LIMIT_S):
        while sum(len(player.acknowledged) for player in players) < count:
            moved = [asyncio.ensure_future(player.moved.wait()) for player in players]
            await asyncio.wait(moved, return_when=asyncio.FIRST_COMPLETED)
            for player, waiting in zip(players, moved, strict=True):
                player.moved.clear()
                waiting.cancel()


@asynccontextmanager
async def playing(
    players: Sequence[Player],
    connect: Callable[[Player], AsyncIterator[Caller]],
    *,
    limit_s: float = 2 * LIMIT_S,
) -> AsyncIterator[None]:
    """Let everybody play to the end, on another stream whenever one has ended."""

    async def one(player: Player) -> None:
        async for caller in connect(player):
            async with stream(caller) as session:
                with suppress(StreamEnded, StoreUnavailable, grpc.aio.AioRpcError):
                    await player.play(session)
                    return

    async with asyncio.timeout(limit_s), asyncio.TaskGroup() as group:
        for player in players:
            group.create_task(one(player))
        yield
