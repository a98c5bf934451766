"""A session against a service on a real socket that says what the test wants."""

import asyncio

import pytest

from kozyr import wire
from kozyr.client import (
    BufferFull,
    Client,
    ConnectionLost,
    Listener,
    TableView,
    Update,
)
from kozyr.client.session import UNSENT_MAX
from kozyr.errors import IllegalMove, KozyrError, NotYourTurn, StaleDecision
from kozyr.moves import Bid
from kozyr.tokens import InvalidToken
from kozyr.v1 import session_pb2
from tests.scripted_service import ScriptedService, ScriptedTable
from tests.unit.client.talk import OURS, a_match, followed


async def test_all_acts_of_one_turn_of_the_loop_leave_in_one_frame(
    service: ScriptedService, client: Client
) -> None:
    async with client.session() as session:
        for seat in range(100):
            session.act(f"table {seat % 7}", seat, seat, 61)
        stream = await service.sessions.get()
        frame = await stream.frames.get()
        assert [act.seat for act in frame.acts] == list(range(100))
        assert len({act.request_id for act in frame.acts}) == 100


async def test_answers_to_one_frame_leave_in_one_frame(
    service: ScriptedService, client: Client
) -> None:
    class Player(Listener):
        def updated(self, view: TableView, update: Update) -> None:
            for decision in update.decisions:
                session.act(view.table_id, decision.seat, decision.id, decision.default)

    async with client.session(Player()) as session:
        tables = [ScriptedTable(a_match(), f"t{number}") for number in range(50)]
        stream = await service.sessions.get()
        for table in tables:
            session.attach_nowait(table.table_id, range(3))
        assert len((await stream.frames.get()).attaches) == 50
        await stream.say(session_pb2.PlayResponse(updates=[table.full() for table in tables]))
        frame = await stream.frames.get()
        assert [act.table_id for act in frame.acts] == [table.table_id for table in tables]


async def test_session_that_is_left_sends_what_was_asked_before(
    service: ScriptedService, client: Client
) -> None:
    async with client.session() as session:
        stream = await service.sessions.get()
        session.act("t1", 0, 4, 61)
        session.detach("t1")
    frame = await stream.frames.get()
    assert frame.acts[0].decision_id == 4
    assert frame.detaches[0].table_id == "t1"
    await stream.left.wait()


async def test_acts_that_the_stream_does_not_take_are_limited(
    service: ScriptedService, client: Client
) -> None:
    async with client.session() as session:
        for decision_id in range(UNSENT_MAX):
            session.act("t1", 0, decision_id, 61)
        with pytest.raises(BufferFull, match=str(UNSENT_MAX)):
            session.act("t1", 0, UNSENT_MAX, 61)
        stream = await service.sessions.get()
        assert len((await stream.frames.get()).acts) == UNSENT_MAX
        session.act("t1", 0, UNSENT_MAX, 61)  # there is room again


# Answers


async def test_each_play_gets_the_answer_to_its_own_request(
    service: ScriptedService, client: Client
) -> None:
    async with client.session() as session:
        stream = await service.sessions.get()
        view = await followed(session, stream, ScriptedTable(a_match()))
        decision = next(iter(view.decisions.values()))
        moves = ("bid 1", Bid(1), 61)
        plays = [asyncio.ensure_future(session.play(view, decision, move)) for move in moves]
        acts = (await stream.frames.get()).acts
        assert acts[0].text == "bid 1"
        assert acts[1].move == wire.encode_move(Bid(1))
        assert acts[2].action == 61
        results = [
            session_pb2.ActResult(request_id=act.request_id, version=version)
            for version, act in enumerate(acts, 5)
        ]
        await stream.say(session_pb2.PlayResponse(results=reversed(results)))
        assert [answer.version for answer in await asyncio.gather(*plays)] == [5, 6, 7]


async def test_refused_play_raises_what_the_service_raised(
    service: ScriptedService, client: Client
) -> None:
    async with client.session() as session:
        stream = await service.sessions.get()
        view = await followed(session, stream, ScriptedTable(a_match()))
        decision = next(iter(view.decisions.values()))
        play = asyncio.ensure_future(session.play(view, decision, 0, request_id="mine"))
        assert (await stream.frames.get()).acts[0].request_id == "mine"
        refusal = wire.encode_refusal(IllegalMove("follow suit", clause="C5", legal=(3, 4)))
        result = session_pb2.ActResult(table_id="t1", request_id="mine", refusal=refusal)
        await stream.say(session_pb2.PlayResponse(results=[result]))
        with pytest.raises(IllegalMove) as refused:
            await play
        assert (refused.value.clause, refused.value.legal) == ("C5", (3, 4))


