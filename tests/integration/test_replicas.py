"""Two replicas on one Redis: any of them serves any table, and none is needed."""

import asyncio
import os
import secrets
import signal
from pathlib import Path
from typing import Any

import pytest

from kozyr.errors import MatchError
from kozyr.events import WATCHER, CardsDealt, Seat
from kozyr.v1 import session_pb2
from kozyr.verify import verify_record
from tests.integration.service import (
    UNTIMED,
    Caller,
    Replica,
    address_of,
    causes,
    connected,
    process,
    refused,
    seated,
)
from tests.integration.stream import Duel, Player, Stream, View, duel, play_to_the_end, stream

ALL_BUT_THE_LAST = 7
"""Moves of the smallest match of two."""

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_players_at_different_replicas_play_a_whole_match(
    four: list[Caller], second: Replica
) -> None:
    table_id = await seated(four, options={"max_hand": 3}, clock=UNTIMED)
    players = [Player(table_id, seat) for seat in range(4)]
    callers = [caller.elsewhere(second) if at % 2 else caller for at, caller in enumerate(four)]
    await play_to_the_end(*zip(callers, players, strict=True))
    record = await four[0].record(table_id)
    match = verify_record(record)
    for player in players:
        assert player.view.observations[player.seat] == match.observe(player.seat)
        for request_id, version in player.acknowledged.items():
            entry = record.entries[version - 1]
            assert (entry.actor, entry.request_id) == (player.seat, request_id)


async def test_same_request_at_two_replicas_at_once_is_taken_once(
    ann: Caller, bob: Caller, second: Replica
) -> None:
    async with (
        duel(ann, bob) as pair,
        stream(ann.elsewhere(second)) as one,
        stream(bob.elsewhere(second)) as two,
    ):
        for _ in range(ALL_BUT_THE_LAST):
            there, how = await caught_up(pair, one, two)
            versions = await asyncio.gather(
                pair.move(request_id=f"both-{pair.version}", **how),
                there.act(
                    pair.table_id, pair.decision.seat, request_id=f"both-{pair.version}", **how
                ),
            )
            assert versions[0] == versions[1]
        await pair.finish()
    verify_record(await ann.record(pair.table_id))


async def test_of_two_moves_for_one_decision_at_two_replicas_one_counts(
    ann: Caller, bob: Caller, second: Replica
) -> None:
    async with (
        duel(ann, bob) as pair,
        stream(ann.elsewhere(second)) as one,
        stream(bob.elsewhere(second)) as two,
    ):
        for _ in range(ALL_BUT_THE_LAST):
            there, how = await caught_up(pair, one, two)
            here = pair.mover
            answers = await asyncio.gather(
                here.act(
                    pair.table_id, pair.decision.seat, request_id=f"here-{pair.version}", **how
                ),
                there.act(
                    pair.table_id, pair.decision.seat, request_id=f"there-{pair.version}", **how
                ),
                return_exceptions=True,
            )
            [version] = [answer for answer in answers if isinstance(answer, int)]
            [_] = [answer for answer in answers if isinstance(answer, MatchError)]
            await pair.reach(version)
        await pair.finish()
    record = await ann.record(pair.table_id)
    verify_record(record)
    assert len(causes(record)) == ALL_BUT_THE_LAST + 1


async def caught_up(pair: Duel, *elsewhere: Stream) -> tuple[Stream, dict[str, Any]]:
    """The mover's stream at the other replica, as far as here, and how to move."""
    decision = pair.decision
    there = elsewhere[decision.seat]
    if pair.table_id not in there.views:
        await there.attach(pair.table_id, decision.seat)
    view = there.views[pair.table_id]
    await there.until(lambda: view.place == pair.views[0].place)
    return there, {"decision_id": decision.id, "action": decision.default}


def cards_seen(view: View) -> int:
    """How many hands a view has been shown."""
    return sum(
        isinstance(payload, CardsDealt) and payload.cards is not None
        for observation in view.observations.values()
        for payload in observation.heard
    )


@pytest.mark.parametrize("leaves_elsewhere", [False, True])
async def test_who_has_left_a_seat_does_not_see_its_cards(
    ann: Caller, bob: Caller, second: Replica, *, leaves_elsewhere: bool
) -> None:
    table = await ann.create(clock=UNTIMED)
    await ann.join(table.table_id, seat=0)
    async with stream(ann) as session:
        view = await session.attach(table.table_id, 0)
        await (ann.elsewhere(second) if leaves_elsewhere else ann).leave(table.table_id)
        eva = Caller(second, f"eva-{secrets.token_hex(4)}")
        for player in (eva, bob.elsewhere(second)):
            await player.join(table.table_id)
        for player in (eva, bob.elsewhere(second)):
            await player.ready(table.table_id)
        await session.until(lambda: view.place.version)
        assert view.observations[Seat(0)].deal is not None
        assert cards_seen(view) == 0
        await refused("NOT_YOUR_SEAT", session.act(table.table_id, 0, decision_id=1, action=0))
        await refused("NOT_YOUR_SEAT", session.attach(table.table_id, 0))


async def test_spectator_at_another_replica_sees_what_is_public(
    ann: Caller, bob: Caller, second: Replica
) -> None:
    async with duel(ann, bob) as pair, stream(Caller(second, "eva")) as watching:
        view = await watching.attach(pair.table_id)
        await pair.finish()
        await watching.until(lambda: view.archived)
    match = verify_record(await ann.record(pair.table_id))
    assert view.observations == {WATCHER: match.observe(WATCHER)}


async def test_player_moves_on_at_another_replica_with_the_place_known(
    ann: Caller, bob: Caller, second: Replica
) -> None:
    async with duel(ann, bob, options={"max_hand": 3, "blind_deals": 0}) as pair:
        await pair.moves(5)
        async with stream(ann.elsewhere(second)) as moved:
            view = View(pair.views[0].seats)
            view.fold(whole(pair.views[0]))
            await pair.moves(2)
            moved.views[pair.table_id] = view
            place = session_pb2.Place(version=view.place.version, digest=view.place.digest)
            await moved.send(
                attaches=[session_pb2.Attach(table_id=pair.table_id, seats=[0], log=place)]
            )
            await moved.until(lambda: view.place == pair.views[0].place)
            assert not view.updates[-1].full
            assert view.observations == pair.views[0].observations


def whole(view: View) -> session_pb2.TableUpdate:
    """All that a view has heard, in one update."""
    update = session_pb2.TableUpdate(full=True)
    for each in view.updates:
        update.events.extend(each.events)
        update.place.CopyFrom(each.place)
    update.table.CopyFrom(view.table)
    return update


async def test_end_of_a_match_is_heard_at_a_replica_that_was_asleep_until_it_was_archived(
    service: Replica, tmp_path: Path, ann: Caller, bob: Caller
) -> None:
    async with (
        process(service.redis_url, tmp_path, archive_dir=str(service.archive_dir)) as program,
        connected(await address_of(program)) as channel,
        duel(ann, bob) as pair,
        stream(bob.elsewhere(Replica(channel))) as far,
    ):
        view = await far.attach(pair.table_id, 1)
        await pair.moves(2)
        await far.until_version(pair.table_id, pair.version)
        os.kill(program.pid, signal.SIGSTOP)
        await pair.finish()
        os.kill(program.pid, signal.SIGCONT)
        await far.until_archived(pair.table_id)
    match = verify_record(await ann.record(pair.table_id))
    assert view.observations == {Seat(1): match.observe(1)}
