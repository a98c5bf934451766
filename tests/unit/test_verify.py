"""Nothing in a record that was changed passes as true, and what was changed is named."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kozyr.errors import InvalidRecord, MatchError, UnknownVariant, UnsupportedRules
from kozyr.events import Seat
from kozyr.log import Cause
from kozyr.record import Record, read_record, write_record
from kozyr.verify import verify_record
from tests.tampering import changes, rechained
from tests.toy import REFEREE, play_out, toy_match

MATCH = play_out(toy_match(deals=3), seed=4)
RECORD = Record.of(MATCH)
LAST_LINE = RECORD.result_line + 1

CHANGES = changes(MATCH.setup.actions)
AT = next(at for at, entry in enumerate(RECORD.entries) if entry.cause is Cause.PLAYER and at > 1)
"""The move that is changed, in the first trick of the match."""


def refusal(source: Record | Path) -> InvalidRecord:
    """What is said against a record."""
    with pytest.raises(InvalidRecord) as refused:
        verify_record(source, referee=REFEREE)
    return refused.value


def assert_named(refused: InvalidRecord, what: str) -> None:
    change = CHANGES[what]
    line = change.line_number(RECORD, AT)
    assert refused.line == line
    assert re.match(rf"line {line}: .*({change.words})", str(refused))


def test_a_true_record_verifies_and_gives_its_match(tmp_path: Path) -> None:
    write_record(MATCH, tmp_path / "match.jsonl")
    for source in (RECORD, tmp_path / "match.jsonl", str(tmp_path / "match.jsonl")):
        match = verify_record(source, referee=REFEREE)
        assert (match.digest, match.history) == (MATCH.digest, MATCH.history)


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_in_a_file_is_found_and_named(what: str, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_bytes(replace(CHANGES[what].make(RECORD, AT), seal=RECORD.seal).to_bytes())
    assert_named(refusal(path), what)
    with pytest.raises(InvalidRecord, match="the seal is not that of the lines above"):
        read_record(path)


@pytest.mark.parametrize("what", CHANGES)
def test_a_new_seal_hides_no_change(what: str) -> None:
    assert_named(refusal(CHANGES[what].make(RECORD, AT).sealed()), what)


@pytest.mark.parametrize("what", [what for what, change in CHANGES.items() if change.denied])
def test_new_digests_do_not_hide_what_the_seed_or_the_rules_deny(what: str) -> None:
    assert_named(refusal(rechained(CHANGES[what].make(RECORD, AT))), what)


def test_another_seal_is_found() -> None:
    refused = refusal(replace(RECORD, seal=bytes(32)))
    assert str(refused).startswith(f"line {LAST_LINE}: the seal is not that of the lines above")


@pytest.mark.parametrize("change", [{"at_ms": 2**50}, {"request_id": "another"}])
def test_a_later_time_or_another_request_is_found_by_the_seal_alone(change: dict[str, Any]) -> None:
    last = replace(RECORD.entries[-1], **change)
    record = replace(RECORD, entries=(*RECORD.entries[:-1], last))
    assert refusal(record).line == LAST_LINE
    verify_record(record.sealed(), referee=REFEREE)


def test_a_log_that_ends_too_early_is_found() -> None:
    short = replace(RECORD, entries=RECORD.entries[:-1], moves=RECORD.moves[:-1]).sealed()
    assert str(refusal(short)) == f"line {LAST_LINE - 2}: the log ends before the match does"


def test_an_entry_after_the_end_is_found() -> None:
    more = replace(RECORD.entries[-1], version=len(RECORD.entries) + 1)
    long = replace(RECORD, entries=(*RECORD.entries, more), moves=(*RECORD.moves, RECORD.moves[-1]))
    assert str(refusal(rechained(long))) == f"line {LAST_LINE - 1}: the match has ended"


def test_a_deck_that_nobody_waits_for_is_found() -> None:
    first, _, *rest = RECORD.entries
    record = replace(RECORD, entries=(first, replace(first, version=2), *rest))
    assert str(refusal(rechained(record))) == "line 3: there is nothing to shuffle here"


def test_when_the_time_is_up_only_the_default_can_be_played() -> None:
    match = toy_match(deals=1, hand=1)
    for seat in range(4):
        match.commit(match.prepare(Seat(seat), 1, cause=Cause.TIMEOUT), at_ms=2**50)
    refused = refusal(Record.of(match))
    assert str(refused) == "line 3: when the time is up the move is 'pass', not 'lay place=1'"


def test_a_record_of_rules_that_are_not_here_cannot_be_verified() -> None:
    header = replace(RECORD.header, rules_version=2)
    with pytest.raises(UnsupportedRules, match="rules_version 2 of toy is not served here"):
        verify_record(rechained(replace(RECORD, header=header)), referee=REFEREE)
    with pytest.raises(UnknownVariant, match="no variant 'toy'"):
        verify_record(RECORD)


def test_a_log_against_the_rules_gives_no_match() -> None:
    record = CHANGES["digest"].make(RECORD, AT)
    with pytest.raises(MatchError):
        record.match(referee=REFEREE)
