"""The table service put together: the store, the tables, what runs beside them, and gRPC."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import grpc
import structlog
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from kozyr.errors import KozyrError
from kozyr.v1 import (
    accounts_pb2,
    accounts_pb2_grpc,
    bots_pb2,
    bots_pb2_grpc,
    lobby_pb2,
    lobby_pb2_grpc,
    session_pb2,
    table_pb2,
    table_pb2_grpc,
)
from kozyr_table.archive import Archive
from kozyr_table.bots import BotDesk
from kozyr_table.calls import Context, Doorkeeper, refuse
from kozyr_table.deadlines import Deadlines
from kozyr_table.errors import CannotListen, Draining, StoreUnavailable
from kozyr_table.feed import Feed
from kozyr_table.lobby import AccountCalls, LobbyCalls
from kozyr_table.metrics import Metrics
from kozyr_table.refereeing import Refereeing
from kozyr_table.session import Session
from kozyr_table.settings import TableSettings
from kozyr_table.store import Store
from kozyr_table.suspension import Suspension
from kozyr_table.table_calls import TableCalls
from kozyr_table.tables import Tables
from kozyr_table.tasks import Tasks

log = structlog.get_logger()

KEEPALIVE_MS: Final = 30_000
"""When a quiet connection is asked for a sign of life."""
KEEPALIVE_TIMEOUT_MS: Final = 10_000
"""How long it may take to give one."""
STREAMS_MAX: Final = 65_536
"""Streams on one connection."""
TOKEN_KEY_BYTES: Final = 32
HEALTH_S: Final = 0.5
"""How often Redis is asked whether it answers."""

_MODULES: Final = (accounts_pb2, bots_pb2, lobby_pb2, session_pb2, table_pb2)


class TableServer:
    """A running table service.

    Attributes:
        address: where it listens, as clients name it.
    """

    def __init__(
        self,
        settings: TableSettings,
        store: Store,
        refereeing: Refereeing,
        metrics: Metrics,
        tasks: Tasks,
    ) -> None:
        self._settings: Final = settings
        self._store: Final = store
        self._tasks: Final = tasks
        self._doorkeeper: Final = Doorkeeper()
        self._tables: Final = Tables(store, refereeing, settings, tasks)
        self._desk: Final = BotDesk(self._tables, self._doorkeeper)
        self._archive: Final = Archive(self._tables, store, settings.records_dir)
        self._deadlines: Final = Deadlines(self._tables, store)
        self._suspension: Final = Suspension(self._tables, metrics)
        self._tables.on_deadline = self._deadlines.armed
        self._tables.on_finished = self._archive.finished
        self._tables.on_room = self._desk.room_changed
        self._tables.on_gone = self._desk.table_gone
        self._tables.on_missing = self._archive.catch_up
        self._tables.on_failed = self._suspension.failed
        self._sessions: set[Session] = set()
        self._draining = False
        self._serving: bool | None = None
        self._health: Final = health.aio.HealthServicer()
        self._server: Final = grpc.aio.server(
            options=[
                ("grpc.max_receive_message_length", settings.message_bytes_max),
                ("grpc.max_concurrent_streams", STREAMS_MAX),
                ("grpc.so_reuseport", 0),
                ("grpc.keepalive_time_ms", KEEPALIVE_MS),
                ("grpc.keepalive_timeout_ms", KEEPALIVE_TIMEOUT_MS),
            ]
        )
        self._add_services()
        try:
            port = self._server.add_insecure_port(settings.listen)
        except RuntimeError as error:  # what gRPC says has no type of its own
            raise CannotListen(settings.listen) from error
        unix = settings.listen.startswith("unix:")
        host = settings.listen.rpartition(":")[0]
        self.address: Final = settings.listen if unix else f"{host}:{port}"
        for work in (
            self._watch_redis(),
            Feed(self._tables, store).run(),
            self._deadlines.run(),
            self._archive.sweep(),
            self._desk.run(),
            self._desk.beat(),
            self._tables.evict(),
            self._suspension.run(),
        ):
            tasks.forever(work)

    async def start(self) -> None:
        """Begin to listen; calls are refused until Redis answers."""
        try:
            await self._reach_redis()
        except StoreUnavailable as error:
            log.warning("redis_not_there_yet", error=str(error))
            await self._set_serving(serving=False)
        await self._server.start()

    def plugins_changed(self) -> None:
        """A plugin went down or came back."""
        self._suspension.plugins_changed()

    async def ended(self) -> None:
        """Wait until the service breaks.

        Raises:
            Exception: what broke it.
        """
        await self._tasks.failure()

    async def drain(self) -> None:
        """Stop: take no more calls, tell every session to come back elsewhere, end."""
        self._draining = True
        await self._health.set("", health_pb2.HealthCheckResponse.NOT_SERVING)
        for session in list(self._sessions):
            session.end(Draining("this server goes down; connect again"))
        await self._server.stop(self._settings.drain_ms / 1000)

    def _add_services(self) -> None:
        server = self._server
        accounts_pb2_grpc.add_AccountServiceServicer_to_server(
            AccountCalls(self._doorkeeper), server
        )
        lobby_pb2_grpc.add_LobbyServiceServicer_to_server(
            LobbyCalls(self._tables, self._desk, self._doorkeeper), server
        )
        table_pb2_grpc.add_TableServiceServicer_to_server(
            TableCalls(self._tables, self._archive, self._doorkeeper), server
        )
        bots_pb2_grpc.add_BotServiceServicer_to_server(self._desk, server)
        server.add_generic_rpc_handlers((self._session_handler(),))
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        names = [
            service.full_name
            for module in _MODULES
            for service in module.DESCRIPTOR.services_by_name.values()
        ]
        reflection.enable_server_reflection(
            [*names, health.SERVICE_NAME, reflection.SERVICE_NAME], server
        )

    def _session_handler(self) -> grpc.GenericRpcHandler:
        """The session's handler: frames go through as bytes (see `kozyr_table.frames`)."""
        method: Any = grpc.stream_stream_rpc_method_handler(self._play)
        return grpc.method_handlers_generic_handler(
            session_pb2.DESCRIPTOR.services_by_name["SessionService"].full_name, {"Play": method}
        )

    async def _play(self, _: AsyncIterator[bytes], context: Context) -> None:
        try:
            if self._draining:
                raise Draining("this server goes down; connect again")
            session = Session(self._tables, self._doorkeeper.identify(context))
            self._sessions.add(session)
            try:
                await session.run(context, grpc.aio.EOF)
            finally:
                self._sessions.discard(session)
        except KozyrError as error:
            await refuse(context, error)

    async def _reach_redis(self) -> None:
        """Learn the key of the tokens: the settings' own, or the one that all replicas share."""
        own = self._settings.token_key
        proposal = own.get_secret_value() if own else secrets.token_hex(TOKEN_KEY_BYTES)
        key = await self._store.token_key(proposal)
        self._doorkeeper.learn(proposal if own else key)
        await self._set_serving(serving=True)

    async def _watch_redis(self) -> None:
        """Say that the service serves exactly while Redis answers."""
        while True:
            await asyncio.sleep(HEALTH_S)
            try:
                if self._doorkeeper.knows_key:
                    await self._store.now_ms()
                    await self._set_serving(serving=True)
                else:
                    await self._reach_redis()
            except StoreUnavailable as error:
                if self._serving is not False:
                    log.warning("redis_lost", error=str(error))
                await self._set_serving(serving=False)

    async def _set_serving(self, *, serving: bool) -> None:
        if serving is self._serving or self._draining:
            return
        self._serving = serving
        log.info("serving" if serving else "not_serving")
        status = health_pb2.HealthCheckResponse
        await self._health.set("", status.SERVING if serving else status.NOT_SERVING)


@asynccontextmanager
async def running(settings: TableSettings, redis_url: str) -> AsyncIterator[TableServer]:
    """A table service on a Redis server, until the context ends; then it drains.

    Redis may be down, at first and later: calls are refused until it is back.
    """
    store = Store(redis_url, replica=secrets.token_hex(4))
    metrics = Metrics()
    server: TableServer | None = None

    def plugins_changed() -> None:
        if server is not None:
            server.plugins_changed()

    opening = Refereeing.open(
        settings.plugins,
        metrics,
        call_timeout_s=settings.plugin_call_ms / 1000,
        on_change=plugins_changed,
    )
    try:
        async with await opening as refereeing, Tasks() as tasks:
            server = TableServer(settings, store, refereeing, metrics, tasks)
            with metrics.served(settings.metrics_listen):
                await server.start()
                try:
                    yield server
                finally:
                    await server.drain()
    finally:
        await store.close()
