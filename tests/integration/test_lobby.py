"""The lobby: tables made, found, joined and left, and requests that come again."""

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from kozyr.errors import KozyrError
from kozyr.shuffle import commitment_of
from kozyr.tokens import Identity, mint, verify
from kozyr.v1 import accounts_pb2, lobby_pb2, table_pb2
from kozyr.verify import verify_record
from tests.integration.service import (
    LIMIT_S,
    SMALL,
    TOKEN_KEY,
    UNTIMED,
    Caller,
    Replica,
    everything,
    per_move,
    refused,
    replica,
    seated,
)
from tests.integration.stream import Duel, duel, stream

pytestmark = pytest.mark.asyncio(loop_scope="module")

GATHERING = table_pb2.TABLE_STATUS_GATHERING
PLAYING = table_pb2.TABLE_STATUS_PLAYING


def names_of(table: table_pb2.Table) -> list[str]:
    return [seat.display_name for seat in table.seats]


def accounts_of(table: table_pb2.Table) -> list[str]:
    return [seat.account_id for seat in table.seats]


# making


async def test_new_table_is_what_was_asked_for(ann: Caller) -> None:
    table = await ann.create(
        options={"max_hand": 3},
        seats=3,
        plan=[
            lobby_pb2.SeatPlan(seat=1, me=True, display_name="The Host"),
            lobby_pb2.SeatPlan(seat=2, brain="greedy"),
        ],
        clock=per_move(5_000),
        title="Friday night",
    )
    assert (table.variant, table.status, table.title) == ("odessa", GATHERING, "Friday night")
    assert table.host_account_id == ann.account
    assert table.clock == per_move(5_000)
    assert json.loads(table.options_json)["max_hand"] == 3
    assert len(table.commitment) == 32
    assert [seat.controller for seat in table.seats] == [
        table_pb2.CONTROLLER_UNSPECIFIED,
        table_pb2.CONTROLLER_ACCOUNT,
        table_pb2.CONTROLLER_BOT,
    ]
    assert accounts_of(table) == ["", ann.account, ""]
    assert table.seats[1].display_name == "The Host"
    assert (table.seats[2].brain, table.seats[2].ready) == ("greedy", True)
    assert await ann.table(table.table_id) == table


async def test_options_not_given_take_their_defaults_and_all_are_told(ann: Caller) -> None:
    table = await ann.create(options="")
    configured = await ann.configure(variant="odessa")
    assert json.loads(table.options_json) == json.loads(configured.options_json)
    assert table.rules_version == configured.rules_version
    assert list(configured.seat_counts) == [2, 3, 4, 5, 6]


async def test_every_variant_is_listed_with_the_schema_of_its_options(ann: Caller) -> None:
    request = lobby_pb2.ListVariantsRequest()
    answer = await ann.at.lobby.ListVariants(request, metadata=ann.metadata)
    odessa = next(each for each in answer.variants if each.variant == "odessa")
    assert odessa.title
    assert "max_hand" in odessa.options_schema["properties"]  # type: ignore[operator]


async def test_guest_gets_an_account_and_a_token_that_names_it(service: Replica) -> None:
    request = accounts_pb2.CreateGuestRequest(display_name=" Eva ")
    guests = [await service.accounts.CreateGuest(request, timeout=LIMIT_S) for _ in range(2)]
    assert guests[0].account_id != guests[1].account_id
    identity = verify(TOKEN_KEY, guests[0].token)
    assert (identity.account, identity.name) == (guests[0].account_id, "Eva")
    assert not identity.roles
    eva = Caller(service, identity.account, token=guests[0].token)
    table = await eva.create(plan=[lobby_pb2.SeatPlan(seat=0, me=True)])
    assert names_of(table) == ["Eva", ""]


# finding


async def test_list_comes_in_pages_that_hold_each_table_once(service: Replica) -> None:
    host = Caller(service, "host", tenant="pages")
    made = {(await host.create(request_id=f"table-{number}")).table_id for number in range(6)}
    found: list[str] = []
    token = ""
    for size in (2, 2, 2):
        page = await host.tables(page_size=size, page_token=token)
        found += [table.table_id for table in page.tables]
        token = page.next_page_token
    assert not token  # empty on the last page, full as it is
    assert found == sorted(made)


