"""Finished matches leave Redis for the archive: one file a match, written whole or not at all.

A record is on the disk before its table is removed, so a crash in between leaves both, and doing
it again changes nothing.
"""

import asyncio
from pathlib import Path
from typing import Final

import structlog

from kozyr.errors import InvalidRecord, KozyrError
from kozyr.record import Record, read_record, write_record
from kozyr_table.errors import ArchiveUnavailable, StoreUnavailable, UnknownRecord
from kozyr_table.keys import TableName, is_table_id
from kozyr_table.room import Status
from kozyr_table.store import Store
from kozyr_table.table import LiveTable
from kozyr_table.tables import RETRY_MS_MAX, Tables, keys_of

log = structlog.get_logger()

WRITERS_MAX: Final = 4
"""Records written at a time."""
SWEEP_S: Final = 10.0
"""How often finished tables are looked for that another replica has left behind."""


class Archive:
    """Writes the records of finished matches, and removes their tables."""

    def __init__(self, tables: Tables, store: Store, directory: Path) -> None:
        self._tables: Final = tables
        self._store: Final = store
        self._directory: Final = directory
        self._writers: Final = asyncio.Semaphore(WRITERS_MAX)
        self._under_way: set[LiveTable] = set()

    def path(self, tenant: str, match_id: str) -> Path:
        """Where the record of a match is."""
        return self._directory / tenant / match_id[:2] / f"{match_id}.jsonl"

    def finished(self, table: LiveTable) -> None:
        """Archive a table whose match has ended."""
        if table not in self._under_way:
            self._under_way.add(table)
            self._tables.tasks.spawn(self._archive(table))

    async def read(self, tenant: str, match_id: str) -> Record:
        """The record of a match.

        Raises:
            UnknownRecord: there is none.
            ArchiveUnavailable: it cannot be read now.
        """
        if not is_table_id(match_id):
            raise UnknownRecord(f"{match_id!r} is no match id")
        try:
            return await asyncio.to_thread(read_record, self.path(tenant, match_id))
        except FileNotFoundError:
            raise UnknownRecord(f"there is no record of match {match_id!r} here") from None
        except OSError as error:
            log.exception("record_not_read", match=match_id)
            raise ArchiveUnavailable("the archive cannot be read now") from error

    async def catch_up(self, table: LiveTable) -> None:
        """Show the followers of a table the end that another replica has archived."""
        if table.match is None or table.summoned is None:
            return
        try:
            record = await self.read(table.tenant, table.info.match_id)
            rest = record.entries[table.match.version :]
            advance = await table.summoned.call(table.match.replay, rest)
        except KozyrError as error:
            log.warning("end_of_match_not_heard", table=table.keys.name, error=str(error))
        else:
            table.ended_elsewhere(advance)

    async def sweep(self) -> None:
        """Archive, for ever and again, what other replicas have left behind."""
        while True:
            try:
                for name in await self._store.finished_names():
                    await self._take_up(name)
            except StoreUnavailable as error:
                log.warning("archive_waits_for_redis", error=str(error))
            await asyncio.sleep(SWEEP_S)

    async def _take_up(self, name: TableName) -> None:
        keys = keys_of(name)
        try:
            table = await self._tables.find(keys)
        except StoreUnavailable:
            raise
        except KozyrError as error:
            log.warning("table_cannot_be_opened", table=name, error=str(error))
            return
        if table is None:
            await self._store.remove(keys, status=Status.FINISHED, room_version=None)
        else:
            self.finished(table)

    async def _archive(self, table: LiveTable) -> None:
        match = table.match
        assert match is not None
        path = self.path(table.tenant, table.info.match_id)
        try:
            while not table.gone:
                try:
                    async with self._writers:
                        path.parent.mkdir(parents=True, exist_ok=True)
                        await asyncio.to_thread(write_record, match, path)
                    await self._store.remove(table.keys, status=Status.FINISHED, room_version=None)
                    self._tables.remove(table, archived=True)
                except (OSError, InvalidRecord, StoreUnavailable) as error:
                    log.warning("record_not_archived", table=table.keys.name, error=str(error))
                    await asyncio.sleep(RETRY_MS_MAX / 1000)
        finally:
            self._under_way.discard(table)
