"""What the service keeps in Redis, and the scripts that change it.

Nothing here is cached and nothing is decided: every method is one round trip. Whatever goes wrong
on the way to Redis is a `StoreUnavailable`; the outcome of a write that ends so is unknown, and
whoever asked reads again before it decides anything.
"""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib import resources
from typing import Any, Final

import hiredis
import structlog
from redis import exceptions
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from kozyr.log import Header
from kozyr.plugins.rulebook import Rules
from kozyr_table.errors import LimitExceeded, StoreUnavailable
from kozyr_table.keys import (
    ALL_SHARDS,
    OFFERS,
    SHARDS,
    TOKEN_KEY,
    WORKERS,
    TableKeys,
    TableName,
    table_keys,
)
from kozyr_table.room import Room, TableInfo
from kozyr_table.stored import (
    Append,
    AppendReply,
    Due,
    StoredTable,
    append_reply,
    head_text,
    stored_table,
)

log = structlog.get_logger()

REPLY_TIMEOUT_S: Final = 5.0
FEED_BLOCK_MS: Final = 1000
ROOM_REQUESTS_MAX: Final = 1024
"""Room requests whose answers a table remembers; more are refused."""
TOMBSTONE_MS: Final = 24 * 3600 * 1000
"""How long a repeated creation finds that its table has been and gone."""
OPENING_RETRY_MS: Final = 2000
"""When another replica opens a match that has started and was not opened."""
DUE_TABLES_MAX: Final = 64
"""Tables taken from a shard's deadlines at a time."""


