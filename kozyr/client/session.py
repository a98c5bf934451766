"""A session: one stream that carries all the tables of a client.

Underneath it is synchronous: what is attached, played or detached goes into the frame that leaves
when the loop has come round, and a frame that arrives is handed to the session's `Listener` table
by table. No task, future or timer is made for a move, unless somebody awaits its answer.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterable, Iterator
from types import TracebackType
from typing import Any, Final, Self

import grpc
import grpc.aio

from kozyr import wire
from kozyr.brain import Decision
from kozyr.client.errors import BufferFull, ConnectionLost, failure_of
from kozyr.client.view import TableView, Update
from kozyr.errors import KozyrError
from kozyr.moves import Move
from kozyr.v1 import session_pb2
from kozyr.v1.session_pb2_grpc import SessionServiceStub

UNSENT_MAX: Final = 8_192
"""How many attaches, detaches and acts wait until the stream takes them."""

PLAYS_MAX: Final = 65_536
"""How many answers are awaited at a time."""

CLOSE_S_MAX: Final = 2.0
"""How long a session that is left waits for its last frame to be taken, in seconds."""

Metadata = tuple[tuple[str, str], ...]


class Listener:
    """Told what comes in, at once and in order. Override what matters.

    What it raises ends the session. What it plays leaves in one frame with all other answers to
    the frame that came in.
    """

    def updated(self, view: TableView, update: Update) -> None:
        """A table has gone on."""

    def attach_refused(self, view: TableView, error: KozyrError) -> None:
        """A table may not be followed."""

    def act_refused(self, table_id: str, request_id: str, error: KozyrError) -> None:
        """A move was refused that `Session.act` sent."""


class Session:
    """One stream; to be entered with ``async with``.

    Attributes:
        views: the tables that it follows, by id.
        error: why it has ended, None while it goes on.
        frames_written: frames sent so far.
        frames_read: frames received so far.
    """

    def __init__(
        self, stub: SessionServiceStub, metadata: Metadata, listener: Listener | None = None
    ) -> None:
        self.views: dict[str, TableView] = {}
        self.error: Exception | None = None
        self.frames_written = 0
        self.frames_read = 0
        self._stub = stub
        self._metadata = metadata
        self._listener = listener or Listener()
        self._frame = session_pb2.PlayRequest()
        self._unsent = 0
        self._dirty = asyncio.Event()
        self._closing = False
        self._ended = asyncio.Event()
        self._name = secrets.token_hex(6)
        self._requests = 0
        self._plays: dict[str, asyncio.Future[session_pb2.ActResult]] = {}
        self._attaches: dict[str, asyncio.Future[None]] = {}
        self._pings: dict[int, asyncio.Future[int]] = {}

    # Synchronous: everything leaves with the next frame.

    def attach_nowait(self, table_id: str, seats: Iterable[int] = ()) -> TableView:
        """Follow a table for some seats, or as a spectator; the view is empty until it is told.

        A table that is followed already is followed for these seats instead, by a new view.
        """
        view = TableView(table_id, seats)
        self.resume(view)
        return view

    def resume(self, view: TableView) -> None:
        """Follow a table on from the place that a view has, perhaps from an earlier session."""
        self._claim()
        before = self.views.get(view.table_id)
        if before is not None and before is not view:
            before.end(None)
        self.views[view.table_id] = view
        self._frame.attaches.append(view.attach_message())

    def detach(self, table_id: str) -> None:
        """Follow a table no more."""
        self._claim()
        view = self.views.pop(table_id, None)
        if view is not None:
            view.end(None)
        self._frame.detaches.add(table_id=table_id)

    def act(
        self, table_id: str, seat: int, decision_id: int, action: int, request_id: str = ""
    ) -> str:
        """Send a move; returns its request id, and only a refusal will be told, to the listener.

        Args:
            request_id: names the move, so that sent again it has no effect; by default a new name.

        Raises:
            ConnectionLost: the session has ended.
            BufferFull: the stream is too slow for so many moves.
        """
        self._claim()
        request_id = request_id or self._next_request_id()
        self._frame.acts.add(
            table_id=table_id,
            seat=seat,
            decision_id=decision_id,
            action=action,
            request_id=request_id,
        )
        return request_id

    # Awaitable.

    async def attach(self, table_id: str, seats: Iterable[int] = ()) -> TableView:
        """Follow a table for some seats, or as a spectator; returns when the view is there.

        Raises:
            KozyrError: it may not be followed.
            ConnectionLost: the session has ended.
        """
        view = self.attach_nowait(table_id, seats)
        told = self._attaches.setdefault(table_id, asyncio.get_running_loop().create_future())
        await asyncio.shield(told)
        return view

    async def play(
        self, view: TableView, decision: Decision, move: int | Move | str, request_id: str = ""
    ) -> session_pb2.ActResult:
        """Answer a decision with an action, a move or its text; returns when it is in the log.

        Raises:
            KozyrError: it was refused; nothing has changed.
            ConnectionLost: the session has ended before the answer came.
        """
        if len(self._plays) >= PLAYS_MAX:
            raise BufferFull(f"the answers to {PLAYS_MAX} moves are awaited already")
        self._claim()
        request_id = request_id or self._next_request_id()
        act = self._frame.acts.add(
            table_id=view.table_id,
            seat=decision.seat,
            decision_id=decision.id,
            request_id=request_id,
        )
        match move:
            case int():
                act.action = move
            case Move():
                act.move.CopyFrom(wire.encode_move(move))
            case str():
                act.text = move
        answer: asyncio.Future[session_pb2.ActResult] = asyncio.get_running_loop().create_future()
        self._plays[request_id] = answer
        try:
            return await answer
        finally:
            self._plays.pop(request_id, None)

    async def ping(self) -> int:
        """Ask for a sign of life; returns the service's clock, in milliseconds since 1970.

        Raises:
            ConnectionLost: the session has ended before it came.
        """
        self._claim()
        self._requests += 1
        nonce = self._requests
        self._frame.ping.nonce = nonce
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._pings[nonce] = answer
        try:
            return await answer
        finally:
            self._pings.pop(nonce, None)

    async def ended(self) -> None:
        """Wait for the end of the session.

        Raises:
            ConnectionLost: that is the usual end.
            Exception: what the service refused, or a listener raised.
        """
        await self._ended.wait()
        assert self.error is not None
        raise self.error

    async def __aenter__(self) -> Self:
        self._call = self._stub.Play(self._frames(), metadata=self._metadata)
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._closing = True
        self._dirty.set()
        try:
            # The service ends its side when it has read the last frame.
            await asyncio.wait((self._reading,), timeout=CLOSE_S_MAX)
        finally:
            self._call.cancel()
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
            self._end(ConnectionLost("the session was closed"))

    # The stream.

    def _claim(self) -> None:
        """Take a place in the frame that leaves next."""
        if self.error is not None:
            raise self.error
        if self._unsent >= UNSENT_MAX:
            raise BufferFull(f"{UNSENT_MAX} requests wait to be sent already")
        self._unsent += 1
        self._dirty.set()

    def _next_request_id(self) -> str:
        self._requests += 1
        return f"{self._name}{self._requests}"

    async def _frames(self) -> AsyncIterator[session_pb2.PlayRequest]:
        """What leaves: whatever has gathered while the stream took the frame before."""
        while self._unsent or not self._closing:
            await self._dirty.wait()
            self._dirty.clear()
            if self._unsent:
                frame, self._frame, self._unsent = self._frame, session_pb2.PlayRequest(), 0
                self.frames_written += 1
                yield frame

    async def _read(self) -> None:
        try:
            async for frame in self._call:
                if self._closing:
                    continue
                self._take(frame)
                if frame.HasField("goodbye"):
                    raise _said_goodbye(frame.goodbye)
            self._end(ConnectionLost("the service has ended the session"))
        except grpc.aio.AioRpcError as error:
            self._end(failure_of(error))
        except Exception as error:  # noqa: BLE001 (it goes to all who await the session)
            self._end(error)

    def _take(self, frame: session_pb2.PlayResponse) -> None:
        self.frames_read += 1
        for refused in frame.refused_attaches:
            self._refuse_attach(refused)
        views, updated = self.views, self._listener.updated
        for message in frame.updates:
            table_id = message.table_id
            view = views.get(table_id)
            if view is None or not (message.full or view.version or view.table):
                continue  # left since, or meant for the view before this one
            update = view.take(message)
            if self._attaches:
                self._attached(table_id, None)
            updated(view, update)
            if message.archived:
                views.pop(table_id, None)
        for result in frame.results:
            self._answer(result)
        for pong in frame.pongs:
            for nonce, waiting in self._pings.items():
                if nonce <= pong.nonce and not waiting.done():  # a frame holds the last ping only
                    waiting.set_result(pong.at_ms)

    def _answer(self, result: session_pb2.ActResult) -> None:
        answer = self._plays.get(result.request_id)
        refused = result.HasField("refusal")
        if answer is None:
            if refused:
                error = wire.decode_refusal(result.refusal)
                self._listener.act_refused(result.table_id, result.request_id, error)
        elif answer.done():
            pass  # nobody waits any more
        elif refused:
            answer.set_exception(wire.decode_refusal(result.refusal))
        else:
            answer.set_result(result)

    def _refuse_attach(self, refused: session_pb2.AttachRefused) -> None:
        error = wire.decode_refusal(refused.refusal)
        view = self.views.pop(refused.table_id, None)
        self._attached(refused.table_id, error)
        if view is not None:
            view.end(error)
            self._listener.attach_refused(view, error)

    def _attached(self, table_id: str, error: Exception | None) -> None:
        told = self._attaches.pop(table_id, None)
        if told is None or told.done():
            return
        if error is None:
            told.set_result(None)
        else:
            told.set_exception(error)

    def _end(self, error: Exception) -> None:
        """Let nobody wait any more."""
        if self.error is not None:
            return
        self.error = error
        self._ended.set()
        for answer in self._awaited():
            if not answer.done():
                answer.set_exception(error)
        for view in self.views.values():
            view.end(error)

    def _awaited(self) -> Iterator[asyncio.Future[Any]]:
        yield from self._plays.values()
        yield from self._attaches.values()
        yield from self._pings.values()


def _said_goodbye(goodbye: session_pb2.Goodbye) -> ConnectionLost:
    return ConnectionLost(
        f"the service ends the session: {goodbye.refusal.message}",
        reconnect_in_ms=goodbye.reconnect_in_ms,
    )
