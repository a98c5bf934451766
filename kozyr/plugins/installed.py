"""Variants and brains of the packages installed beside this one."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from kozyr.brain import Brain
from kozyr.errors import UnknownBrain, UnknownVariant
from kozyr.plugins.errors import PluginBroken
from kozyr.variant import Variant

VARIANTS_GROUP: Final = "kozyr.variants"
BRAINS_GROUP: Final = "kozyr.brains"


def variant_names() -> tuple[str, ...]:
    """The ids of the installed variants, sorted."""
    return tuple(sorted(_points(VARIANTS_GROUP)))


def brain_names() -> tuple[str, ...]:
    """The names of the installed brains, sorted."""
    return tuple(sorted(_points(BRAINS_GROUP)))


@cache
def load_variant(variant_id: str) -> Variant[Any]:
    """The variant of that id; always the same object.

    Raises:
        UnknownVariant: no such variant is installed.
        PluginBroken: it is installed and cannot be loaded.
    """
    points = _points(VARIANTS_GROUP)
    if variant_id not in points:
        raise UnknownVariant(variant_id, known=variant_names())
    variant = _load(points[variant_id])()
    if not isinstance(variant, Variant):
        raise PluginBroken(f"{points[variant_id].value} is no Variant")
    if variant.id != variant_id:
        raise PluginBroken(f"{points[variant_id].value} calls itself {variant.id!r}")
    return variant


def load_brain(text: str) -> Brain:
    """A new brain, from its name and perhaps a budget, like ``greedy`` or ``search:0.1s``.

    Raises:
        UnknownBrain: no such brain is installed, or it takes no such budget.
        PluginBroken: it is installed and cannot be loaded.
    """
    name, _, budget = text.partition(":")
    points = _points(BRAINS_GROUP)
    if name not in points:
        raise UnknownBrain(f"no brain {name!r} is installed; there are {', '.join(brain_names())}")
    try:
        brain = _load(points[name])(budget)
    except ValueError as error:
        raise UnknownBrain(f"brain {text!r}: {error}") from error
    if not isinstance(brain, Brain):
        raise PluginBroken(f"{points[name].value} is no Brain")
    return brain


@cache
def _points(group: str) -> dict[str, EntryPoint]:
    """The entry points of a group; finding them reads every installed package's metadata."""
    return {point.name: point for point in entry_points(group=group)}


def _load(point: EntryPoint) -> Any:
    try:
        return point.load()
    except Exception as error:
        raise PluginBroken(f"{point.value} cannot be loaded: {error!r}") from error
