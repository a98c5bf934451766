"""Seats for a worker that thinks for bots."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from types import TracebackType
from typing import Final, Self

import grpc
import grpc.aio

from kozyr.client.errors import BufferFull, ConnectionLost, failure_of
from kozyr.client.session import Metadata
from kozyr.v1 import bots_pb2
from kozyr.v1.bots_pb2_grpc import BotServiceStub

RELEASES_MAX: Final = 65_536
"""How many seats wait to be given back."""


class Seating:
    """The seats that a service gives to a worker; to be entered with ``async with``.

    Iterate over it for what the service says. The seats go to others when it is left.
    """

    def __init__(self, stub: BotServiceStub, metadata: Metadata, offer: bots_pb2.Offer) -> None:
        self._stub = stub
        self._metadata = metadata
        self._frame = bots_pb2.ServeRequest(offer=offer)
        self._dirty = asyncio.Event()

    def release(self, seats: Iterable[bots_pb2.SeatRef]) -> None:
        """Give seats back.

        Raises:
            BufferFull: too many wait to be given back already.
        """
        if len(self._frame.released) >= RELEASES_MAX:
            raise BufferFull(f"{RELEASES_MAX} seats wait to be given back already")
        self._frame.released.extend(seats)
        self._dirty.set()

    async def __aiter__(self) -> AsyncIterator[bots_pb2.ServeResponse]:
        """What the service says.

        Raises:
            ConnectionLost: the service has ended the stream.
            KozyrError: it does not want this worker.
        """
        try:
            async for response in self._call:
                yield response
        except grpc.aio.AioRpcError as error:
            raise failure_of(error) from error
        raise ConnectionLost("the service gives this worker no more seats")

    async def __aenter__(self) -> Self:
        self._call = self._stub.Serve(self._frames(), metadata=self._metadata)
        self._dirty.set()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._call.cancel()

    async def _frames(self) -> AsyncIterator[bots_pb2.ServeRequest]:
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            frame, self._frame = self._frame, bots_pb2.ServeRequest()
            yield frame
