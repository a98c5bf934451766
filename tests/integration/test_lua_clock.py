"""The clock of the append script against the pure one, where several seats decide at once.

The moves of the toy game are answered in any order and after any time, by players and by the
clock, in time and too late; whatever Redis then has must be what `kozyr_table.clock` makes of the
same times.
"""

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from redis.asyncio import Redis

from kozyr.events import Seat
from kozyr.log import Cause, Header
from kozyr.match import Advance, Match
from kozyr.shuffle import commitment_of
from kozyr_table.clock import ClockKind, ClockRule, SeatClock
from kozyr_table.keys import ALL_SHARDS, new_table_id, table_keys
from kozyr_table.room import Controller, Room, SeatRow, Status, TableInfo
from kozyr_table.store import Store
from kozyr_table.stored import Append, AppendReply, earliest, head_text
from tests.toy import REFEREE, TOY

SEATS = 4
SEED = bytes(range(32))

RULES = {
    "per move": ClockRule(ClockKind.PER_MOVE, extra_ms=100),
    "increment": ClockRule(ClockKind.INCREMENT, bank_ms=100, extra_ms=15),
    "increment of nothing": ClockRule(ClockKind.INCREMENT, bank_ms=120, extra_ms=0),
    "delay": ClockRule(ClockKind.DELAY, bank_ms=100, extra_ms=20),
    "delay of nothing": ClockRule(ClockKind.DELAY, bank_ms=100, extra_ms=0),
    "untimed": ClockRule(ClockKind.UNTIMED),
}
WAITS_MS = (0, 0, 0, 0, 1, 3, 10, 25, 60)
"""Times to think, some of them longer than what is left."""


@pytest.fixture
async def store(redis_url: str) -> AsyncIterator[Store]:
    store = Store(redis_url, replica="here")
    yield store
    await store.close()


@dataclass
class Table:
    """A match in Redis, and what the pure clock makes of it."""

    store: Store
    redis: Redis
    match: Match
    info: TableInfo
    clocks: dict[Seat, SeatClock]
    score: int = 0

    def __post_init__(self) -> None:
        self.keys = table_keys("main", self.info.match_id)

    @classmethod
    async def begun(cls, store: Store, redis: Redis, rule: ClockRule) -> "Table":
        """A table of players that has just been dealt."""
        table_id = new_table_id("secret", "main", "host", rule.text.replace(" ", "-"))
        options = TOY.parse_options({"deals": 4, "hand": 3}).model_dump(mode="json")
        header = Header(
            match_id=table_id,
            variant=TOY.id,
            rules_version=TOY.rules_version,
            options=options,
            players=tuple(f"player {seat}" for seat in range(SEATS)),
            commitment=commitment_of(SEED),
            nonces=(b"",) * SEATS,
        )
        info = TableInfo(
            match_id=table_id,
            variant=TOY.id,
            rules_version=TOY.rules_version,
            options=options,
            clock=rule,
            title="",
            host="host",
            commitment=header.commitment.hex(),
            listed=True,
        )
        rows = tuple(
            SeatRow(Controller.ACCOUNT, account=player, ready=True, epoch=1)
            for player in header.players
        )
        match = Match.open(header, referee=REFEREE, seed=SEED)
        clocks = {Seat(seat): SeatClock(bank_ms=rule.bank_ms) for seat in range(SEATS)}
        table = cls(store, redis, match, info, clocks)
        room = Room(Status.GATHERING, 1, rows)
        assert await store.create(table.keys, info, room, SEED, gathering_ms=60_000)
        verdict = await store.change_room(
            table.keys, room, Room(Status.PLAYING, 2, rows), request="", answer="", begins=header
        )
        assert verdict == "ok"
        await table.append(None, match.prepare_opening())
        return table

    async def append(
        self, seat: Seat | None, advance: Advance, *, timeout: bool = False
    ) -> AppendReply:
        """Append by the script, and the same by the pure clock; they must agree."""
        rule, match = self.info.clock, self.match
        append = Append(
            keys=self.keys,
            head=head_text(match.version, match.digest),
            pauses=0,
            advance=advance,
            epoch=1,
            timeout=timeout,
            rule=rule,
            clocks=self.clocks,
            score=self.score,
        )
        before_ms = await self.store.now_ms()
        [reply] = (await self.store.append({self.keys.shard: [append]}))[self.keys.shard]
        after_ms = await self.store.now_ms()
        if seat is not None:
            self.check_verdict(reply, seat, timeout=timeout, between=(before_ms, after_ms))
        if reply.verdict != "ok":
            return reply
        match.commit(advance, at_ms=reply.at_ms)
        assert before_ms <= reply.at_ms <= after_ms
        if seat is not None:
            self.clocks[seat] = self.clocks[seat].stop(rule, now_ms=reply.at_ms)
        for decision in append.opened:
            self.clocks[decision.seat] = self.clocks[decision.seat].start(
                rule, decision_id=decision.id, now_ms=reply.at_ms
            )
        opened = [self.clocks[decision.seat] for decision in append.opened]
        assert list(reply.clocks) == [(clock.deadline_ms, clock.bank_ms) for clock in opened]
        await self.check_redis()
        return reply

    def check_verdict(
        self, reply: AppendReply, seat: Seat, *, timeout: bool, between: tuple[int, int]
    ) -> None:
        """Hold the verdict against the deadline, as far as it is known when it was given."""
        deadline = self.clocks[seat].deadline_ms
        before_ms, after_ms = between
        if reply.verdict == ("ok" if timeout else "late"):
            assert 0 < deadline <= (reply.at_ms or after_ms)
        else:
            assert reply.verdict == ("early" if timeout else "ok")
            assert deadline == 0 or (reply.at_ms or before_ms) < deadline

    async def check_redis(self) -> None:
        stored = await self.store.load(self.keys)
        assert stored is not None
        assert stored.clocks == self.clocks
        assert stored.head == head_text(self.match.version, self.match.digest)
        assert [entry.at_ms for entry in stored.entries] == [
            entry.at_ms for entry in self.match.entries
        ]
        score = await self.redis.zscore(ALL_SHARDS[self.keys.shard].deadlines, self.keys.name)
        first = earliest(self.clocks[seat] for seat in self.match.pending)
        if first:
            assert score is not None
            assert score <= first, "the table would be looked at too late"
        self.score = int(score or 0)


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
async def test_script_charges_and_arms_as_the_pure_clock_does(
    store: Store, redis_url: str, rule: ClockRule
) -> None:
    rng = random.Random(rule.text)
    async with Redis.from_url(redis_url) as redis:
        table = await Table.begun(store, redis, rule)
        match, verdicts = table.match, set()
        while not match.over:
            seat = rng.choice(sorted(match.pending))
            decision = match.pending[seat]
            await asyncio.sleep(rng.choice(WAITS_MS) / 1000)  # thinking takes what it takes
            timeout = rng.random() < 0.2
            action = decision.default if timeout else rng.choice(decision.legal)
            cause = Cause.TIMEOUT if timeout else Cause.PLAYER
            advance = match.prepare(seat, action, cause=cause)
            reply = await table.append(seat, advance, timeout=timeout)
            verdicts.add((timeout, reply.verdict))
            if reply.verdict == "late":
                advance = match.prepare(seat, decision.default, cause=Cause.TIMEOUT)
                reply = await table.append(seat, advance, timeout=True)
                assert reply.verdict == "ok"
    if rule.kind in (ClockKind.INCREMENT, ClockKind.DELAY):
        assert (False, "late") in verdicts


