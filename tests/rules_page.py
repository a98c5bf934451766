"""A variant's page of rules, and the tests that cite its clauses."""

import json
import re
from pathlib import Path
from typing import Any

from kozyr.variant import Variant

RULES = Path(__file__).parents[1] / "docs" / "rules"


def page_of(variant: Variant[Any]) -> str:
    """The text of the page."""
    return (RULES / f"{variant.id}.md").read_text(encoding="utf-8")


def cited_in(folder: Path) -> str:
    """The docstrings of the tests in a folder."""
    return "\n".join(
        docstring
        for path in folder.glob("test_*.py")
        for docstring in re.findall(r'None:\n    """(.*?)"""', path.read_text("utf-8"), re.DOTALL)
    )


def is_cited(clause: str, text: str) -> bool:
    """Whether a text names a clause."""
    return re.search(rf"\b{clause}\b", text) is not None


def is_told(clause: str, page: str) -> bool:
    """Whether a page tells of a clause, in bold or in a row of a table of its own."""
    return re.search(rf"(\*\*|\| ){clause}\b", page) is not None


def options_listed(page: str) -> dict[str, str]:
    """The default of each option in the page's table, as it is written there."""
    return dict(re.findall(r"^\| `(\w+)` \|.*\| `?([\w ]+)`? \| [A-Z]\d", page, re.MULTILINE))


def options_of(variant: Variant[Any]) -> dict[str, str]:
    """The default of each option of the variant, as a page writes it."""
    defaults = variant.parse_options({}).model_dump()
    return {name: json.dumps(value).strip('"') for name, value in defaults.items()}
