"""Unary calls, and how a client finds its service."""

import pytest

from kozyr import wire
from kozyr.client import (
    Client,
    ConnectionLost,
)
from kozyr.errors import Code, KozyrError, NotYourTurn, Refused
from kozyr.v1 import accounts_pb2, lobby_pb2, table_pb2
from tests.scripted_service import ScriptedService
from tests.unit.client.talk import THEIRS, a_match


async def test_client_without_a_token_goes_on_as_the_guest_it_made(
    service: ScriptedService, address: str
) -> None:
    service.answers["CreateGuest"] = (
        accounts_pb2.CreateGuestRequest,
        lambda request: accounts_pb2.CreateGuestResponse(
            account_id=f"guest {request.display_name}", token=THEIRS
        ),
    )
    service.answers["GetTable"] = (
        table_pb2.GetTableRequest,
        lambda request: table_pb2.GetTableResponse(
            table=table_pb2.Table(table_id=request.table_id)
        ),
    )
    async with Client.connect(address) as client:
        assert (await client.create_guest("Ann")).account_id == "guest Ann"
        assert (await client.get_table("t9")).table_id == "t9"
    (_, without), (_, with_token) = service.calls
    assert "authorization" not in without
    assert with_token["authorization"] == f"Bearer {THEIRS}"


async def test_plan_says_who_takes_which_seat(service: ScriptedService, client: Client) -> None:
    requests: list[lobby_pb2.CreateTableRequest] = []

    def create(request: lobby_pb2.CreateTableRequest) -> lobby_pb2.CreateTableResponse:
        requests.append(request)
        return lobby_pb2.CreateTableResponse(table=table_pb2.Table(table_id="t1"))

    service.answers["CreateTable"] = (lobby_pb2.CreateTableRequest, create)
    for request_id in ("", "", "mine"):
        await client.create_table(
            "odessa", seats=2, plan={0: "me", 1: "greedy"}, request_id=request_id
        )
    assert requests[0].plan[0].me
    assert requests[0].plan[1].brain == "greedy"
    assert requests[0].request_id != requests[1].request_id
    assert requests[2].request_id == "mine"


async def test_refused_call_raises_what_the_service_raised(
    service: ScriptedService, client: Client
) -> None:
    def refuse(error: KozyrError) -> None:
        def answer(_: table_pb2.GetTableRequest) -> table_pb2.GetTableResponse:
            raise error

        service.answers["GetTable"] = (table_pb2.GetTableRequest, answer)

    refuse(NotYourTurn(2, waiting=(0,)))
    with pytest.raises(NotYourTurn) as refused:
        await client.get_table("t1")
    assert (refused.value.seat, refused.value.waiting) == (2, (0,))

    refuse(Refused("come later", reason="SHUT", code=Code.UNAVAILABLE, retryable=True))
    with pytest.raises(Refused) as later:
        await client.get_table("t1")
    assert (later.value.reason, later.value.retryable) == ("SHUT", True)


async def test_configuration_of_known_rules_is_asked_for_once(
    service: ScriptedService, client: Client
) -> None:
    match = a_match()
    service.answers["ConfigureVariant"] = (
        lobby_pb2.ConfigureVariantRequest,
        lambda request: lobby_pb2.ConfigureVariantResponse(
            rules_version=1,
            options_json=request.options_json,
            seat_counts=[2, 3],
            actions=wire.encode_actions(match.setup.actions),
        ),
    )
    for _ in range(3):
        configuration = await client.configure("odessa", {"max_hand": 3}, rules_version=1)
    assert len(service.calls) == 1
    assert configuration.seat_counts == (2, 3)
    setup = configuration.setup([0, 1, 2])
    assert setup.seats == 3
    assert setup.options == {"max_hand": 3}
    assert setup.actions.moves == match.setup.actions.moves
    await client.configure("odessa", {"max_hand": 3})
    await client.configure("odessa", {"max_hand": 3})  # what is newest may change
    assert len(service.calls) == 3


async def test_nobody_there_is_connection_lost(client: Client) -> None:
    with pytest.raises(ConnectionLost):
        await client.get_table("t1")
    async with client.session() as session:
        with pytest.raises(ConnectionLost):
            await session.ended()


async def test_client_connects_to_a_port_too() -> None:
    async with (
        ScriptedService.at("127.0.0.1:0") as service,
        Client.connect(f"127.0.0.1:{service.port}") as client,
        client.session(),
    ):
        await service.sessions.get()
