"""The archive: a finished match is written whole before its table goes, and once."""

import json
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import grpc
import pytest

from kozyr.errors import KozyrError
from kozyr.events import Seat
from kozyr.log import Header
from kozyr.match import Match
from kozyr.record import read_record, write_record
from kozyr.v1 import table_pb2
from kozyr.verify import verify_record
from kozyr_table.errors import UnknownTable
from kozyr_table.keys import ALL_SHARDS, new_table_id, table_keys
from kozyr_table.stored import parse_entry
from tests.integration.service import Caller, everything, redis_at, refused, replica
from tests.integration.stream import duel, stream


def record_path(archive: Path, match_id: str) -> Path:
    [path] = archive.rglob(f"{match_id}.jsonl")
    return path


async def finished_but_not_archived(redis_url: str, data_dir: Path) -> str:
    """A table whose match is over while the archive's disk is away."""
    (data_dir / "records").write_text("in the way")
    async with replica(redis_url, data_dir) as service:
        ann = Caller(service, "ann")
        async with duel(ann, Caller(service, "bob")) as pair:
            while not pair.views[0].observations[Seat(0)].outcome:
                await pair.move()
        table = await ann.table(pair.table_id)
        assert table.status == table_pb2.TABLE_STATUS_FINISHED
    (data_dir / "records").unlink()
    return pair.table_id


async def match_in_redis(redis_url: str, table_id: str) -> Match:
    keys = table_keys("main", table_id)
    async with redis_at(redis_url) as redis:
        meta = await redis.hgetall(keys.meta)
        lines = await redis.lrange(keys.log, 0, -1)
    header = Header.from_plain(json.loads(meta["header"]))
    log = [parse_entry(version, line) for version, line in enumerate(lines, 1)]
    return Match.open(header, seed=bytes.fromhex(meta["seed"]), log=log)


async def left(caller: Caller, table_id: str) -> None:
    """Wait until a finished table has left for the archive."""
    with suppress(UnknownTable):
        async with stream(caller) as session:
            view = await session.attach(table_id)
            await session.until(lambda: view.archived)


async def test_record_in_the_archive_is_the_one_that_is_given_out(
    redis_url: str, tmp_path: Path
) -> None:
    async with replica(redis_url, tmp_path) as service:
        ann, bob = Caller(service, "ann"), Caller(service, "bob")
        async with duel(ann, bob) as pair:
            await pair.finish()
        given = await ann.record(pair.table_id)
    path = record_path(tmp_path / "records", pair.table_id)
    assert read_record(path) == given
    verify_record(path)


async def test_archived_table_leaves_nothing_of_its_match_in_redis(
    redis_url: str, tmp_path: Path
) -> None:
    async with replica(redis_url, tmp_path) as service:
        async with duel(Caller(service, "ann"), Caller(service, "bob")) as pair:
            await pair.finish()
        keys = table_keys("main", pair.table_id)
        async with redis_at(redis_url) as redis:
            assert not await redis.exists(keys.meta, keys.log, keys.requests)
            shard = ALL_SHARDS[keys.shard]
            for name in (shard.tables, shard.deadlines, shard.finished):
                assert await redis.zscore(name, keys.name) is None


async def test_match_that_cannot_be_archived_yet_is_kept_until_it_can(
    redis_url: str, tmp_path: Path
) -> None:
    table_id = await finished_but_not_archived(redis_url, tmp_path)
    async with replica(redis_url, tmp_path) as service:
        ann = Caller(service, "ann")
        await left(ann, table_id)
        verify_record(await ann.record(table_id))


async def test_record_that_cannot_be_read_now_may_be_asked_for_again(
    redis_url: str, tmp_path: Path
) -> None:
    (tmp_path / "records").write_text("in the way")
    async with replica(redis_url, tmp_path) as service:
        ann = Caller(service, "ann")
        with pytest.raises(KozyrError) as caught:
            await ann.record(new_table_id("any secret", "main", "nobody", "never"))
        assert caught.value.retryable
        assert caught.value.code == grpc.StatusCode.UNAVAILABLE.value[0]
        assert str(tmp_path) not in str(caught.value)


async def test_service_killed_between_writing_and_removing_archives_once(
    redis_url: str, tmp_path: Path
) -> None:
    table_id = await finished_but_not_archived(redis_url, tmp_path)
    match = await match_in_redis(redis_url, table_id)
    path = tmp_path / "records" / "main" / table_id[:2] / f"{table_id}.jsonl"
    path.parent.mkdir(parents=True)
    write_record(match, path)
    before = path.stat()
    async with replica(redis_url, tmp_path) as service:
        ann = Caller(service, "ann")
        await left(ann, table_id)
        await refused("UNKNOWN_TABLE", ann.table(table_id))
        verify_record(await ann.record(table_id))
    assert record_path(tmp_path / "records", table_id) == path
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


async def test_two_replicas_that_archive_one_match_write_one_record(
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
        for number in range(5):
            async with (
                duel(ann, bob, request_id=f"table-{number}") as pair,
                stream(bob.elsewhere(second)) as far,
            ):
                await far.attach(pair.table_id, 1)
                await pair.finish()
                await far.until_archived(pair.table_id)
            verify_record(record_path(tmp_path / "records", pair.table_id))
            for caller in (ann, bob.elsewhere(second)):
                verify_record(await caller.record(pair.table_id))
        leftovers = [path for path in (tmp_path / "records").rglob("*") if path.suffix == ".tmp"]
        assert not leftovers
        assert not [key for key in await everything(redis_url) if b":log" in key]
