"""Answers of Redis that come late: what happened meanwhile must not be undone, nor undo them.

Two replicas without their feeds, so that each knows only what it did itself or reads again.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from kozyr import wire
from kozyr.errors import KozyrError
from kozyr.events import Seat
from kozyr.log import Cause
from kozyr.plugins import Rulebook, load_variant
from kozyr.shuffle import commitment_of
from kozyr.tokens import Identity
from kozyr.v1 import session_pb2
from kozyr_table import room
from kozyr_table.audience import Attachment
from kozyr_table.clock import ClockKind, ClockRule
from kozyr_table.keys import TableKeys, new_table_id, table_keys
from kozyr_table.metrics import Metrics
from kozyr_table.refereeing import Refereeing
from kozyr_table.room import Controller, Room, SeatRow, Status, TableInfo
from kozyr_table.store import Store
from kozyr_table.stored import Append, AppendReply, StoredTable
from kozyr_table.table import Command, LiveTable
from kozyr_table.tables import Tables
from kozyr_table.tasks import Tasks
from tests.integration.service import LIMIT_S, SMALL, settings

SEED = bytes(range(32))
KEYS = table_keys("main", new_table_id("secret", "main", "host", "race"))


class HeldStore(Store):
    """A store whose answers can be held back, when Redis has long given them."""

    def __init__(self, url: str, *, replica: str) -> None:
        super().__init__(url, replica=replica)
        self.answers = asyncio.Event()
        self.answers.set()
        self.answered = asyncio.Event()

    def hold(self) -> None:
        self.answers.clear()
        self.answered.clear()

    async def append(self, shards: Mapping[int, Sequence[Append]]) -> dict[int, list[AppendReply]]:
        replies = await super().append(shards)
        await self._hold_back()
        return replies

    async def load(self, keys: TableKeys, *, since: int = 0) -> StoredTable | None:
        stored = await super().load(keys, since=since)
        await self._hold_back()
        return stored

    async def _hold_back(self) -> None:
        self.answered.set()
        await self.answers.wait()


class Heard:
    """A follower, and what it has been sent."""

    def __init__(self) -> None:
        self.frames: list[session_pb2.PlayResponse] = []
        self.came = asyncio.Event()

    def send(self, frame: bytes) -> None:
        self.frames.append(session_pb2.PlayResponse.FromString(frame))
        self.came.set()

    def detached(self, table: LiveTable) -> None:
        pass

    async def answer(self, request_id: str) -> int | KozyrError:
        async with asyncio.timeout(LIMIT_S):
            while True:
                for frame in self.frames:
                    for result in frame.results:
                        if result.request_id == request_id:
                            refused = result.HasField("refusal")
                            return (
                                wire.decode_refusal(result.refusal) if refused else result.version
                            )
                self.came.clear()
                await self.came.wait()


@dataclass
class Pair:
    """Two replicas on one Redis; the answers of the first can be held back."""

    store: HeldStore
    one: Tables
    two: Tables


@pytest.fixture
async def pair(redis_url: str, tmp_path: Path) -> AsyncIterator[Pair]:
    stores = HeldStore(redis_url, replica="one"), Store(redis_url, replica="two")
    refereeing = Refereeing(Rulebook.open(["odessa"]), Metrics())
    async with refereeing, Tasks() as tasks:
        one, two = (Tables(store, refereeing, settings(tmp_path), tasks) for store in stores)
        yield Pair(stores[0], one, two)
        stores[0].answers.set()
    for store in stores:
        await store.close()


def info() -> TableInfo:
    odessa = load_variant("odessa")
    return TableInfo(
        match_id=KEYS.name.partition("/")[2],
        variant="odessa",
        rules_version=odessa.rules_version,
        options=odessa.parse_options(SMALL).model_dump(mode="json"),
        clock=ClockRule(ClockKind.UNTIMED),
        title="",
        host="host",
        commitment=commitment_of(SEED).hex(),
        listed=True,
    )


def player(name: str) -> SeatRow:
    return SeatRow(Controller.ACCOUNT, account=name, name=name, ready=True, epoch=1)


BOT = SeatRow(Controller.BOT, name="bot", brain="random", ready=True, epoch=1)


async def gathering(pair: Pair, *rows: SeatRow) -> tuple[LiveTable, LiveTable]:
    """A table in the memory of both replicas."""
    here = await pair.one.create(KEYS, info(), Room(Status.GATHERING, 1, rows), SEED)
    there = await pair.two.find(KEYS)
    assert there is not None
    return here, there


async def playing(pair: Pair) -> tuple[LiveTable, LiveTable]:
    """A table of a player and a bot whose match is on, in the memory of both replicas."""
    here, there = await gathering(pair, player("ann"), BOT)
    await until_begun(here)
    await there.reread()
    return here, there


async def until_begun(table: LiveTable) -> None:
    heard = Heard()
    table.audience.attach(heard, Attachment.of({}), None)
    async with asyncio.timeout(LIMIT_S):
        while not table.place.version:
            heard.came.clear()
            await heard.came.wait()
    table.audience.detach(heard)


def move(table: LiveTable, heard: Heard, request_id: str) -> None:
    """Let whoever must decide take the default."""
    assert table.match is not None
    [(seat, decision)] = table.match.pending.items()
    command = Command(
        seat,
        decision_id=decision.id,
        action=decision.default,
        cause=Cause.PLAYER,
        request_id=request_id,
        epoch=table.room.seats[seat].epoch,
        follower=heard,
    )
    table.submit(command)


async def check_memory(tables: Tables, table: LiveTable) -> None:
    """What a replica remembers is what Redis has."""
    stored = await tables.store.load(KEYS)
    assert stored is not None
    assert table.room == stored.room
    assert table.match is not None
    assert table.place.version == len(stored.entries)
    assert table.clocks == stored.clocks


@asynccontextmanager
async def held(store: HeldStore) -> AsyncIterator[None]:
    """Within, answers of Redis are on their way."""
    store.hold()
    yield
    store.answers.set()


async def test_room_that_changes_elsewhere_in_mid_append_leaves_the_table_going(
    pair: Pair,
) -> None:
    here, there = await playing(pair)
    heard = Heard()
    async with held(pair.store):
        move(here, heard, "first")
        await pair.store.answered.wait()
        staff = room.assign_bots("main/w/two", dead=frozenset(), can=lambda _: True, seats_max=1)
        await pair.two.change_room(there, staff)
        staff = room.assign_bots("main/w/one", dead=frozenset(), can=lambda _: True, seats_max=1)
        change = asyncio.create_task(pair.one.change_room(here, staff))
        for _ in range(100):  # until its conflict has been heard
            await pair.two.store.now_ms()
    assert await heard.answer("first") == here.place.version
    async with asyncio.timeout(LIMIT_S):
        await change
    assert here.room.seats[1].worker == "main/w/two"
    move(here, heard, "second")
    assert isinstance(await heard.answer("second"), int)
    await check_memory(pair.one, here)


async def test_reading_that_was_asked_before_a_change_does_not_undo_it(pair: Pair) -> None:
    here, _ = await gathering(pair, SeatRow(), SeatRow())
    told: list[int] = []
    pair.one.on_room = lambda _, changed: told.append(changed.version)
    async with held(pair.store):
        here.changed_elsewhere()
        await pair.store.answered.wait()
        join = room.join(Identity("ann"), seat=0, name="Ann", nonce=b"")
        await pair.one.change_room(here, join)
    await here.reread()
    assert [row.account for row in here.room.seats] == ["ann", ""]
    assert told == sorted(told), "somebody was told of an older room"
    listed = pair.one.listing.get(KEYS.name)
    assert listed is not None
    assert listed.room == here.room


async def test_match_that_begins_while_the_table_is_read_goes_on(pair: Pair) -> None:
    here, _ = await gathering(pair, player("ann"), SeatRow())
    async with held(pair.store):
        here.changed_elsewhere()
        await pair.store.answered.wait()
        bob = Identity("bob")
        await pair.one.change_room(here, room.join(bob, seat=1, name="Bob", nonce=b""))
        await pair.one.change_room(here, room.set_ready(bob, ready=True))
    await until_begun(here)
    heard = Heard()
    move(here, heard, "first")
    assert isinstance(await heard.answer("first"), int)
    await check_memory(pair.one, here)


async def test_answers_of_two_changes_in_the_other_order_leave_the_later_room(pair: Pair) -> None:
    here, there = await gathering(pair, SeatRow(), SeatRow(), SeatRow())
    ann = room.join(Identity("ann"), seat=None, name="Ann", nonce=b"")
    bob = room.join(Identity("bob"), seat=None, name="Bob", nonce=b"")
    cid = room.join(Identity("cid"), seat=None, name="Cid", nonce=b"")
    await asyncio.gather(
        pair.one.change_room(here, ann),
        pair.one.change_room(here, bob),
        pair.two.change_room(there, cid),
    )
    await asyncio.gather(here.reread(), there.reread())
    for table in (here, there):
        assert sorted(row.account for row in table.room.seats) == ["ann", "bob", "cid"]
        assert table.room.version == 4


async def test_move_decided_on_an_old_position_is_decided_anew(pair: Pair) -> None:
    here, there = await playing(pair)
    heard = Heard()
    move(there, heard, "elsewhere")
    assert await heard.answer("elsewhere") == there.place.version
    assert here.place.version < there.place.version
    move(here, heard, "too-late")  # of the same decision
    refusal = await heard.answer("too-late")
    assert isinstance(refusal, KozyrError)
    assert refusal.reason in ("NOT_YOUR_TURN", "STALE_DECISION")
    assert here.place == there.place
    await check_memory(pair.one, here)


async def test_same_request_decided_on_an_old_position_gets_the_version_it_has(
    pair: Pair,
) -> None:
    here, there = await playing(pair)
    heard, other = Heard(), Heard()
    move(there, heard, "same")
    version = await heard.answer("same")
    move(here, other, "same")
    assert await other.answer("same") == version
    await check_memory(pair.one, here)


async def test_seat_that_changed_hands_elsewhere_takes_no_move_of_the_old(pair: Pair) -> None:
    here, there = await playing(pair)
    await pair.two.change_room(
        there, room.assign_bots("main/w/two", dead=frozenset(), can=lambda _: True, seats_max=1)
    )
    assert here.match is not None
    heard = Heard()
    if Seat(1) not in here.match.pending:
        move(here, heard, "ann's")
        assert isinstance(await heard.answer("ann's"), int)
    assert here.room.seats[1].epoch < there.room.seats[1].epoch
    move(here, heard, "old")
    refusal = await heard.answer("old")
    assert isinstance(refusal, KozyrError)
    assert refusal.reason == "NOT_YOUR_SEAT"
    await check_memory(pair.one, here)
