"""The page for people, the tests and the code speak of the same rules."""

import json
import re
from pathlib import Path

import pytest

from tests.child_table import VARIANT

HERE = Path(__file__).parent
PAGE = (HERE.parents[2] / "docs" / "rules" / "child.md").read_text(encoding="utf-8")
OWN_CLAUSES = [f"H{number}" for number in range(1, 15)]
SHARED_CLAUSES = ["C1", "C2", "C3", "C4", "C5", "C6", "C8"]


def cited() -> str:
    """The docstrings of Child's tests."""
    return "\n".join(
        docstring
        for path in HERE.glob("test_*.py")
        for docstring in re.findall(r'None:\n    """(.*?)"""', path.read_text("utf-8"), re.DOTALL)
    )


@pytest.mark.parametrize("clause", [*OWN_CLAUSES, *SHARED_CLAUSES])
def test_every_clause_is_cited_by_a_test(clause: str) -> None:
    assert re.search(rf"\b{clause}\b", cited())


@pytest.mark.parametrize("clause", OWN_CLAUSES)
def test_every_clause_of_its_own_is_on_the_page(clause: str) -> None:
    assert f"**{clause}" in PAGE


def test_the_page_lists_every_option_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| `?([\w ]+)`? \| [CH]", PAGE, re.MULTILINE))
    defaults = VARIANT.parse_options({}).model_dump()
    assert rows == {name: json.dumps(value).strip('"') for name, value in defaults.items()}
