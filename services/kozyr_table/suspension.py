"""Matches whose rules nobody can ask: stopped, their clocks too, and let go on when somebody can.

Every replica says in Redis, again and again, which rules it can ask. A match is stopped when
nobody has said so of its rules for a while, or at once when its rules fail here while its plugin
seems well. Whoever can replay its log lets it go on.
"""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, final

import structlog

from kozyr.errors import KozyrError
from kozyr.plugins.rulebook import Rules
from kozyr_table.errors import StoreUnavailable
from kozyr_table.keys import TableName
from kozyr_table.listing import Listed
from kozyr_table.metrics import Metrics
from kozyr_table.refereeing import FAILURES
from kozyr_table.room import Status, TableInfo
from kozyr_table.tables import Tables, keys_of

log = structlog.get_logger()

OFFER_S: Final = 0.5
"""How often a replica says which rules it can ask."""
SILENCE_MS: Final = 2_000
"""When nobody has said so of some rules for so long, nobody can ask them."""
RETRY_S_MIN: Final = 1.0
RETRY_S_MAX: Final = 30.0
"""How soon a match whose rules failed is tried again: doubling from the first to the second."""
QUIET_S: Final = 120.0
"""After so long without failing, a match is tried as soon as at first."""
REASON_CHARS_MAX: Final = 200
"""How much of an error stands in the room for all to read."""


@dataclass(slots=True)
class _Failures:
    """How a match has failed lately: when it may be tried again, by the monotonic clock."""

    wait_s: float
    again_at: float


@final
class Suspension:
    """Stops matches and lets them go on."""

    def __init__(self, tables: Tables, metrics: Metrics) -> None:
        self._tables: Final = tables
        self._metrics: Final = metrics
        self._failures: Final[dict[TableName, _Failures]] = {}
        self._suspending: Final[set[TableName]] = set()
        self._trying: Final[set[Rules]] = set()
        """Rules whose suspended matches are being replayed, which may take a while."""
        self._changed: Final = asyncio.Event()

    def plugins_changed(self) -> None:
        """A plugin went down or came back: look at once."""
        self._changed.set()

    def failed(self, name: TableName, info: TableInfo, error: KozyrError) -> None:
        """The rules of a match have failed; stop it, unless it is known that they are down."""
        if not isinstance(error, FAILURES) or name in self._suspending:
            return
        if self._tables.refereeing.serves(info.variant, info.rules_version):
            self._suspending.add(name)
            self._note_failure(name)
            self._tables.tasks.spawn(self._suspend_failed(name, info, str(error)))

    async def run(self) -> None:
        """Say what can be asked here, stop and let go on, for ever."""
        while True:
            try:
                served = self._tables.refereeing.served()
                await self._tables.store.offer(served)
                await self._stop_unserved(served)
                self._try_suspended(served)
                self._forget_old_failures()
            except StoreUnavailable as error:
                log.info("suspension_waits_for_redis", error=str(error))
            try:
                async with asyncio.timeout(OFFER_S):
                    await self._changed.wait()
            except TimeoutError:
                pass
            self._changed.clear()

    # stopping

    async def _stop_unserved(self, served: frozenset[Rules]) -> None:
        """Stop every match under rules that nobody has said to serve for a while."""
        playing = self._matches(Status.PLAYING)
        wanted = {_rules(listed) for listed in playing.values()} - served
        if not wanted:
            return
        unserved = await self._tables.store.unserved(wanted, silence_ms=SILENCE_MS)
        for name, listed in playing.items():
            rules = _rules(listed)
            if rules in unserved:
                variant, version = rules
                why = f"nobody serves version {version} of the rules of {variant} now"
                await self._suspend(name, listed.info, why, since_ms=unserved[rules])

    async def _suspend_failed(self, name: TableName, info: TableInfo, why: str) -> None:
        try:
            await self._suspend(name, info, why, since_ms=None)
        finally:
            self._suspending.discard(name)

    async def _suspend(
        self, name: TableName, info: TableInfo, why: str, *, since_ms: int | None
    ) -> None:
        keys = keys_of(name)
        if await self._tables.store.suspend(keys, since_ms=since_ms, why=why[:REASON_CHARS_MAX]):
            self._metrics.suspensions.labels(info.variant).inc()
            log.warning("match_suspended", table=name, variant=info.variant, why=why)
        await self._tables.refresh(name)

    # going on

    def _try_suspended(self, served: frozenset[Rules]) -> None:
        """Try every match that was stopped; those of different rules do not wait for each other."""
        now = time.monotonic()
        ready: dict[Rules, dict[TableName, Listed]] = {}
        for name, listed in self._matches(Status.SUSPENDED).items():
            failures = self._failures.get(name)
            if failures is None or failures.again_at <= now:
                ready.setdefault(_rules(listed), {})[name] = listed
        for rules in (ready.keys() & served) - self._trying:
            self._trying.add(rules)
            self._tables.tasks.spawn(self._try_in_turn(rules, ready[rules]))

    async def _try_in_turn(self, rules: Rules, matches: Mapping[TableName, Listed]) -> None:
        """Let every match go on whose log can be replayed here."""
        try:
            for name, listed in matches.items():
                await self._try(name, listed)
        except StoreUnavailable as error:
            log.info("suspension_waits_for_redis", error=str(error))
        finally:
            self._trying.discard(rules)

    async def _try(self, name: TableName, listed: Listed) -> None:
        keys = keys_of(name)
        info = listed.info
        try:
            stored = await self._tables.store.load(keys)
            if stored is not None:
                await self._tables.replay(stored, suspended=True)
        except StoreUnavailable:
            raise
        except KozyrError as error:
            self._note_failure(name)
            log.info("match_stays_suspended", table=name, error=str(error))
            return
        if await self._tables.store.resume(keys, seats=len(listed.room.seats)):
            self._metrics.resumptions.labels(info.variant).inc()
            log.info("match_resumed", table=name, variant=info.variant)
        await self._tables.refresh(name)

    # what was

    def _note_failure(self, name: TableName) -> None:
        before = self._failures.get(name)
        wait_s = RETRY_S_MIN if before is None else min(2 * before.wait_s, RETRY_S_MAX)
        self._failures[name] = _Failures(wait_s, time.monotonic() + wait_s)

    def _forget_old_failures(self) -> None:
        long_ago = time.monotonic() - QUIET_S
        for name in [name for name, each in self._failures.items() if each.again_at < long_ago]:
            del self._failures[name]

    def _matches(self, status: Status) -> Mapping[TableName, Listed]:
        return {
            name: listed for name, listed in self._tables.listing if listed.room.status is status
        }


def _rules(listed: Listed) -> Rules:
    return listed.info.variant, listed.info.rules_version
