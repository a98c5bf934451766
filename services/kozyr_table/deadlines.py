"""Turn clocks that run out: asks Redis which tables' time has come, by its clock."""

import asyncio
import time
from typing import Final

import structlog

from kozyr.errors import KozyrError
from kozyr_table.errors import StoreUnavailable
from kozyr_table.keys import TableName
from kozyr_table.room import Status
from kozyr_table.store import DUE_TABLES_MAX, Store
from kozyr_table.table import LiveTable
from kozyr_table.tables import RETRY_MS_MAX, Tables, keys_of

log = structlog.get_logger()

POLL_MS_MIN: Final = 5
POLL_MS_MAX: Final = 250
"""Deadlines are asked for at least so often: other replicas arm them too."""
POSTPONE_MS: Final = 1_000
"""When a table that cannot be opened here is tried again."""


class Deadlines:
    """Fires the deadlines of all tables, this replica's and those nobody looks after."""

    def __init__(self, tables: Tables, store: Store) -> None:
        self._tables: Final = tables
        self._store: Final = store
        self._ahead_ms = 0
        """Redis' clock less ours."""
        self._next_ms = 0
        self._sooner = asyncio.Event()
        self._postponed: dict[TableName, int] = {}

    def armed(self, deadline_ms: int) -> None:
        """A deadline was set; if it comes before all others, look then."""
        if deadline_ms < self._next_ms:
            self._next_ms = deadline_ms
            self._sooner.set()

    async def run(self) -> None:
        """Fire deadlines for ever."""
        settings = self._tables.settings
        while True:
            try:
                dues = await self._store.due(
                    outage_ms=settings.outage_ms,
                    grace_ms=settings.grace_ms,
                    pulse_ms=settings.outage_ms // 4,
                )
            except StoreUnavailable:
                await asyncio.sleep(RETRY_MS_MAX / 1000)
                continue
            now = dues[0].now_ms
            self._ahead_ms = now - _local_ms()
            self._next_ms = min((due.next_ms for due in dues if due.next_ms), default=now * 2)
            for due in dues:
                for name in due.names:
                    await self._fire(name, due.now_ms)
            if all(len(due.names) < DUE_TABLES_MAX for due in dues):
                await self._sleep()

    async def _sleep(self) -> None:
        until = time.monotonic() + POLL_MS_MAX / 1000
        await asyncio.sleep(POLL_MS_MIN / 1000)
        while True:
            self._sooner.clear()
            left = min(
                until - time.monotonic(), (self._next_ms - self._ahead_ms - _local_ms()) / 1000
            )
            if left <= 0:
                return
            try:
                async with asyncio.timeout(left):
                    await self._sooner.wait()
            except TimeoutError:
                return

    async def _fire(self, name: TableName, now_ms: int) -> None:
        if self._postponed.get(name, 0) > now_ms:
            return
        keys = keys_of(name)
        try:
            table = await self._tables.find(keys)
            if table is None:
                await self._store.remove(keys, status="", room_version=None)
            elif table.room.status is Status.GATHERING:
                await self._close(table)
            elif not table.time_is_up(now_ms):
                table.changed_elsewhere()
        except StoreUnavailable as error:
            log.warning("deadline_waits_for_redis", table=name, error=str(error))
        except KozyrError as error:
            if name not in self._postponed:
                log.warning("table_cannot_be_opened", table=name, error=str(error))
            self._postponed[name] = now_ms + POSTPONE_MS
        else:
            self._postponed.pop(name, None)

    async def _close(self, table: LiveTable) -> None:
        """Close a table that has not started in time."""
        gone = await self._store.remove(
            table.keys, status=Status.GATHERING, room_version=table.room.version
        )
        if gone:
            log.info("table_closed", table=table.keys.name, why="it has not started in time")
            self._tables.remove(table, archived=False)
        else:
            table.changed_elsewhere()


def _local_ms() -> int:
    return int(time.monotonic() * 1000)
