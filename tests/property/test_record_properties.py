"""Records of whole Odessa matches over the space of its options."""

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kozyr.errors import InvalidRecord
from kozyr.events import WATCHER
from kozyr.log import is_chance
from kozyr.match import Match
from kozyr.record import Record, parse_record
from kozyr.verify import verify_record
from kozyr.wire import decode_observation, decode_record, encode_observation, encode_record
from tests.odessa_walk import RandomMatch
from tests.oracle_record import check_record
from tests.strategies import odessa_matches
from tests.tampering import changes, rechained
from tests.toy import play_out


def played(table: RandomMatch, **options: Any) -> Match:
    """A random match of those options, played to its end."""
    match = Match("odessa", seats=table.seats, options=table.options | options, seed=table.seed)
    return play_out(match, seed=table.seed)


@given(odessa_matches())
def test_every_match_has_a_record_that_is_read_back_and_verifies(table: RandomMatch) -> None:
    match = played(table)
    record = Record.of(match)
    assert parse_record(record.to_bytes()) == record
    again = verify_record(record)
    assert (again.digest, again.history, again.outcome) == (
        match.digest,
        match.history,
        match.outcome,
    )


@given(odessa_matches())
def test_a_second_program_finds_every_digest_and_card_of_a_record(table: RandomMatch) -> None:
    """Written from docs/records.md alone."""
    match = played(table)
    assert check_record(Record.of(match).to_bytes()) == match.shuffles


@given(odessa_matches())
def test_a_record_and_all_views_come_through_the_wire_unchanged(table: RandomMatch) -> None:
    match = played(table, max_hand=2)
    record = Record.of(match)
    assert decode_record(encode_record(record), match.setup.actions) == record
    for viewer in (0, table.seats - 1, WATCHER):
        observation = match.observe(viewer)
        assert decode_observation(encode_observation(observation)) == observation


@given(odessa_matches(), st.data())
def test_no_change_passes_as_true(table: RandomMatch, data: st.DataObject) -> None:
    """Changed in the file alone, with a new seal, or with all digests new where that is no help."""
    match = played(table, max_hand=2)
    record = Record.of(match)
    moves = [at for at, entry in enumerate(record.entries[:-1]) if not is_chance(entry)]
    at = data.draw(st.sampled_from(moves))
    for change in changes(match.setup.actions).values():
        changed = change.make(record, at)
        forgeries = [replace(changed, seal=record.seal), changed.sealed()]
        if change.denied:
            forgeries.append(rechained(changed))
        with pytest.raises(InvalidRecord) as refused:
            verify_record(data.draw(st.sampled_from(forgeries)))
        assert refused.value.line == change.line_number(record, at)
        assert re.search(change.words, str(refused.value))
