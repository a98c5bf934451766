"""What a trick is worth: M6. Hearts are trump and spades the summator, unless said otherwise."""

import pytest

from kozyr.events import DealScored
from tests.maverick_table import OPEN, MaverickTable, one_trick, rows_taken_by


def worth(*cards: str, open_cards: str = OPEN) -> tuple[int, int]:
    """Who takes the trick that seat 0 leads, and its points."""
    [result] = one_trick(*cards, open_cards=open_cards).taken()
    return result


@pytest.mark.parametrize(
    ("cards", "result"),
    [
        (("QH", "8H", "3H", "9H"), (0, -4)),
        (("2H", "AH", "3H", "4H"), (1, -4)),
    ],
)
def test_four_trumps_cost_four(cards: tuple[str, ...], result: tuple[int, int]) -> None:
    """M6"""
    assert worth(*cards) == result


@pytest.mark.parametrize(
    ("cards", "result"),
    [
        (("9D", "2H", "KD", "4D"), (1, -1)),  # one
        (("AC", "2H", "KC", "3H"), (3, -1)),  # two
        (("AC", "2H", "5H", "3H"), (2, -1)),  # three
        (("QH", "JH", "2H", "AC"), (0, -1)),  # three, one void
        (("9H", "7H", "BJ", "TH"), (2, -1)),  # three and a joker are not four trumps
    ],
)
def test_trumps_without_a_summator_cost_one_however_many_short_of_four(
    cards: tuple[str, ...], result: tuple[int, int]
) -> None:
    """M6"""
    assert worth(*cards) == result


@pytest.mark.parametrize(
    ("cards", "result"),
    [
        (("AC", "7C", "3C", "TC"), (0, 1)),
        (("2C", "AD", "KC", "QD"), (2, 1)),
        (("BJ", "AD", "KC", "SJ"), (0, 1)),  # jokers are neither
    ],
)
def test_a_trick_without_trump_and_summator_is_worth_one(
    cards: tuple[str, ...], result: tuple[int, int]
) -> None:
    """M6"""
    assert worth(*cards) == result


@pytest.mark.parametrize(
    ("cards", "result"),
    [
        (("5S", "7C", "3D", "TC"), (0, 1)),
        (("AC", "5S", "6S", "TC"), (0, 2)),
        (("2C", "5S", "6S", "7S"), (0, 3)),
        (("AS", "JS", "6S", "5S"), (0, 4)),  # a book
        (("5S", "JS", "6S", "SJ"), (3, 3)),
    ],
)
def test_every_summator_card_is_worth_one(cards: tuple[str, ...], result: tuple[int, int]) -> None:
    """M6"""
    assert worth(*cards) == result


@pytest.mark.parametrize(
    ("cards", "result"),
    [
        (("JS", "2H", "6S", "SJ"), (3, 2)),
        (("JS", "2H", "3H", "5H"), (3, 1)),
        (("2H", "5S", "6S", "7S"), (0, 3)),
        (("AC", "2H", "6S", "7C"), (1, 1)),
    ],
)
def test_trumps_cost_nothing_where_there_is_a_summator(
    cards: tuple[str, ...], result: tuple[int, int]
) -> None:
    """M6"""
    assert worth(*cards) == result


def test_trump_and_summator_are_those_of_the_open_cards() -> None:
    """M6, M1: a joker lies open, so spades are trump and diamonds the summator."""
    assert worth("AS", "JS", "6S", "5S", open_cards="BJ TH") == (0, -4)
    assert worth("AD", "JD", "6D", "5D", open_cards="BJ TH") == (0, 4)
    assert worth("AH", "JH", "6H", "5H", open_cards="BJ TH") == (0, 1)


def test_points_go_to_the_team_that_takes_the_trick() -> None:
    """M6: both partners' tricks together, whoever led.

    Seats 0 and 2: two books 8, two tricks of trumps −8, four others 4, together 4.
    Seats 1 and 3: one book 4, one trick of trumps −4, three others 3, together 3.
    """
    table = MaverickTable(max_deals=1)
    table.play_deal(rows_taken_by("012 302 0123210"))
    assert [points for _, points in table.taken()] == [4, 4, 4, -4, -4, -4, 1, 1, 1, 1, 1, 1, 1]
    assert table.said(DealScored) == [DealScored((4, 3, 4, 3), (4, 3, 4, 3))]


def test_a_team_without_a_trick_scores_nothing() -> None:
    """M6: 12 − 12 + 7 = 7."""
    table = MaverickTable(max_deals=1)
    table.play_deal(rows_taken_by("131 313 1313131"))
    assert table.scores() == (0, 7, 0, 7)
