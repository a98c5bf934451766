"""Sessions: what players hear, from the first card to the record, through attaches and losses."""

import asyncio
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest

from kozyr.errors import MatchError
from kozyr.events import WATCHER, Seat
from kozyr.match import Match
from kozyr.v1 import session_pb2, table_pb2
from kozyr.verify import verify_record
from kozyr_table.errors import Draining, LimitExceeded
from kozyr_table.server import running
from tests.integration.service import (
    LIMIT_S,
    UNTIMED,
    Caller,
    Replica,
    connected,
    replica,
    seated,
    settings,
)
from tests.integration.stream import (
    Duel,
    Player,
    Stream,
    attach,
    duel,
    play_to_the_end,
    stream,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

LONGER = {"max_hand": 3, "blind_deals": 0}


async def true_match(caller: Caller, match_id: str) -> Match:
    return verify_record(await caller.record(match_id))


async def test_match_of_four_is_played_to_a_true_record_and_every_view_is_the_records(
    four: list[Caller],
) -> None:
    table_id = await seated(four, options={"max_hand": 2})
    players = [Player(table_id, seat) for seat in range(4)]
    await play_to_the_end(*zip(four, players, strict=True))
    record = await four[0].record(table_id)
    match = verify_record(record)
    for player in players:
        assert player.view.observations[player.seat] == match.observe(player.seat)
        for request_id, version in player.acknowledged.items():
            entry = record.entries[version - 1]
            assert (entry.actor, entry.request_id) == (player.seat, request_id)


async def test_spectator_hears_what_is_public_and_no_more(ann: Caller, bob: Caller) -> None:
    async with duel(ann, bob) as pair, stream(Caller(ann.at, "eva")) as watching:
        view = await watching.attach(pair.table_id)
        await pair.finish()
        await watching.until(lambda: view.archived)
    match = await true_match(ann, pair.table_id)
    assert view.observations == {WATCHER: match.observe(WATCHER)}
    assert not view.decisions


async def test_watcher_of_a_gathering_table_sees_the_room_fill_and_the_match_begin(
    ann: Caller, bob: Caller
) -> None:
    table = await ann.create()
    async with stream(Caller(ann.at, "eva")) as watching:
        view = await watching.attach(table.table_id)
        assert view.updates[0].full
        assert view.table == table
        for player in (ann, bob):
            await player.join(table.table_id)
        await watching.until(lambda: all(seat.account_id for seat in view.table.seats))
        for player in (ann, bob):
            await player.ready(table.table_id)
        await watching.until(lambda: view.place.version)
        assert view.table.status == table_pb2.TABLE_STATUS_PLAYING
        assert view.match.match_id == table.match_id


async def test_full_view_names_the_match_and_the_teams(ann: Caller, bob: Caller) -> None:
    async with duel(ann, bob) as pair, stream(bob) as again:
        view = await again.attach(pair.table_id, 1)
        assert view.updates[0].full
        assert view.match == session_pb2.MatchInfo(match_id=pair.table_id, teams=[0, 1])


async def test_attach_with_the_place_last_heard_gets_exactly_what_was_missed(
    ann: Caller, bob: Caller
) -> None:
    async with duel(ann, bob, options=LONGER) as pair, stream(ann) as other:
        await pair.moves(3)
        view = await other.attach(pair.table_id, 0)
        await other.send(detaches=[session_pb2.Detach(table_id=pair.table_id)])
        await pair.moves(4)
        heard = len(view.updates)
        await other.send(attaches=[attach(pair.table_id, 0, place=view.place)])
        await other.until(lambda: view.place == pair.views[0].place)
        assert len(view.updates) == heard + 1
        assert not view.updates[-1].full
        assert view.observations == pair.views[0].observations
        assert view.ordinals == pair.views[0].ordinals
        assert view.decisions == pair.views[0].decisions


async def test_attach_with_the_newest_place_gets_no_event_but_the_open_decisions(
    ann: Caller, bob: Caller
) -> None:
    async with duel(ann, bob) as pair, stream(pair_mover(pair, ann, bob)) as other:
        seat = pair.decision.seat
        view = other.following(pair.table_id, seat)
        await other.send(attaches=[attach(pair.table_id, seat, place=pair.views[seat].place)])
        await other.until(lambda: view.updates)
        assert not view.updates[0].full
        assert not view.updates[0].events
        assert view.decisions == {seat: pair.decision}


@pytest.mark.parametrize(
    ("version", "digest"), [(2, b"x" * 32), (2, b""), (10**12, b"x" * 32), (0, b"")]
)
async def test_attach_with_an_unknown_place_gets_a_full_view(
    ann: Caller, bob: Caller, version: int, digest: bytes
) -> None:
    async with duel(ann, bob) as pair, stream(ann) as other:
        await pair.moves(3)
        place = session_pb2.Place(version=version, digest=digest)
        view = await other.attach(pair.table_id, 0, place=place)
        assert view.updates[0].full
        assert view.observations == pair.views[0].observations
        assert view.ordinals == pair.views[0].ordinals


async def test_two_streams_for_one_seat_both_hear_and_the_first_to_move_decides(
    ann: Caller, bob: Caller
) -> None:
    async with duel(ann, bob) as pair, stream(pair_mover(pair, ann, bob)) as other:
        decision = pair.decision
        view = await other.attach(pair.table_id, decision.seat)
        how: dict[str, Any] = {"decision_id": decision.id, "action": decision.default}
        version = await other.act(pair.table_id, decision.seat, request_id="here", **how)
        await pair.reach(version)
        late = pair.streams[decision.seat]
        with pytest.raises(MatchError):
            await late.act(pair.table_id, decision.seat, request_id="there", **how)
        await pair.finish()
        await other.until(lambda: view.archived)
        assert view.observations == pair.views[decision.seat].observations


async def test_one_stream_carries_many_tables(ann: Caller, bob: Caller) -> None:
    tables = [
        await seated([ann, bob], request_id=f"table-{number}", clock=UNTIMED) for number in range(8)
    ]
    async with stream(ann) as one, stream(bob) as two, asyncio.TaskGroup() as group:
        for seat, session in enumerate((one, two)):
            group.create_task(play_many(session, tables, seat))
    for table_id in tables:
        await true_match(ann, table_id)


async def play_many(session: Stream, tables: list[str], seat: int) -> None:
    views = [session.following(table_id, seat) for table_id in tables]
    await session.send(attaches=[attach(table_id, seat) for table_id in tables])
    asked: set[tuple[str, int]] = set()
    while not all(view.archived for view in views):
        acts = [
            session_pb2.Act(
                table_id=view.table.table_id,
                seat=seat,
                decision_id=decision.id,
                action=decision.default,
                request_id=f"{decision.id}",
            )
            for view in views
            for decision in view.decisions.values()
            if (view.table.table_id, decision.id) not in asked
        ]
        asked |= {(act.table_id, act.decision_id) for act in acts}
        await session.send(acts=acts)
        await session.hear()


def pair_mover(pair: Duel, ann: Caller, bob: Caller) -> Caller:
    """Who must decide now."""
    return (ann, bob)[pair.decision.seat]


async def test_act_right_behind_its_attach_is_taken_although_the_table_must_be_loaded(
    ann: Caller, bob: Caller, second: Replica
) -> None:
    async with duel(ann, bob) as pair:
        decision = pair.decision
        mover = pair_mover(pair, ann, bob).elsewhere(second)
        async with stream(mover) as fresh:
            fresh.following(pair.table_id, decision.seat)
            act = session_pb2.Act(
                table_id=pair.table_id,
                seat=decision.seat,
                decision_id=decision.id,
                action=decision.default,
                request_id="at-once",
            )
            await fresh.send(attaches=[attach(pair.table_id, decision.seat)], acts=[act])
            assert await fresh.answer("at-once") == pair.version + 1


async def test_detach_right_behind_its_attach_holds_although_the_table_must_be_loaded(
    ann: Caller, bob: Caller, second: Replica
) -> None:
    async with duel(ann, bob) as pair, stream(ann.elsewhere(second)) as gone:
        view = gone.following(pair.table_id, 0)
        await gone.send(
            attaches=[attach(pair.table_id, 0)],
            detaches=[session_pb2.Detach(table_id=pair.table_id)],
        )
        async with stream(bob.elsewhere(second)) as staying:
            witness = await staying.attach(pair.table_id, 1)
            version = await pair.move()
            await staying.until(lambda: witness.place.version >= version)
        await gone.send(ping=session_pb2.Ping(nonce=7))
        await gone.until(lambda: gone.pongs)
        assert view.place.version < version


async def test_client_that_closes_its_side_still_gets_what_it_asked_for(
    ann: Caller, bob: Caller
) -> None:
    async with duel(ann, bob) as pair, stream(ann) as session:
        view = session.following(pair.table_id, 0)
        await session.send(attaches=[attach(pair.table_id, 0)])
        await session.call.done_writing()
        assert await session.until_end() is None
        assert view.observations == pair.views[0].observations


async def test_every_ping_gets_its_pong(ann: Caller) -> None:
    async with stream(ann) as session:
        for nonce in (5, 0, 3):
            await session.send(ping=session_pb2.Ping(nonce=nonce))
        await session.until(lambda: 3 in session.pongs)
        assert session.pongs == [5, 0, 3]


async def test_reader_that_lets_too_much_pile_up_is_told_so_and_cut_off(
    redis_url: str, tmp_path: Path
) -> None:
    told = settings(tmp_path, session_buffer_bytes_max=50_000)
    narrow = {"http2.bdp_probe": 0, "http2.lookahead_bytes": 16_384}  # holds little unread
    async with (
        running(told, redis_url) as server,
        connected(server.address, **narrow) as channel,
        connected(server.address) as other,
    ):
        ann, bob = Caller(Replica(channel), "ann"), Caller(Replica(other), "bob")
        async with duel(ann.elsewhere(bob.at), bob, options=LONGER) as pair, stream(ann) as slow:
            await pair.moves(8)
            view = slow.following(pair.table_id, 0)
            async with asyncio.timeout(LIMIT_S):
                for _ in range(300):
                    with suppress(grpc.aio.AioRpcError):  # once the server has ended it
                        await slow.send(attaches=[attach(pair.table_id, 0)] * 10)
            assert await slow.until_end() is None
            assert isinstance(slow.goodbye, LimitExceeded)
            assert len(view.updates) < 3_000
            await pair.finish()  # nobody else has noticed


async def test_stopping_service_says_goodbye_to_its_sessions(
    tmp_path: Path, ann: Caller, bob: Caller
) -> None:
    async with duel(ann, bob) as pair, AsyncExitStack() as stack:
        leaving = running(settings(tmp_path), ann.at.redis_url)
        server = await stack.enter_async_context(leaving)
        async with (
            connected(server.address) as channel,
            stream(ann.elsewhere(Replica(channel))) as session,
        ):
            await session.attach(pair.table_id, 0)
            stopping = asyncio.create_task(stack.aclose())
            assert await session.until_end() is None
            assert isinstance(session.goodbye, Draining)
            await stopping
        await pair.finish()  # at the other replica nobody has noticed


async def test_last_move_repeated_gets_its_version_again(redis_url: str, tmp_path: Path) -> None:
    (tmp_path / "records").write_text("in the way of the archive, so that the table stays")
    async with (
        replica(redis_url, tmp_path) as service,
        duel(Caller(service, "ann"), Caller(service, "bob")) as pair,
    ):
        decision, mover, version = pair.decision, pair.mover, 0
        while not pair.views[0].observations[Seat(0)].outcome:
            decision, mover = pair.decision, pair.mover
            version = await pair.move()
        again = await mover.act(
            pair.table_id,
            decision.seat,
            decision_id=decision.id,
            request_id=str(decision.id),
            action=decision.default,
        )
        assert again == version
