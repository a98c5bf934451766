"""A new variant plays as it stands, before its author has changed a word."""

import re
from pathlib import Path

import pytest

from kozyr_cli.main import main
from kozyr_cli.new_variant import skeleton_files
from tests.strangers import install, kozyr, own_tests

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as the command writes it."""
    into = tmp_path_factory.mktemp("new_variant")
    assert main(["new-variant", "high_card", "--into", str(into)]) == 0
    return into / "high_card"


@pytest.fixture(scope="module")
def environment(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Where it is installed."""
    return install(tree, tmp_path_factory.mktemp("high_card"))


def test_its_own_tests_pass_with_the_conformance_kit_among_them(
    tree: Path, environment: dict[str, str]
) -> None:
    printed = own_tests(tree, environment)
    assert re.search(r"test_conformance\.py [.s]{10,}", printed)
    assert re.search(r"test_rules\.py \.{3}", printed)


def test_demo_plays_it(environment: dict[str, str], tmp_path: Path) -> None:
    printed = kozyr(environment, "demo", "high_card", cwd=tmp_path)
    assert "deal 4 of 4: " in printed
    assert re.search(r"^verified: ", printed, flags=re.MULTILINE)


def test_nothing_of_the_skeleton_keeps_its_name(tree: Path) -> None:
    files = {path.relative_to(tree): path for path in tree.rglob("*") if path.is_file()}
    assert len(files) == len(skeleton_files())
    for place, path in files.items():
        assert "skeleton" not in f"{place}\n{path.read_text(encoding='utf-8')}".lower()
    assert 'title = "High card"' in (tree / "src/high_card/variant.py").read_text(encoding="utf-8")