async def test_refusal_of_an_act_that_nobody_awaits_is_told_to_the_listener(
    service: ScriptedService, client: Client
) -> None:
    told: asyncio.Queue[tuple[str, str, KozyrError]] = asyncio.Queue()

    class Player(Listener):
        def act_refused(self, table_id: str, request_id: str, error: KozyrError) -> None:
            told.put_nowait((table_id, request_id, error))

    async with client.session(Player()) as session:
        stream = await service.sessions.get()
        request_id = session.act("t1", 0, 4, 61)
        refusal = wire.encode_refusal(StaleDecision(4, pending=6))
        result = session_pb2.ActResult(table_id="t1", request_id=request_id, refusal=refusal)
        await stream.say(session_pb2.PlayResponse(results=[result]))
        table_id, refused_id, error = await told.get()
        assert (table_id, refused_id) == ("t1", request_id)
        assert isinstance(error, StaleDecision)


async def test_attach_returns_the_view_or_raises_the_refusal(
    service: ScriptedService, client: Client
) -> None:
    async with client.session() as session:
        stream = await service.sessions.get()
        attach = asyncio.ensure_future(session.attach("t1", [0, 1, 2]))
        assert list((await stream.frames.get()).attaches[0].seats) == [0, 1, 2]
        await stream.say(session_pb2.PlayResponse(updates=[ScriptedTable(a_match()).full()]))
        assert len((await attach).observations) == 3

        attach = asyncio.ensure_future(session.attach("t2", [0]))
        await stream.frames.get()
        refusal = wire.encode_refusal(NotYourTurn(0, waiting=()))
        refused = session_pb2.AttachRefused(table_id="t2", refusal=refusal)
        await stream.say(session_pb2.PlayResponse(refused_attaches=[refused]))
        with pytest.raises(NotYourTurn):
            await attach
        assert "t2" not in session.views


# The end of a session


async def test_end_of_the_stream_raises_connection_lost_to_all_who_wait(
    service: ScriptedService, client: Client
) -> None:
    async with client.session() as session:
        stream = await service.sessions.get()
        view = await followed(session, stream, ScriptedTable(a_match()))
        decision = next(iter(view.decisions.values()))
        updates = view.updates()
        assert await anext(updates)
        waiting = [
            asyncio.ensure_future(each)
            for each in (
                session.play(view, decision, 61),
                session.attach("t2"),
                session.ping(),
                session.ended(),
                anext(updates),
            )
        ]
        await stream.frames.get()
        stream.end()
        ends = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(end) for end in ends] == [ConnectionLost] * 5
        with pytest.raises(ConnectionLost):
            session.act("t1", 0, 4, 61)


async def test_goodbye_says_why_and_when_to_come_back(
    service: ScriptedService, client: Client
) -> None:
    async with client.session() as session:
        stream = await service.sessions.get()
        refusal = wire.encode_refusal(KozyrError("this server goes down"))
        goodbye = session_pb2.Goodbye(refusal=refusal, reconnect_in_ms=250)
        await stream.say(session_pb2.PlayResponse(goodbye=goodbye))
        with pytest.raises(ConnectionLost, match="goes down") as lost:
            await session.ended()
        assert lost.value.reconnect_in_ms == 250


async def test_refused_session_raises_the_refusal(service: ScriptedService, client: Client) -> None:
    async with client.session() as session:
        stream = await service.sessions.get()
        assert stream.metadata["authorization"] == f"Bearer {OURS}"
        stream.end(InvalidToken("the token has expired"))
        with pytest.raises(InvalidToken, match="expired"):
            await session.ended()


async def test_what_a_listener_raises_ends_the_session(
    service: ScriptedService, client: Client
) -> None:
    class Clumsy(Listener):
        def updated(self, view: TableView, update: Update) -> None:
            raise ZeroDivisionError

    async with client.session(Clumsy()) as session:
        stream = await service.sessions.get()
        session.attach_nowait("t1", range(3))
        await stream.say(session_pb2.PlayResponse(updates=[ScriptedTable(a_match()).full()]))
        with pytest.raises(ZeroDivisionError):
            await session.ended()
