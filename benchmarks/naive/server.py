"""The naive server: a handler a stream, every move awaited from end to end."""

import argparse
import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from typing import Any

import grpc
import uvloop
from redis.asyncio import Redis

from benchmarks.naive.script import APPEND, connect, log_key
from benchmarks.naive.wire import ECHO, MOVES_PER_MATCH, PLAY, SERVICE, Move, seat_to_move


class Table:
    """Who sits at a table and how far it has come; the moves themselves are in Redis."""

    def __init__(self) -> None:
        self.version = 0
        self.streams: dict[int, grpc.aio.ServicerContext[Any, Any]] = {}
        # A stream takes one write at a time, and the next seat may answer before the last of
        # the four was told.
        self.lock = asyncio.Lock()


class TableService:
    """Plays the trivial game at all tables of this process."""

    def __init__(self, redis: Redis, append_sha: str) -> None:
        self._redis = redis
        self._append_sha = append_sha
        self._tables: defaultdict[int, Table] = defaultdict(Table)

    async def play(
        self, moves: AsyncIterator[Any], context: grpc.aio.ServicerContext[Any, Any]
    ) -> None:
        """Take the seat, then check, store and tell each of its moves."""
        metadata = dict(context.invocation_metadata() or ())
        table, seat = self._tables[int(metadata["table"])], int(metadata["seat"])
        await context.send_initial_metadata(())  # the client waits for it: the seat is taken
        table.streams[seat] = context
        async for move in moves:
            async with table.lock:
                if move.version != table.version or seat != seat_to_move(table.version):
                    await context.abort(grpc.StatusCode.FAILED_PRECONDITION, "not your turn")
                await self._append(move)
                table.version += 1
                for stream in table.streams.values():
                    await stream.write(move)

    async def _append(self, move: Any) -> None:
        length = move.version % MOVES_PER_MATCH
        log = log_key(move.table, move.version)
        reply = await self._redis.evalsha(
            self._append_sha, 1, log, length, move.SerializeToString()
        )
        assert reply == [length + 1], f"somebody else writes to {log}"

    async def echo(
        self, moves: AsyncIterator[Any], context: grpc.aio.ServicerContext[Any, Any]
    ) -> None:
        """Send every message back."""
        await context.send_initial_metadata(())
        async for move in moves:
            await context.write(move)


async def serve(redis_socket: str) -> None:
    """Serve on a free port of 127.0.0.1, print the port, and run until killed."""
    async with connect(redis_socket) as redis:
        service = TableService(redis, await redis.script_load(APPEND))
        methods = {
            name: grpc.stream_stream_rpc_method_handler(
                method,
                request_deserializer=Move.FromString,
                response_serializer=Move.SerializeToString,
            )
            for name, method in ((PLAY, service.play), (ECHO, service.echo))
        }
        server = grpc.aio.server()
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, methods),))
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        print(port, flush=True)
        await server.wait_for_termination()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--redis-socket", required=True)
    uvloop.run(serve(parser.parse_args().redis_socket))


if __name__ == "__main__":
    main()
