"""Redis or the service away, at first or in the middle: refused meanwhile, and nothing lost."""

import asyncio
import json
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest

from kozyr.log import Header
from kozyr.v1 import accounts_pb2, session_pb2, table_pb2
from kozyr.verify import verify_record
from kozyr_table import tables
from kozyr_table.embedded_redis import EmbeddedRedis
from kozyr_table.keys import ALL_SHARDS, table_keys
from kozyr_table.stored import head_text
from tests.integration.playing import check_nothing_lost, moves_made, playing
from tests.integration.service import (
    LIMIT_S,
    UNTIMED,
    Caller,
    Replica,
    address_of,
    causes,
    connected,
    per_move,
    process,
    redis_at,
    refused,
    replica,
    seated,
)
from tests.integration.stream import Player, attach, duel, stream

FOUR = ("ann", "bob", "cid", "dan")
MATCH = {"max_hand": 2, "blind_deals": 0}


# Redis


async def test_service_without_redis_listens_refuses_and_recovers_by_itself(
    tmp_path: Path,
) -> None:
    socket = tmp_path / "redis" / "redis.sock"
    async with replica(f"unix://{socket}?db=0", tmp_path) as service:
        await service.until_serving(serving=False)
        ann, bob = Caller(service, "ann"), Caller(service, "bob")
        for call in (ann.create(), ann.tables(page_size=1), guest(service)):
            error = await refused("STORE_UNAVAILABLE", call)
            assert error.retryable
            assert error.code == grpc.StatusCode.UNAVAILABLE.value[0]
        async with stream(ann) as session:
            ended = await session.until_end()
            assert ended is not None
            assert ended.reason == "STORE_UNAVAILABLE"
        async with await EmbeddedRedis.start(tmp_path / "redis"):
            await service.until_serving()
            await guest(service)
            async with duel(ann, bob, clock=per_move(60_000)) as pair:
                await pair.finish()
            verify_record(await ann.record(pair.table_id))


async def guest(service: Replica) -> object:
    request = accounts_pb2.CreateGuestRequest(display_name="Eva")
    return await Caller._call(service.accounts.CreateGuest(request, timeout=LIMIT_S))


async def test_calls_without_redis_are_refused_and_taken_once_when_they_come_again(
    tmp_path: Path,
) -> None:
    redis = await EmbeddedRedis.start(tmp_path / "redis", appendfsync="always")
    async with replica(redis.url, tmp_path) as service:
        ann, bob = Caller(service, "ann"), Caller(service, "bob")
        await service.until_serving()
        table = await ann.create(clock=UNTIMED)
        joined = await ann.join(table.table_id)
        await kill(redis)
        await service.until_serving(serving=False)
        for call in (
            ann.create(request_id="other"),
            ann.join(table.table_id),
            bob.join(table.table_id),
            ann.ready(table.table_id),
        ):
            error = await refused("STORE_UNAVAILABLE", call)
            assert error.retryable
        async with await EmbeddedRedis.start(tmp_path / "redis", appendfsync="always"):
            await service.until_serving()
            assert await ann.create(clock=UNTIMED) == joined.table
            assert await ann.join(table.table_id) == joined
            assert (await bob.join(table.table_id)).seat == 1
            assert (await ann.ready(table.table_id)).seats[0].ready


async def kill(redis: EmbeddedRedis) -> None:
    os.kill(redis.pid, signal.SIGKILL)
    await redis.wait()


@pytest.mark.parametrize("limit_ms", [0, 60_000])
async def test_redis_killed_in_mid_match_costs_nothing(tmp_path: Path, limit_ms: int) -> None:
    redis = await EmbeddedRedis.start(tmp_path / "redis", appendfsync="always")
    clock = per_move(limit_ms) if limit_ms else UNTIMED
    async with AsyncExitStack() as stack:
        service = await stack.enter_async_context(replica(redis.url, tmp_path))
        callers = [Caller(service, name) for name in FOUR]
        started = [
            await seated(callers, request_id=f"table-{number}", options=MATCH, clock=clock)
            for number in range(3)
        ]
        players = [Player(table_id, seat) for table_id in started for seat in range(4)]

        async def connect(player: Player) -> AsyncIterator[Caller]:
            while True:
                yield callers[player.seat]

        async with playing(players, connect):
            for kills in (1, 2):
                await moves_made(players, 30 * kills)
                await kill(redis)
                await service.until_serving(serving=False)
                redis = await EmbeddedRedis.start(tmp_path / "redis", appendfsync="always")
        for table_id in started:
            record = await callers[0].record(table_id)
            check_nothing_lost(record, [each for each in players if each.table_id == table_id])
    await redis.stop()


