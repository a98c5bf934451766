"""Turn clocks that run out: by Redis' clock, the plugin's default, once."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from kozyr.errors import MatchError
from kozyr.log import Cause
from kozyr.v1 import table_pb2
from kozyr.verify import verify_record
from kozyr_table.keys import ALL_SHARDS, table_keys
from tests.integration.service import (
    UNTIMED,
    Caller,
    Replica,
    causes,
    everything,
    per_move,
    redis_at,
    refused,
    replica,
    seated,
)
from tests.integration.stream import Duel, duel, stream

SHORT = per_move(100)
ALL_BY_THE_CLOCK = [Cause.TIMEOUT] * 8
"""The smallest match of two: two deals of two bids and two cards."""


async def until_ms(redis_url: str, moment_ms: int) -> None:
    """Wait by Redis' own clock."""
    async with redis_at(redis_url) as redis:
        while (left := moment_ms - await now_ms(redis)) > 0:
            await redis.xread({"nobody writes here": "$"}, block=left)


async def now_ms(redis: Any) -> int:
    seconds, micros = await redis.time()
    return int(seconds) * 1000 + int(micros) // 1000


async def disarm(redis_url: str, table_id: str) -> None:
    """Take a table from the deadlines, so that no clock acts."""
    keys = table_keys("main", table_id)
    async with redis_at(redis_url) as redis:
        assert await redis.zrem(ALL_SHARDS[keys.shard].deadlines, keys.name) == 1


@asynccontextmanager
async def watched(redis_url: str, data_dir: Path, **changes: int) -> AsyncIterator[Replica]:
    """A service that calls half a second without it an outage."""
    async with replica(redis_url, data_dir, **{"outage_ms": 500, **changes}) as service:
        yield service


@pytest.fixture
async def service(redis_url: str, tmp_path: Path) -> AsyncIterator[Replica]:
    async with replica(redis_url, tmp_path) as client:
        yield client


async def test_default_is_played_for_everybody_who_lets_the_time_pass(
    ann: Caller, bob: Caller
) -> None:
    async with duel(ann, bob, clock=SHORT) as pair:
        await pair.streams[0].until_archived(pair.table_id)
    record = await ann.record(pair.table_id)
    match = verify_record(record)  # it holds the default against each timeout
    assert causes(record) == ALL_BY_THE_CLOCK
    assert pair.views[0].observations[pair.views[0].seats[0]] == match.observe(0)


async def test_default_is_played_when_nobody_even_looks(ann: Caller, bob: Caller) -> None:
    table_id = await seated([ann, bob], clock=SHORT)
    async with stream(ann) as session:
        await session.attach(table_id)
        await session.until_archived(table_id)
    assert causes(await ann.record(table_id)) == ALL_BY_THE_CLOCK


async def test_move_in_time_stops_the_clock_and_starts_the_next(ann: Caller, bob: Caller) -> None:
    async with duel(ann, bob, clock=per_move(60_000)) as pair:
        while not pair.views[0].observations[pair.views[0].seats[0]].outcome:
            update = pair.views[0].updates[-1]
            [pending] = update.pending
            assert pending.deadline_ms == update.at_ms + 60_000
            await pair.move()
        await pair.streams[0].until_archived(pair.table_id)
    assert set(causes(await ann.record(pair.table_id))) == {Cause.PLAYER}


async def test_bank_is_charged_and_its_increment_added(ann: Caller, bob: Caller) -> None:
    clock = table_pb2.Clock(increment=table_pb2.Clock.Increment(bank_ms=50_000, increment_ms=1_000))
    async with duel(ann, bob, clock=clock) as pair:
        seat, opened = pair.decision.seat, pair.views[0].updates[-1].at_ms
        assert pair.views[0].pending[seat].bank_ms == 50_000
        await pair.move()
        spent = pair.views[0].updates[-1].at_ms - opened
        while pair.decision.seat != seat:
            await pair.move()
        pending = pair.views[0].pending[seat]
        assert pending.bank_ms == 50_000 - spent + 1_000
        assert pending.deadline_ms == pair.views[0].updates[-1].at_ms + pending.bank_ms


async def test_untimed_decision_has_no_deadline(ann: Caller, bob: Caller) -> None:
    async with duel(ann, bob, clock=UNTIMED) as pair:
        [pending] = pair.views[0].pending.values()
        assert pending.deadline_ms == 0


