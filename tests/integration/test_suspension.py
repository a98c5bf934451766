"""Matches under rules of other processes: played, stopped when these fail, and gone on with."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.request import urlopen

import psutil
import pytest

from kozyr.errors import KozyrError
from kozyr.plugins import Source, load_variant
from kozyr.record import read_record
from kozyr.referee import LocalReferee
from kozyr.v1 import table_pb2
from kozyr.verify import verify_record
from kozyr_table.keys import table_keys
from tests.hostile_plugin import STEP_FAULTS
from tests.integration.service import (
    LIMIT_S,
    UNTIMED,
    Caller,
    Replica,
    per_move,
    redis_at,
    refused,
    replica,
    seated,
)
from tests.integration.stream import Stream, View, duel, stream
from tests.plugin_playing import hostile
from tests.plugin_playing import served as rules_served
from tests.toy import TOY

SUSPENDED = table_pb2.TABLE_STATUS_SUSPENDED
PLAYING = table_pb2.TABLE_STATUS_PLAYING

ODESSA = Source(variant="odessa")
ISOLATED = Source(variant="odessa", isolate=True)
HONEST = hostile("honest")
TOY_OPTIONS: dict[str, object] = {"deals": 1, "hand": 1}

FAULTS = {
    **dict.fromkeys(STEP_FAULTS, "PLUGIN_MISBEHAVED"),
    "answer_huge": "PLUGIN_MISBEHAVED",
    "refuse_what_is_legal": "PLUGIN_MISBEHAVED",
    "fail": "PLUGIN_MISBEHAVED",
    "give_no_step": "PLUGIN_MISBEHAVED",
    "hang": "PLUGIN_UNAVAILABLE",
    "freeze": "PLUGIN_UNAVAILABLE",
}
"""What a plugin does when a player moves, and how the move is refused."""

WHILE_DOWN = {"PLUGIN_UNAVAILABLE", "SUSPENDED"}
"""How moves are refused while a plugin starts anew."""


@asynccontextmanager
async def served(
    redis_url: str, data_dir: Path, *plugins: Source, **changes: object
) -> AsyncIterator[Replica]:
    """A service with these plugins."""
    told = {"plugins": plugins, "plugin_call_ms": 1000 * LIMIT_S, **changes}
    async with replica(redis_url, data_dir, **told) as client:
        yield client


def people(service: Replica) -> list[Caller]:
    return [Caller(service, "ann"), Caller(service, "bob")]


async def toy_table(players: Sequence[Caller], **how: object) -> str:
    return await seated(
        players, **{"variant": "toy", "options": TOY_OPTIONS, "clock": UNTIMED, **how}
    )


async def move(session: Stream, table_id: str) -> int:
    """Take the default of the stream's only seat at a table; what is refused can be sent again."""
    view = session.views[table_id]
    await session.until(lambda: view.decisions)
    [decision] = view.decisions.values()
    return await session.act(
        table_id,
        decision.seat,
        decision_id=decision.id,
        request_id=str(decision.id),
        action=decision.default,
    )


async def move_when_back(session: Stream, table_id: str) -> int:
    """Move as soon as the rules can be asked again."""
    while True:
        try:
            return await move(session, table_id)
        except KozyrError as error:
            if error.reason not in WHILE_DOWN:
                raise
            await session.pong()


async def play_to_the_end(sessions: Sequence[Stream], table_id: str) -> None:
    """Everybody takes defaults until the match is archived."""
    while not all(session.views[table_id].archived for session in sessions):
        for session in sessions:
            if session.views[table_id].decisions:
                await move_when_back(session, table_id)
            await session.pong()


async def attach_when_suspended(session: Stream, table_id: str, *seats: int) -> View:
    """Follow a table whose rules nobody serves, as soon as that is known."""
    while True:
        try:
            await session.attach(table_id, *seats)
        except KozyrError as error:
            if error.reason not in WHILE_DOWN:
                raise
        else:
            return await until_suspended(session, table_id)


async def until_suspended(session: Stream, table_id: str) -> View:
    await session.until_status(table_id, SUSPENDED)
    return session.views[table_id]


def kill_child(word: str) -> None:
    """Kill the process whose last argument is that word: it serves a plugin's rules."""
    [child] = [
        each
        for each in psutil.Process().children(recursive=True)
        if each.cmdline()[-1:] == [word] and not each.children()  # not its guardian
    ]
    child.kill()


async def now_ms(redis_url: str) -> int:
    """Redis' clock."""
    async with redis_at(redis_url) as redis:
        seconds, micros = await redis.time()
        return int(seconds) * 1000 + int(micros) // 1000


async def clocks_of(redis_url: str, table_id: str) -> dict[int, tuple[int, int]]:
    """Deadline and start of each seat's clock that runs, as Redis has them."""
    async with redis_at(redis_url) as redis:
        meta = await redis.hgetall(table_keys("main", table_id).meta)
    clocks = {}
    for seat in range(2):
        decision_id, deadline_ms, _, since_ms = map(int, meta.get(f"c{seat}", "0 0 0 0").split())
        if decision_id:
            clocks[seat] = deadline_ms, since_ms
    return clocks


