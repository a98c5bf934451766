"""Maverick at a real table: four who decide at once, each by a clock of their own."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

from kozyr.events import CardsGiven, Payload, Seat
from kozyr.log import Cause
from kozyr.v1 import table_pb2
from kozyr.verify import verify_record
from tests.integration.service import UNTIMED, Caller, Replica, per_move, replica, seated
from tests.integration.stream import Player, Stream, play_to_the_end, stream

SEATS: Final = 4
GIVEN: Final = 2
"""The cards that each seat gives away."""
DEALT: Final = 2
"""The version of the log when the cards are dealt: the lot came before."""

LATE: Final = Seat(2)
AWAKE: Final = (Seat(0), Seat(1), Seat(3))
LIMIT_MS: Final = 2_000
"""The limit of a decision: plenty for those who do not sleep."""

ONE_DEAL: Final = {"max_deals": 1}

PayloadT = TypeVar("PayloadT", bound=Payload)


@pytest.fixture
async def service(redis_url: str, tmp_path: Path) -> AsyncIterator[Replica]:
    async with replica(redis_url, tmp_path) as client:
        yield client


async def table_of(four: list[Caller], *, clock: table_pb2.Clock, **options: Any) -> str:
    """A table of Maverick for one deal, whose match has begun."""
    return await seated(four, variant="maverick", options={**ONE_DEAL, **options}, clock=clock)


@asynccontextmanager
async def streams_of(four: list[Caller], table_id: str) -> AsyncIterator[list[Stream]]:
    """A stream for each seat, all at the beginning of the match."""
    async with AsyncExitStack() as stack:
        streams = [await stack.enter_async_context(stream(caller)) for caller in four]
        for seat, session in enumerate(streams):
            await session.attach(table_id, seat)
            await session.until_version(table_id, DEALT)
        yield streams


def heard(session: Stream, table_id: str, kind: type[PayloadT]) -> list[PayloadT]:
    """What the one viewer of a stream has heard of this kind."""
    [observation] = session.views[table_id].observations.values()
    return [payload for payload in observation.heard if isinstance(payload, kind)]


async def choose(session: Stream, table_id: str, seat: Seat) -> None:
    """Give away the highest card that may be given."""
    view = session.views[table_id]
    decision = view.decisions[seat]
    version = await session.act(
        table_id,
        seat,
        request_id=str(decision.id),
        decision_id=decision.id,
        action=decision.legal[-1],
    )
    await session.until_version(table_id, version)


@pytest.mark.parametrize("options", [{}, {"bets": True, "revoke": "penalty"}], ids=["plain", "all"])
async def test_four_players_decide_at_once_and_play_to_the_end(
    four: list[Caller], options: dict[str, Any]
) -> None:
    """M2"""
    table_id = await table_of(four, clock=UNTIMED, **options)
    players = [Player(table_id, seat) for seat in range(SEATS)]
    await play_to_the_end(*zip(four, players, strict=True))
    match = verify_record(await four[0].record(table_id, variant="maverick"))
    for player in players:
        assert player.view.observations[player.seat] == match.observe(player.seat)


async def test_clock_of_one_who_sleeps_through_the_exchange_gives_the_default_away(
    four: list[Caller],
) -> None:
    """M2: the others have chosen, but nobody receives a card before the last clock has run out."""
    table_id = await table_of(four, clock=per_move(LIMIT_MS))
    async with streams_of(four, table_id) as streams:
        asked = streams[LATE].views[table_id].pending[LATE]
        for seat in AWAKE * GIVEN:
            await choose(streams[seat], table_id, seat)
        chosen = DEALT + GIVEN * len(AWAKE)
        for session in streams:
            await session.until_version(table_id, chosen)
            [waiting] = session.views[table_id].pending.values()
            assert waiting == asked, "what others choose is no business of a seat's clock"
            assert not heard(session, table_id, CardsGiven)

        for viewer, session in enumerate(streams):
            await session.until_version(table_id, chosen + GIVEN)
            given = heard(session, table_id, CardsGiven)
            assert [each.count for each in given] == [GIVEN] * SEATS
            assert {each.giver for each in given if each.cards} == {viewer, (viewer - 1) % SEATS}

    await play_to_the_end(
        *((caller, Player(table_id, seat)) for seat, caller in enumerate(four)),
    )
    record = await four[0].record(table_id, variant="maverick")
    verify_record(record)  # it holds the default against each timeout
    exchange = [(entry.cause, entry.actor) for entry in record.entries[DEALT:][: GIVEN * SEATS]]
    assert exchange == [
        *[(Cause.PLAYER, seat) for seat in AWAKE * GIVEN],
        *[(Cause.TIMEOUT, LATE)] * GIVEN,
    ]
