"""The bot desk: gives the seats that bots play to the workers that think for them.

A worker offers brains on a stream of its own; a seat's row names the worker that serves it. A
seat is given away by a change of the room, so of several replicas and workers one gets it, and
its epoch shuts out whoever had it before. While nobody serves a bot's seat, its clock plays.
"""

import asyncio
import hmac
from collections.abc import AsyncIterator
from typing import Final

import structlog

from kozyr.errors import KozyrError
from kozyr.tokens import BOTS_ROLE, Identity
from kozyr.v1 import bots_pb2, bots_pb2_grpc
from kozyr_table.calls import Context, Doorkeeper, refuse
from kozyr_table.errors import InvalidRequest, NotAllowed, ServiceError, StoreUnavailable
from kozyr_table.keys import TableName, split_name
from kozyr_table.requests import check_request_id
from kozyr_table.room import (
    Change,
    Room,
    SeatRow,
    Status,
    assign_bots,
    release_bots,
    wants_worker,
    worker_account,
)
from kozyr_table.tables import Tables, keys_of

log = structlog.get_logger()

WORKER_TTL_MS: Final = 6_000
"""A worker whose replica has not vouched for it for so long is dead."""
BEAT_S: Final = 2.0
"""How often a replica vouches for its workers, and looks for seats that dead ones left."""
WORKER_FRAMES_MAX: Final = 4_096
"""Frames that may wait for a worker."""

CREATION: Final = "creation"
STAFFING: Final = "staffing"
"""Who changes a room."""


class Worker:
    """A worker that is connected to this replica.

    Attributes:
        id: ``tenant/account/worker``, as seat rows name it.
        seats: the seats it serves, with the epochs of their assignments.
        declined: tables that it gave seats of back.
        promised: how many seats it will get of tables whose change is under way, by table and
            by who changes it.
    """

    def __init__(self, identity: Identity, offer: bots_pb2.Offer) -> None:
        self.id: Final = f"{worker_account(identity)}/{offer.worker_id}"
        self.tenant: Final = identity.tenant
        self.brains: Final = frozenset(offer.brains)
        self.capacity: Final = offer.capacity
        self.seats: dict[tuple[TableName, int], int] = {}
        self.declined: set[TableName] = set()
        self.promised: dict[tuple[TableName, str], int] = {}
        self.frames: asyncio.Queue[bots_pb2.ServeResponse | None] = asyncio.Queue(WORKER_FRAMES_MAX)

    @property
    def free(self) -> int:
        """How many more seats it takes."""
        return self.capacity - len(self.seats) - sum(self.promised.values())

    def promise(self, name: TableName, room: Room, by: str) -> None:
        """Keep place for the seats of a table that will be the worker's."""
        self.promised[name, by] = sum(row.worker == self.id for row in room.seats)

    def can(self, brain: str) -> bool:
        """Whether it thinks with a brain."""
        return brain.partition(":")[0] in self.brains


