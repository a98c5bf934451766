"""A table service on a real socket that does what the test tells it to."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final, Self

import grpc
import grpc.aio
from google.protobuf.message import Message

from kozyr import wire
from kozyr.errors import KozyrError
from kozyr.match import Match
from kozyr.v1 import bots_pb2, session_pb2

Context = grpc.aio.ServicerContext[Any, Any]
Answer = Callable[[Any], Message]
"""What a unary call is answered, from its request; may raise a `KozyrError`."""

_STREAMS: Final = {
    "/kozyr.v1.SessionService/Play": session_pb2.PlayRequest.FromString,
    "/kozyr.v1.BotService/Serve": bots_pb2.ServeRequest.FromString,
}


class Stream:
    """The service's side of a stream.

    Attributes:
        metadata: what the client sent with it.
        frames: what the client has sent on it, in order.
    """

    def __init__(self, context: Context) -> None:
        self.metadata = dict(context.invocation_metadata() or ())
        self.frames: asyncio.Queue[Any] = asyncio.Queue()
        self.left = asyncio.Event()
        self._context = context
        self._over = asyncio.Event()
        self._error: KozyrError | None = None

    async def say(self, frame: Message) -> None:
        """Send a frame."""
        await self._context.write(frame.SerializeToString())

    def end(self, error: KozyrError | None = None) -> None:
        """End the stream, perhaps by a refusal."""
        self._error = error
        self._over.set()

    async def run(self, frames: AsyncIterator[Any]) -> None:
        """Serve it until either side ends it."""
        reading = asyncio.create_task(self._read(frames))
        try:
            await self._over.wait()
            if self._error is not None:
                await self._context.abort_with_status(wire.error_status(self._error))
        finally:
            reading.cancel()
            self.left.set()

    async def _read(self, frames: AsyncIterator[Any]) -> None:
        async for frame in frames:
            await self.frames.put(frame)
        self._over.set()


class ScriptedService(grpc.GenericRpcHandler):
    """The service.

    Attributes:
        answers: what unary calls are answered, by the name of the method.
        calls: the methods called, with the metadata that came with them.
        sessions: the sessions opened, in order; `seatings` the workers' streams.
    """

    def __init__(self) -> None:
        self.answers: dict[str, tuple[type[Message], Answer]] = {}
        self.calls: list[tuple[str, Mapping[str, str | bytes]]] = []
        self.sessions: asyncio.Queue[Stream] = asyncio.Queue()
        self.seatings: asyncio.Queue[Stream] = asyncio.Queue()
        self.port = 0

    @classmethod
    @asynccontextmanager
    async def at(cls, address: str) -> AsyncIterator[Self]:
        """A service that listens at an address."""
        service = cls()
        server = grpc.aio.server()
        server.add_generic_rpc_handlers((service,))
        service.port = server.add_insecure_port(address)
        await server.start()
        try:
            yield service
        finally:
            await server.stop(grace=None)

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        """The handler of a method; called by gRPC."""
        method = details.method
        if method in _STREAMS:
            return grpc.stream_stream_rpc_method_handler(
                self._stream_handler(method), request_deserializer=_STREAMS[method]
            )
        name = method.rpartition("/")[2]
        if name not in self.answers:
            return None
        kind, answer = self.answers[name]

        async def call(request: Any, context: Context) -> bytes:
            self.calls.append((name, dict(context.invocation_metadata() or ())))
            try:
                return answer(request).SerializeToString()
            except KozyrError as error:
                await context.abort_with_status(wire.error_status(error))

        return grpc.unary_unary_rpc_method_handler(call, request_deserializer=kind.FromString)

    def _stream_handler(self, method: str) -> Callable[..., Any]:
        opened = self.sessions if method.endswith("/Play") else self.seatings

        async def stream(frames: AsyncIterator[Any], context: Context) -> None:
            await context.send_initial_metadata(())
            stream = Stream(context)
            await opened.put(stream)
            await stream.run(frames)

        return stream


class ScriptedTable:
    """A match as a service shows it to one stream that sees all its seats."""

    def __init__(self, match: Match, table_id: str = "t1") -> None:
        self.match = match
        self.table_id = table_id
        self._shown = 0

    def full(self) -> session_pb2.TableUpdate:
        """All of it."""
        update = self._update(0)
        update.full = True
        update.match.match_id = self.match.header.match_id
        update.match.teams.extend(self.match.setup.teams)
        update.table.table_id = self.table_id
        update.table.room_version = 1
        return update

    def news(self) -> session_pb2.TableUpdate:
        """What has not been shown yet."""
        return self._update(self._shown)

    def play(self, seat: int, action: int) -> session_pb2.TableUpdate:
        """What a move brings."""
        self.match.play(seat, action)
        return self.news()

    def _update(self, since: int) -> session_pb2.TableUpdate:
        match = self.match
        update = session_pb2.TableUpdate(table_id=self.table_id, at_ms=match.entries[-1].at_ms)
        for ordinal, event in enumerate(match.history[since:], since):
            for audience, payload in event.faces:
                to = audience & (1 << match.header.seats) - 1
                if to:
                    shared = to == (1 << match.header.seats) - 1
                    update.events.append(wire.encode_event(ordinal, 0 if shared else to, payload))
        update.place.version = match.version
        update.place.digest = match.digest
        for seat, decision in match.pending.items():
            update.pending.add(seat=seat, decision_id=decision.id)
            update.decisions.append(wire.encode_decision(decision))
        self._shown = len(match.history)
        return update
