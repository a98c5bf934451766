"""The bot desk: bots' seats go to workers, to others when a worker goes, and to one at a time."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from kozyr import wire
from kozyr.errors import KozyrError
from kozyr.log import Cause
from kozyr.tokens import BOTS_ROLE, DEFAULT_TENANT
from kozyr.v1 import bots_pb2, lobby_pb2, table_pb2
from kozyr.verify import verify_record
from kozyr_table.keys import WORKERS
from tests.integration.service import (
    LIMIT_S,
    UNTIMED,
    Caller,
    Replica,
    address_of,
    causes,
    connected,
    per_move,
    process,
    redis_at,
    refused,
    replica,
)
from tests.integration.stream import attach, stream

SeatRef = tuple[str, int]


class Worker:
    """A stream of the bot desk, and the seats it has been given."""

    def __init__(self, call: Any, caller: Caller) -> None:
        self.call = call
        self.caller = caller
        self.seats: dict[SeatRef, bots_pb2.Assignment] = {}

    async def hear(self) -> None:
        async with asyncio.timeout(LIMIT_S):
            try:
                frame: Any = await self.call.read()
            except grpc.aio.AioRpcError as error:
                raise wire.decode_call_error(error) from error
        assert frame is not grpc.aio.EOF, "the desk has ended the stream"
        for assignment in frame.assignments:
            self.seats[assignment.seat.table_id, assignment.seat.seat] = assignment
        for seat in frame.withdrawn:
            del self.seats[seat.table_id, seat.seat]

    async def hear_all(self, heard: asyncio.Event) -> None:
        """Hear for ever, and tell."""
        while True:
            await self.hear()
            heard.set()

    async def until(self, *seats: SeatRef) -> None:
        """Hear until it has exactly these seats."""
        while set(self.seats) != set(seats):
            await self.hear()

    async def release(self, table_id: str, seat: int) -> None:
        ref = bots_pb2.SeatRef(table_id=table_id, seat=seat)
        await self.call.write(bots_pb2.ServeRequest(released=[ref]))


@asynccontextmanager
async def worker(
    at: Replica,
    account: str = "worker",
    *,
    brains: Sequence[str] = ("random", "greedy"),
    capacity: int = 8,
    worker_id: str = "one",
    tenant: str = DEFAULT_TENANT,
    roles: Sequence[str] = (BOTS_ROLE,),
) -> AsyncIterator[Worker]:
    caller = Caller(at, account, tenant=tenant, roles=roles)
    call: Any = at.bots.Serve(metadata=caller.metadata)
    offer = bots_pb2.Offer(brains=brains, capacity=capacity, worker_id=worker_id)
    await call.write(bots_pb2.ServeRequest(offer=offer))
    try:
        yield Worker(call, caller)
    finally:
        call.cancel()


def bots(*brains: str) -> list[lobby_pb2.SeatPlan]:
    return [lobby_pb2.SeatPlan(seat=seat, brain=brain) for seat, brain in enumerate(brains)]


async def bot_table(
    host: Caller, *brains: str, request_id: str = "bots", clock: table_pb2.Clock = UNTIMED
) -> str:
    table = await host.create(
        request_id=request_id, seats=len(brains), plan=bots(*brains), clock=clock
    )
    return table.table_id


async def play(of: Worker, table_id: str) -> None:
    """Play the worker's seats at a table to the end, by the defaults."""
    seats = [seat for table, seat in of.seats if table == table_id]
    asked: set[int] = set()
    async with stream(of.caller) as session:
        view = session.following(table_id, *seats)
        await session.send(attaches=[attach(table_id, *seats)])
        while not view.archived:
            open_ones = [each for each in view.decisions.values() if each.id not in asked]
            if not open_ones:
                await session.hear()
            for decision in open_ones:
                asked.add(decision.id)
                await session.act(
                    table_id,
                    decision.seat,
                    decision_id=decision.id,
                    action=decision.default,
                    request_id=str(decision.id),
                )


@pytest.fixture
async def service(redis_url: str, tmp_path: Path) -> AsyncIterator[Replica]:
    async with replica(redis_url, tmp_path) as client:
        yield client


@pytest.fixture
async def second(service: Replica, redis_url: str, tmp_path: Path) -> AsyncIterator[Replica]:
    async with replica(redis_url, tmp_path / "second", archive_dir=service.archive_dir) as client:
        yield client


# who may serve


async def test_worker_needs_the_role(service: Replica) -> None:
    async with worker(service, roles=()) as stranger:
        await refused("NOT_ALLOWED", stranger.hear())


BAD_OFFERS = {
    "no capacity": {"capacity": 0},
    "no brains": {"brains": ()},
    "no id": {"worker_id": ""},
    "id that no row can hold": {"worker_id": "a/b"},
}