async def test_move_after_its_deadline_is_refused_and_changes_nothing(
    ann: Caller, bob: Caller, redis_url: str
) -> None:
    async with duel(ann, bob, clock=per_move(300)) as pair:
        await disarm(redis_url, pair.table_id)  # nobody plays the default meanwhile
        await until_ms(redis_url, pair.views[0].pending[pair.decision.seat].deadline_ms)
        before = await everything(redis_url)
        for form in ({}, {"request_id": "again"}):
            await refused("TOO_LATE", pair.move(**form))
        assert await everything(redis_url) == before


async def test_move_after_the_default_was_played_is_refused(ann: Caller, bob: Caller) -> None:
    async with duel(ann, bob, clock=per_move(500)) as pair:
        decision, mover = pair.decision, pair.mover
        await pair.reach(pair.version + 1)  # by the clock
        with pytest.raises(MatchError):
            await mover.act(
                pair.table_id, decision.seat, decision_id=decision.id, action=decision.default
            )
        await pair.finish()
    assert causes(await ann.record(pair.table_id)) == [Cause.TIMEOUT, *7 * [Cause.PLAYER]]


async def test_two_replicas_that_race_for_one_deadline_play_the_default_once(
    redis_url: str, tmp_path: Path
) -> None:
    async with AsyncExitStack() as stack:
        first, second = [
            await stack.enter_async_context(
                replica(redis_url, tmp_path / name, archive_dir=tmp_path / "records")
            )
            for name in ("one", "two")
        ]
        ann, bob = Caller(first, "ann"), Caller(first, "bob")
        tables = [
            await seated([ann, bob], request_id=f"table-{number}", clock=SHORT)
            for number in range(8)
        ]
        async with stream(ann) as near, stream(bob.elsewhere(second)) as far:
            for table_id in tables:
                await near.attach(table_id)
                await far.attach(table_id)
            for table_id in tables:
                await near.until_archived(table_id)
                await far.until_archived(table_id)
                record = await ann.record(table_id)
                assert causes(record) == ALL_BY_THE_CLOCK
                match = verify_record(record)
                for session in (near, far):
                    [observation] = session.views[table_id].observations.values()
                    assert observation == match.observe(observation.viewer)


async def after_an_outage(
    redis_url: str, data_dir: Path, stack: AsyncExitStack, *, grace_ms: int
) -> tuple[Duel, Replica, int]:
    """A match whose deadline fell due while no service ran; when the next one began, in ms."""
    async with (
        watched(redis_url, data_dir) as before,
        duel(Caller(before, "ann"), Caller(before, "bob"), clock=per_move(200)) as old,
    ):
        await old.move()
        deadline = old.views[0].pending[old.decision.seat].deadline_ms
    await until_ms(redis_url, deadline + 500)
    async with redis_at(redis_url) as redis:
        began = await now_ms(redis)
    service = await stack.enter_async_context(watched(redis_url, data_dir, grace_ms=grace_ms))
    sessions = [
        await stack.enter_async_context(stream(Caller(service, name))) for name in ("ann", "bob")
    ]
    pair = Duel(old.table_id, (sessions[0], sessions[1]))
    for seat, session in enumerate(pair.streams):
        await session.attach(pair.table_id, seat)
    assert pair.views[0].place == old.views[0].place
    return pair, service, began


async def test_deadline_that_fell_due_while_nobody_served_fires_after_the_grace_once(
    redis_url: str, tmp_path: Path
) -> None:
    async with AsyncExitStack() as stack:
        pair, service, began = await after_an_outage(redis_url, tmp_path, stack, grace_ms=400)
        await pair.streams[0].until_archived(pair.table_id)
        record = await Caller(service, "ann").record(pair.table_id)
    verify_record(record)
    assert causes(record) == [Cause.PLAYER, *ALL_BY_THE_CLOCK[1:]]
    first = next(entry for entry in record.entries if entry.cause is Cause.TIMEOUT)
    assert first.at_ms >= began + 400


async def test_move_within_the_grace_is_in_time(redis_url: str, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        pair, service, _ = await after_an_outage(redis_url, tmp_path, stack, grace_ms=60_000)
        await pair.finish()
        record = await Caller(service, "ann").record(pair.table_id)
    verify_record(record)
    assert set(causes(record)) == {Cause.PLAYER}


async def test_clock_of_the_match_begins_with_its_first_decision(ann: Caller, bob: Caller) -> None:
    async with duel(ann, bob, clock=SHORT) as pair:
        opening = next(update for update in pair.views[0].updates if update.HasField("place"))
        [pending] = opening.pending
        assert pending.deadline_ms == opening.at_ms + 100
