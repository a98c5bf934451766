"""The example of a stranger's variant: small, installed like any package, and found."""

import json
import re
from pathlib import Path

import pytest

from tests.strangers import install, kozyr, own_tests

pytestmark = pytest.mark.slow

TREE = Path(__file__).parents[2] / "examples" / "oh_hell"
LINES_MAX = 120


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Where the example is installed."""
    return install(TREE, tmp_path_factory.mktemp("oh_hell"))


def test_the_whole_game_is_under_120_lines() -> None:
    lines = {
        path.name: len(path.read_text(encoding="utf-8").splitlines())
        for path in (TREE / "src").rglob("*.py")
    }
    assert {"options.py", "rules.py", "variant.py"} <= lines.keys()
    assert sum(lines.values()) < LINES_MAX, lines


def test_its_own_tests_pass_where_it_is_installed(environment: dict[str, str]) -> None:
    """Its clauses, the conformance kit, and OpenSpiel move by move."""
    printed = own_tests(TREE, environment)
    for name in ("test_conformance.py", "test_openspiel.py", "test_rules.py", "test_rules_page.py"):
        assert name in printed


def test_it_is_listed_with_its_options(environment: dict[str, str], tmp_path: Path) -> None:
    [told] = json.loads(kozyr(environment, "variants", "oh_hell", "--json", cwd=tmp_path))
    assert told["title"] == "Oh Hell"
    assert "off_bid_penalty" in told["options"]["properties"]


def test_demo_plays_it_through_the_real_services(
    environment: dict[str, str], tmp_path: Path
) -> None:
    words = ["demo", "oh_hell", "--seats", "3", "--option", "max_hand=3"]
    printed = kozyr(environment, *words, cwd=tmp_path)
    assert "deal 5 of 5" in printed
    record = re.search(r"^record: +(.+)\nverified: ", printed, flags=re.MULTILINE)
    assert record is not None
    verdict = kozyr(environment, "verify", record[1], cwd=tmp_path)
    assert verdict.startswith(f"{record[1]}: true, ")