@pytest.mark.parametrize("offer", BAD_OFFERS.values(), ids=list(BAD_OFFERS))
async def test_offer_that_makes_no_sense_is_refused(
    service: Replica, offer: dict[str, Any]
) -> None:
    async with worker(service, **offer) as stranger:
        await refused("INVALID_REQUEST", stranger.hear())


async def test_first_frame_must_be_an_offer(service: Replica) -> None:
    caller = Caller(service, "worker", roles=[BOTS_ROLE])
    call: Any = service.bots.Serve(metadata=caller.metadata)
    await call.write(bots_pb2.ServeRequest())
    await refused("INVALID_REQUEST", Worker(call, caller).hear())


# giving seats


async def test_worker_gets_the_seats_with_all_it_needs_to_play_them(
    service: Replica, ann: Caller
) -> None:
    async with worker(service) as one:
        table_id = await bot_table(ann, "random", "greedy")
        await one.until((table_id, 0), (table_id, 1))
    table = await ann.table(table_id)
    for seat, brain in enumerate(("random", "greedy")):
        assignment = one.seats[table_id, seat]
        assert assignment.brain == brain
        assert assignment.variant == "odessa"
        assert assignment.rules_version == table.rules_version
        assert assignment.options_json == table.options_json
    assert one.seats[table_id, 0].seed != one.seats[table_id, 1].seed


async def test_bots_that_a_worker_plays_finish_a_match_that_says_so(
    service: Replica, ann: Caller
) -> None:
    async with worker(service) as one:
        table_id = await bot_table(ann, "random", "random", "random", "random")
        await one.until(*((table_id, seat) for seat in range(4)))
        await play(one, table_id)
    record = await ann.record(table_id)
    verify_record(record)
    assert set(causes(record)) == {Cause.BOT}


async def test_table_made_before_any_worker_came_is_served_when_one_comes(
    service: Replica, ann: Caller
) -> None:
    table_id = await bot_table(ann, "random", "random")
    async with worker(service) as one:
        await one.until((table_id, 0), (table_id, 1))


async def test_worker_at_one_replica_serves_tables_of_another(second: Replica, ann: Caller) -> None:
    async with worker(second) as one:
        table_id = await bot_table(ann, "random", "random")
        await one.until((table_id, 0), (table_id, 1))
        await play(one, table_id)
    assert set(causes(await ann.record(table_id))) == {Cause.BOT}


async def test_worker_gets_only_what_it_can_think_for(service: Replica, ann: Caller) -> None:
    async with (
        worker(service, brains=["random"], worker_id="r") as random_one,
        worker(service, brains=["greedy"], worker_id="g") as greedy_one,
    ):
        table_id = await bot_table(ann, "greedy", "random", "greedy")
        await random_one.until((table_id, 1))
        await greedy_one.until((table_id, 0), (table_id, 2))


async def test_bots_that_are_too_many_for_one_worker_are_shared(
    service: Replica, ann: Caller
) -> None:
    async with (
        worker(service, capacity=2, worker_id="one") as one,
        worker(service, capacity=2, worker_id="two") as two,
    ):
        table_id = await bot_table(ann, "random", "random", "random", "random")
        while len(one.seats) < 2:
            await one.hear()
        while len(two.seats) < 2:
            await two.hear()
    assert sorted([*one.seats, *two.seats]) == [(table_id, seat) for seat in range(4)]


async def test_worker_gets_no_more_seats_than_it_takes(service: Replica, ann: Caller) -> None:
    async with (
        worker(service, capacity=3, worker_id="few") as few,
        worker(service, capacity=9, worker_id="many") as many,
    ):
        names = [f"table-{number}" for number in range(6)]
        tables = await asyncio.gather(
            *(bot_table(ann, "random", "random", request_id=name) for name in names)
        )
        heard = asyncio.Event()
        hearing = [asyncio.create_task(each.hear_all(heard)) for each in (few, many)]
        async with asyncio.timeout(LIMIT_S):
            while len(few.seats) + len(many.seats) < 12:
                heard.clear()
                await heard.wait()
        for task in hearing:
            task.cancel()
        await asyncio.wait(hearing)
    assert {table for table, _ in [*few.seats, *many.seats]} == set(tables)
    assert (len(few.seats), len(many.seats)) == (3, 9)


async def test_worker_of_another_tenant_gets_nothing_and_keeps_nobody_out(
    service: Replica, ann: Caller
) -> None:
    async with worker(service, tenant="other") as stranger:
        table_id = await bot_table(ann, "random", "random")
        async with worker(service) as own:
            await own.until((table_id, 0), (table_id, 1))
            async with stream(stranger.caller) as session:
                await refused("UNKNOWN_TABLE", session.attach(table_id, 0))
        host = Caller(service, "host", tenant="other")
        other = await bot_table(host, "random", "random")
        await stranger.until((other, 0), (other, 1))


# taking them away


