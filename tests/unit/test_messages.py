"""Tables and clocks as messages."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kozyr.v1 import table_pb2
from kozyr_table.clock import LIMIT_MS_MAX, LIMIT_MS_MIN, ClockKind, ClockRule
from kozyr_table.errors import InvalidRequest
from kozyr_table.messages import clock_message, clock_rule, listed_message, status_of
from kozyr_table.room import Controller, Room, SeatRow, Status, TableInfo

limits_ms = st.integers(LIMIT_MS_MIN, LIMIT_MS_MAX)
extras_ms = st.integers(0, LIMIT_MS_MAX)
rules = st.one_of(
    st.just(ClockRule(ClockKind.UNTIMED)),
    limits_ms.map(lambda limit: ClockRule(ClockKind.PER_MOVE, extra_ms=limit)),
    st.builds(ClockRule, st.just(ClockKind.INCREMENT), limits_ms, extras_ms),
    st.builds(ClockRule, st.just(ClockKind.DELAY), limits_ms, extras_ms),
)

INFO = TableInfo(
    match_id="0match",
    variant="odessa",
    rules_version=1,
    options={"deck": 36},
    clock=ClockRule(ClockKind.PER_MOVE, extra_ms=60_000),
    title="Friday",
    host="ann",
    commitment="ab" * 32,
    listed=True,
)
ROOM = Room(
    Status.GATHERING,
    4,
    (
        SeatRow(),
        SeatRow(Controller.ACCOUNT, account="ann", name="Ann", ready=True, nonce="00ff", epoch=2),
        SeatRow(Controller.BOT, name="b", brain="random", ready=True, epoch=3, worker="main/w/1"),
    ),
)


@given(rules)
def test_clock_comes_back_from_its_message(rule: ClockRule) -> None:
    assert clock_rule(clock_message(rule), default_limit_ms=1) == rule


def test_table_that_names_no_clock_gets_the_default() -> None:
    default = ClockRule(ClockKind.PER_MOVE, extra_ms=1_234)
    assert clock_rule(table_pb2.Clock(), default_limit_ms=1_234) == default


@pytest.mark.parametrize("limit_ms", [0, LIMIT_MS_MIN - 1, LIMIT_MS_MAX + 1, 2**64 - 1])
def test_clock_out_of_range_is_refused(limit_ms: int) -> None:
    for message in (
        table_pb2.Clock(per_move=table_pb2.Clock.PerMove(limit_ms=limit_ms)),
        table_pb2.Clock(increment=table_pb2.Clock.Increment(bank_ms=limit_ms)),
        table_pb2.Clock(delay=table_pb2.Clock.Delay(bank_ms=limit_ms)),
    ):
        with pytest.raises(InvalidRequest, match=str(LIMIT_MS_MIN)):
            clock_rule(message, default_limit_ms=1_000)


def test_table_is_shown_with_all_that_everybody_may_know() -> None:
    message = listed_message("0table", INFO, ROOM, 99, log_version=7)
    assert (message.table_id, message.match_id) == ("0table", "0match")
    assert (message.variant, message.rules_version) == ("odessa", 1)
    assert json.loads(message.options_json) == {"deck": 36}
    assert (message.status, message.title) == (table_pb2.TABLE_STATUS_GATHERING, "Friday")
    assert message.clock == clock_message(INFO.clock)
    assert (message.host_account_id, message.created_at_ms) == ("ann", 99)
    assert (message.log_version, message.room_version) == (7, 4)
    assert message.commitment == bytes.fromhex(INFO.commitment)
    assert message.visibility == table_pb2.VISIBILITY_PUBLIC
    assert list(message.seats) == [
        table_pb2.Seat(seat=0),
        table_pb2.Seat(
            seat=1,
            controller=table_pb2.CONTROLLER_ACCOUNT,
            account_id="ann",
            display_name="Ann",
            ready=True,
            epoch=2,
        ),
        table_pb2.Seat(
            seat=2,
            controller=table_pb2.CONTROLLER_BOT,
            display_name="b",
            brain="random",
            ready=True,
            epoch=3,
        ),
    ]


def test_nonces_and_workers_are_nobodys_business() -> None:
    data = listed_message("0table", INFO, ROOM, 99).SerializeToString()
    assert b"00ff" not in data
    assert b"\x00\xff" not in data
    assert b"main/w" not in data


def test_unlisted_table_says_so() -> None:
    message = listed_message("0table", replace(INFO, listed=False), ROOM, 99)
    assert message.visibility == table_pb2.VISIBILITY_UNLISTED


def test_every_status_of_a_table_in_the_list_can_be_asked_for() -> None:
    for status in Status:
        message = listed_message("0table", INFO, replace(ROOM, status=status), 99)
        assert status_of(message.status) is status


def test_no_status_asks_for_all() -> None:
    assert status_of(table_pb2.TABLE_STATUS_UNSPECIFIED) is None


def test_status_that_no_table_in_the_list_has_is_refused() -> None:
    with pytest.raises(InvalidRequest):
        status_of(table_pb2.TABLE_STATUS_CLOSED)