async def test_list_can_be_asked_for_status_variant_and_free_seats(service: Replica) -> None:
    host, guest = (Caller(service, name, tenant="filters") for name in ("host", "guest"))
    open_table = (await host.create(request_id="open", seats=4)).table_id
    half = await host.create(
        request_id="half", plan=[lobby_pb2.SeatPlan(seat=0, me=True)], clock=UNTIMED
    )
    playing = await seated([host, guest], request_id="playing", clock=UNTIMED)

    async def found(**filters: object) -> set[str]:
        return {table.table_id for table in (await host.tables(**filters)).tables}

    assert await found() == {open_table, half.table_id, playing}
    assert await found(variant="odessa") == {open_table, half.table_id, playing}
    assert await found(variant="whist") == set()
    assert await found(status=PLAYING) == {playing}
    assert await found(status=GATHERING) == {open_table, half.table_id}
    await refused("INVALID_REQUEST", found(status=table_pb2.TABLE_STATUS_CLOSED))
    assert await found(free_seats=1) == {open_table, half.table_id}
    assert await found(free_seats=2) == {open_table}
    assert await found(free_seats=5) == set()


async def test_unlisted_table_is_not_in_the_list_but_can_be_joined(
    service: Replica,
) -> None:
    host, guest = (Caller(service, name, tenant="unlisted") for name in ("host", "guest"))
    table = await host.create(visibility=table_pb2.VISIBILITY_UNLISTED)
    assert not (await host.tables()).tables
    assert (await guest.join(table.table_id)).seat == 0


async def test_list_of_another_replica_follows(service: Replica, second: Replica) -> None:
    host = Caller(service, "host", tenant="elsewhere")
    there = host.elsewhere(second)
    table = await host.create(plan=[lobby_pb2.SeatPlan(seat=0, me=True)])
    async with asyncio.timeout(LIMIT_S):
        while not (await there.tables(free_seats=1)).tables:
            pass
    await host.leave(table.table_id)
    async with asyncio.timeout(LIMIT_S):
        while not (await there.tables(free_seats=2)).tables:
            pass


# sitting down


async def test_first_free_seat_is_given_to_who_names_none(
    ann: Caller, bob: Caller, four: list[Caller]
) -> None:
    table = await ann.create(seats=3, plan=[lobby_pb2.SeatPlan(seat=1, me=True)])
    assert (await bob.join(table.table_id)).seat == 0
    joined = await four[2].join(table.table_id, display_name="Third")
    assert joined.seat == 2
    assert joined.table.seats[2].display_name == "Third"


@pytest.mark.parametrize("name", ["x" * 5_000, "a\x1b[2Jb\u202e\n", ""])
async def test_name_that_a_token_brings_is_kept_within_bounds(service: Replica, name: str) -> None:
    token = mint(TOKEN_KEY, Identity("eva", tenant="names", name=name))
    eva = Caller(service, "eva", token=token)
    table = await eva.create(
        request_id=secrets.token_hex(4), plan=[lobby_pb2.SeatPlan(seat=0, me=True)]
    )
    bob = Caller(service, "bob", token=mint(TOKEN_KEY, Identity("bob", tenant="names", name=name)))
    joined = await bob.join(table.table_id)
    for shown in names_of(joined.table):
        assert 0 < len(shown) <= 40
        assert shown.isprintable()


async def test_seat_that_was_left_is_free_again_under_another_epoch(
    ann: Caller, bob: Caller
) -> None:
    table = await ann.create(plan=[lobby_pb2.SeatPlan(seat=0, me=True)])
    left = await ann.leave(table.table_id)
    assert accounts_of(left) == ["", ""]
    joined = await bob.join(table.table_id, seat=0)
    assert accounts_of(joined.table) == [bob.account, ""]
    assert joined.table.seats[0].epoch > table.seats[0].epoch


async def test_match_starts_when_every_seat_is_taken_and_ready_and_not_before(
    ann: Caller, bob: Caller
) -> None:
    table_id = (await ann.create(clock=UNTIMED)).table_id
    await ann.join(table_id)
    assert (await ann.ready(table_id)).status == GATHERING
    await bob.join(table_id)
    assert (await ann.ready(table_id, ready=False, request_id="wait")).status == GATHERING
    assert (await bob.ready(table_id)).status == GATHERING
    started = await ann.ready(table_id, request_id="now")
    assert started.status == PLAYING
    assert [seat.ready for seat in started.seats] == [True, True]


