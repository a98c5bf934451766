"""The page for people, the tests and the code speak of the same rules."""

import json
import re
from pathlib import Path

import pytest

from tests.odessa_table import VARIANT

HERE = Path(__file__).parent
PAGE = (HERE.parents[2] / "docs" / "rules" / "odessa.md").read_text(encoding="utf-8")
CLAUSES = [f"C{number}" for number in range(1, 9)] + [f"O{number}" for number in range(1, 13)]


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_is_on_the_page_and_cited_by_a_test(clause: str) -> None:
    cited = "\n".join(
        docstring
        for path in HERE.glob("test_*.py")
        for docstring in re.findall(r'None:\n    """(.*?)"""', path.read_text("utf-8"), re.DOTALL)
    )
    whole_word = re.compile(rf"\b{clause}\b")
    assert whole_word.search(PAGE)
    assert whole_word.search(cited)


def test_the_page_lists_every_option_with_its_default() -> None:
    rows = re.findall(r"^\| `(\w+)` \|.*\| `?(\w+)`? \| [CO]", PAGE, re.MULTILINE)
    defaults = VARIANT.parse_options({}).model_dump()
    assert dict(rows) == {name: json.dumps(value).strip('"') for name, value in defaults.items()}
