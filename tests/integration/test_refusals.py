"""Bad input: each a refusal with a stable reason, and nothing changed."""

from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest

from kozyr import wire
from kozyr.errors import InvalidOptions, InvalidSeatCount, UnknownVariant
from kozyr.tokens import Identity, mint
from kozyr.v1 import accounts_pb2, lobby_pb2, table_pb2
from kozyr_table.keys import new_table_id
from tests.integration.service import (
    LIMIT_S,
    TOKEN_KEY,
    Caller,
    Metadata,
    Replica,
    per_move,
    refused,
    unchanged,
)
from tests.integration.stream import duel, stream

NO_TABLE = new_table_id("any secret", "main", "nobody", "never")
TOO_LONG = "x" * 81

BAD_REQUEST_IDS = ["", "x" * 65, "two words", "näh", "a/b", "tab\t", "a\nb"]


pytestmark = pytest.mark.asyncio(loop_scope="module")


def plan(seat: int, **player: Any) -> lobby_pb2.SeatPlan:
    return lobby_pb2.SeatPlan(seat=seat, **player)


# tokens

BAD_TOKENS = {
    "none": ((), "UNAUTHENTICATED"),
    "another scheme": ((("authorization", "Basic YW5uOmFubg=="),), "UNAUTHENTICATED"),
    "nonsense": ((("authorization", "Bearer nonsense"),), "INVALID_TOKEN"),
    "forged": (
        (("authorization", f"Bearer {mint('k' * 32, Identity('ann'))}"),),
        "INVALID_TOKEN",
    ),
    "expired": (
        (("authorization", f"Bearer {mint(TOKEN_KEY, Identity('ann'), ttl_s=-1)}"),),
        "INVALID_TOKEN",
    ),
}


@pytest.fixture(params=BAD_TOKENS.values(), ids=list(BAD_TOKENS))
def bad_token(request: pytest.FixtureRequest) -> tuple[Metadata, str]:
    case: tuple[Metadata, str] = request.param
    return case


class Stranger(Caller):
    """Somebody whose metadata are what they are."""

    def __init__(self, at: Replica, metadata: Metadata) -> None:
        super().__init__(at, "stranger", token="")
        self._metadata = metadata

    @property
    def metadata(self) -> Metadata:
        return self._metadata


async def test_call_without_a_valid_token_is_refused(
    ann: Caller, bad_token: tuple[Metadata, str]
) -> None:
    table = await ann.create()
    metadata, reason = bad_token
    stranger = Stranger(ann.at, metadata)
    async with unchanged(ann.at):
        for call in (
            stranger.create(),
            stranger.tables(),
            stranger.configure(variant="odessa"),
            stranger.table(table.table_id),
            stranger.join(table.table_id),
            stranger.ready(table.table_id),
            stranger.leave(table.table_id),
            stranger.record(table.table_id),
        ):
            error = await refused(reason, call)
            assert error.code == grpc.StatusCode.UNAUTHENTICATED.value[0]


async def test_session_without_a_valid_token_is_refused(
    service: Replica, bad_token: tuple[Metadata, str]
) -> None:
    metadata, reason = bad_token
    async with stream(Stranger(service, metadata)) as session:
        error = await session.until_end()
    assert error is not None
    assert error.reason == reason


async def test_worker_without_a_valid_token_is_refused(
    service: Replica, bad_token: tuple[Metadata, str]
) -> None:
    metadata, reason = bad_token
    call: Any = service.bots.Serve(metadata=metadata, timeout=LIMIT_S)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call.read()
    assert wire.decode_call_error(caught.value).reason == reason


# tables that cannot be

