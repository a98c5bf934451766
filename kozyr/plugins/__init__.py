"""Plugins: variants and brains of installed packages, and rules that are served elsewhere."""

from kozyr.plugins.errors import (
    InvalidSource,
    PluginBroken,
    PluginMisbehaved,
    PluginUnavailable,
    UnsupportedProtocol,
)
from kozyr.plugins.installed import (
    BRAINS_GROUP,
    VARIANTS_GROUP,
    brain_names,
    load_brain,
    load_variant,
    variant_names,
)
from kozyr.plugins.plugin import Plugin, open_plugin
from kozyr.plugins.rulebook import Rulebook
from kozyr.plugins.source import Source

__all__ = [
    "BRAINS_GROUP",
    "VARIANTS_GROUP",
    "InvalidSource",
    "Plugin",
    "PluginBroken",
    "PluginMisbehaved",
    "PluginUnavailable",
    "Rulebook",
    "Source",
    "UnsupportedProtocol",
    "brain_names",
    "load_brain",
    "load_variant",
    "open_plugin",
    "variant_names",
]