LONG = [
    ClockRule(ClockKind.PER_MOVE, extra_ms=60_000),
    ClockRule(ClockKind.INCREMENT, bank_ms=60_000),
    ClockRule(ClockKind.DELAY, bank_ms=60_000),
    ClockRule(ClockKind.UNTIMED),
]


@pytest.mark.parametrize("rule", LONG, ids=lambda rule: rule.kind.name)
async def test_clock_that_has_not_run_out_plays_for_nobody(
    store: Store, redis_url: str, rule: ClockRule
) -> None:
    async with Redis.from_url(redis_url) as redis:
        table = await Table.begun(store, redis, rule)
        before = await store.load(table.keys)
        seat, decision = next(iter(table.match.pending.items()))
        advance = table.match.prepare(seat, decision.default, cause=Cause.TIMEOUT)
        assert (await table.append(seat, advance, timeout=True)).verdict == "early"
        assert await store.load(table.keys) == before


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
async def test_append_to_another_head_changes_nothing(
    store: Store, redis_url: str, rule: ClockRule
) -> None:
    async with Redis.from_url(redis_url) as redis:
        table = await Table.begun(store, redis, rule)
        match = table.match
        seat, decision = next(iter(match.pending.items()))
        advance = match.prepare(seat, decision.default)
        append = Append(
            keys=table.keys,
            head=head_text(match.version, bytes(32)),
            pauses=0,
            advance=advance,
            epoch=1,
            timeout=False,
            rule=rule,
            clocks=table.clocks,
            score=0,
        )
        before = await store.load(table.keys)
        replies = await store.append({table.keys.shard: [append]})
        assert [reply.verdict for reply in replies[table.keys.shard]] == ["conflict"]
        append.head, append.epoch = head_text(match.version, match.digest), 2
        replies = await store.append({table.keys.shard: [append]})
        assert [reply.verdict for reply in replies[table.keys.shard]] == ["epoch"]
        assert await store.load(table.keys) == before