@pytest.mark.parametrize(
    ("source", "variant", "options"),
    [(ISOLATED, "odessa", {"max_hand": 2}), (HONEST, "toy", {"deals": 2})],
    ids=["isolated", "command"],
)
async def test_a_match_on_rules_elsewhere_is_played_and_its_record_verifies(
    redis_url: str, tmp_path: Path, source: Source, variant: str, options: dict[str, object]
) -> None:
    async with served(redis_url, tmp_path, source) as service:
        table_id = await toy_table(people(service), variant=variant, options=options)
        ann, bob = people(service)
        async with stream(ann) as first, stream(bob) as second:
            for seat, session in enumerate((first, second)):
                await session.attach(table_id, seat)
            await play_to_the_end((first, second), table_id)
        assert service.archive_dir is not None
        path = service.archive_dir / "main" / table_id[:2] / f"{table_id}.jsonl"
    rules = TOY if variant == "toy" else load_variant(variant)
    match = verify_record(read_record(path), referee=LocalReferee(rules))
    assert match.over


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_hostile_plugin_costs_its_own_tables_a_typed_error_and_no_other_table(
    redis_url: str, tmp_path: Path, fault: str
) -> None:
    hangs = fault in {"hang", "freeze"}
    limits = {"plugin_call_ms": 500} if hangs else {}
    async with served(redis_url, tmp_path, hostile(fault), ODESSA, **limits) as service:
        ann, bob = people(service)
        struck = await toy_table([ann, bob])
        async with stream(ann) as session, duel(ann, bob, request_id="usual") as usual:
            await session.attach(struck, 0)
            await refused(FAULTS[fault], move(session, struck))
            view = await until_suspended(session, struck)
            assert view.table.suspended_because
            assert view.place.version == 1, "nothing has changed"
            await usual.finish()


async def test_a_plugin_that_crashes_in_mid_call_costs_its_own_tables_a_typed_error(
    redis_url: str, tmp_path: Path
) -> None:
    async with served(redis_url, tmp_path, hostile("crash"), ODESSA) as service:
        ann, bob = people(service)
        struck = await toy_table([ann, bob])
        async with stream(ann) as session, duel(ann, bob, request_id="usual") as usual:
            view = await session.attach(struck, 0)
            await refused("PLUGIN_UNAVAILABLE", move(session, struck))
            assert view.place.version == 1, "nothing has changed"
            await usual.finish()


@pytest.mark.parametrize(
    "fault",
    ["make_noise", "end_at_once", "speak_another_protocol", "offer_rules_that_are_not_served"],
)
async def test_a_plugin_that_is_of_no_use_keeps_no_other_from_being_played(
    redis_url: str, tmp_path: Path, fault: str
) -> None:
    async with served(redis_url, tmp_path, hostile(fault), ODESSA) as service:
        ann, bob = people(service)
        async with duel(ann, bob) as pair:
            await pair.finish()
        if fault != "make_noise":
            await refused("UNKNOWN_VARIANT", ann.create(variant="toy", options=TOY_OPTIONS))


async def test_a_service_takes_rules_from_an_address(redis_url: str, tmp_path: Path) -> None:
    with rules_served("odessa", f"--listen=unix:{tmp_path / 'rules.sock'}") as address:
        async with served(redis_url, tmp_path, Source(address=address)) as service:
            ann, bob = people(service)
            async with duel(ann, bob) as pair:
                await play_to_the_end(pair.streams, pair.table_id)
            verify_record(await ann.record(pair.table_id))


async def test_a_move_at_a_suspended_table_is_refused_with_the_reason(
    redis_url: str, tmp_path: Path
) -> None:
    async with served(redis_url, tmp_path, hostile("fail")) as service:
        table_id = await toy_table(people(service))
        async with stream(people(service)[0]) as session:
            view = await session.attach(table_id, 0)
            await session.until(lambda: view.decisions)
            [decision] = view.decisions.values()
            await refused("PLUGIN_MISBEHAVED", move(session, table_id))
            await until_suspended(session, table_id)
            error = await refused(
                "SUSPENDED",
                session.act(table_id, 0, decision_id=decision.id, request_id="again", action=1),
            )
            assert "a bug of the plugin" in str(error)
            assert error.retryable


async def test_a_plugin_that_was_killed_is_started_anew_and_its_match_goes_on(
    redis_url: str, tmp_path: Path
) -> None:
    async with served(redis_url, tmp_path, ISOLATED) as service:
        ann, bob = people(service)
        async with duel(ann, bob) as pair:
            await pair.move()
            kill_child("odessa")
            await play_to_the_end(pair.streams, pair.table_id)
        verify_record(await ann.record(pair.table_id))


