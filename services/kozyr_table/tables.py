"""The tables in a replica's memory, and how they get there, change and go."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from kozyr.errors import KozyrError, UnknownVariant, UnsupportedRules
from kozyr.match import Advance, Match
from kozyr.plugins import PluginUnavailable
from kozyr_table.committer import Committer
from kozyr_table.errors import StoreUnavailable, UnknownTable
from kozyr_table.keys import TableKeys, TableName, is_table_id, split_name, table_keys
from kozyr_table.listing import Listing
from kozyr_table.refereeing import FAILURES, Refereeing, Summoned
from kozyr_table.room import Change, Room, Status, TableInfo, settle, start
from kozyr_table.settings import TableSettings
from kozyr_table.store import Store
from kozyr_table.stored import StoredTable
from kozyr_table.table import LiveTable, Replayed
from kozyr_table.tasks import Tasks

log = structlog.get_logger()

ROOM_RACES_MAX: Final = 16
"""How often a change of a room is tried anew after lost races."""
RETRY_MS_MIN: Final = 50
RETRY_MS_MAX: Final = 1_000
"""How soon Redis is tried again when it does not answer: doubling from the first to the second."""
EVICTION_S: Final = 10.0
"""How often tables that nobody follows are looked for."""


class Tables:
    """All live tables of this replica.

    Attributes:
        on_deadline: told whenever a clock was armed, with its deadline.
        on_finished: told when a match has ended here.
        on_room: told when a room has changed, and when a table appeared.
        on_gone: told when a table is gone.
        on_missing: told when a table is not in Redis any more, before it goes.
        on_failed: told when the rules of a match have failed.
    """

    def __init__(
        self, store: Store, refereeing: Refereeing, settings: TableSettings, tasks: Tasks
    ) -> None:
        self.settings: Final = settings
        self.store: Final = store
        self.refereeing: Final = refereeing
        self.tasks: Final = tasks
        self.listing: Final = Listing()
        self.on_deadline: Callable[[int], None] = lambda _: None
        self.on_finished: Callable[[LiveTable], None] = lambda _: None
        self.on_room: Callable[[TableName, Room], None] = lambda _name, _room: None
        self.on_gone: Callable[[TableName], None] = lambda _: None
        self.on_missing: Callable[[LiveTable], Awaitable[None]] = _nothing_more
        self.on_failed: Callable[[TableName, TableInfo, KozyrError], None] = _nobody_minds
        self._live: dict[TableName, LiveTable] = {}
        self.committer: Final = Committer(store, tasks, lambda: len(self._live))
        self._loading: dict[TableName, asyncio.Task[LiveTable | None]] = {}

    # finding

    def live(self, tenant: str, table_id: str) -> LiveTable | None:
        """A table, if it is in memory."""
        return self._live.get(TableName(f"{tenant}/{table_id}"))

    async def get(self, tenant: str, table_id: str) -> LiveTable:
        """A table, read from Redis when it is not in memory.

        Raises:
            UnknownTable: there is none.
            StoreUnavailable: Redis does not answer.
            KozyrError: its rules cannot be asked, and it is not suspended yet.
        """
        if not is_table_id(table_id):
            raise UnknownTable(table_id)
        found = await self.find(table_keys(tenant, table_id))
        if found is None:
            raise UnknownTable(table_id)
        return found

    async def find(self, keys: TableKeys) -> LiveTable | None:
        """A table by its keys, None when there is none."""
        table = self._live.get(keys.name)
        if table is not None:
            return table
        loading = self._loading.get(keys.name)
        if loading is None:
            loading = self._loading[keys.name] = asyncio.ensure_future(self._load(keys))
            loading.add_done_callback(lambda _: self._loading.pop(keys.name, None))
        return await asyncio.shield(loading)

    async def _load(self, keys: TableKeys) -> LiveTable | None:
        stored = await self.store.load(keys)
        if stored is None:
            return None
        self.listing.put(keys.name, stored)
        try:
            replayed = await self.replay(stored)
        except KozyrError as error:
            self.on_failed(keys.name, stored.info, error)
            raise
        table = self._live[keys.name] = LiveTable(self, keys, stored, replayed)
        return table

    async def replay(
        self, stored: StoredTable, *, match: Match | None = None, suspended: bool = False
    ) -> Replayed | None:
        """What the log of a table comes to; None before there is one.

        Args:
            match: the match in memory that ``stored`` goes on from, if it does not hold all.
            suspended: whether to replay a suspended match too, whose rules may be down.

        Raises:
            KozyrError: its rules cannot be asked, or do not take the log.
        """
        header, info = stored.header, stored.info
        if header is None or (stored.room.status is Status.SUSPENDED and not suspended):
            return None
        summoned = self._summoned(info)

        def replay() -> Replayed:
            there = match
            if there is None or not stored.since:
                there = Match.open(header, referee=summoned.referee, seed=stored.seed)
                _ = there.setup  # asked for here, where that may take time
            return Replayed(summoned, there, there.replay(stored.entries))

        return await summoned.call(replay)

    def _summoned(self, info: TableInfo) -> Summoned:
        """Who referees a match that has begun.

        Raises:
            PluginUnavailable: nobody who could be asked now; that may change.
        """
        try:
            return self.refereeing.referee(info.variant, info.rules_version)
        except (UnknownVariant, UnsupportedRules) as error:
            raise PluginUnavailable(f"this match cannot be refereed here now: {error}") from error

    # changing

    async def create(self, keys: TableKeys, info: TableInfo, room: Room, seed: bytes) -> LiveTable:
        """Make a table, or find the one that the same request has made; start it when it can.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        there = await self.store.create(
            keys, info, room, seed, gathering_ms=self.settings.gathering_limit_ms
        )
        table = await self.find(keys) if there else None
        if table is None:
            raise UnknownTable(split_name(keys.name)[1])
        self.on_room(keys.name, table.room)
        if table.room.can_start:
            await self.change_room(table, settle)
        return table

    async def change_room(self, table: LiveTable, change: Change, *, request: str = "") -> str:
        """Change a room, and begin the match when everybody is ready.

        Args:
            request: the key of the request, or empty; its repetition gets the first answer.

        Returns:
            The answer, which is the number of the seat that changed: now, or at the first time.

        Raises:
            ServiceError: the room does not allow it, or Redis does not answer.
        """
        for _ in range(ROOM_RACES_MAX):
            before = table.room
            try:
                after = change(before)
            except KozyrError:
                first = await self.store.first_answer(table.keys, request) if request else None
                if first is not None:
                    return first
                raise
            begins = None
            if after.can_start:
                after = start(after)
                begins = table.header(after)
            answer = _changed_seat(before, after)
            verdict = await self.store.change_room(
                table.keys, before, after, request=request, answer=answer, begins=begins
            )
            if verdict == "ok":
                if table.room_changed(after):
                    self.listing.change(table.keys.name, after)
                    self.on_room(table.keys.name, after)
                return answer
            await table.reread()
            if verdict.startswith("repeated "):
                return verdict.removeprefix("repeated ")
            if table.gone:
                raise UnknownTable(table.table_id)
        raise StoreUnavailable("too many lost races for this table")

    def spawn_reload(self, table: LiveTable) -> None:
        """Read a table again as soon as Redis answers."""
        self.tasks.spawn(self._reload_when_back(table))

    async def refresh(self, name: TableName) -> None:
        """Take over what another replica has changed."""
        if name in self._live:
            self._live[name].changed_elsewhere()
            return
        self.heard(name, (await self.store.load_without_log([name]))[0])

    def heard(
        self, name: TableName, stored: StoredTable | None, *, after_outage: bool = False
    ) -> None:
        """Take over what Redis says of a table that may have changed elsewhere.

        Args:
            after_outage: whether Redis may have lost what was known of it.
        """
        if name in self._live:
            self._live[name].changed_elsewhere()
        elif stored is None:
            self.listing.drop(name)
            self.on_gone(name)
        elif self.listing.put(name, stored, anew=after_outage):
            self.on_room(name, stored.room)

    async def _reload_when_back(self, table: LiveTable) -> None:
        wait_ms = RETRY_MS_MIN
        while not table.gone:
            try:
                await self._reload(table)
            except KozyrError as error:
                table.reread_failed(error)
                self.on_failed(table.keys.name, table.info, error)
                if not isinstance(error, (StoreUnavailable, *FAILURES)):
                    log.warning("table_cannot_be_opened", table=table.keys.name, error=str(error))
                    self.remove(table, archived=False)
                    return
                await asyncio.sleep(wait_ms / 1000)
                wait_ms = min(2 * wait_ms, RETRY_MS_MAX)
            else:
                return

    async def _reload(self, table: LiveTable) -> None:
        # Who referees a match that was suspended may be another plugin than before.
        since = 0 if table.room.status is Status.SUSPENDED else table.place.version
        stored = await self.store.load(table.keys, since=since)
        if stored is not None and not table.continues_with(stored):
            stored = await self.store.load(table.keys)
        if table.gone:
            return
        if stored is None:
            await self.on_missing(table)
            self.remove(table, archived=table.room.status is not Status.GATHERING)
            return
        replayed = await self.replay(stored, match=table.match)
        if not table.reloaded(stored, replayed):
            return
        self.listing.put(table.keys.name, stored, anew=True)
        self.on_room(table.keys.name, stored.room)
        if stored.room.status is Status.FINISHED:
            self.on_finished(table)

    # what a table says

    def deadline_armed(self, deadline_ms: int) -> None:
        """A clock was armed."""
        if deadline_ms:
            self.on_deadline(deadline_ms)

    def spawn_decision(
        self, table: LiveTable, summoned: Summoned, prepare: Callable[[], Advance]
    ) -> None:
        """Work out elsewhere what a move leads to."""
        self.tasks.spawn(self._decide(table, summoned, prepare))

    async def _decide(
        self, table: LiveTable, summoned: Summoned, prepare: Callable[[], Advance]
    ) -> None:
        try:
            advance = await summoned.call(prepare)
        except KozyrError as error:
            table.not_decided(error)
            self.on_failed(table.keys.name, table.info, error)
        except Exception:
            log.exception("table_broken", table=table.keys.name)
            table.broken()
        else:
            table.decided(advance)

    def rearm(self, table: LiveTable, *, head: str, deadline_ms: int) -> None:
        """A table was looked at before its time: say when that is."""
        self.tasks.spawn(self._rearm(table, head, deadline_ms))

    async def _rearm(self, table: LiveTable, head: str, deadline_ms: int) -> None:
        try:
            known = await self.store.rearm(table.keys, head=head, deadline_ms=deadline_ms)
        except StoreUnavailable:
            return  # it will be due again
        if not known:
            table.changed_elsewhere()

    def moved(self, table: LiveTable) -> None:
        """A match has moved on."""
        if table.room.status is Status.FINISHED:
            self.listing.change(table.keys.name, table.room)
            self.on_finished(table)

    # going

    def remove(self, table: LiveTable, *, archived: bool) -> None:
        """Forget a table that Redis does not have any more."""
        name = table.keys.name
        if self._live.get(name) is table:
            del self._live[name]
        self.listing.drop(name)
        table.close(archived=archived)
        self.on_gone(name)

    async def evict(self) -> None:
        """Forget, for ever and again, tables that nobody has followed for a while."""
        idle_since: dict[TableName, float] = {}
        while True:
            await asyncio.sleep(EVICTION_S)
            now = time.monotonic()
            idle = {name for name, table in self._live.items() if table.idle}
            idle_since = {name: idle_since.get(name, now) for name in idle}
            for name, since in idle_since.items():
                if now - since >= self.settings.idle_ms / 1000:
                    del self._live[name]


def _nobody_minds(_name: TableName, _info: TableInfo, _error: KozyrError) -> None:
    """Nobody stops matches whose rules fail."""


async def _nothing_more(_: LiveTable) -> None:
    """Nobody knows more of a table that is not in Redis any more."""


def _changed_seat(before: Room, after: Room) -> str:
    """The first seat whose row differs, as text."""
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        if old != new:
            return str(seat)
    return "0"


def keys_of(name: TableName) -> TableKeys:
    """The keys of a table by its name."""
    return table_keys(*split_name(name))