BAD_TABLES: dict[str, tuple[dict[str, Any], str]] = {
    "unknown variant": ({"variant": "whist"}, "UNKNOWN_VARIANT"),
    "no variant": ({"variant": ""}, "UNKNOWN_VARIANT"),
    "unknown option": ({"options": {"max_hnd": 2}}, "INVALID_OPTIONS"),
    "option out of range": ({"options": {"max_hand": 13}}, "INVALID_OPTIONS"),
    "option of another type": ({"options": {"max_hand": "three"}}, "INVALID_OPTIONS"),
    "options that do not go together": (
        {"options": {"max_hand": 12}, "seats": 6},
        "INVALID_SEAT_COUNT",
    ),
    "options no JSON": ({"options": "{"}, "INVALID_REQUEST"),
    "options no object": ({"options": "[1]"}, "INVALID_REQUEST"),
    "option with too many digits": (
        {"options": '{"max_hand": ' + 5000 * "9" + "}"},
        "INVALID_REQUEST",
    ),
    "options nested too deeply": ({"options": 16_000 * "["}, "INVALID_REQUEST"),
    "options too long": ({"options": 16_385 * " "}, "INVALID_REQUEST"),
    "no seats": ({"seats": 0}, "INVALID_SEAT_COUNT"),
    "one seat": ({"seats": 1}, "INVALID_SEAT_COUNT"),
    "seven seats": ({"seats": 7}, "INVALID_SEAT_COUNT"),
    "as many seats as a number holds": ({"seats": 2**32 - 1}, "INVALID_SEAT_COUNT"),
    "unknown brain": ({"plan": [plan(1, brain="genius")]}, "UNKNOWN_BRAIN"),
    "budget that the brain does not take": (
        {"plan": [plan(1, brain="random:9s")]},
        "UNKNOWN_BRAIN",
    ),
    "planned seat that is not there": ({"plan": [plan(2, me=True)]}, "INVALID_REQUEST"),
    "seat planned twice": (
        {"plan": [plan(1, brain="random"), plan(1, me=True)]},
        "INVALID_REQUEST",
    ),
    "two seats for one": ({"plan": [plan(0, me=True), plan(1, me=True)]}, "INVALID_REQUEST"),
    "plan for nobody": ({"plan": [plan(0)]}, "INVALID_REQUEST"),
    "planned name too long": (
        {"plan": [plan(0, me=True, display_name=TOO_LONG)]},
        "INVALID_REQUEST",
    ),
    "title too long": ({"title": TOO_LONG}, "INVALID_REQUEST"),
    "title with control characters": ({"title": "a\x1b[2Jb"}, "INVALID_REQUEST"),
    "limit too short": ({"clock": per_move(99)}, "INVALID_REQUEST"),
    "limit too long": ({"clock": per_move(2**63)}, "INVALID_REQUEST"),
    "no bank": (
        {"clock": table_pb2.Clock(increment=table_pb2.Clock.Increment(increment_ms=5))},
        "INVALID_REQUEST",
    ),
    "delay too long": (
        {"clock": table_pb2.Clock(delay=table_pb2.Clock.Delay(bank_ms=100, delay_ms=2**40))},
        "INVALID_REQUEST",
    ),
}


@pytest.mark.parametrize(("what", "reason"), BAD_TABLES.values(), ids=list(BAD_TABLES))
async def test_table_that_cannot_be_is_not_made(
    ann: Caller, what: dict[str, Any], reason: str
) -> None:
    async with unchanged(ann.at):
        await refused(reason, ann.create(**what))


@pytest.mark.parametrize("request_id", BAD_REQUEST_IDS)
async def test_request_id_that_cannot_stand_in_a_log_is_refused_everywhere(
    ann: Caller, request_id: str
) -> None:
    async with duel(ann, Caller(ann.at, "bob")) as pair:
        table = await ann.create()
        async with unchanged(ann.at):
            for call in (
                ann.create(request_id=request_id),
                ann.join(table.table_id, request_id=request_id),
                ann.ready(table.table_id, request_id=request_id),
                ann.leave(table.table_id, request_id=request_id),
                pair.move(request_id=request_id),
            ):
                await refused("INVALID_REQUEST", call)


async def test_refusal_of_a_variant_says_which_there_are(ann: Caller) -> None:
    error = await refused("UNKNOWN_VARIANT", ann.create(variant="whist"))
    assert isinstance(error, UnknownVariant)
    assert "odessa" in error.known


async def test_refusal_of_options_names_each_and_says_what_is_allowed(ann: Caller) -> None:
    options = {"max_hand": 13, "deck": 40, "jokers": 2}
    error = await refused("INVALID_OPTIONS", ann.create(options=options))
    assert isinstance(error, InvalidOptions)
    text = "\n".join(sorted(error.problems))
    assert "max_hand" in text
    assert "12" in text
    assert "36" in text
    assert "52" in text
    assert "jokers" in text
    assert "joker_demand" in text  # one of those that there are


async def test_refusal_of_a_seat_count_says_which_are_allowed(ann: Caller) -> None:
    error = await refused("INVALID_SEAT_COUNT", ann.create(options={"max_hand": 12}, seats=4))
    assert isinstance(error, InvalidSeatCount)
    assert error.allowed == (2, 3)


async def test_rules_version_that_nobody_serves_is_refused(ann: Caller) -> None:
    await refused("UNSUPPORTED_RULES", ann.configure(variant="odessa", rules_version=99))


async def test_page_that_is_too_large_is_refused(ann: Caller) -> None:
    await refused("INVALID_REQUEST", ann.tables(page_size=201))


@pytest.mark.parametrize("name", ["", "  ", "x" * 41, "a\nb"])
async def test_guest_without_a_decent_name_is_refused(ann: Caller, name: str) -> None:
    request = accounts_pb2.CreateGuestRequest(display_name=name)
    await refused("INVALID_REQUEST", ann._call(ann.at.accounts.CreateGuest(request)))


# tables that are not there, or not for everybody

