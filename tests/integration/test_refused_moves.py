"""Bad frames and moves on a session: each a refusal with a stable reason, and nothing changed."""

from pathlib import Path
from typing import Any

import pytest

from kozyr import wire
from kozyr.cards import card_text, cards_in, pack
from kozyr.errors import IllegalMove
from kozyr.events import Seat
from kozyr.moves import Bid, Pass
from kozyr.v1 import lobby_pb2, moves_pb2, session_pb2
from kozyr_table.keys import new_table_id
from tests.integration.service import (
    LIMIT_S,
    SMALL,
    Caller,
    refused,
    replica,
    unchanged,
)
from tests.integration.stream import Stream, attach, duel, stream

pytestmark = pytest.mark.asyncio(loop_scope="module")

NO_TABLE = new_table_id("any secret", "main", "nobody", "never")

# sessions


async def test_bytes_that_are_no_frame_end_the_session_with_the_reason(
    ann: Caller, bob: Caller
) -> None:
    async with duel(ann, bob) as pair, unchanged(ann.at):
        raw: Any = ann.at.channel.stream_stream("/kozyr.v1.SessionService/Play")
        call = raw(metadata=ann.metadata, timeout=LIMIT_S)
        await call.write(b"\xff\xff\xff\xff garbage")
        error = await Stream(call).until_end()
        assert error is not None
        assert error.reason == "INVALID_REQUEST"
        await pair.streams[0].send(ping=session_pb2.Ping(nonce=1))  # others are not concerned
        await pair.streams[0].until(lambda: pair.streams[0].pongs)


async def test_message_that_is_too_large_is_refused(redis_url: str, tmp_path: Path) -> None:
    async with replica(redis_url, tmp_path, message_bytes_max=4_096) as service:
        ann = Caller(service, "ann")
        async with unchanged(service):
            await refused("RESOURCE_EXHAUSTED", ann.create(title="x" * 5_000))
            async with stream(ann) as session:
                await session.send(attaches=[attach("x" * 5_000)])
                error = await session.until_end()
                assert error is not None
                assert error.reason == "RESOURCE_EXHAUSTED"


async def test_foreign_and_missing_seats_cannot_be_attached(ann: Caller, bob: Caller) -> None:
    async with duel(ann, bob) as pair, stream(ann) as session:
        await refused("NOT_YOUR_SEAT", session.attach(pair.table_id, 1))
        await refused("NOT_YOUR_SEAT", session.attach(pair.table_id, 0, 1))
        await refused("INVALID_REQUEST", session.attach(pair.table_id, 2))
        await refused("INVALID_REQUEST", session.attach(pair.table_id, 2**32 - 1))


async def test_session_follows_so_many_tables_and_no_more(redis_url: str, tmp_path: Path) -> None:
    async with replica(redis_url, tmp_path, session_tables_max=2) as service:
        ann = Caller(service, "ann")
        tables = [(await ann.create(request_id=name)).table_id for name in "abc"]
        async with stream(ann) as session:
            await session.attach(tables[0])
            await session.attach(tables[1])
            await session.attach(tables[1])
            await refused("LIMIT_EXCEEDED", session.attach(tables[2]))
            await session.send(detaches=[session_pb2.Detach(table_id=tables[0])])
            await session.attach(tables[2])


async def test_who_does_not_follow_the_table_cannot_move_there(ann: Caller, bob: Caller) -> None:
    async with duel(ann, bob) as pair, stream(ann) as session:
        act = session.act(pair.table_id, 0, decision_id=1, action=0)
        await refused("NOT_ATTACHED", act)


async def test_who_does_not_play_the_seat_cannot_move_for_it(ann: Caller, bob: Caller) -> None:
    async with duel(ann, bob) as pair:
        decision = pair.decision
        other = pair.streams[1 - decision.seat]
        async with unchanged(ann.at), stream(Caller(ann.at, "eva")) as watching:
            await watching.attach(pair.table_id)
            for session, seat in (
                (other, decision.seat),
                (watching, decision.seat),
                (watching, 17),
                (watching, 2**32 - 1),
            ):
                act = session.act(
                    pair.table_id, seat, decision_id=decision.id, action=decision.default
                )
                await refused("NOT_YOUR_SEAT", act)


