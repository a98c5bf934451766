"""Examining whatever a source of rules serves."""

from collections.abc import Mapping, Sequence
from typing import Any

from kozyr.conformance.exam import Exam
from kozyr.plugins import Plugin
from kozyr.plugins.keeper import RemotePlugin


def exam_of(
    plugin: Plugin,
    variant_id: str | None = None,
    *,
    seed: int = 0,
    matches: int = 0,
    values: Mapping[str, Sequence[Any]] | None = None,
) -> Exam:
    """The examination of a variant of a plugin, by its newest rules.

    Args:
        variant_id: which of those that it serves; by default the first.

    Raises:
        UnknownVariant: the plugin does not serve it.
        InvalidOptions: a value is to be tried of an option that there is not.
    """
    offers = plugin.offers()
    chosen = variant_id or min(offers)
    newest = offers[chosen].newest if chosen in offers else 0
    return Exam(
        plugin.referee(chosen, newest),
        seed=seed,
        matches=matches,
        values=values,
        channel=(lambda: plugin.calls().channel) if isinstance(plugin, RemotePlugin) else None,
    )