async def test_what_players_add_to_the_shuffles_and_their_names_are_in_the_record(
    ann: Caller, bob: Caller
) -> None:
    table = await ann.create(clock=UNTIMED)
    await ann.join(table.table_id, nonce=b"ann's", display_name="Анна")
    await bob.join(table.table_id, nonce=bytes(32))
    for player in (ann, bob):
        await player.ready(table.table_id)
    async with stream(ann) as one, stream(bob) as two:
        pair = Duel(table.table_id, (one, two))
        for seat, session in enumerate(pair.streams):
            await session.attach(table.table_id, seat)
        await pair.reach(1)
        await pair.finish()
    record = await ann.record(table.table_id)
    verify_record(record)
    assert record.header.nonces == (b"ann's", bytes(32))
    assert record.header.players == ("Анна", bob.account.title())
    assert commitment_of(record.seed) == table.commitment


async def test_of_many_who_join_at_once_at_two_replicas_each_seat_gets_one(
    service: Replica, second: Replica
) -> None:
    host = Caller(service, "host", tenant="crowd")
    table = await host.create(seats=6)
    crowd = [
        Caller((service, second)[number % 2], f"guest-{number}", tenant="crowd")
        for number in range(12)
    ]
    answers = await asyncio.gather(
        *(guest.join(table.table_id) for guest in crowd), return_exceptions=True
    )
    joined = [answer for answer in answers if isinstance(answer, table_pb2.JoinTableResponse)]
    refusals = [answer for answer in answers if isinstance(answer, KozyrError)]
    assert sorted(answer.seat for answer in joined) == [*range(6)]
    assert {refusal.reason for refusal in refusals} == {"TABLE_FULL"}
    assert len(refusals) == 6
    seats = accounts_of(await host.table(table.table_id))
    for guest, answer in zip(crowd, answers, strict=True):
        if isinstance(answer, table_pb2.JoinTableResponse):
            assert seats[answer.seat] == guest.account


async def test_of_two_who_want_the_same_seat_at_once_one_gets_it(
    ann: Caller, bob: Caller, second: Replica
) -> None:
    table = await ann.create()
    answers = await asyncio.gather(
        ann.join(table.table_id, seat=1),
        bob.elsewhere(second).join(table.table_id, seat=1),
        return_exceptions=True,
    )
    reasons = [getattr(answer, "reason", "joined") for answer in answers]
    assert sorted(reasons) == ["SEAT_TAKEN", "joined"]


# requests that come again


async def made(ann: Caller) -> str:
    return (await ann.create(plan=[lobby_pb2.SeatPlan(seat=1, me=True)])).table_id


AGAIN: dict[str, Callable[[Caller, str], Awaitable[object]]] = {
    "create": lambda caller, _: caller.create(plan=[lobby_pb2.SeatPlan(seat=1, me=True)]),
    "ready": lambda caller, table_id: caller.ready(table_id),
    "not ready": lambda caller, table_id: caller.ready(table_id, ready=False),
    "leave": lambda caller, table_id: caller.leave(table_id),
}


@pytest.mark.parametrize("call", AGAIN.values(), ids=list(AGAIN))
@pytest.mark.parametrize("replica_of_repetition", ["same", "other", "other that lags"])
async def test_repeated_call_gets_the_first_answer_and_changes_nothing(
    ann: Caller,
    second: Replica,
    call: Callable[[Caller, str], Awaitable[object]],
    replica_of_repetition: str,
) -> None:
    table_id = await made(ann)
    there = ann if replica_of_repetition == "same" else ann.elsewhere(second)
    if replica_of_repetition == "other that lags":
        await there.table(table_id)  # so that it remembers the table as it was
    first = await call(ann, table_id)
    before = await everything(ann.at.redis_url)
    for _ in range(2):
        assert await call(there, table_id) == first
    assert await everything(ann.at.redis_url) == before


