"""The way of moves to Redis: all that one turn of the event loop decides goes there together.

Appends of a turn are gathered by shard, a script call a shard, and written as one pipeline of so
many at most; Redis works on one while the next is being decided. So the busier the service, the
fewer round trips a move costs, and an idle one waits for nothing.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import structlog

from kozyr_table.errors import StoreUnavailable
from kozyr_table.store import Store
from kozyr_table.stored import Append, AppendReply
from kozyr_table.tasks import Tasks

if TYPE_CHECKING:
    from kozyr_table.table import LiveTable

PIPELINES_MAX: Final = 8
"""Pipelines under way at a time."""
PIPELINE_APPENDS_MIN: Final = 32
PIPELINE_APPENDS_MAX: Final = 128
"""Bounds of what makes a pipeline full; whole shards go, so it may be a few more."""

log = structlog.get_logger()

Waiting = tuple["LiveTable", Append]


class Committer:
    """Sends appends to Redis and hands the answers back to their tables."""

    def __init__(self, store: Store, tasks: Tasks, table_count: Callable[[], int]) -> None:
        """Make a committer.

        Args:
            table_count: how many tables are in memory.
        """
        self._table_count: Final = table_count
        self._store: Final = store
        self._tasks: Final = tasks
        self._waiting: dict[int, list[Waiting]] = {}
        """By shard, the shard that waits longest first."""
        self._under_way = 0
        self._scheduled = False

    @property
    def portion(self) -> int:
        """How many appends go together.

        While a third of the tables is with Redis and a third with its players, the last third is
        decided.
        """
        return max(PIPELINE_APPENDS_MIN, min(self._table_count() // 3, PIPELINE_APPENDS_MAX))

    def submit(self, table: "LiveTable", append: Append) -> None:
        """Send an append at the end of this turn of the loop, or when a pipeline is free."""
        self._waiting.setdefault(append.keys.shard, []).append((table, append))
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._end_of_turn)

    def _end_of_turn(self) -> None:
        self._scheduled = False
        self._flush()

    def _flush(self) -> None:
        while self._waiting and self._under_way < PIPELINES_MAX:
            self._under_way += 1
            self._tasks.spawn(self._send(self._next_pipeline()))

    def _next_pipeline(self) -> dict[int, list[Waiting]]:
        """Whole shards, until there is enough: the fewer script calls the better."""
        taken: dict[int, list[Waiting]] = {}
        count = 0
        for shard, waiting in self._waiting.items():
            if count >= self.portion:
                break
            taken[shard] = waiting
            count += len(waiting)
        for shard in taken:
            del self._waiting[shard]
        return taken

    async def _send(self, shards: dict[int, list[Waiting]]) -> None:
        try:
            replies = await self._store.append(
                {shard: [append for _, append in waiting] for shard, waiting in shards.items()}
            )
        except StoreUnavailable as error:
            for waiting in shards.values():
                for table, _ in waiting:
                    table.append_failed(error)
        else:
            for shard, waiting in shards.items():
                for (table, append), reply in zip(waiting, replies[shard], strict=True):
                    self._hand_over(table, append, reply)
        finally:
            self._under_way -= 1
            if not self._scheduled:
                self._flush()

    @staticmethod
    def _hand_over(table: "LiveTable", append: Append, reply: AppendReply) -> None:
        """Give a table its answer; whatever fails there is that table's alone."""
        try:
            table.appended(append, reply)
        except Exception:
            log.exception("table_broken", table=append.keys.name)
            table.broken()
