"""Every refusal has a reason of its own, and the documentation lists it with its status."""

import importlib
import pkgutil
import re
from pathlib import Path

import kozyr
import kozyr_table
from kozyr.errors import Code, KozyrError

DOCS = Path(__file__).parents[2] / "docs/errors.md"


def refusals() -> set[type[KozyrError]]:
    """Every class of the tree, wherever it is defined."""
    for package in (kozyr, kozyr_table):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    found = {KozyrError}
    while more := {sub for kind in found for sub in kind.__subclasses__()} - found:
        found |= more
    return {kind for kind in found if kind.__module__.startswith(("kozyr.", "kozyr_table."))}


def documented() -> dict[str, str]:
    """The status of each reason, as the documentation has it."""
    rows = re.findall(r"^\| `([A-Z_]+)` \| ([A-Z_]+) \|", DOCS.read_text("utf-8"), re.MULTILINE)
    return dict(rows)


def test_the_documentation_lists_every_reason_with_its_status() -> None:
    expected = {kind.reason: Code(kind.code).name for kind in refusals()}
    assert documented() == expected


def test_no_two_refusals_share_a_reason() -> None:
    reasons = [kind.reason for kind in refusals()]
    assert len(reasons) == len(set(reasons))


def test_every_refusal_says_what_it_is() -> None:
    assert all(kind.__doc__ for kind in refusals())