class Store:
    """The service's hold on Redis."""

    def __init__(self, url: str, *, replica: str) -> None:
        self.replica: Final = replica
        self._redis: Any = Redis.from_url(  # its types promise every protocol's replies at once
            url,
            decode_responses=True,
            protocol=2,
            retry=Retry(NoBackoff(), 0),
            socket_timeout=None,  # `reaching_redis` has the one that counts
            socket_connect_timeout=None,
        )
        self._links: list[Any] = []
        """Connections that append, while they are free."""
        self._scripts: Final = {
            name: resources.files("kozyr_table").joinpath(f"lua/{name}.lua").read_text("utf-8")
            for name in ("create", "room", "append", "due", "rearm", "remove", "suspend", "resume")
        }
        self._shas: Final = {
            name: hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
            for name, text in self._scripts.items()
        }

    async def close(self) -> None:
        """Close all connections."""
        for link in self._links:
            await link.disconnect(nowait=True)
        await self._redis.aclose()

    async def connect(self) -> None:
        """Reach Redis and load the scripts."""
        async with reaching_redis():
            for text in self._scripts.values():
                await self._redis.script_load(text)

    async def token_key(self, proposal: str) -> str:
        """The token key that all replicas share; the proposal, where there is none yet."""
        async with reaching_redis():
            await self._redis.set(TOKEN_KEY, proposal, nx=True)
            return str(await self._redis.get(TOKEN_KEY))

    async def create(
        self, keys: TableKeys, info: TableInfo, room: Room, seed: bytes, *, gathering_ms: int
    ) -> bool:
        """Make a table, or find that it is there already; False when it was there and is gone."""
        shard = ALL_SHARDS[keys.shard]
        fields: list[str | int] = ["info", info.text, "seed", seed.hex(), "status", room.status]
        fields += ["room", room.seats_text, "room_version", room.version]
        fields += ["clock", info.clock.text, *_epochs(room)]
        found = await self._run(
            "create",
            [keys.meta, shard.tables, shard.deadlines, shard.feed, keys.tombstone],
            [self.replica, keys.name, gathering_ms, *fields],
        )
        return int(found) >= 0

    async def change_room(
        self,
        keys: TableKeys,
        before: Room,
        after: Room,
        *,
        request: str,
        answer: str,
        begins: Header | None = None,
    ) -> str:
        """Put a room in the place of another.

        Args:
            before: the room that must be there.
            request: the key of the request to remember, or empty.
            answer: what the request's repetitions shall get.
            begins: the header of the match that begins with the change.

        Returns:
            ``ok``, ``conflict``, ``missing``, or ``repeated`` and a space and the first answer.

        Raises:
            LimitExceeded: the table remembers too many requests.
        """
        shard = ALL_SHARDS[keys.shard]
        more: list[str | int] = []
        if begins is not None:
            text = json.dumps(begins.plain(), separators=(",", ":"))
            more = ["header", text, "head", head_text(0, begins.digest())]
        reply = await self._run(
            "room",
            [keys.meta, keys.requests, shard.deadlines, shard.feed],
            [
                self.replica,
                keys.name,
                before.version,
                before.status,
                after.status,
                after.seats_text,
                request,
                answer,
                ROOM_REQUESTS_MAX,
                "" if begins is None else OPENING_RETRY_MS,
                *_epochs(after),
                *more,
            ],
        )
        if reply[0] == "full":
            raise LimitExceeded(f"the table has had {ROOM_REQUESTS_MAX} requests, its limit")
        return " ".join(reply) if reply[0] == "repeated" else str(reply[0])

    async def append(self, shards: Mapping[int, Sequence[Append]]) -> dict[int, list[AppendReply]]:
        """Append to many tables in one round trip, by shard, each shard's in one script call."""
        async with reaching_redis():
            replies = await self._append_once(shards)
            if any(isinstance(reply, exceptions.NoScriptError) for reply in replies):
                await self._redis.script_load(self._scripts["append"])
                refused = {
                    shard: shards[shard]
                    for shard, reply in zip(shards, replies, strict=True)
                    if isinstance(reply, exceptions.NoScriptError)
                }
                again = dict(zip(refused, await self._append_once(refused), strict=True))
                replies = [
                    again.get(shard, reply) for shard, reply in zip(shards, replies, strict=True)
                ]
            for reply in replies:
                if isinstance(reply, Exception):
                    raise reply
        return {
            shard: [append_reply(text) for text in reply]
            for shard, reply in zip(shards, replies, strict=True)
        }

    async def _append_once(self, shards: Mapping[int, Sequence[Append]]) -> list[Any]:
        """One pipeline, on a connection of its own: redis-py's would cost more than the rules."""
        sha = self._shas["append"]
        calls = []
        for shard, appends in shards.items():
            keys = ALL_SHARDS[shard]
            names = [keys.deadlines, keys.finished, keys.feed, keys.pulse]
            for append in appends:
                names += (append.keys.meta, append.keys.log)
            arguments: list[str | int] = [self.replica]
            for append in appends:
                arguments += append.arguments()
            call: tuple[Any, ...] = ("EVALSHA", sha, len(names), *names, *arguments)
            calls.append(hiredis.pack_command(call))
        link = self._links.pop() if self._links else self._redis.connection_pool.make_connection()
        try:
            if link.is_connected and await link.can_read():
                await link.disconnect(nowait=True)  # nothing was asked: Redis has closed it
            await link.send_packed_command(calls, check_health=False)
            replies: list[Any] = []
            for _ in calls:
                try:
                    replies.append(await link.read_response())
                except exceptions.ResponseError as error:
                    replies.append(error)
        except BaseException:
            await link.disconnect(nowait=True)
            raise
        finally:
            self._links.append(link)  # it connects again when it is used again
        return replies

    async def load(self, keys: TableKeys, *, since: int = 0) -> StoredTable | None:
        """A table with its log after a version, None when there is no such table."""
        async with reaching_redis():
            pipeline = self._redis.pipeline(transaction=True)
            pipeline.hgetall(keys.meta)
            pipeline.lrange(keys.log, since, -1)
            meta, log = await pipeline.execute()
        return stored_table(meta, log, since) if meta else None

    async def load_without_log(self, names: Sequence[TableName]) -> list[StoredTable | None]:
        """Tables without their logs, for the listing; None for those that are gone."""
        async with reaching_redis():
            pipeline = self._redis.pipeline(transaction=False)
            for name in names:
                pipeline.hgetall(table_keys(*name.split("/", 1)).meta)
            metas = await pipeline.execute()
        return [stored_table(meta, [], 0) if meta else None for meta in metas]

    async def table_names(self) -> list[TableName]:
        """All tables there are."""
        return [name for shard in SHARDS for name in await self._members(ALL_SHARDS[shard].tables)]

    async def finished_names(self) -> list[TableName]:
        """All tables that wait to be archived."""
        return [
            name for shard in SHARDS for name in await self._members(ALL_SHARDS[shard].finished)
        ]

    async def _members(self, key: str) -> list[TableName]:
        async with reaching_redis():
            return [TableName(name) for name in await self._redis.zrange(key, 0, -1)]

    async def due(self, *, outage_ms: int, grace_ms: int, pulse_ms: int) -> list[Due]:
        """What the deadlines of every shard say, by shard."""
        async with reaching_redis():
            replies = await self._due_once(outage_ms, grace_ms, pulse_ms)
            if any(isinstance(reply, exceptions.NoScriptError) for reply in replies):
                await self.connect()
                replies = await self._due_once(outage_ms, grace_ms, pulse_ms)
            for reply in replies:
                if isinstance(reply, Exception):
                    raise reply
        return [
            Due(now, following, tuple(TableName(name) for name in names))
            for now, _, following, *names in replies
        ]

    async def _due_once(self, outage_ms: int, grace_ms: int, pulse_ms: int) -> list[Any]:
        pipeline = self._redis.pipeline(transaction=False)
        for keys in ALL_SHARDS:
            pipeline.evalsha(
                self._shas["due"],
                2,
                keys.deadlines,
                keys.pulse,
                outage_ms,
                grace_ms,
                pulse_ms,
                DUE_TABLES_MAX,
            )
        replies: list[Any] = await pipeline.execute(raise_on_error=False)
        return replies

    async def rearm(self, keys: TableKeys, *, head: str, deadline_ms: int) -> bool:
        """Put a table among the deadlines where its clocks say; False when it has moved on."""
        names = [keys.meta, ALL_SHARDS[keys.shard].deadlines]
        return bool(await self._run("rearm", names, [keys.name, head, deadline_ms]))

    async def remove(self, keys: TableKeys, *, status: str, room_version: int | None) -> bool:
        """Remove a table that has this status (and room); False when it has another."""
        shard = ALL_SHARDS[keys.shard]
        gone = await self._run(
            "remove",
            [
                keys.meta,
                keys.log,
                keys.requests,
                shard.tables,
                shard.deadlines,
                shard.finished,
                shard.feed,
                keys.tombstone,
            ],
            [
                self.replica,
                keys.name,
                status,
                "" if room_version is None else room_version,
                TOMBSTONE_MS,
            ],
        )
        return bool(gone)

    async def suspend(self, keys: TableKeys, *, since_ms: int | None, why: str) -> bool:
        """Stop a match and its clocks; False when none is on.

        Args:
            since_ms: when the clocks stop; None for now.
        """
        shard = ALL_SHARDS[keys.shard]
        stopped = "" if since_ms is None else since_ms
        names = [keys.meta, shard.deadlines, shard.feed]
        return bool(await self._run("suspend", names, [self.replica, keys.name, stopped, why]))

    async def resume(self, keys: TableKeys, *, seats: int) -> bool:
        """Let a suspended match go on; False when it is not suspended."""
        shard = ALL_SHARDS[keys.shard]
        names = [keys.meta, shard.deadlines, shard.feed]
        return bool(await self._run("resume", names, [self.replica, keys.name, seats]))

    async def offer(self, rules: Iterable[Rules]) -> None:
        """Say that these rules can be asked now."""
        now = await self.now_ms()
        offers = {_offer_text(each): now for each in rules}
        if offers:
            async with reaching_redis():
                await self._redis.zadd(OFFERS, offers)

    async def unserved(
        self, rules: Collection[Rules], *, silence_ms: int
    ) -> dict[Rules, int | None]:
        """Which of some rules nobody has offered for so long, and when somebody last did."""
        now = await self.now_ms()
        async with reaching_redis():
            offered = await self._redis.zmscore(OFFERS, [_offer_text(each) for each in rules])
        return {
            each: None if last is None else int(last)
            for each, last in zip(rules, offered, strict=True)
            if last is None or now - last > silence_ms
        }

    async def beat_workers(self, workers: Sequence[str], *, ttl_ms: int) -> None:
        """Say that these bot workers live for so long from now."""
        until = await self.now_ms() + ttl_ms
        async with reaching_redis():
            await self._redis.zadd(WORKERS, dict.fromkeys(workers, until))

    async def living_workers(self) -> frozenset[str]:
        """The bot workers that live, at any replica."""
        now = await self.now_ms()
        async with reaching_redis():
            await self._redis.zremrangebyscore(WORKERS, "-inf", now)
            return frozenset(await self._redis.zrange(WORKERS, 0, -1))

    async def forget_worker(self, worker: str) -> None:
        """Say that a bot worker has gone."""
        async with reaching_redis():
            await self._redis.zrem(WORKERS, worker)

    async def first_answer(self, keys: TableKeys, request: str) -> str | None:
        """The answer that a room request got, None when it is new."""
        async with reaching_redis():
            answer: str | None = await self._redis.hget(keys.requests, request)
            return answer

    async def now_ms(self) -> int:
        """Redis' clock, in milliseconds since 1970."""
        async with reaching_redis():
            seconds, micros = await self._redis.time()
            return int(seconds) * 1000 + int(micros) // 1000

    async def feed_ends(self) -> dict[str, str]:
        """The last id of every shard's feed, to follow it from there."""
        async with reaching_redis():
            pipeline = self._redis.pipeline(transaction=False)
            for keys in ALL_SHARDS:
                pipeline.xrevrange(keys.feed, count=1)
            ends = await pipeline.execute()
        return {
            keys.feed: end[0][0] if end else "0" for keys, end in zip(ALL_SHARDS, ends, strict=True)
        }

    async def follow(self, places: dict[str, str]) -> list[tuple[str, TableName]]:
        """Wait for changes after ``places`` and move these on.

        Returns:
            The replica that made each change, and the table.
        """
        async with reaching_redis():
            reply = await self._redis.xread(places, count=1024, block=FEED_BLOCK_MS)
        changes = []
        for feed, items in reply:
            for item, fields in items:
                places[feed] = item
                changes += [(fields["r"], TableName(name)) for name in fields["t"].split(" ")]
        return changes

    async def _run(self, script: str, keys: Sequence[str], arguments: Sequence[str | int]) -> Any:
        async with reaching_redis():
            try:
                return await self._redis.evalsha(self._shas[script], len(keys), *keys, *arguments)
            except exceptions.NoScriptError:
                await self._redis.script_load(self._scripts[script])
                return await self._redis.evalsha(self._shas[script], len(keys), *keys, *arguments)


@asynccontextmanager
async def reaching_redis() -> AsyncIterator[None]:
    """Turn everything that keeps Redis from answering into `StoreUnavailable`."""
    try:
        async with asyncio.timeout(REPLY_TIMEOUT_S):
            yield
    except (exceptions.RedisError, OSError, TimeoutError) as error:
        if isinstance(error, exceptions.ResponseError):
            log.exception("redis_refused")  # full, read-only, or a fault of ours: never routine
        raise StoreUnavailable(f"Redis does not answer: {error!r}") from error


def _epochs(room: Room) -> list[str | int]:
    return [part for seat, row in enumerate(room.seats) for part in (f"e{seat}", row.epoch)]


def _offer_text(rules: Rules) -> str:
    variant, version = rules
    return f"{variant} {version}"
