"""A long run of outages: whatever is killed or frozen, every match ends and nothing is lost."""

import asyncio
import itertools
import os
import random
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from kozyr_table.embedded_redis import EmbeddedRedis
from tests.integration.playing import check_nothing_lost, moves_made, playing
from tests.integration.service import (
    UNTIMED,
    Caller,
    Replica,
    address_of,
    connected,
    process,
    seated,
)
from tests.integration.stream import Player

NAMES = ("ann", "bob", "cid", "dan")
TABLES = 12
REPLICAS = 2
FROZEN_S_MAX = 1.5
"""A replica may be frozen for so long, which others must take for gone, or not."""


@dataclass
class Cluster:
    """Replicas in processes of their own on one Redis, any of which may be away."""

    data_dir: Path
    stack: AsyncExitStack
    redis: EmbeddedRedis
    replicas: dict[int, Replica] = field(default_factory=dict)
    pids: dict[int, int] = field(default_factory=dict)
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def start(self, number: int) -> None:
        archive = str(self.data_dir / "records")
        data_dir = self.data_dir / str(number)
        program = await self.stack.enter_async_context(
            process(self.redis.url, data_dir, archive_dir=archive)
        )
        channel = await self.stack.enter_async_context(connected(await address_of(program)))
        self.replicas[number] = Replica(channel)
        self.pids[number] = program.pid
        async with self.changed:
            self.changed.notify_all()

    async def kill_replica(self, rng: random.Random) -> None:
        number = rng.choice(sorted(self.replicas))
        del self.replicas[number]
        os.kill(self.pids[number], signal.SIGKILL)
        await self.start(number)

    async def freeze_replica(self, rng: random.Random) -> None:
        pid = self.pids[rng.choice(sorted(self.replicas))]
        os.kill(pid, signal.SIGSTOP)
        await asyncio.sleep(rng.uniform(0, FROZEN_S_MAX))
        os.kill(pid, signal.SIGCONT)

    async def kill_redis(self, rng: random.Random) -> None:
        os.kill(self.redis.pid, signal.SIGKILL)
        await self.redis.wait()
        await asyncio.sleep(rng.uniform(0, FROZEN_S_MAX))
        self.redis = await EmbeddedRedis.start(self.data_dir / "redis", appendfsync="always")

    async def anywhere(self, player: Player) -> AsyncIterator[Caller]:
        """The player at a replica, at another one each time."""
        for turn in itertools.count(player.seat):
            async with self.changed:
                await self.changed.wait_for(lambda: self.replicas)
            living = sorted(self.replicas)
            yield Caller(self.replicas[living[turn % len(living)]], NAMES[player.seat])


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(6))
async def test_matches_survive_whatever_is_killed_or_frozen(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    async with AsyncExitStack() as stack:
        redis = await EmbeddedRedis.start(tmp_path / "redis", appendfsync="always")
        cluster = Cluster(tmp_path, stack, redis)
        for number in range(REPLICAS):
            await cluster.start(number)
        callers = [Caller(cluster.replicas[0], name) for name in NAMES]
        tables = [
            await seated(callers, request_id=f"t{number}", options={"max_hand": 3}, clock=UNTIMED)
            for number in range(TABLES)
        ]
        players = [Player(table_id, seat) for table_id in tables for seat in range(4)]
        disturb = [cluster.kill_replica, cluster.freeze_replica, cluster.kill_redis]
        async with playing(players, cluster.anywhere, limit_s=300):
            for moves in range(100, 100 * TABLES, 100):
                await moves_made(players, moves)
                await rng.choice(disturb)(rng)
        reader = Caller(cluster.replicas[0], NAMES[0])
        for table_id in tables:
            record = await reader.record(table_id)
            check_nothing_lost(record, [each for each in players if each.table_id == table_id])
        await cluster.redis.stop()