async def test_nobody_moves_before_the_match_has_begun(ann: Caller) -> None:
    table = await ann.create(plan=[lobby_pb2.SeatPlan(seat=0, me=True)])
    async with stream(ann) as session, unchanged(ann.at):
        await session.attach(table.table_id, 0)
        for choice in ({"action": 0}, {"text": "pass"}):
            act = session.act(table.table_id, 0, decision_id=0, **choice)
            await refused("WRONG_STATUS", act)


# moves


async def test_who_is_not_to_move_is_told_who_is(ann: Caller, bob: Caller) -> None:
    async with duel(ann, bob) as pair, unchanged(ann.at):
        decision = pair.decision
        seat = 1 - decision.seat
        act = pair.streams[seat].act(pair.table_id, seat, decision_id=decision.id, action=0)
        error = await refused("NOT_YOUR_TURN", act)
        assert error.waiting == (decision.seat,)  # type: ignore[attr-defined]


@pytest.mark.parametrize("decision_id", [0, 10**6, 2**64 - 1])
async def test_move_that_answers_another_decision_is_refused(
    ann: Caller, bob: Caller, decision_id: int
) -> None:
    async with duel(ann, bob) as pair, unchanged(ann.at):
        pending = pair.decision.id
        error = await refused("STALE_DECISION", pair.move(decision_id=decision_id))
        assert error.pending == pending  # type: ignore[attr-defined]


async def test_move_that_comes_again_for_an_old_decision_is_refused(
    ann: Caller, bob: Caller
) -> None:
    async with duel(ann, bob) as pair:
        seat, old = pair.decision.seat, pair.decision.id
        await pair.move()
        while pair.decision.seat != seat:
            await pair.move()
        async with unchanged(ann.at):
            await refused("STALE_DECISION", pair.move(decision_id=old, request_id="late"))


async def test_card_that_is_not_held_is_refused_with_the_legal_moves(
    ann: Caller, bob: Caller
) -> None:
    async with duel(ann, bob) as pair:
        await pair.moves(2)  # the bids
        decision = pair.decision
        hand = pair.views[decision.seat].observations[decision.seat].hand
        strange = next(card for card in pack(lowest_rank=6) if card not in cards_in(hand))
        async with unchanged(ann.at):
            choice = {"action": None, "text": f"play {card_text(strange)}"}
            error = await refused("ILLEGAL_MOVE", pair.move(**choice))
        assert isinstance(error, IllegalMove)
        assert error.clause
        assert error.legal == decision.legal


async def test_dealer_may_not_make_the_bids_sum_to_the_cards_dealt(
    ann: Caller, bob: Caller
) -> None:
    """C3: the clause and the legal moves come with the refusal."""
    async with duel(ann, bob) as pair:
        await pair.move(action=None, text="pass")
        decision = pair.decision
        async with unchanged(ann.at):
            error = await refused("ILLEGAL_MOVE", pair.move(action=None, text="bid 1"))
        assert isinstance(error, IllegalMove)
        assert error.clause == "C3"
        assert error.legal == decision.legal
        assert len(error.legal) == 1
        assert await pair.move() == pair.version  # and the one that is left is taken


NO_MOVES: dict[str, tuple[dict[str, Any], str]] = {
    "number of no action": ({"action": 10**6}, "ILLEGAL_MOVE"),
    "largest number": ({"action": 2**32 - 1}, "ILLEGAL_MOVE"),
    "no choice": ({"action": None}, "INVALID_MESSAGE"),
    "empty text": ({"action": None, "text": ""}, "INVALID_MESSAGE"),
    "nonsense": ({"action": None, "text": "fly me to the moon"}, "INVALID_MESSAGE"),
    "bid of no number": ({"action": None, "text": "bid many"}, "INVALID_MESSAGE"),
    "bid with too many digits": ({"action": None, "text": "bid " + 5000 * "9"}, "INVALID_MESSAGE"),
    "card of no pack": ({"action": None, "text": "play 1S"}, "INVALID_MESSAGE"),
    "very long text": ({"action": None, "text": 100_000 * "x"}, "INVALID_MESSAGE"),
    "empty move": ({"action": None, "move": moves_pb2.Move()}, "INVALID_MESSAGE"),
    "move of another game": (
        {"action": None, "move": moves_pb2.Move(make_bet=moves_pb2.Move.MakeBet())},
        "INVALID_MESSAGE",
    ),
    "card with no number": (
        {"action": None, "move": moves_pb2.Move(play=moves_pb2.Move.Play(card=15))},
        "INVALID_MESSAGE",
    ),
}


