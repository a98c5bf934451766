"""Follows what other replicas change, so that this one's tables and list stay fresh."""

import asyncio
from typing import Final

import structlog

from kozyr_table.errors import StoreUnavailable
from kozyr_table.store import Store
from kozyr_table.tables import RETRY_MS_MAX, Tables

log = structlog.get_logger()

LOAD_AT_ONCE: Final = 256
"""Tables read in one round trip when the list is filled."""
PAUSE_S: Final = 0.02
"""How long to let changes gather while they are all this replica's own."""


class Feed:
    """Tails the feeds of all shards."""

    def __init__(self, tables: Tables, store: Store) -> None:
        self._tables: Final = tables
        self._store: Final = store

    async def run(self) -> None:
        """Fill the list and follow all changes, for ever and through outages."""
        while True:
            try:
                places = await self._store.feed_ends()
                await self._heal()
                while True:
                    changes = await self._store.follow(places)
                    names = {name for replica, name in changes if replica != self._store.replica}
                    for name in sorted(names):
                        await self._tables.refresh(name)
                    if not names:  # only this replica is busy
                        await asyncio.sleep(PAUSE_S)
            except StoreUnavailable as error:
                log.warning("feed_waits_for_redis", error=str(error))
                await asyncio.sleep(RETRY_MS_MAX / 1000)

    async def _heal(self) -> None:
        """Take over all that was missed."""
        names = await self._store.table_names()
        for start in range(0, len(names), LOAD_AT_ONCE):
            part = names[start : start + LOAD_AT_ONCE]
            for name, stored in zip(part, await self._store.load_without_log(part), strict=True):
                self._tables.heard(name, stored, after_outage=True)
        for name in self._tables.listing.names() - set(names):
            self._tables.heard(name, None)