@pytest.mark.parametrize("lagging", [False, True])
async def test_repeated_join_gets_the_first_seat_and_changes_nothing(
    ann: Caller, bob: Caller, second: Replica, *, lagging: bool
) -> None:
    table_id = await made(ann)
    if lagging:
        await bob.elsewhere(second).table(table_id)
    first = await bob.join(table_id)
    before = await everything(ann.at.redis_url)
    for at in (second, ann.at):
        assert await bob.elsewhere(at).join(table_id) == first
        assert await bob.elsewhere(at).join(table_id, seat=1, display_name="Other") == first
    assert await everything(ann.at.redis_url) == before


async def test_join_repeated_after_leaving_does_not_sit_down_again(
    ann: Caller, bob: Caller
) -> None:
    table_id = await made(ann)
    assert (await bob.join(table_id)).seat == 0
    await bob.leave(table_id)
    assert (await bob.join(table_id)).seat == 0
    assert accounts_of(await bob.table(table_id)) == ["", ann.account]


async def test_call_repeated_after_the_match_has_begun_gets_its_first_answer(
    ann: Caller, bob: Caller, second: Replica
) -> None:
    async with duel(ann, bob) as pair:
        for at in (ann.at, second):
            assert (await bob.elsewhere(at).join(pair.table_id)).seat == 1
            assert (await ann.elsewhere(at).ready(pair.table_id)).status == PLAYING
            again = await ann.elsewhere(at).create(options=SMALL, clock=UNTIMED)
            assert (again.table_id, again.status) == (pair.table_id, PLAYING)


async def test_same_request_id_of_another_account_or_kind_is_another_request(
    ann: Caller, bob: Caller
) -> None:
    one = await ann.create(request_id="x")
    two = await bob.create(request_id="x")
    assert one.table_id != two.table_id
    await ann.join(one.table_id, request_id="x")
    await bob.join(one.table_id, request_id="x")
    assert (await ann.ready(one.table_id, request_id="x")).seats[0].ready
    assert accounts_of(await ann.leave(one.table_id, request_id="x")) == ["", bob.account]


async def test_table_asked_for_at_two_replicas_at_once_is_one_table(
    ann: Caller, second: Replica
) -> None:
    answers = await asyncio.gather(ann.create(), ann.elsewhere(second).create())
    assert answers[0] == answers[1]


async def test_create_repeated_after_the_match_does_not_begin_another(
    ann: Caller, bob: Caller, second: Replica
) -> None:
    async with duel(ann, bob) as pair:
        await pair.finish()
    record = await ann.record(pair.table_id)
    for at in (ann.at, second):
        await refused("UNKNOWN_TABLE", ann.elsewhere(at).create(clock=UNTIMED))
        await refused("UNKNOWN_TABLE", ann.elsewhere(at).table(pair.table_id))
    assert await ann.record(pair.table_id) == record


# tables that do not start


async def test_table_that_has_not_started_in_time_closes_and_says_so(
    redis_url: str, tmp_path: Path
) -> None:
    async with (
        replica(redis_url, tmp_path / "one", gathering_limit_ms=300) as service,
        replica(redis_url, tmp_path / "two", gathering_limit_ms=300) as other,
    ):
        ann = Caller(service, "ann")
        there = Caller(other, "eva")
        table = await ann.create(plan=[lobby_pb2.SeatPlan(seat=0, me=True)])
        async with stream(ann) as near, stream(there) as far:
            views = [await near.attach(table.table_id, 0), await far.attach(table.table_id)]
            for session, view in zip((near, far), views, strict=True):
                await session.until_status(table.table_id, table_pb2.TABLE_STATUS_CLOSED)
                assert not view.archived
            for caller in (ann, there):
                await refused("UNKNOWN_TABLE", caller.table(table.table_id))
                assert not (await caller.tables()).tables
            await refused("NOT_ATTACHED", near.act(table.table_id, 0, decision_id=1, action=0))


async def test_table_that_has_started_does_not_close(redis_url: str, tmp_path: Path) -> None:
    async with replica(redis_url, tmp_path, gathering_limit_ms=200) as service:
        ann, bob = Caller(service, "ann"), Caller(service, "bob")
        async with duel(ann, bob) as pair, stream(ann) as session:
            witness = await ann.create(request_id="made-later")
            await session.attach(witness.table_id)
            await session.until_status(witness.table_id, table_pb2.TABLE_STATUS_CLOSED)
            await pair.finish()