ON_A_TABLE: dict[str, Callable[[Caller, str], Awaitable[object]]] = {
    "get": lambda caller, table_id: caller.table(table_id),
    "join": lambda caller, table_id: caller.join(table_id),
    "ready": lambda caller, table_id: caller.ready(table_id),
    "leave": lambda caller, table_id: caller.leave(table_id),
}

NO_TABLES = {
    "never made": NO_TABLE,
    "empty": "",
    "too long": "0" * 1000,
    "with the characters of keys": "0{kz:00}:0000000"[:17],
    "not ascii": "0éééééééééééééééé",
    "in no shard": "z" + NO_TABLE[1:],
}


@pytest.mark.parametrize("call", ON_A_TABLE.values(), ids=list(ON_A_TABLE))
@pytest.mark.parametrize("table_id", NO_TABLES.values(), ids=list(NO_TABLES))
async def test_table_that_is_not_there_is_unknown(
    ann: Caller, table_id: str, call: Callable[[Caller, str], Awaitable[object]]
) -> None:
    async with unchanged(ann.at):
        await refused("UNKNOWN_TABLE", call(ann, table_id))


@pytest.mark.parametrize("table_id", NO_TABLES.values(), ids=list(NO_TABLES))
async def test_record_and_session_of_a_table_that_is_not_there_are_refused(
    ann: Caller, table_id: str
) -> None:
    await refused("UNKNOWN_RECORD", ann.record(table_id))
    async with stream(ann) as session:
        await refused("UNKNOWN_TABLE", session.attach(table_id))


@pytest.mark.parametrize("call", ON_A_TABLE.values(), ids=list(ON_A_TABLE))
async def test_table_of_another_tenant_is_unknown(
    ann: Caller, call: Callable[[Caller, str], Awaitable[object]]
) -> None:
    table = await ann.create(plan=[plan(0, me=True)])
    other = Caller(ann.at, ann.account, tenant="other")
    async with unchanged(ann.at):
        await refused("UNKNOWN_TABLE", call(other, table.table_id))
        async with stream(other) as session:
            await refused("UNKNOWN_TABLE", session.attach(table.table_id, 0))
    assert not (await other.tables()).tables


async def test_record_of_another_tenant_is_unknown(ann: Caller, bob: Caller) -> None:
    async with duel(ann, bob) as pair:
        await pair.finish()
    await refused(
        "UNKNOWN_RECORD", Caller(ann.at, ann.account, tenant="other").record(pair.table_id)
    )


# rooms


async def test_full_table_takes_nobody_more(ann: Caller, bob: Caller) -> None:
    table = await ann.create(plan=[plan(0, me=True), plan(1, brain="random")])
    async with unchanged(ann.at):
        await refused("TABLE_FULL", bob.join(table.table_id))


async def test_taken_seat_is_taken(ann: Caller, bob: Caller) -> None:
    table = await ann.create(plan=[plan(1, me=True)])
    async with unchanged(ann.at):
        error = await refused("SEAT_TAKEN", bob.join(table.table_id, seat=1))
    assert "free: 0" in str(error)


@pytest.mark.parametrize("seat", [2, 2**32 - 1])
async def test_seat_that_is_not_there_is_an_invalid_request(ann: Caller, seat: int) -> None:
    table = await ann.create()
    async with unchanged(ann.at):
        await refused("INVALID_REQUEST", ann.join(table.table_id, seat=seat))


async def test_nobody_sits_twice_at_a_table(ann: Caller) -> None:
    table = await ann.create(plan=[plan(1, me=True)])
    async with unchanged(ann.at):
        await refused("SEAT_TAKEN", ann.join(table.table_id, seat=0))


async def test_who_sits_nowhere_can_neither_be_ready_nor_leave(ann: Caller, bob: Caller) -> None:
    table = await ann.create(plan=[plan(0, me=True)])
    async with unchanged(ann.at):
        await refused("NOT_SEATED", bob.ready(table.table_id))
        await refused("NOT_SEATED", bob.leave(table.table_id))


@pytest.mark.parametrize(
    "more", [{"display_name": "x" * 41}, {"display_name": "a\x00b"}, {"nonce": b"x" * 33}]
)
async def test_name_or_nonce_out_of_bounds_is_refused(ann: Caller, more: dict[str, Any]) -> None:
    table = await ann.create()
    async with unchanged(ann.at):
        await refused("INVALID_REQUEST", ann.join(table.table_id, **more))


async def test_seats_are_fixed_once_the_match_is_on(ann: Caller, bob: Caller) -> None:
    async with duel(ann, bob) as pair, unchanged(ann.at):
        await refused("WRONG_STATUS", ann.leave(pair.table_id))
        await refused("WRONG_STATUS", ann.ready(pair.table_id, ready=False, request_id="no"))
        await refused("WRONG_STATUS", Caller(ann.at, "eva").join(pair.table_id))
