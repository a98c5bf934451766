"""Frames put together from bytes say what the messages they stand for say."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kozyr import wire
from kozyr.events import WATCHER, Event, Seat
from kozyr.match import Match
from kozyr.v1 import events_pb2, session_pb2
from kozyr_table.clock import SeatClock
from kozyr_table.frames import (
    accepted_frame,
    faces,
    place_fields,
    result_frame,
    table_head,
    update_frame,
)
from tests.toy import toy_match

SEATS = 4
TABLE_ID = "0abcdefghijklmnop"

numbers = st.one_of(st.integers(0, 300), st.integers(0, 2**40))
viewer_masks = st.one_of(
    st.integers(1, (1 << SEATS) - 1), st.just(1 << WATCHER), st.sampled_from([1, 2, 4, 8])
)


def a_match(seed: int, moves: int) -> Match:
    """A toy match after some moves."""
    rng = random.Random(seed)
    match = toy_match(seed=seed, seats=SEATS)
    for at_ms in range(moves):
        if match.over:
            break
        seat = rng.choice(sorted(match.pending))
        advance = match.prepare(seat, rng.choice(match.pending[seat].legal))
        match.commit(advance, at_ms=1_700_000_000_000 + at_ms)
    return match


matches = st.builds(a_match, st.integers(0, 5), st.integers(0, 60))
clocks = st.builds(SeatClock, numbers, numbers, numbers, numbers)


def parsed(frame: bytes) -> session_pb2.PlayResponse:
    return session_pb2.PlayResponse.FromString(frame)


@given(matches, viewer_masks, st.lists(clocks, min_size=SEATS, max_size=SEATS), st.booleans())
def test_update_is_the_message_of_its_parts(
    match: Match,
    viewers: int,
    seat_clocks: list[SeatClock],
    full: bool,  # noqa: FBT001  # Hypothesis gives it
) -> None:
    by_seat = {Seat(seat): clock for seat, clock in enumerate(seat_clocks)}
    decisions = [each for each in match.pending.values() if viewers >> each.seat & 1]
    frame = update_frame(
        table_head(TABLE_ID),
        faces(match.history, 0, viewers),
        rest=place_fields(match, by_seat),
        decisions=decisions,
        full=full,
    )
    update = session_pb2.TableUpdate(
        table_id=TABLE_ID,
        full=full,
        events=expected_events(match.history, 0, viewers),
        place=session_pb2.Place(version=match.version, digest=match.digest),
        pending=[
            session_pb2.Pending(
                seat=seat,
                decision_id=decision.id,
                deadline_ms=by_seat[seat].deadline_ms,
                bank_ms=by_seat[seat].bank_ms,
            )
            for seat, decision in match.pending.items()
        ],
        decisions=[wire.encode_decision(decision) for decision in decisions],
        at_ms=match.entries[-1].at_ms,
    )
    assert parsed(frame) == session_pb2.PlayResponse(updates=[update])


def expected_events(events: list[Event], first: int, viewers: int) -> list[events_pb2.Event]:
    """What the viewers of a stream see, built as messages."""
    seen = []
    for ordinal, event in enumerate(events, first):
        for audience, payload in event.faces:
            common = audience & viewers
            if common:
                seen.append(wire.encode_event(ordinal, 0 if common == viewers else common, payload))
    return seen


@given(matches, st.integers(1, (1 << SEATS) - 1))
def test_each_viewer_of_a_stream_gets_the_faces_it_may_see_and_no_other(
    match: Match, viewers: int
) -> None:
    heard: dict[int, list[object]] = {seat: [] for seat in range(SEATS) if viewers >> seat & 1}
    frame = parsed(update_frame(table_head(TABLE_ID), faces(match.history, 0, viewers)))
    for message in frame.updates[0].events:
        face = wire.decode_event(message)
        for seat, payloads in heard.items():
            if face.seen_by(Seat(seat)):
                payloads.append(face.payload)
    for seat, payloads in heard.items():
        assert payloads == match.observe(seat).heard


def test_events_are_numbered_by_their_place_in_the_match() -> None:
    match = a_match(1, 10)
    start = match.marks[5]
    frame = parsed(update_frame(table_head(TABLE_ID), faces(match.history[start:], start, 1)))
    ordinals = [event.ordinal for event in frame.updates[0].events]
    assert ordinals == sorted(set(ordinals))
    assert ordinals[0] >= start


@given(st.text("abc._:-", min_size=1, max_size=64), st.integers(1, 2**40))
def test_accepted_move_is_the_message_of_its_version(request_id: str, version: int) -> None:
    result = session_pb2.ActResult(table_id=TABLE_ID, request_id=request_id, version=version)
    frame = accepted_frame(table_head(TABLE_ID), request_id, version)
    assert parsed(frame) == session_pb2.PlayResponse(results=[result])


@pytest.mark.parametrize("size", [0, 1, 127, 128, 16_383, 16_384, 3_000_000])
def test_result_of_any_size_is_the_message_of_it(size: int) -> None:
    result = session_pb2.ActResult(table_id=TABLE_ID, request_id="x" * size)
    assert parsed(result_frame(result)) == session_pb2.PlayResponse(results=[result])


@given(st.lists(st.integers(0, 40), min_size=1, max_size=6))
def test_frames_joined_are_the_frame_of_all_in_order(moves: list[int]) -> None:
    """What a session writes: whatever has gathered, in one piece."""
    frames = []
    for number, count in enumerate(moves):
        match = a_match(number, count)
        frames.append(update_frame(table_head(f"table-{number}"), faces(match.history, 0, 1)))
        frames.append(accepted_frame(table_head(f"table-{number}"), f"r{number}", number + 1))
    whole = parsed(b"".join(frames))
    assert [update.table_id for update in whole.updates] == [
        f"table-{number}" for number in range(len(moves))
    ]
    assert [result.version for result in whole.results] == [*range(1, len(moves) + 1)]
    apart = [parsed(frame) for frame in frames]
    assert list(whole.updates) == [update for frame in apart for update in frame.updates]
