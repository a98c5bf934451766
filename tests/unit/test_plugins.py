"""Variants and brains are found by the entry points of installed distributions."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kozyr.errors import UnknownBrain, UnknownVariant
from kozyr.plugins import (
    BRAINS_GROUP,
    VARIANTS_GROUP,
    PluginBroken,
    brain_names,
    installed,
    load_brain,
    load_variant,
    variant_names,
)

Install = Callable[[str, str, str], None]

PLUGIN = """
from kozyr.brain import Brain

class First(Brain):
    def decide(self, observation, decision):
        return decision.legal[0]

class Steps(First):
    def __init__(self, budget):
        self.steps = int(budget)

class Nothing:
    def __init__(self, budget=""):
        pass
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs a distribution with one entry point of its own."""
    (tmp_path / "strange_plugin.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(str(tmp_path))

    def add(group: str, name: str, value: str) -> None:
        folder = tmp_path / f"{name}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (folder / "entry_points.txt").write_text(f"[{group}]\n{name} = {value}\n")
        forget_plugins()

    yield add
    monkeypatch.undo()
    forget_plugins()


def forget_plugins() -> None:
    """Look again for what is installed."""
    installed._points.cache_clear()
    load_variant.cache_clear()


def test_odessa_is_found_like_any_variant() -> None:
    assert "odessa" in variant_names()
    assert load_variant("odessa").id == "odessa"


def test_a_variant_is_always_the_same_object() -> None:
    assert load_variant("odessa") is load_variant("odessa")


def test_a_variant_that_is_not_installed_is_refused_with_those_that_are() -> None:
    with pytest.raises(UnknownVariant, match="no variant 'chess'") as refused:
        load_variant("chess")
    assert refused.value.known == variant_names()


def test_the_variant_of_a_stranger_is_found(install: Install) -> None:
    install(VARIANTS_GROUP, "toy", "tests.toy:ToyVariant")
    assert "toy" in variant_names()
    assert load_variant("toy").title == "Toy"


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("absent", "no_such_module:Variant", "cannot be loaded: ModuleNotFoundError"),
        ("unnamed", "strange_plugin:Absent", "cannot be loaded: AttributeError"),
        ("unlike", "strange_plugin:Nothing", "is no Variant"),
        ("misnamed", "tests.toy:ToyVariant", "calls itself 'toy'"),
    ],
)
def test_a_variant_that_is_not_what_it_promises_is_named_broken(
    install: Install, name: str, value: str, problem: str
) -> None:
    install(VARIANTS_GROUP, name, value)
    with pytest.raises(PluginBroken, match=problem):
        load_variant(name)


def test_a_brain_is_new_each_time_and_gets_its_budget(install: Install) -> None:
    install(BRAINS_GROUP, "steps", "strange_plugin:Steps")
    assert "steps" in brain_names()
    assert vars(load_brain("steps:12"))["steps"] == 12
    assert load_brain("steps:12") is not load_brain("steps:12")


def test_a_brain_that_is_not_installed_is_refused_with_those_that_are() -> None:
    with pytest.raises(UnknownBrain, match="'oracle' is installed"):
        load_brain("oracle:1s")


@pytest.mark.parametrize("text", ["steps:many", "steps"])
def test_a_budget_that_a_brain_does_not_take_is_refused(install: Install, text: str) -> None:
    install(BRAINS_GROUP, "steps", "strange_plugin:Steps")
    with pytest.raises(UnknownBrain, match=f"brain '{text}'"):
        load_brain(text)


def test_a_brain_without_budgets_takes_none(install: Install) -> None:
    install(BRAINS_GROUP, "first", "strange_plugin:First")
    load_brain("first")
    with pytest.raises(UnknownBrain, match="First takes no budget"):
        load_brain("first:0.1s")


def test_a_brain_that_is_none_is_named_broken(install: Install) -> None:
    install(BRAINS_GROUP, "nothing", "strange_plugin:Nothing")
    with pytest.raises(PluginBroken, match="is no Brain"):
        load_brain("nothing")
