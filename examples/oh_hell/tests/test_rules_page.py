"""The page for people, the tests and the code speak of the same rules."""

import json
import re
from pathlib import Path

import pytest

from oh_hell import OhHellVariant

HERE = Path(__file__).parent
PAGE = (HERE.parent / "README.md").read_text(encoding="utf-8")
TESTS = (HERE / "test_rules.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("clause", ["OH1", "OH2", "C3", "OH3", "OH4", "OH5"])
def test_every_clause_is_on_the_page_and_cited_by_a_test(clause: str) -> None:
    assert f"**{clause}" in PAGE
    assert re.search(rf'^    """.*\b{clause}\b.*"""$', TESTS, re.MULTILINE)


def test_the_page_lists_every_option_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| `?(\w+)`? \| [CO]", PAGE, re.MULTILINE))
    defaults = OhHellVariant().parse_options({}).model_dump()
    assert rows == {name: json.dumps(value).strip('"') for name, value in defaults.items()}
