"""Real table services for tests: on a real Redis, called through real stubs and sockets."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from redis.asyncio import Redis

from kozyr import wire
from kozyr.errors import KozyrError
from kozyr.log import Cause
from kozyr.plugins import load_variant
from kozyr.record import Record
from kozyr.tokens import DEFAULT_TENANT, Identity, mint
from kozyr.v1 import (
    accounts_pb2_grpc,
    bots_pb2_grpc,
    lobby_pb2,
    lobby_pb2_grpc,
    session_pb2_grpc,
    table_pb2,
    table_pb2_grpc,
)
from kozyr_table.keys import ALL_SHARDS
from kozyr_table.server import TableServer, running
from kozyr_table.settings import TableSettings

LIMIT_S: Final = 20.0
"""Only so that a failing test ends: nothing here takes so long."""

TOKEN_KEY: Final = "the key of all the tokens in the tests"
SMALL: Final = {"max_hand": 1, "blind_deals": 0}
"""Options of the smallest match: as many deals of one card as there are players."""

Metadata = tuple[tuple[str, str], ...]
Answer = TypeVar("Answer")


def settings(data_dir: Path, **changes: Any) -> TableSettings:
    given = {
        "listen": "127.0.0.1:0",
        "data_dir": data_dir,
        "token_key": TOKEN_KEY,
        "drain_ms": 1_000,
        **changes,
    }
    return TableSettings(**given)


class Replica:
    """One table service, as a client reaches it."""

    def __init__(
        self,
        channel: grpc.aio.Channel,
        *,
        redis_url: str = "",
        archive_dir: Path | None = None,
        server: TableServer | None = None,
    ) -> None:
        self.channel = channel
        self.redis_url = redis_url
        self.archive_dir = archive_dir
        self._server = server
        self.accounts = accounts_pb2_grpc.AccountServiceStub(channel)
        self.lobby = lobby_pb2_grpc.LobbyServiceStub(channel)
        self.tables = table_pb2_grpc.TableServiceStub(channel)
        self.sessions = session_pb2_grpc.SessionServiceStub(channel)
        self.bots = bots_pb2_grpc.BotServiceStub(channel)

    def remembers(self, table_id: str) -> bool:
        """Whether the service, if it is in this process, has a table in memory."""
        assert self._server is not None
        return self._server._tables.live(DEFAULT_TENANT, table_id) is not None

    async def until_serving(self, *, serving: bool = True) -> None:
        """Watch the health of the service until it is so."""
        status = health_pb2.HealthCheckResponse
        wanted = status.SERVING if serving else status.NOT_SERVING
        stub: Any = health_pb2_grpc.HealthStub(self.channel)  # its types lack Watch
        async for answer in stub.Watch(health_pb2.HealthCheckRequest(), timeout=LIMIT_S):
            if answer.status == wanted:
                return


@asynccontextmanager
async def connected(address: str, **options: int) -> AsyncIterator[grpc.aio.Channel]:
    # Subchannels of its own: shared ones remember for a second that nobody listened there.
    given = {"use_local_subchannel_pool": 1, **options}
    named = [(f"grpc.{name}", value) for name, value in given.items()]
    async with grpc.aio.insecure_channel(address, options=named) as channel:
        yield channel


@asynccontextmanager
async def replica(redis_url: str, data_dir: Path, **changes: Any) -> AsyncIterator[Replica]:
    """A table service in this process."""
    told = settings(data_dir, **changes)
    async with running(told, redis_url) as server, connected(server.address) as channel:
        yield Replica(channel, redis_url=redis_url, archive_dir=told.records_dir, server=server)


# Serves on the Redis of argv[1] with the data directory argv[2], says where, and goes on for ever.
PROGRAM: Final = """
import asyncio, json, sys
from kozyr_table.main import serve
from kozyr_table.settings import TableSettings

