"""The page for people, the tests and the code speak of the same rules."""

import re
from pathlib import Path

import pytest

from tests.maverick_table import FAMILIES, VARIANT, MaverickTable, one_trick, rows_taken_by
from tests.rules_page import cited_in, is_cited, is_told, options_listed, options_of, page_of

CITED = cited_in(Path(__file__).parent)
PAGE = page_of(VARIANT)
OWN_CLAUSES = [f"M{number}" for number in range(1, 14)]
SHARED_CLAUSES = ["C1", "C4", "C6"]


@pytest.mark.parametrize("clause", [*OWN_CLAUSES, *SHARED_CLAUSES])
def test_every_clause_is_cited_by_a_test(clause: str) -> None:
    assert is_cited(clause, CITED)


@pytest.mark.parametrize("clause", OWN_CLAUSES)
def test_every_clause_of_its_own_is_on_the_page(clause: str) -> None:
    assert is_told(clause, PAGE)


def test_the_page_lists_every_option_with_its_default() -> None:
    assert options_listed(PAGE) == options_of(VARIANT)


def test_the_tricks_of_the_page_are_taken_and_paid_as_it_says() -> None:
    """M4, M5, M6: the card in bold takes the trick; hearts are trump, spades the summator."""
    table = PAGE.split("With hearts trump and spades the summator:")[1].split("**M7")[0]
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| ([+−]\d) \|$", table, re.MULTILINE)
    assert len(rows) == 6
    for cards, points in rows:
        words = cards.split()
        expected = next(seat for seat, word in enumerate(words) if "**" in word)
        assert one_trick(*map(_typed, words)).taken() == [(expected, int(points.replace("−", "-")))]


def _typed(sign: str) -> str:
    """A card of the page as one types it."""
    plain = sign.replace("**", "").replace("10", "T")
    for printed, typed in {"★": "BJ", "☆": "SJ", "♠": "S", "♣": "C", "♦": "D", "♥": "H"}.items():
        plain = plain.replace(printed, typed)
    return plain


LOOKS = ("look",) * 4


@pytest.mark.parametrize(
    ("bets", "scores"),
    [
        ((*LOOKS, "pass", "pass", "pass", "pass"), (6, -6)),
        (("bet blind", "look", "look", "pass", "bet zero"), (12, -3)),
        ((*LOOKS, "bet smart", "bet zero"), (0, -5)),
        (("look", "bet blind", "look", "bet zero"), (18, -7)),
    ],
)
def test_the_worked_example_of_the_page(bets: tuple[str, ...], scores: tuple[int, int]) -> None:
    """M10, M11, M12, M13, M7

    Seat 2 takes two books 8, four trumps −4, two tricks of clubs 2, together 6. Seat 1 takes a book
    4, four trumps −4, a trick of clubs 1, the last four trumps with diamonds −1 each, and a joker
    trick 1, together −2. Seats 0 and 3 take no trick; seat 3 revokes in the first one.
    """
    families = [each for each in FAMILIES if each[:2] not in ("JH", "AD", "KD", "QD", "BJ")]
    rows = [
        *rows_taken_by("221 21 221", families),
        "AD JH 2D 3D",
        "4D TH KD 5D",
        "6D 9H 7D QD",
        "8D 8H 9D TD",
        "JD BJ JC SJ",
    ]
    table = MaverickTable(bets=True, revoke="penalty")
    table.deal_for(rows)
    table.act(*bets)
    table.exchange()
    spade_0, spade_1, spade_2, spade_3 = rows[0].split()
    table.play(spade_0, spade_1, spade_2, "3D", spade_3)
    table.play_rows(rows[1:])
    assert table.scores() == scores * 2
