"""How long a match lasts, and who wins it: M8, C1."""

from typing import Any

import pytest

from kozyr.events import DealBegan, DealScored, MatchEnded, Outcome
from tests.maverick_table import FAMILIES, VARIANT, MaverickTable, rows_taken_by

NINETEEN = rows_taken_by("000 111 0000000")
"""12 + 7 = 19 to −12."""
ELEVEN = rows_taken_by("000 001 0000000")
"""12 − 8 + 7 = 11 to −4."""
TEN = rows_taken_by("000 001 0000001")
"""12 − 8 + 6 = 10 to −3."""
SEVEN = rows_taken_by("000 000 0000000")
"""12 − 12 + 7 = 7 to 0; after the books it is 12."""
FOUR_TO_THREE = rows_taken_by("001 001 0000111")
"""8 − 8 + 4 to 4 − 4 + 3."""
THREE_TO_FOUR = rows_taken_by("001 001 0001111")
"""8 − 8 + 3 to 4 − 4 + 4."""

SPLIT_TRUMPS = ["JH 8D TH 9D", "8H QD 9H TD", "SJ BJ JC JD"]
"""Seat 0 leads the last trumps but two, −1; then seat 2 takes the last, −1; seat 1 the jokers, +1.

With these in the place of three tricks of the `FAMILIES` the teams share an even number: 8.
"""
_TO_SPLIT = [family for family in FAMILIES if family[:2] not in ("JH", "QD", "BJ")]
FOUR_ALL = [*rows_taken_by("001 01 11100", _TO_SPLIT), *SPLIT_TRUMPS]
"""8 − 4 + 2 − 2 to 4 − 4 + 3 + 1."""
THREE_TO_FIVE = [*rows_taken_by("001 01 11110", _TO_SPLIT), *SPLIT_TRUMPS]
"""8 − 4 + 1 − 2 to 4 − 4 + 4 + 1."""


def match_of(*deals: list[str], **options: Any) -> MaverickTable:
    """A table at which these deals have been played, as long as the match went on."""
    table = MaverickTable(**options)
    for index, rows in enumerate(deals):
        if table.game.outcome() is None:
            table.play_deal(rows, dealer=(3 + index) % 4)
    return table


def totals(table: MaverickTable) -> list[tuple[int, int]]:
    """The totals of the teams after each deal."""
    return [(each.totals[0], each.totals[1]) for each in table.said(DealScored)]


def won(first: int, second: int) -> Outcome:
    """The outcome of a match that ended with these totals."""
    places = (1, 3, 1, 3) if first > second else (3, 1, 3, 1)
    return Outcome((first, second, first, second), places, ((), (), (), ()))


@pytest.mark.parametrize(
    ("options", "deals"),
    [({}, 2), ({"target": 30}, 2), ({"target": 40}, 3), ({"target": 50}, 3)],
)
def test_the_match_ends_when_a_team_is_over_the_target(
    options: dict[str, object], deals: int
) -> None:
    """M8, ``target``: 19, 38, 57."""
    table = match_of(*[NINETEEN] * 5, **options)
    assert totals(table) == [(19, -12), (38, -24), (57, -36)][:deals]
    assert table.game.waiting() == 0


def test_the_target_itself_is_enough() -> None:
    """M8: 19 + 11 = 30."""
    table = match_of(NINETEEN, ELEVEN)
    assert totals(table)[-1] == (30, -16)
    assert table.game.outcome() == won(30, -16)
    assert table.said(MatchEnded) == [MatchEnded(won(30, -16))]


def test_one_point_short_of_the_target_the_match_goes_on() -> None:
    """M8: 19 + 10 = 29."""
    table = match_of(NINETEEN, TEN)
    assert totals(table)[-1] == (29, -15)
    assert table.game.outcome() is None
    assert table.shuffling


def test_only_the_scored_deal_counts_not_what_a_team_has_on_the_way() -> None:
    """M8: 19 + 12 after the books of the second deal, and 19 + 7 = 26 at its end."""
    table = match_of(NINETEEN, SEVEN)
    assert totals(table)[-1] == (26, -12)
    assert table.game.outcome() is None


def test_if_both_teams_are_over_the_target_the_higher_one_wins() -> None:
    """M8: four times 3 to 4 and four times 4 to 3 are 28 all; the ninth deal makes it 31 to 32."""
    table = match_of(*[FOUR_TO_THREE, THREE_TO_FOUR] * 4, THREE_TO_FOUR)
    assert totals(table)[-2:] == [(28, 28), (31, 32)]
    assert table.game.outcome() == won(31, 32)


def test_if_both_are_over_the_target_and_equal_another_deal_is_played() -> None:
    """M8: eight times 4 all is 32 all; 36 all; then 3 to 5."""
    table = match_of(*[FOUR_ALL] * 9, THREE_TO_FIVE)
    assert totals(table)[7:] == [(32, 32), (36, 36), (39, 41)]
    assert table.game.outcome() == won(39, 41)


def test_after_max_deals_the_higher_total_wins() -> None:
    """M8, ``max_deals``"""
    table = match_of(FOUR_TO_THREE, THREE_TO_FOUR, THREE_TO_FOUR, max_deals=3)
    assert totals(table) == [(4, 3), (7, 7), (10, 11)]
    assert table.game.outcome() == won(10, 11)


@pytest.mark.parametrize("deals", [1, 8])
def test_after_max_deals_equal_totals_are_a_draw(deals: int) -> None:
    """M8, ``max_deals``: 4 all, and 32 all, which is over the target."""
    table = match_of(*[FOUR_ALL] * (deals + 1), max_deals=deals)
    assert len(totals(table)) == deals
    score = 4 * deals
    assert table.game.outcome() == Outcome((score,) * 4, (1, 1, 1, 1), ((), (), (), ()))
    assert table.game.waiting() == 0


def test_a_target_reached_before_max_deals_ends_the_match() -> None:
    """M8"""
    assert len(totals(match_of(*[NINETEEN] * 3, max_deals=3))) == 2


def test_a_match_that_gets_nowhere_ends_after_two_hundred_deals() -> None:
    """M8: 4 all in every deal are 800 all, which is a draw."""
    table = match_of(*[FOUR_ALL] * 201)
    assert len(totals(table)) == 200
    assert totals(table)[-1] == (800, 800)
    assert table.game.outcome() == Outcome((800,) * 4, (1, 1, 1, 1), ((), (), (), ()))


def test_nobody_knows_beforehand_how_many_deals_there_will_be() -> None:
    """M8"""
    table = match_of(SEVEN, SEVEN, max_deals=2)
    assert [(each.index, each.deal_count, each.kind) for each in table.said(DealBegan)] == [
        (0, 0, "regular"),
        (1, 0, "regular"),
    ]


def test_partners_sit_opposite_and_have_the_score_and_the_place_of_their_team() -> None:
    """M8"""
    assert list(VARIANT.teams(VARIANT.parse_options({}), 4)) == [0, 1, 0, 1]
    table = match_of(SEVEN, max_deals=1)
    assert table.game.scores() == (7, 0, 7, 0)
    [ended] = table.said(MatchEnded)
    assert ended.outcome.places == (1, 3, 1, 3)


def test_the_scores_without_the_deal_under_way_are_what_a_game_tells() -> None:
    """M8"""
    table = match_of(NINETEEN)
    table.deal_for(SEVEN, dealer=0)
    table.exchange()
    table.play_rows(SEVEN[:3])
    assert table.game.scores() == (19, -12, 19, -12)