settings = TableSettings(redis_url=sys.argv[1], data_dir=sys.argv[2], **json.loads(sys.argv[3]))
asyncio.run(serve(settings, ready=lambda address: print("at", address, flush=True)))
"""


@asynccontextmanager
async def process(redis_url: str, data_dir: Path, **changes: Any) -> AsyncIterator[Process]:
    """A table service in a process of its own, killed at the end if it is still there."""
    told = {"listen": "127.0.0.1:0", "token_key": TOKEN_KEY, **changes}
    program = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        PROGRAM,
        redis_url,
        str(data_dir),
        json.dumps(told),
        stdout=PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        yield program
    finally:
        with suppress(ProcessLookupError):
            program.kill()
        await program.communicate()


async def address_of(program: Process) -> str:
    """Where the service of a process listens, once it does."""
    assert program.stdout is not None
    async with asyncio.timeout(LIMIT_S):
        async for line in program.stdout:
            if line.startswith(b"at "):
                return line.decode().split()[1]
    raise AssertionError("the service has ended before it was ready")


class Caller:
    """Somebody with a token, at a replica."""

    def __init__(
        self,
        at: Replica,
        account: str,
        *,
        tenant: str = DEFAULT_TENANT,
        roles: Sequence[str] = (),
        token: str | None = None,
    ) -> None:
        self.at = at
        self.account = account
        identity = Identity(account, tenant, name=account.title(), roles=frozenset(roles))
        self.token = mint(TOKEN_KEY, identity) if token is None else token

    @property
    def metadata(self) -> Metadata:
        return (("authorization", f"Bearer {self.token}"),)

    def elsewhere(self, at: Replica) -> "Caller":
        """The same person at another replica."""
        return Caller(at, self.account, token=self.token)

    async def create(
        self,
        *,
        request_id: str = "create",
        variant: str = "odessa",
        options: Mapping[str, object] | str = SMALL,
        seats: int = 2,
        **more: Any,
    ) -> table_pb2.Table:
        text = options if isinstance(options, str) else json.dumps(options)
        request = lobby_pb2.CreateTableRequest(
            request_id=request_id, variant=variant, options_json=text, seats=seats, **more
        )
        answer = await self._call(self.at.lobby.CreateTable(request, **self._how))
        return answer.table

    async def tables(self, **filters: Any) -> lobby_pb2.ListTablesResponse:
        request = lobby_pb2.ListTablesRequest(**filters)
        return await self._call(self.at.lobby.ListTables(request, **self._how))

    async def configure(self, **what: Any) -> lobby_pb2.ConfigureVariantResponse:
        request = lobby_pb2.ConfigureVariantRequest(**what)
        return await self._call(self.at.lobby.ConfigureVariant(request, **self._how))

    async def table(self, table_id: str) -> table_pb2.Table:
        request = table_pb2.GetTableRequest(table_id=table_id)
        answer = await self._call(self.at.tables.GetTable(request, **self._how))
        return answer.table

    async def join(
        self, table_id: str, *, request_id: str = "join", **more: Any
    ) -> table_pb2.JoinTableResponse:
        request = table_pb2.JoinTableRequest(request_id=request_id, table_id=table_id, **more)
        return await self._call(self.at.tables.JoinTable(request, **self._how))

    async def ready(
        self, table_id: str, *, ready: bool = True, request_id: str = "ready"
    ) -> table_pb2.Table:
        request = table_pb2.SetReadyRequest(request_id=request_id, table_id=table_id, ready=ready)
        answer = await self._call(self.at.tables.SetReady(request, **self._how))
        return answer.table

    async def leave(self, table_id: str, *, request_id: str = "leave") -> table_pb2.Table:
        request = table_pb2.LeaveTableRequest(request_id=request_id, table_id=table_id)
        answer = await self._call(self.at.tables.LeaveTable(request, **self._how))
        return answer.table

    async def record(self, match_id: str, *, variant: str = "odessa") -> Record:
        """The record of a match, sealed here; whether it is true says `verify_record`."""
        request = table_pb2.GetRecordRequest(match_id=match_id)
        answer = await self._call(self.at.tables.GetRecord(request, **self._how))
        rules = load_variant(variant)
        options = rules.parse_options(wire.decode_options(answer.record.header.options_json))
        return wire.decode_record(answer.record, rules.actions(options))

    @property
    def _how(self) -> dict[str, Any]:
        return {"metadata": self.metadata, "timeout": LIMIT_S}

    @staticmethod
    async def _call(call: Awaitable[Answer]) -> Answer:
        try:
            return await call
        except grpc.aio.AioRpcError as error:
            raise wire.decode_call_error(error) from error


async def seated(players: Sequence[Caller], **how: Any) -> str:
    """A table where these players sit in order, all ready; the match begins."""
    table = await players[0].create(seats=len(players), **how)
    for seat, player in enumerate(players):
        await player.join(table.table_id, seat=seat)
    for player in players:
        await player.ready(table.table_id)
    return table.table_id


async def refused(reason: str, call: Awaitable[object]) -> KozyrError:
    """What a call that must be refused is refused with."""
    with pytest.raises(KozyrError) as caught:
        await call
    assert caught.value.reason == reason, caught.value
    return caught.value


def per_move(limit_ms: int) -> table_pb2.Clock:
    return table_pb2.Clock(per_move=table_pb2.Clock.PerMove(limit_ms=limit_ms))


UNTIMED: Final = table_pb2.Clock(untimed=table_pb2.Clock.Untimed())


def causes(record: Record) -> list[Cause]:
    """Who caused the moves of a match, the shuffles left out."""
    return [entry.cause for entry in record.entries if entry.cause is not Cause.CHANCE]


@asynccontextmanager
async def redis_at(url: str, *, texts: bool = True) -> AsyncIterator[Any]:
    """A look into Redis; its types promise every protocol's replies at once, hence `Any`."""
    async with Redis.from_url(url, decode_responses=texts) as redis:
        yield redis


async def everything(redis_url: str) -> dict[bytes, object]:
    """All of Redis that a refused call must leave as it is: tables, logs, lists, feeds."""
    own = {  # what the service does for itself: its heartbeat, and when to look at tables
        name.encode() for keys in ALL_SHARDS for name in (keys.pulse, keys.deadlines)
    }
    async with redis_at(redis_url, texts=False) as redis:
        names = sorted(await redis.keys())
        return {
            name: await redis.dump(name)
            for name in names
            if name not in own and not name.startswith(b"kozyr:")
        }


@asynccontextmanager
async def unchanged(at: Replica) -> AsyncIterator[None]:
    """Claims that what happens within leaves no trace in Redis."""
    before = await everything(at.redis_url)
    yield
    assert await everything(at.redis_url) == before
