"""Turn clocks as values: what a decision costs and when its time is up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kozyr_table.clock import LIMIT_MS_MAX, LIMIT_MS_MIN, ClockKind, ClockRule, SeatClock
from kozyr_table.errors import InvalidRequest

PER_MOVE = ClockRule(ClockKind.PER_MOVE, extra_ms=5_000)
INCREMENT = ClockRule(ClockKind.INCREMENT, bank_ms=60_000, extra_ms=2_000)
DELAY = ClockRule(ClockKind.DELAY, bank_ms=60_000, extra_ms=2_000)
UNTIMED = ClockRule(ClockKind.UNTIMED)

times_ms = st.integers(0, LIMIT_MS_MAX)
limits_ms = st.integers(LIMIT_MS_MIN, LIMIT_MS_MAX)
rules = st.one_of(
    st.just(UNTIMED),
    limits_ms.map(lambda limit: ClockRule(ClockKind.PER_MOVE, extra_ms=limit)),
    st.builds(ClockRule, st.just(ClockKind.INCREMENT), limits_ms, times_ms),
    st.builds(ClockRule, st.just(ClockKind.DELAY), limits_ms, times_ms),
)
clocks = st.builds(SeatClock, times_ms, times_ms, times_ms, times_ms)


def running(rule: ClockRule, *, at_ms: int = 1_000) -> SeatClock:
    return SeatClock(bank_ms=rule.bank_ms).start(rule, decision_id=7, now_ms=at_ms)


def test_each_decision_has_the_whole_limit_of_a_clock_per_move() -> None:
    clock = running(PER_MOVE)
    assert clock == SeatClock(decision_id=7, deadline_ms=6_000, bank_ms=0, since_ms=1_000)
    assert clock.stop(PER_MOVE, now_ms=5_999) == SeatClock()


def test_bank_with_increment_is_charged_and_then_added_to() -> None:
    clock = running(INCREMENT)
    assert clock.deadline_ms == 61_000
    assert clock.stop(INCREMENT, now_ms=11_000) == SeatClock(bank_ms=60_000 - 10_000 + 2_000)


def test_bank_may_grow_beyond_its_start_by_increments() -> None:
    assert running(INCREMENT).stop(INCREMENT, now_ms=1_000) == SeatClock(bank_ms=62_000)


def test_who_ran_out_goes_on_with_the_increment_alone() -> None:
    assert running(INCREMENT).stop(INCREMENT, now_ms=99_000) == SeatClock(bank_ms=2_000)


def test_delay_costs_nothing_and_what_is_left_of_it_is_lost() -> None:
    clock = running(DELAY)
    assert clock.deadline_ms == 63_000
    for spent_ms in (0, 1_999, 2_000):
        assert clock.stop(DELAY, now_ms=1_000 + spent_ms) == SeatClock(bank_ms=60_000)


def test_time_after_the_delay_is_taken_from_the_bank() -> None:
    assert running(DELAY).stop(DELAY, now_ms=1_000 + 2_500) == SeatClock(bank_ms=59_500)
    assert running(DELAY).stop(DELAY, now_ms=99_000) == SeatClock(bank_ms=0)


def test_untimed_decision_has_no_deadline() -> None:
    clock = running(UNTIMED)
    assert clock.deadline_ms == 0
    assert clock.stop(UNTIMED, now_ms=10**12) == SeatClock()


@given(rules, st.lists(times_ms, max_size=20))
def test_bank_is_never_negative_and_the_deadline_is_never_past_at_the_start(
    rule: ClockRule, thinking: list[int]
) -> None:
    now_ms = 1_000_000
    clock = SeatClock(bank_ms=rule.bank_ms)
    for decision_id, spent_ms in enumerate(thinking, 1):
        clock = clock.start(rule, decision_id=decision_id, now_ms=now_ms)
        assert clock.deadline_ms >= now_ms or rule.kind is ClockKind.UNTIMED
        now_ms += spent_ms
        clock = clock.stop(rule, now_ms=now_ms)
        assert clock.bank_ms >= 0
        assert (clock.decision_id, clock.deadline_ms, clock.since_ms) == (0, 0, 0)


@given(rules)
def test_rule_is_parsed_as_it_is_written(rule: ClockRule) -> None:
    assert ClockRule.parse(rule.text) == rule


@given(clocks)
def test_clock_is_parsed_as_it_is_written(clock: SeatClock) -> None:
    assert SeatClock.parse(clock.text) == clock


@pytest.mark.parametrize(
    ("kind", "bank_ms", "extra_ms"),
    [
        (ClockKind.PER_MOVE, 0, LIMIT_MS_MIN - 1),
        (ClockKind.PER_MOVE, 0, LIMIT_MS_MAX + 1),
        (ClockKind.INCREMENT, LIMIT_MS_MIN - 1, 0),
        (ClockKind.INCREMENT, LIMIT_MS_MAX + 1, 0),
        (ClockKind.INCREMENT, LIMIT_MS_MIN, -1),
        (ClockKind.DELAY, LIMIT_MS_MIN, LIMIT_MS_MAX + 1),
    ],
)
def test_rule_out_of_range_is_refused_with_the_range(
    kind: ClockKind, bank_ms: int, extra_ms: int
) -> None:
    with pytest.raises(InvalidRequest, match=str(LIMIT_MS_MAX)):
        ClockRule(kind, bank_ms, extra_ms)


def test_limits_themselves_are_allowed() -> None:
    for limit_ms in (LIMIT_MS_MIN, LIMIT_MS_MAX):
        ClockRule(ClockKind.PER_MOVE, extra_ms=limit_ms)
        ClockRule(ClockKind.DELAY, bank_ms=limit_ms, extra_ms=0)
