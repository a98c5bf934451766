"""The page for people, the tests and the code speak of the same rules."""

from pathlib import Path

import pytest

from tests.child_table import VARIANT
from tests.rules_page import cited_in, is_cited, is_told, options_listed, options_of, page_of

CITED = cited_in(Path(__file__).parent)
PAGE = page_of(VARIANT)
OWN_CLAUSES = [f"H{number}" for number in range(1, 15)]
SHARED_CLAUSES = ["C1", "C2", "C3", "C4", "C5", "C6", "C8"]


@pytest.mark.parametrize("clause", [*OWN_CLAUSES, *SHARED_CLAUSES])
def test_every_clause_is_cited_by_a_test(clause: str) -> None:
    assert is_cited(clause, CITED)


@pytest.mark.parametrize("clause", OWN_CLAUSES)
def test_every_clause_of_its_own_is_on_the_page(clause: str) -> None:
    assert is_told(clause, PAGE)


def test_the_page_lists_every_option_with_its_default() -> None:
    assert options_listed(PAGE) == options_of(VARIANT)