async def test_clock_that_ran_out_while_redis_was_away_waits_for_the_grace(
    tmp_path: Path,
) -> None:
    redis = await EmbeddedRedis.start(tmp_path / "redis", appendfsync="always")
    async with replica(redis.url, tmp_path, outage_ms=500, grace_ms=60_000) as service:
        ann, bob = Caller(service, "ann"), Caller(service, "bob")
        async with duel(ann, bob, clock=per_move(700)) as pair:
            await pair.move()
            deadline_ms = pair.views[0].pending[pair.decision.seat].deadline_ms
            await kill(redis)
            await service.until_serving(serving=False)
            await asyncio.sleep(max(0.0, (deadline_ms + 500) / 1000 - time.time()))
            redis = await EmbeddedRedis.start(tmp_path / "redis", appendfsync="always")
            await service.until_serving()
            await pair.finish()  # each of its moves in time
        record = await ann.record(pair.table_id)
        verify_record(record)
        assert len(set(causes(record))) == 1
    await redis.stop()


@pytest.mark.slow
async def test_redis_that_hangs_is_refused_for_and_what_it_was_told_counts_once(
    tmp_path: Path,
) -> None:
    async with (
        await EmbeddedRedis.start(tmp_path / "redis") as redis,
        replica(redis.url, tmp_path) as service,
    ):
        ann, bob = Caller(service, "ann"), Caller(service, "bob")
        async with duel(ann, bob) as pair:
            await pair.move()
            os.kill(redis.pid, signal.SIGSTOP)
            errors = await asyncio.gather(
                refused("STORE_UNAVAILABLE", pair.move()),  # Redis gets to read it when it wakes
                refused("STORE_UNAVAILABLE", ann.create(request_id="another")),
                service.until_serving(serving=False),
            )
            assert all(error.retryable for error in errors if error)
            os.kill(redis.pid, signal.SIGCONT)
            await service.until_serving()
            before = pair.version
            assert await pair.move() == before + 1
            await pair.finish()
        record = await ann.record(pair.table_id)
        verify_record(record)
        assert len(causes(record)) == 8


# the service


