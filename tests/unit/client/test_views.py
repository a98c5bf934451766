"""What a view of a table knows, and whom it tells."""

import pytest

from kozyr.client import (
    BufferFull,
    Client,
    ConnectionLost,
)
from kozyr.client.view import UPDATES_UNREAD_MAX
from kozyr.events import WATCHER
from kozyr.v1 import session_pb2, table_pb2
from tests.scripted_service import ScriptedService, ScriptedTable
from tests.unit.client.talk import a_match, followed, tell


async def test_view_knows_exactly_what_each_of_its_seats_may_know(
    service: ScriptedService, client: Client
) -> None:
    match = a_match()
    table = ScriptedTable(match)
    async with client.session() as session:
        stream = await service.sessions.get()
        view = await followed(session, stream, table)
        while not match.over:
            seat, decision = next(iter(match.pending.items()))
            await tell(session, stream, table.play(seat, decision.legal[0]))
            assert view.decisions == match.pending
            assert view.pending.keys() == match.pending.keys()
            assert (view.version, view.digest) == (match.version, match.digest)
        assert view.observations == {seat: match.observe(seat) for seat in range(3)}
        assert view.observations[next(iter(view.observations))].outcome == match.outcome


async def test_spectator_sees_the_table_as_the_watcher(
    service: ScriptedService, client: Client
) -> None:
    async with client.session() as session:
        stream = await service.sessions.get()
        view = session.attach_nowait("t1")
        await stream.frames.get()
        update = ScriptedTable(a_match()).full()
        del update.events[:]
        await tell(session, stream, update)
        assert list(view.observations) == [WATCHER]


async def test_events_that_were_heard_already_are_not_folded_again(
    service: ScriptedService, client: Client
) -> None:
    table = ScriptedTable(a_match())
    async with client.session() as session:
        stream = await service.sessions.get()
        view = await followed(session, stream, table)
        seat, decision = next(iter(table.match.pending.items()))
        move = table.play(seat, decision.default)
        await tell(session, stream, move)
        await tell(session, stream, move)
        assert view.observations == {seat: table.match.observe(seat) for seat in range(3)}


async def test_full_update_replaces_all_that_the_view_had(
    service: ScriptedService, client: Client
) -> None:
    table = ScriptedTable(a_match())
    async with client.session() as session:
        stream = await service.sessions.get()
        view = await followed(session, stream, table)
        before = view.observations
        await tell(session, stream, table.full())
        assert view.observations == before
        assert view.observations is not before


async def test_update_meant_for_an_earlier_attach_is_not_folded_into_the_new_view(
    service: ScriptedService, client: Client
) -> None:
    table = ScriptedTable(a_match())
    async with client.session() as session:
        stream = await service.sessions.get()
        await followed(session, stream, table)
        again = session.attach_nowait("t1", [0])
        await stream.frames.get()
        seat, decision = next(iter(table.match.pending.items()))
        await tell(session, stream, table.play(seat, decision.default))
        assert again.version == 0
        assert not again.observations


async def test_another_session_resumes_a_view_from_its_place(
    service: ScriptedService, client: Client
) -> None:
    match = a_match()
    table = ScriptedTable(match)
    async with client.session() as session:
        stream = await service.sessions.get()
        view = await followed(session, stream, table)
        stream.end()
        with pytest.raises(ConnectionLost):
            await session.ended()
    version, digest = view.version, view.digest
    seat, decision = next(iter(match.pending.items()))
    missed = table.play(seat, decision.default)
    async with client.session() as session:
        session.resume(view)
        stream = await service.sessions.get()
        attach = (await stream.frames.get()).attaches[0]
        assert (attach.log.version, attach.log.digest) == (version, digest)
        assert list(attach.seats) == [0, 1, 2]
        assert attach.room_version == 1
        await tell(session, stream, missed)
        assert view.observations == {seat: match.observe(seat) for seat in range(3)}


async def test_updates_begin_with_what_is_open_and_end_with_the_archive(
    service: ScriptedService, client: Client
) -> None:
    match = a_match()
    table = ScriptedTable(match)
    played = 0
    async with client.session() as session:
        stream = await service.sessions.get()
        view = await followed(session, stream, table)
        async for update in view.updates():
            for decision in update.decisions:
                played += 1
                news = table.play(decision.seat, decision.default)
                news.archived = match.over
                await tell(session, stream, news)
        assert match.over
        assert played == sum(entry.actor < 3 for entry in match.entries)
        assert "t1" not in session.views
        assert [update.archived async for update in view.updates()] == [True]


async def test_updates_of_a_table_that_is_left_end(
    service: ScriptedService, client: Client
) -> None:
    async with client.session() as session:
        stream = await service.sessions.get()
        view = await followed(session, stream, ScriptedTable(a_match()))
        seen = 0
        async for _ in view.updates():
            seen += 1
            session.detach("t1")
        assert seen == 1


async def test_reader_who_leaves_too_many_updates_unread_is_told(
    service: ScriptedService, client: Client
) -> None:
    table = ScriptedTable(a_match())
    async with client.session() as session:
        stream = await service.sessions.get()
        view = await followed(session, stream, table)
        updates = view.updates()
        await anext(updates)
        news = session_pb2.TableUpdate(table_id="t1", table=table_pb2.Table(table_id="t1"))
        await tell(session, stream, *[news] * (UPDATES_UNREAD_MAX + 1))
        with pytest.raises(BufferFull, match=str(UPDATES_UNREAD_MAX)):
            await anext(updates)
        assert session.error is None
