"""The worker against a service on a real socket, and a player whose brain does its worst."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr
from structlog.testing import capture_logs

from kozyr import Brain, Decision, Match, Observation, wire
from kozyr.client import Client, ConnectionLost
from kozyr.errors import Code, Refused
from kozyr.settings import InvalidSettings
from kozyr.tokens import BOTS_ROLE, Identity, mint, verify
from kozyr.v1 import bots_pb2, lobby_pb2, session_pb2, table_pb2
from kozyr_bots.main import token_of
from kozyr_bots.player import Player
from kozyr_bots.settings import BotsSettings
from kozyr_bots.worker import Worker
from tests.scripted_service import ScriptedService, ScriptedTable, Stream

KEY = "k" * 32


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"unix:{tmp_path}/service"


@pytest.fixture
async def service(address: str) -> AsyncIterator[ScriptedService]:
    async with serving(address) as service:
        yield service


@asynccontextmanager
async def serving(address: str) -> AsyncIterator[ScriptedService]:
    """A service that knows the rules of Odessa."""
    actions = wire.encode_actions(a_match().setup.actions)
    async with ScriptedService.at(address) as service:
        service.answers["ConfigureVariant"] = (
            lobby_pb2.ConfigureVariantRequest,
            lambda request: lobby_pb2.ConfigureVariantResponse(
                rules_version=1, options_json=request.options_json, actions=actions
            ),
        )
        yield service


@pytest.fixture
async def working(address: str) -> AsyncIterator[asyncio.Task[None]]:
    """A worker that runs; its task."""
    async with Client.connect(address) as client:
        worker = Worker(client, brains=("greedy", "random"), capacity=40)
        work = asyncio.create_task(worker.run(ready=lambda: None))
        yield work
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)


def a_match(seed: int = 7) -> Match:
    return Match("odessa", seats=3, seed=seed, options={"max_hand": 3})


def assigned(table_id: str, seats: Sequence[int]) -> bots_pb2.ServeResponse:
    """The assignment of seats."""
    return bots_pb2.ServeResponse(
        assignments=[
            bots_pb2.Assignment(
                seat=bots_pb2.SeatRef(table_id=table_id, seat=seat),
                brain="greedy",
                variant="odessa",
                rules_version=1,
                options_json="{}",
                seed=seat,
            )
            for seat in seats
        ]
    )


async def at_work(service: ScriptedService) -> tuple[Stream, Stream]:
    """The session and the seating of a worker that has just connected."""
    session = await service.sessions.get()
    frame = await session.frames.get()
    pong = session_pb2.Pong(nonce=frame.ping.nonce)
    await session.say(session_pb2.PlayResponse(pongs=[pong]))
    seating = await service.seatings.get()
    return session, seating


async def attached(session: Stream, *, seats: int) -> session_pb2.Attach:
    """The next attach of so many seats."""
    while True:
        frame: session_pb2.PlayRequest = await session.frames.get()
        for attach in frame.attaches:
            if len(attach.seats) == seats:
                return attach


@pytest.mark.usefixtures("working")
async def test_worker_offers_its_brains_and_plays_the_seats_it_gets(
    service: ScriptedService,
) -> None:
    session, seating = await at_work(service)
    offer = (await seating.frames.get()).offer
    assert (list(offer.brains), offer.capacity) == (["greedy", "random"], 40)
    assert offer.worker_id
    await seating.say(assigned("t1", range(3)))
    await attached(session, seats=3)
    table = ScriptedTable(a_match())
    await session.say(session_pb2.PlayResponse(updates=[table.full()]))
    while not table.match.over:
        [act] = (await session.frames.get()).acts
        assert act.action in table.match.pending[act.seat].legal
        news = table.play(act.seat, act.action)
        news.archived = table.match.over
        await session.say(session_pb2.PlayResponse(updates=[news]))
    released = (await seating.frames.get()).released
    assert [seat.seat for seat in released] == [0, 1, 2]


@pytest.mark.usefixtures("working")
async def test_all_decisions_of_a_frame_are_answered_in_one_frame(service: ScriptedService) -> None:
    session, seating = await at_work(service)
    tables = [ScriptedTable(a_match(number), f"t{number}") for number in range(20)]
    for table in tables:
        await seating.say(assigned(table.table_id, range(3)))
        await attached(session, seats=3)
    await session.say(session_pb2.PlayResponse(updates=[table.full() for table in tables]))
    assert len((await session.frames.get()).acts) == 20


@pytest.mark.usefixtures("working")
async def test_lost_worker_comes_back_and_goes_on_from_its_place(service: ScriptedService) -> None:
    session, seating = await at_work(service)
    worker_id = (await seating.frames.get()).offer.worker_id
    await seating.say(assigned("t1", range(3)))
    await attached(session, seats=3)
    table = ScriptedTable(a_match())
    await session.say(session_pb2.PlayResponse(updates=[table.full()]))
    [lost] = (await session.frames.get()).acts
    session.end()

    session, seating = await at_work(service)
    assert (await seating.frames.get()).offer.worker_id == worker_id
    attach = await attached(session, seats=3)
    assert attach.log.version == table.match.version
    news = ScriptedTable(table.match).full()
    del news.events[:]
    news.full = False
    news.ClearField("match")
    await session.say(session_pb2.PlayResponse(updates=[news]))
    [again] = (await session.frames.get()).acts
    assert again == lost  # with the same request id, so that it cannot count twice
    await seating.say(assigned("t1", range(3)))  # the seats are still its own: nothing to do
    await session.say(session_pb2.PlayResponse(updates=[table.play(again.seat, again.action)]))
    assert (await session.frames.get()).acts


@pytest.mark.usefixtures("working")
async def test_seat_that_went_to_another_worker_meanwhile_is_left(service: ScriptedService) -> None:
    session, seating = await at_work(service)
    await seating.say(assigned("t1", range(3)))
    await attached(session, seats=3)
    session.end()
    session, seating = await at_work(service)
    await attached(session, seats=3)
    await seating.say(assigned("t1", [2]))
    await seating.say(assigned("t2", [0]))  # when this is attached, that was taken
    await attached(session, seats=1)
    refusal = wire.encode_refusal(
        Refused("seat 0 is not yours", reason="NOT_YOUR_SEAT", code=Code.PERMISSION_DENIED)
    )
    refused = session_pb2.AttachRefused(table_id="t1", refusal=refusal)
    await session.say(session_pb2.PlayResponse(refused_attaches=[refused]))
    assert list((await attached(session, seats=1)).seats) == [2]


@pytest.mark.usefixtures("working")
async def test_withdrawn_seats_are_left_and_the_others_played_on(service: ScriptedService) -> None:
    session, seating = await at_work(service)
    await seating.say(assigned("t1", [0, 1]))
    await attached(session, seats=2)
    for seat in range(2):
        where = bots_pb2.SeatRef(table_id="t1", seat=seat)
        await seating.say(bots_pb2.ServeResponse(withdrawn=[where]))
    assert list((await attached(session, seats=1)).seats) == [1]
    frame = await session.frames.get()
    assert [detach.table_id for detach in frame.detaches] == ["t1"]


@pytest.mark.usefixtures("working")
async def test_move_that_the_service_could_not_take_just_then_is_sent_again(
    service: ScriptedService,
) -> None:
    session, seating = await at_work(service)
    await seating.say(assigned("t1", range(3)))
    await attached(session, seats=3)
    await session.say(session_pb2.PlayResponse(updates=[ScriptedTable(a_match()).full()]))
    [act] = (await session.frames.get()).acts
    refusal = wire.encode_refusal(
        Refused("no store", reason="STORE_UNAVAILABLE", code=Code.UNAVAILABLE, retryable=True)
    )
    result = session_pb2.ActResult(table_id="t1", request_id=act.request_id, refusal=refusal)
    await session.say(session_pb2.PlayResponse(results=[result]))
    assert (await session.frames.get()).acts[0] == act


@pytest.mark.usefixtures("working")
async def test_closed_table_is_given_back(service: ScriptedService) -> None:
    session, seating = await at_work(service)
    await seating.frames.get()
    await seating.say(assigned("t1", [1]))
    await attached(session, seats=1)
    closed = table_pb2.Table(table_id="t1", status=table_pb2.TABLE_STATUS_CLOSED)
    update = session_pb2.TableUpdate(table_id="t1", full=True, table=closed)
    await session.say(session_pb2.PlayResponse(updates=[update]))
    assert [seat.seat for seat in (await seating.frames.get()).released] == [1]


@pytest.mark.usefixtures("working")
async def test_seat_that_the_worker_cannot_play_is_given_back(service: ScriptedService) -> None:
    _, seating = await at_work(service)
    await seating.frames.get()
    response = assigned("t1", [1])
    response.assignments[0].brain = "greedy:1s"
    await seating.say(response)
    assert [seat.seat for seat in (await seating.frames.get()).released] == [1]


async def test_cancelled_worker_leaves_its_session_and_its_seats(
    service: ScriptedService, working: asyncio.Task[None]
) -> None:
    session, seating = await at_work(service)
    await seating.say(assigned("t1", range(3)))
    await attached(session, seats=3)
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    await session.left.wait()
    await seating.left.wait()


@pytest.mark.usefixtures("working")
async def test_worker_waits_for_a_service_that_is_not_there_yet(address: str) -> None:
    async with Client.connect(address) as other:
        with pytest.raises(ConnectionLost):
            await other.get_table("t1")
    async with serving(address) as service:
        await at_work(service)


async def test_worker_that_is_not_wanted_ends_with_the_refusal(
    service: ScriptedService, working: asyncio.Task[None]
) -> None:
    session = await service.sessions.get()
    session.end(Refused("no token", reason="UNKNOWN_HERE", code=Code.UNAUTHENTICATED))
    with pytest.raises(Refused, match="no token"):
        await working


# A player whatever its brain does


class Raising(Brain):
    def decide(self, observation: Observation, decision: Decision) -> int:
        raise ZeroDivisionError


class Cheating(Brain):
    def decide(self, observation: Observation, decision: Decision) -> int:
        return decision.legal[-1] + 1


class Fickle(Brain):
    def decide(self, observation: Observation, decision: Decision) -> int:
        return self.rng.choice(decision.legal)


@pytest.mark.parametrize(
    ("brain", "event"), [(Raising(), "brain_failed"), (Cheating(), "brain_illegal")]
)
def test_default_is_played_for_a_brain_that_fails_or_cheats_and_it_is_named(
    brain: Brain, event: str
) -> None:
    match = a_match()
    seat, decision = next(iter(match.pending.items()))
    player = Player(assigned("t1", [seat]).assignments[0], brain)
    with capture_logs() as logs:
        action = player.answer(match.observe(seat), decision, lambda: match.setup)
    assert action == decision.default
    assert [(log["event"], log["brain"], log["table"]) for log in logs] == [(event, "greedy", "t1")]


def test_decision_that_comes_again_gets_the_same_answer() -> None:
    match = a_match()
    seat, decision = next(iter(match.pending.items()))
    player = Player(assigned("t1", [seat]).assignments[0], Fickle())
    wide = Decision(decision.id, seat, tuple(range(1000)), 0)
    answers = {player.answer(match.observe(seat), wide, lambda: match.setup) for _ in range(9)}
    assert answers == {random.Random(int(seat)).choice(range(1000))}


# Settings


def test_worker_signs_its_own_token_with_the_key() -> None:
    identity = verify(KEY, token_of(BotsSettings(token_key=SecretStr(KEY))))
    assert identity.roles == {BOTS_ROLE}


def test_token_that_is_given_is_used_as_it_is() -> None:
    token = mint(KEY, Identity("worker 7"))
    assert token_of(BotsSettings(token=SecretStr(token), token_key=SecretStr(KEY))) == token


def test_worker_without_token_and_key_is_refused() -> None:
    with pytest.raises(InvalidSettings, match="token"):
        token_of(BotsSettings())


def test_brain_that_is_not_installed_is_refused_with_those_that_are() -> None:
    with pytest.raises(InvalidSettings, match="greedy, random"):
        BotsSettings(brains=("greedy", "wise"))