async def test_seats_of_a_worker_that_goes_are_given_to_another_and_shut_to_the_first(
    service: Replica, ann: Caller
) -> None:
    async with worker(service, "first", worker_id="one") as one:
        table_id = await bot_table(ann, "random", "random")
        await one.until((table_id, 0), (table_id, 1))
        async with stream(one.caller) as old, worker(service, "second", worker_id="two") as two:
            view = await old.attach(table_id, 0, 1)
            await old.until(lambda: view.decisions)
            [decision] = view.decisions.values()
            one.call.cancel()
            await two.until((table_id, 0), (table_id, 1))
            act = old.act(table_id, decision.seat, decision_id=decision.id, action=decision.default)
            await refused("NOT_YOUR_SEAT", act)
            await play(two, table_id)
    assert set(causes(await ann.record(table_id))) == {Cause.BOT}


async def test_worker_that_closes_its_side_loses_its_seats_too(
    service: Replica, ann: Caller
) -> None:
    async with worker(service, worker_id="one") as one:
        table_id = await bot_table(ann, "random", "random")
        await one.until((table_id, 0), (table_id, 1))
        async with worker(service, worker_id="two") as two:
            await one.call.done_writing()
            await two.until((table_id, 0), (table_id, 1))


async def test_worker_that_connects_again_finds_its_seats(service: Replica, ann: Caller) -> None:
    async with worker(service) as before:
        table_id = await bot_table(ann, "random", "random")
        await before.until((table_id, 0), (table_id, 1))
        async with worker(service) as again:  # before the service has missed the first stream
            await again.until((table_id, 0), (table_id, 1))
            assert again.seats == before.seats
            before.call.cancel()
            await play(again, table_id)


async def test_worker_that_connects_again_after_it_was_missed_finds_its_seats(
    service: Replica, ann: Caller
) -> None:
    async with worker(service) as before:
        table_id = await bot_table(ann, "random", "random")
        await before.until((table_id, 0), (table_id, 1))
        epochs = [seat.epoch for seat in (await ann.table(table_id)).seats]
    async with asyncio.timeout(LIMIT_S):
        while [seat.epoch for seat in (await ann.table(table_id)).seats] == epochs:
            pass  # until the seats are free
    async with worker(service) as again:
        await again.until((table_id, 0), (table_id, 1))
        await play(again, table_id)


async def test_seat_given_back_goes_to_another_worker(service: Replica, ann: Caller) -> None:
    async with worker(service, worker_id="one") as one:
        table_id = await bot_table(ann, "random", "random")
        await one.until((table_id, 0), (table_id, 1))
        async with worker(service, worker_id="two") as two:
            await one.release(table_id, 0)
            while (table_id, 0) not in two.seats:
                await two.hear()
            while (table_id, 0) in one.seats:
                await one.hear()


async def test_worker_is_known_to_live_before_it_has_its_first_seat(
    service: Replica, ann: Caller, redis_url: str
) -> None:
    """Else another replica, which looks right then, would take it for dead."""
    async with worker(service) as one:
        table_id = await bot_table(ann, "random", "random")
        await one.until((table_id, 0), (table_id, 1))
        async with redis_at(redis_url) as redis:
            living = await redis.zrange(WORKERS, 0, -1)
    assert len(living) == 1


@pytest.mark.slow
async def test_seats_of_a_worker_whose_replica_was_killed_go_to_another(
    redis_url: str, tmp_path: Path, service: Replica, ann: Caller
) -> None:
    async with (
        process(redis_url, tmp_path / "killed") as program,
        connected(await address_of(program)) as channel,
        worker(Replica(channel), worker_id="one") as one,
    ):
        table_id = await bot_table(ann, "random", "random")
        await one.until((table_id, 0), (table_id, 1))
        os.kill(program.pid, signal.SIGKILL)
        with pytest.raises(KozyrError):
            await one.hear_all(asyncio.Event())
    async with worker(service, worker_id="two") as two:
        async with redis_at(redis_url) as redis:
            for each in await redis.zrange(WORKERS, 0, -1):
                if each.endswith("/one"):
                    await redis.zadd(WORKERS, {each: 1})  # its time has passed
        await two.until((table_id, 0), (table_id, 1))


async def test_clock_plays_for_bots_that_nobody_serves(ann: Caller) -> None:
    table_id = await bot_table(ann, "random", "random", clock=per_move(100))
    async with stream(ann) as session:
        view = await session.attach(table_id)
        await session.until(lambda: view.archived)
    assert set(causes(await ann.record(table_id))) == {Cause.TIMEOUT}


async def test_only_its_worker_may_attach_a_bots_seat(service: Replica, ann: Caller) -> None:
    async with worker(service) as one:
        table_id = await bot_table(ann, "random", "random")
        await one.until((table_id, 0), (table_id, 1))
        for stranger in (ann, Caller(service, "other", roles=[BOTS_ROLE])):
            async with stream(stranger) as session:
                await refused("NOT_YOUR_SEAT", session.attach(table_id, 0))
