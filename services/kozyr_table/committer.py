"""The way of moves to Redis: all that one turn of the event loop decides goes there together.

Appends of a turn are gathered by shard, a script call a shard, and written as one pipeline. A few
pipelines may be under way at a time; while they are, the next one grows. So the busier the
service, the fewer round trips a move costs, and an idle one waits for nothing.
"""

import asyncio
from collections import defaultdict, deque
from typing import TYPE_CHECKING, Final

import structlog

from kozyr_table.errors import StoreUnavailable
from kozyr_table.store import Store
from kozyr_table.stored import Append, AppendReply
from kozyr_table.tasks import Tasks

if TYPE_CHECKING:
    from kozyr_table.table import LiveTable

PIPELINES_MAX: Final = 4
"""Pipelines under way at a time."""
PIPELINE_APPENDS_MAX: Final = 64
"""Appends in one pipeline; more wait for the next."""

log = structlog.get_logger()

Waiting = tuple["LiveTable", Append]


class Committer:
    """Sends appends to Redis and hands the answers back to their tables."""

    def __init__(self, store: Store, tasks: Tasks) -> None:
        self._store: Final = store
        self._tasks: Final = tasks
        self._waiting: deque[Waiting] = deque()
        self._under_way = 0
        self._scheduled = False

    def submit(self, table: "LiveTable", append: Append) -> None:
        """Send an append at the end of this turn of the loop, or when a pipeline is free."""
        self._waiting.append((table, append))
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._scheduled = False
        while self._waiting and self._under_way < PIPELINES_MAX:
            size = min(len(self._waiting), PIPELINE_APPENDS_MAX)
            batch = [self._waiting.popleft() for _ in range(size)]
            self._under_way += 1
            self._tasks.spawn(self._send(batch))

    async def _send(self, batch: list[Waiting]) -> None:
        by_shard: defaultdict[int, list[Waiting]] = defaultdict(list)
        for table, append in batch:
            by_shard[append.keys.shard].append((table, append))
        try:
            replies = await self._store.append(
                {shard: [append for _, append in waiting] for shard, waiting in by_shard.items()}
            )
        except StoreUnavailable as error:
            for table, _ in batch:
                table.append_failed(error)
        else:
            for shard, waiting in by_shard.items():
                for (table, append), reply in zip(waiting, replies[shard], strict=True):
                    self._hand_over(table, append, reply)
        finally:
            self._under_way -= 1
            if self._waiting and not self._scheduled:
                self._flush()

    @staticmethod
    def _hand_over(table: "LiveTable", append: Append, reply: AppendReply) -> None:
        """Give a table its answer; whatever fails there is that table's alone."""
        try:
            table.appended(append, reply)
        except Exception:
            log.exception("table_broken", table=append.keys.name)
            table.broken()
