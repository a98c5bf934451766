"""A referee says what it referees, and what options come to."""

from dataclasses import replace

import pytest

from kozyr.errors import IllegalMove, InvalidDeck, InvalidOptions, InvalidSeatCount
from kozyr.events import Seat
from kozyr.log import Cause, Entry
from kozyr.match import Match
from tests.toy import REFEREE, TOY, play_out, toy_match


def test_a_referee_is_for_one_version_of_the_rules_of_one_variant() -> None:
    assert (REFEREE.variant_id, REFEREE.rules_version, REFEREE.remote) == ("toy", 3, False)
    offer = REFEREE.describe()
    assert (offer.variant, offer.title, offer.rules_versions) == ("toy", "Toy", (3,))
    assert (offer.newest, offer.seat_counts) == (3, (2, 3, 4, 5, 6))
    assert offer.options_schema == TOY.options_schema()


def test_a_configuration_completes_the_options() -> None:
    configuration = REFEREE.configure({"deals": 3})
    assert configuration.options == {"deals": 3, "hand": 2}
    assert configuration.seat_counts == (2, 3, 4, 5, 6)
    assert configuration.teams == ()
    assert configuration.actions is TOY.actions(TOY.parse_options({}))


def test_a_configuration_for_a_number_of_seats_tells_the_teams() -> None:
    assert REFEREE.configure({}, 3).teams == (0, 1, 2)


def test_options_and_seats_that_are_not_possible_are_refused() -> None:
    with pytest.raises(InvalidOptions):
        REFEREE.configure({"deals": 10})
    with pytest.raises(InvalidSeatCount):
        REFEREE.configure({}, 7)


def test_a_log_is_followed_to_the_position_after_each_entry() -> None:
    match = play_out(toy_match())
    start = REFEREE.begin(match.header)
    positions = REFEREE.follow(start, match.entries)
    assert len(positions) == len(match.entries)
    assert [event for each in positions for event in each.step.events] == match.history
    assert start.step.deck, "it is left as it was"


def test_what_a_log_leads_to_can_be_worked_out_before_it_is_taken_over() -> None:
    match = play_out(toy_match())
    again = Match.open(match.header, referee=REFEREE)
    advance = again.replay([replace(entry) for entry in match.entries])
    assert again.version == 0
    again.extend(advance)
    assert (again.digest, again.history) == (match.digest, match.history)


def test_a_log_that_cannot_be_followed_changes_nothing() -> None:
    match = toy_match()
    entry = Entry(2, Seat(0), 5, (), Cause.PLAYER, b"")
    with pytest.raises(IllegalMove):
        match.replay([entry])
    assert entry.digest == b""
    with pytest.raises(InvalidDeck, match="entry 3 is not the one"):
        match.replay([replace(entry, version=3, action=1)])
    assert match.version == 1