async def test_service_killed_in_mid_match_costs_nothing(redis_url: str, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:

        async def start() -> tuple[Replica, int]:
            program = await stack.enter_async_context(process(redis_url, tmp_path))
            address = await address_of(program)
            return Replica(await stack.enter_async_context(connected(address))), program.pid

        again = asyncio.Event()
        service, pid = await start()
        callers = [Caller(service, name) for name in FOUR]
        started = [
            await seated(callers, request_id=f"table-{number}", options=MATCH, clock=UNTIMED)
            for number in range(3)
        ]
        players = [Player(table_id, seat) for table_id in started for seat in range(4)]

        async def connect(player: Player) -> AsyncIterator[Caller]:
            yield callers[player.seat]
            while True:
                async with asyncio.timeout(LIMIT_S):
                    await again.wait()
                yield callers[player.seat].elsewhere(service)

        async with playing(players, connect):
            for kills in (1, 2):
                await moves_made(players, 30 * kills)
                again.clear()
                os.kill(pid, signal.SIGKILL)
                service, pid = await start()
                again.set()
        for table_id in started:
            record = await callers[0].elsewhere(service).record(table_id)
            check_nothing_lost(record, [each for each in players if each.table_id == table_id])


async def test_table_that_nobody_follows_leaves_memory_and_comes_back_as_it_was(
    redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "EVICTION_S", 0.01)
    async with replica(redis_url, tmp_path, idle_ms=1) as service:
        ann, bob = Caller(service, "ann"), Caller(service, "bob")
        async with duel(ann, bob) as pair:
            for _ in range(3):
                await pair.moves(2)
                for session in pair.streams:
                    await session.send(detaches=[session_pb2.Detach(table_id=pair.table_id)])
                while service.remembers(pair.table_id):
                    await pair.streams[0].pong()
                for seat, session in enumerate(pair.streams):
                    view = pair.views[seat]
                    heard = len(view.updates)
                    await session.send(attaches=[attach(pair.table_id, seat, place=view.place)])
                    await session.until_updates(pair.table_id, heard + 1)
                    assert not view.updates[-1].full
            await pair.finish()
        verify_record(await ann.record(pair.table_id))


async def test_match_whose_service_died_before_its_first_card_begins_at_the_next(
    redis_url: str, tmp_path: Path
) -> None:
    async with replica(redis_url, tmp_path) as service:
        ann, bob = Caller(service, "ann"), Caller(service, "bob")
        table_id = await seated([ann, bob], clock=UNTIMED)
    keys = table_keys("main", table_id)
    async with redis_at(redis_url) as redis:  # as it is between start and opening
        await redis.delete(keys.log)
        header = await redis.hget(keys.meta, "header")
        assert header
        digest = Header.from_plain(json.loads(header)).digest()
        await redis.hset(keys.meta, "head", head_text(0, digest))
        await redis.zadd(ALL_SHARDS[keys.shard].deadlines, {keys.name: 1})
    async with (
        replica(redis_url, tmp_path) as service,
        stream(ann.elsewhere(service)) as session,
    ):
        await session.attach(table_id, 0)
        await session.until_version(table_id, 1)


async def test_a_table_in_memory_stays_listed_while_it_is_read_again(
    redis_url: str, tmp_path: Path
) -> None:
    """Or its bots' workers are taken to be free."""
    async with replica(redis_url, tmp_path) as service:
        table_id = await seated([Caller(service, "ann"), Caller(service, "bob")])
        assert service._server is not None
        tables, name = service._server._tables, table_keys("main", table_id).name
        [stored] = await tables.store.load_without_log([name])
        tables.heard(name, stored, after_outage=True)
        assert tables.listing.get(name) is not None


async def test_a_table_whose_log_breaks_the_rules_is_let_go_of(
    redis_url: str, tmp_path: Path
) -> None:
    async with replica(redis_url, tmp_path) as service:
        ann, bob = Caller(service, "ann"), Caller(service, "bob")
        async with duel(ann, bob) as pair:
            session, keys = pair.streams[0], table_keys("main", pair.table_id)
            async with redis_at(redis_url) as redis:
                shuffle = await redis.lindex(keys.log, 0)
                await redis.rpush(keys.log, shuffle)  # where somebody must bid
                await redis.hset(keys.meta, "head", "of another match")
                feed = ALL_SHARDS[keys.shard].feed
                await redis.xadd(feed, {"r": "another", "t": keys.name})
            await session.until_status(pair.table_id, table_pb2.TABLE_STATUS_CLOSED)
            await refused("NOT_YOUR_TURN", session.attach(pair.table_id, 0))


async def test_table_whose_rules_nobody_serves_costs_no_other_table(
    redis_url: str, tmp_path: Path
) -> None:
    async with replica(redis_url, tmp_path) as service:
        ann, bob = Caller(service, "ann"), Caller(service, "bob")
        strange = await seated([ann, bob], clock=per_move(60_000))
        finished = await seated([ann, bob], request_id="finished", clock=UNTIMED)
    async with redis_at(redis_url) as redis:
        for table_id in (strange, finished):
            keys = table_keys("main", table_id)
            for field in ("info", "header"):
                text = await redis.hget(keys.meta, field)
                assert text
                await redis.hset(
                    keys.meta, field, text.replace('"rules_version":1', '"rules_version":99')
                )
            await redis.zadd(ALL_SHARDS[keys.shard].deadlines, {keys.name: 1})
        keys = table_keys("main", finished)
        await redis.hset(keys.meta, "status", "finished")
        await redis.zadd(ALL_SHARDS[keys.shard].finished, {keys.name: 1})
    async with replica(redis_url, tmp_path) as service:
        ann, bob = ann.elsewhere(service), bob.elsewhere(service)
        async with duel(ann, bob, request_id="usual", clock=per_move(100)) as pair:
            view = pair.views[0]
            await pair.streams[0].until(lambda: view.archived)  # so its clock goes on
        async with stream(ann) as session:
            view = await session.attach(strange, 0)
            await session.until_status(strange, table_pb2.TABLE_STATUS_SUSPENDED)
            assert view.table.suspended_because == (
                "nobody serves version 99 of the rules of odessa now"
            )
            assert not view.decisions
