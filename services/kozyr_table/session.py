"""A session: one stream of a client that carries all its tables.

What the tables send is gathered and written as one frame as soon as the stream takes it, so a
busy stream gets few big frames and a quiet one small ones at once. A reader that lets too much
pile up is told so and cut off.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Final, Protocol

import structlog
from google.protobuf.message import DecodeError

from kozyr import wire
from kozyr.errors import KozyrError
from kozyr.events import Seat
from kozyr.log import Cause
from kozyr.match import now_ms
from kozyr.tokens import Identity
from kozyr.v1 import session_pb2
from kozyr_table import errors, frames
from kozyr_table.audience import Attachment, Place
from kozyr_table.requests import check_request_id
from kozyr_table.room import Controller
from kozyr_table.table import Command, LiveTable
from kozyr_table.tables import Tables

log = structlog.get_logger()

RECONNECT_MS: Final = 500
"""When a client is asked to come back after the server has ended its session."""


class Stream(Protocol):
    """The part of a gRPC stream that a session needs."""

    def read(self) -> Awaitable[Any]:
        """The next message from the client, or the end marker of gRPC."""

    def write(self, message: bytes) -> Awaitable[None]:
        """Send a message; returns when the transport takes more."""


class Session:
    """One client's stream."""

    def __init__(self, tables: Tables, identity: Identity) -> None:
        self.identity: Final = identity
        self._tables: Final = tables
        self._followed: dict[str, LiveTable] = {}
        self._loading: dict[str, list[Callable[[], None]]] = {}
        self._buffer: list[bytes] = []
        self._buffered = 0
        self._dirty = asyncio.Event()
        self._ending = asyncio.Event()
        self._ended = False

    # towards the client

    def send(self, frame: bytes) -> None:
        """Send a part of a frame; it goes out with whatever else is ready."""
        if self._ended:
            return
        self._buffer.append(frame)
        self._buffered += len(frame)
        self._dirty.set()
        limit = self._tables.settings.session_buffer_bytes_max
        if self._buffered > limit:
            self.end(errors.LimitExceeded(f"more than {limit} bytes wait for this slow reader"))

    def end(self, why: errors.ServiceError) -> None:
        """Tell the client why its session ends, and end it."""
        if self._ended:
            return
        goodbye = session_pb2.Goodbye(
            refusal=wire.encode_refusal(why), reconnect_in_ms=RECONNECT_MS
        )
        self._buffer = [session_pb2.PlayResponse(goodbye=goodbye).SerializeToString()]
        self._ended = True
        self._dirty.set()
        self._ending.set()
        self._leave_all()

    def detached(self, table: LiveTable) -> None:
        """A table that the session followed is gone."""
        self._followed.pop(table.table_id, None)

    async def run(self, stream: Stream, end_of_stream: object) -> None:
        """Serve the stream until either side ends it."""
        writing = asyncio.create_task(self._write(stream))
        reading = asyncio.create_task(self._read(stream, end_of_stream))
        ending = asyncio.create_task(self._ending.wait())
        tasks = writing, reading, ending
        try:
            await asyncio.wait((writing, reading, ending), return_when=asyncio.FIRST_COMPLETED)
            # gRPC cannot end a call over a message half sent: the client reads it, or goes.
            self._ended = True
            self._dirty.set()
            await asyncio.wait((writing,))
            if reading.done():
                reading.result()
        finally:
            self._ended = True
            self._leave_all()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _write(self, stream: Stream) -> None:
        while not (self._ended and not self._buffer):
            await self._dirty.wait()
            self._dirty.clear()
            frame, self._buffer, self._buffered = b"".join(self._buffer), [], 0
            if frame:
                await stream.write(frame)

    async def _read(self, stream: Stream, end_of_stream: object) -> None:
        while not self._ended:
            message = await stream.read()
            if message is end_of_stream:
                return
            await self._take(message)

    def _leave_all(self) -> None:
        for table in self._followed.values():
            table.audience.detach(self)
        self._followed.clear()

    # from the client

    async def _take(self, message: bytes) -> None:
        try:
            frame = session_pb2.PlayRequest.FromString(message)
        except DecodeError as error:
            raise errors.InvalidRequest("the message is no PlayRequest") from error
        for attach in frame.attaches:
            self._in_turn(attach.table_id, partial(self._attach, attach))
        for detach in frame.detaches:
            self._in_turn(detach.table_id, partial(self._detach, detach))
        portion = self._tables.committer.portion
        acts: Sequence[session_pb2.Act] = frame.acts
        if len(acts) > portion:  # tables of one shard go together
            acts = sorted(acts, key=attrgetter("table_id"))
        for count, act in enumerate(acts, 1):
            if act.table_id in self._loading:
                self._in_turn(act.table_id, partial(self._act_or_refuse, act))
            else:
                self._act_or_refuse(act)
            if count % portion == 0:
                await asyncio.sleep(0)  # these go to Redis before the next are decided
        if frame.HasField("ping"):
            pong = session_pb2.Pong(nonce=frame.ping.nonce, at_ms=now_ms())
            self.send(session_pb2.PlayResponse(pongs=[pong]).SerializeToString())

    def _in_turn(self, table_id: str, step: Callable[[], None]) -> None:
        """Do something about a table, after all that waits for the table to be loaded."""
        waiting = self._loading.get(table_id)
        if waiting is None:
            step()
        elif len(waiting) < self._tables.settings.table_queue_max:
            waiting.append(step)
        else:
            self.end(errors.LimitExceeded(f"{len(waiting)} steps wait for table {table_id!r}"))

    def _attach(self, attach: session_pb2.Attach) -> None:
        table = self._tables.live(self.identity.tenant, attach.table_id)
        if table is None:
            self._loading[attach.table_id] = []
            self._tables.tasks.spawn(self._attach_when_loaded(attach))
            return
        try:
            self._follow(table, attach)
        except KozyrError as error:
            self._refuse_attach(attach, error)

    async def _attach_when_loaded(self, attach: session_pb2.Attach) -> None:
        try:
            table = await self._tables.get(self.identity.tenant, attach.table_id)
            if not self._ended:
                self._follow(table, attach)
        except KozyrError as error:
            self._refuse_attach(attach, error)
        finally:
            for step in self._loading.pop(attach.table_id):
                self._in_turn(attach.table_id, step)

    def _detach(self, detach: session_pb2.Detach) -> None:
        table = self._followed.pop(detach.table_id, None)
        if table is not None:
            table.audience.detach(self)

    def _act_or_refuse(self, act: session_pb2.Act) -> None:
        try:
            self._act(act)
        except KozyrError as error:
            self._refuse_act(act, error)

    def _follow(self, table: LiveTable, attach: session_pb2.Attach) -> None:
        limit = self._tables.settings.session_tables_max
        if len(self._followed) >= limit and table.table_id not in self._followed:
            raise errors.LimitExceeded(f"a session follows at most {limit} tables")
        seats = {Seat(seat): self._epoch(table, seat) for seat in attach.seats}
        place = Place(attach.log.version, attach.log.digest) if attach.HasField("log") else None
        self._followed[table.table_id] = table
        table.audience.attach(self, Attachment.of(seats), place)

    def _epoch(self, table: LiveTable, seat: int) -> int:
        """The epoch of a seat that the caller plays."""
        rows = table.room.seats
        if not 0 <= seat < len(rows):
            raise errors.InvalidRequest(f"there is no seat {seat}; seats are 0 to {len(rows) - 1}")
        if not rows[seat].played_by(self.identity):
            raise errors.NotYourSeat(f"you do not play seat {seat} of this table")
        return rows[seat].epoch

    def _act(self, act: session_pb2.Act) -> None:
        table = self._followed.get(act.table_id)
        if table is None:
            raise errors.NotAttached(f"this session does not follow table {act.table_id!r}")
        check_request_id(act.request_id)
        seat = Seat(act.seat)
        epoch = table.audience.epoch(self, seat)
        if epoch is None:
            raise errors.NotYourSeat(f"this session does not play seat {seat} of the table")
        bot = table.room.seats[seat].controller is Controller.BOT
        table.submit(
            Command(
                seat,
                decision_id=act.decision_id,
                action=self._action(table, act),
                cause=Cause.BOT if bot else Cause.PLAYER,
                request_id=act.request_id,
                epoch=epoch,
                follower=self,
            )
        )

    def _action(self, table: LiveTable, act: session_pb2.Act) -> int:
        if act.WhichOneof("choice") == "action":
            return act.action
        if table.match is None:
            raise errors.WrongStatus("the match has not begun")
        return wire.decode_choice(act, table.match.setup.actions)

    def _refuse_act(self, act: session_pb2.Act, error: KozyrError) -> None:
        result = session_pb2.ActResult(
            table_id=act.table_id, request_id=act.request_id, refusal=wire.encode_refusal(error)
        )
        self.send(frames.result_frame(result))

    def _refuse_attach(self, attach: session_pb2.Attach, error: KozyrError) -> None:
        refused = session_pb2.AttachRefused(
            table_id=attach.table_id, refusal=wire.encode_refusal(error)
        )
        self.send(session_pb2.PlayResponse(refused_attaches=[refused]).SerializeToString())
