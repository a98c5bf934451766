"""The compare-and-append script, and a load that finds its bare rate through redis-py."""

import argparse
import asyncio

import uvloop
from redis.asyncio import Redis

from benchmarks.naive.meter import Tally, observe
from benchmarks.naive.wire import MOVES_PER_MATCH, Move

APPEND = """
-- KEYS: logs. ARGV, for each log in turn: the length it must have, the move to append.
-- Returns each log's new length, or -1 where somebody else was first.
local lengths = {}
for i, log in ipairs(KEYS) do
  if redis.call('LLEN', log) == tonumber(ARGV[2 * i - 1]) then
    lengths[i] = redis.call('RPUSH', log, ARGV[2 * i])
  else
    lengths[i] = -1
  end
end
return lengths
"""

REDIS_CONNECTIONS_MAX = 4096  # one for each append in flight; redis-py allows 100
WRITERS = 8  # connections at work at once, so that neither side idles for a round trip


def log_key(table: int, version: int) -> str:
    """The log of the match in which this table makes its move number `version`."""
    return f"table:{table}:match:{version // MOVES_PER_MATCH}"


def connect(redis_socket: str) -> Redis:
    """A client that has no socket timeout.

    With one, its default, redis-py wraps every command in a task of its own: slower, and on
    Python 3.11 a cancellation is lost there.
    """
    return Redis(
        unix_socket_path=redis_socket,
        socket_timeout=None,
        max_connections=REDIS_CONNECTIONS_MAX,
    )


async def write(redis: Redis, tables: range, *, chunk: int, tally: Tally) -> None:
    """Append a move to every table, round after round: `chunk` tables a call, one pipeline."""
    sha = await redis.script_load(APPEND)
    calls = [tables[i : i + chunk] for i in range(0, len(tables), chunk)]
    version = 0
    while not tally.over:
        length = version % MOVES_PER_MATCH
        move = Move(table=tables[0], version=version, card=length).SerializeToString()
        keys = [[log_key(table, version) for table in call] for call in calls]
        compared = [length, move] * chunk
        if len(calls) == 1:
            replies = [await redis.evalsha(sha, chunk, *keys[0], *compared)]
        else:
            pipeline = redis.pipeline(transaction=False)
            for logs in keys:
                pipeline.evalsha(sha, chunk, *logs, *compared)
            replies = await pipeline.execute()
        assert replies == [[length + 1] * chunk] * len(calls), replies
        version += 1
        tally.done += len(tables)


async def load(args: argparse.Namespace) -> None:
    """Keep all writers writing, and print what was seen as one line of JSON."""
    tally, share = Tally(), args.pipeline * args.chunk
    async with connect(args.redis_socket) as redis, asyncio.TaskGroup() as tasks:
        for first in range(0, WRITERS * share, share):
            tables = range(first, first + share)
            tasks.create_task(write(redis, tables, chunk=args.chunk, tally=tally))
        seen = await observe(tally, args.seconds, redis=args.redis_pid)
    print(seen.to_json())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--redis-socket", required=True)
    parser.add_argument("--redis-pid", type=int, required=True)
    parser.add_argument("--pipeline", type=int, required=True, help="script calls a round trip")
    parser.add_argument("--chunk", type=int, required=True, help="moves a script call")
    parser.add_argument("--seconds", type=float, required=True)
    uvloop.run(load(parser.parse_args()))


if __name__ == "__main__":
    main()