async def test_a_match_whose_rules_nobody_serves_stands_still_with_its_clocks(
    redis_url: str, tmp_path: Path
) -> None:
    async with served(redis_url, tmp_path, HONEST) as service:
        table_id = await toy_table(people(service), clock=per_move(60_000))
        async with stream(people(service)[0]) as session:
            view = await session.attach(table_id, 0)
            await session.until(lambda: view.decisions)
    before = await clocks_of(redis_url, table_id)
    async with served(redis_url, tmp_path, ODESSA) as service:
        ann = people(service)[0]
        async with stream(ann) as session:
            view = await attach_when_suspended(session, table_id, 0)
            assert "version 3 of the rules of toy" in view.table.suspended_because
        [listed] = (await ann.tables(status=SUSPENDED)).tables
        assert listed.table_id == table_id
        async with redis_at(redis_url) as redis:
            stopped_ms = int(await redis.hget(table_keys("main", table_id).meta, "stopped_at_ms"))
        resumed_after_ms = await now_ms(redis_url)
    async with (
        served(redis_url, tmp_path, HONEST) as service,
        stream(people(service)[0]) as session,
    ):
        view = await session.attach(table_id, 0)
        await session.until_status(table_id, PLAYING)
        after = await clocks_of(redis_url, table_id)
        assert after.keys() == before.keys() == {0, 1}
        for seat, (deadline_ms, since_ms) in after.items():
            moved_on_ms = deadline_ms - before[seat][0]
            assert since_ms - before[seat][1] == moved_on_ms
            assert moved_on_ms >= resumed_after_ms - stopped_ms, "no time ran while it stood"
        assert view.pending[0].deadline_ms == after[0][0]
        assert await move(session, table_id) == 2


async def test_a_replay_that_hangs_keeps_nobody_from_hearing_what_is_served_here(
    redis_url: str, tmp_path: Path
) -> None:
    """Or other replicas would stop the matches of all other rules."""
    async with served(redis_url, tmp_path, HONEST) as service:
        table_id = await toy_table(people(service))
        async with stream(people(service)[0]) as session:
            await session.attach(table_id, 0)
            await move(session, table_id)
    async with (
        served(redis_url, tmp_path, ODESSA) as service,
        stream(people(service)[0]) as session,
    ):
        await attach_when_suspended(session, table_id, 0)
    for_ever = {"plugin_call_ms": 100_000 * LIMIT_S}
    async with (
        served(redis_url, tmp_path, hostile("hang"), ODESSA, **for_ever) as service,
        redis_at(redis_url) as redis,
        asyncio.timeout(LIMIT_S),
    ):
        while not (await people(service)[0].tables(status=SUSPENDED)).tables:
            pass  # from here on its log is being replayed
        offered: set[float] = set()
        while len(offered) < 4:
            offered.add(await redis.zscore("kozyr:offers", "odessa 1"))


async def test_rules_of_two_versions_are_served_side_by_side_and_matches_keep_theirs(
    redis_url: str, tmp_path: Path
) -> None:
    newer = hostile("newer_version")
    async with served(redis_url, tmp_path, HONEST) as service:
        old = await toy_table(people(service))
        assert (await people(service)[0].table(old)).rules_version == 3
    async with served(redis_url, tmp_path, newer, HONEST) as service:
        ann, bob = people(service)
        new = await toy_table([ann, bob], request_id="new")
        assert (await ann.table(new)).rules_version == 4
        async with stream(ann) as first, stream(bob) as second:
            for table_id in (old, new):
                for seat, session in enumerate((first, second)):
                    await session.attach(table_id, seat)
                await play_to_the_end((first, second), table_id)
        assert service.archive_dir is not None
        for table_id, version in ((old, 3), (new, 4)):
            path = service.archive_dir / "main" / table_id[:2] / f"{table_id}.jsonl"
            assert read_record(path).header.rules_version == version


async def test_failures_and_suspensions_are_counted(
    redis_url: str, tmp_path: Path, unused_tcp_port: int
) -> None:
    address = f"127.0.0.1:{unused_tcp_port}"
    async with served(redis_url, tmp_path, hostile("fail"), metrics_listen=address) as service:
        table_id = await toy_table(people(service))
        async with stream(people(service)[0]) as session:
            await session.attach(table_id, 0)
            await refused("PLUGIN_MISBEHAVED", move(session, table_id))
            await until_suspended(session, table_id)
        with urlopen(f"http://{address}/metrics") as answer:
            lines = answer.read().decode().splitlines()
    name = str(hostile("fail"))
    assert f'kozyr_plugin_failures_total{{plugin="{name}",reason="PLUGIN_MISBEHAVED"}} 1.0' in lines
    assert 'kozyr_table_suspensions_total{variant="toy"} 1.0' in lines
    assert f'kozyr_plugin_up{{plugin="{name}"}} 1.0' in lines