@pytest.mark.parametrize(("choice", "reason"), NO_MOVES.values(), ids=list(NO_MOVES))
async def test_what_is_no_move_is_refused(
    ann: Caller, bob: Caller, choice: dict[str, Any], reason: str
) -> None:
    async with duel(ann, bob) as pair:
        async with unchanged(ann.at):
            await refused(reason, pair.move(**choice))
        await pair.move(request_id="better")


@pytest.mark.parametrize("form", ["action", "move", "text"])
async def test_move_is_taken_in_each_of_its_forms(ann: Caller, bob: Caller, form: str) -> None:
    options = {**SMALL, "dealer_restriction": False}
    async with duel(ann, bob, options=options) as pair:
        table = (await ann.configure(variant="odessa", options_json='{"max_hand": 1}')).actions
        actions = wire.decode_actions(table)
        for move in (Bid(1), Pass()):
            number = actions.number(move)
            choice = {"action": number, "move": wire.encode_move(move), "text": move.text}
            await pair.move(**{"action": None, form: choice[form]})
        bids = [bid and bid.count for bid in pair.views[0].observations[Seat(0)].bids]
        assert sorted(bids, key=str) == [0, 1]


async def test_request_repeated_gets_the_same_version_and_is_not_taken_twice(
    ann: Caller, bob: Caller
) -> None:
    async with duel(ann, bob) as pair:
        how: dict[str, Any] = {
            "decision_id": pair.decision.id,
            "action": pair.decision.default,
            "request_id": "once",
        }
        seat = pair.decision.seat
        version = await pair.move(**how)
        async with unchanged(ann.at):
            for _ in range(3):
                assert await pair.streams[seat].act(pair.table_id, seat, **how) == version
            await pair.streams[seat].send(
                acts=[session_pb2.Act(table_id=pair.table_id, seat=seat, **how)] * 20
            )
            async with stream((ann, bob)[seat]) as other:
                await other.attach(pair.table_id, seat)
                assert await other.act(pair.table_id, seat, **how) == version
        assert pair.version == version


async def test_more_moves_than_may_wait_at_a_table_are_refused(
    redis_url: str, tmp_path: Path
) -> None:
    async with replica(redis_url, tmp_path, table_queue_max=2) as service:
        ann, bob = Caller(service, "ann"), Caller(service, "bob")
        async with duel(ann, bob) as pair:
            decision, mover, before = pair.decision, pair.mover, pair.version
            names = [f"request-{number}" for number in range(8)]
            acts = [
                session_pb2.Act(
                    table_id=pair.table_id,
                    seat=decision.seat,
                    decision_id=decision.id,
                    action=decision.default,
                    request_id=name,
                )
                for name in names
            ]
            await mover.send(acts=acts)
            await mover.until(lambda: set(names) <= mover.answers.keys())
            reasons = [getattr(mover.answers[name], "reason", "taken") for name in names]
            assert reasons[0] == "taken"
            assert reasons[3:] == ["LIMIT_EXCEEDED"] * 5
            await pair.reach(before + 1)
            await pair.finish()


async def test_session_goes_on_after_refusals(ann: Caller, bob: Caller) -> None:
    async with duel(ann, bob) as pair:
        await refused("STALE_DECISION", pair.move(decision_id=99))
        await refused("UNKNOWN_TABLE", pair.mover.attach(NO_TABLE))
        await pair.finish()