class BotDesk(bots_pb2_grpc.BotServiceServicer):
    """Gives bots' seats to workers."""

    def __init__(self, tables: Tables, doorkeeper: Doorkeeper) -> None:
        self._tables: Final = tables
        self._doorkeeper: Final = doorkeeper
        self._workers: dict[str, Worker] = {}
        self._dead: frozenset[str] = frozenset()
        self._missing: frozenset[str] = frozenset()
        """Workers that seats name and that did not live when they were last counted."""
        self._wanting: dict[TableName, None] = {}
        self._something_wanted = asyncio.Event()

    # what tables say

    def staffed(self, name: TableName, room: Room) -> Room:
        """A room to be, with its bots' seats given to a worker at once, if one is free.

        The worker keeps place for them until `settled`.
        """
        staffing = self._staffing(name, room)
        if staffing is None:
            return room
        worker, change = staffing
        staffed = Room(room.status, room.version, change(room).seats)
        worker.promise(name, staffed, CREATION)
        return staffed

    def settled(self, name: TableName) -> None:
        """A table that was `staffed` is there, or will not be."""
        for worker in self._workers.values():
            worker.promised.pop((name, CREATION), None)

    def room_changed(self, name: TableName, room: Room) -> None:
        """Tell workers which seats they have got and lost, and note seats that want one."""
        for worker in self._workers.values():
            frame = bots_pb2.ServeResponse()
            for seat, row in enumerate(room.seats):
                held = worker.seats.get((name, seat))
                if row.worker == worker.id and held != row.epoch:
                    self._assign(worker, name, seat, row, frame)
                elif row.worker != worker.id and held is not None:
                    self._withdraw(worker, name, seat, frame)
            if frame.assignments or frame.withdrawn:
                self._send(worker, frame)
        if any(wants_worker(row, self._dead) for row in room.seats):
            self._wanting[name] = None
            self._something_wanted.set()

    def table_gone(self, name: TableName) -> None:
        """Free the workers of a table that is gone."""
        self._wanting.pop(name, None)
        for worker in self._workers.values():
            worker.declined.discard(name)
            for held in [held for held in worker.seats if held[0] == name]:
                del worker.seats[held]

    # for ever

    async def run(self) -> None:
        """Find workers for the seats that want one."""
        while True:
            await self._something_wanted.wait()
            self._something_wanted.clear()
            for name in list(self._wanting):
                self._wanting.pop(name, None)
                try:
                    await self._staff(name)
                except KozyrError as error:
                    log.info("bots_not_assigned", table=name, error=str(error))

    async def beat(self) -> None:
        """Vouch for the workers here, and look for seats that dead ones left."""
        while True:
            try:
                if self._workers:
                    await self._tables.store.beat_workers(list(self._workers), ttl_ms=WORKER_TTL_MS)
                living = await self._tables.store.living_workers()
                self._note_orphans(living)
            except StoreUnavailable as error:
                log.info("workers_not_vouched_for", error=str(error))
            await asyncio.sleep(BEAT_S)

    def _note_orphans(self, living: frozenset[str]) -> None:
        """Find the seats of dead workers.

        A worker is dead when it was missing twice: one that came while ``living`` was on its way
        from Redis is not in it yet.
        """
        rooms = [
            (name, listed.room)
            for name, listed in self._tables.listing
            if listed.room.status is not Status.FINISHED
        ]
        named = {row.worker for _, room in rooms for row in room.seats if row.worker}
        missing = frozenset(named - living - self._workers.keys())
        self._dead = missing & self._missing
        self._missing = missing
        for name, room in rooms:
            if any(wants_worker(row, self._dead) for row in room.seats):
                self._wanting[name] = None
                self._something_wanted.set()

    async def _staff(self, name: TableName) -> None:
        table = await self._tables.find(keys_of(name))
        if table is None or table.room.status is Status.FINISHED:
            return
        while (staffing := self._staffing(name, table.room)) is not None:
            worker, change = staffing
            worker.promise(name, change(table.room), STAFFING)
            try:
                await self._tables.change_room(table, change)
            finally:
                worker.promised.pop((name, STAFFING), None)

    def _staffing(self, name: TableName, room: Room) -> tuple[Worker, Change] | None:
        """Seats that want a worker, for the one with the most room that can serve any of them."""
        brains = [row.brain for row in room.seats if wants_worker(row, self._dead)]
        able = [
            worker
            for worker in self._workers.values()
            if worker.tenant == split_name(name)[0]
            and worker.free > 0
            and name not in worker.declined
            and any(worker.can(brain) for brain in brains)
        ]
        best = max(able, key=lambda worker: worker.free, default=None)
        if best is None:
            return None
        return best, assign_bots(best.id, dead=self._dead, can=best.can, seats_max=best.free)

    # the workers' streams

    async def Serve(  # noqa: N802  # the name of the rpc
        self, request_iterator: AsyncIterator[bots_pb2.ServeRequest], context: Context
    ) -> AsyncIterator[bots_pb2.ServeResponse]:
        """Serve one worker for as long as its stream is open."""
        try:
            worker = await self._admit(request_iterator, context)
        except KozyrError as error:
            await refuse(context, error)
        reading = asyncio.create_task(self._read(worker, request_iterator))
        try:
            while (frame := await worker.frames.get()) is not None:
                yield frame
        finally:
            reading.cancel()
            self._tables.tasks.spawn(self._dismiss(worker))

    async def _admit(
        self, requests: AsyncIterator[bots_pb2.ServeRequest], context: Context
    ) -> Worker:
        identity = self._doorkeeper.identify(context)
        if BOTS_ROLE not in identity.roles:
            raise NotAllowed(f"serving bots needs a token with the role {BOTS_ROLE!r}")
        first = await anext(requests, None)
        if first is None or not first.HasField("offer"):
            raise InvalidRequest("the first frame must be an offer")
        check_request_id(first.offer.worker_id, "worker_id")
        if not first.offer.capacity or not first.offer.brains:
            raise InvalidRequest("an offer needs a capacity and at least one brain")
        worker = Worker(identity, first.offer)
        await self._tables.store.beat_workers([worker.id], ttl_ms=WORKER_TTL_MS)
        self._workers[worker.id] = worker
        self._dead -= {worker.id}
        log.info("worker_connected", worker=worker.id, brains=sorted(worker.brains))
        for name, listed in self._tables.listing:
            self.room_changed(name, listed.room)
        return worker

    async def _read(self, worker: Worker, requests: AsyncIterator[bots_pb2.ServeRequest]) -> None:
        async for frame in requests:
            for released in frame.released:
                name = TableName(f"{worker.tenant}/{released.table_id}")
                if (name, released.seat) in worker.seats:
                    worker.declined.add(name)
                    await self._release(worker, name)
        await worker.frames.put(None)

    async def _dismiss(self, worker: Worker) -> None:
        """Free the seats of a worker that has gone."""
        if self._workers.get(worker.id) is not worker:
            return  # it has connected again already
        del self._workers[worker.id]
        log.info("worker_gone", worker=worker.id, seats=len(worker.seats))
        try:
            await self._tables.store.forget_worker(worker.id)
        except ServiceError as error:
            log.warning("worker_not_forgotten", worker=worker.id, error=str(error))
        for name in {name for name, _ in worker.seats}:
            await self._release(worker, name)

    async def _release(self, worker: Worker, name: TableName) -> None:
        """Free a worker's seats at a table."""
        try:
            table = await self._tables.find(keys_of(name))
            if table is not None:
                await self._tables.change_room(table, release_bots(worker.id))
        except KozyrError as error:
            log.warning("seats_not_freed", worker=worker.id, table=name, error=str(error))

    def _assign(
        self,
        worker: Worker,
        name: TableName,
        seat: int,
        row: SeatRow,
        frame: bots_pb2.ServeResponse,
    ) -> None:
        listed = self._tables.listing.get(name)
        tenant, table_id = split_name(name)
        if listed is None or tenant != worker.tenant:
            return
        worker.seats[name, seat] = row.epoch
        frame.assignments.add(
            seat=bots_pb2.SeatRef(table_id=table_id, seat=seat),
            brain=row.brain,
            variant=listed.info.variant,
            rules_version=listed.info.rules_version,
            options_json=listed.info.options_text,
            seed=self._seed(name, seat, row.epoch),
        )

    def _withdraw(
        self, worker: Worker, name: TableName, seat: int, frame: bots_pb2.ServeResponse
    ) -> None:
        del worker.seats[name, seat]
        frame.withdrawn.add(table_id=split_name(name)[1], seat=seat)

    def _send(self, worker: Worker, frame: bots_pb2.ServeResponse) -> None:
        try:
            worker.frames.put_nowait(frame)
        except asyncio.QueueFull:
            log.warning("worker_too_slow", worker=worker.id, frames=WORKER_FRAMES_MAX)
            self._tables.tasks.spawn(self._dismiss(worker))

    def _seed(self, name: TableName, seat: int, epoch: int) -> int:
        message = f"{name} {seat} {epoch}".encode()
        key = self._doorkeeper.key.encode()
        return int.from_bytes(hmac.digest(key, message, "sha256")[:8], "big")
