"""Finding variants and brains: whatever an installed package offers by entry point."""

from kozyr.plugins.installed import (
    BRAINS_GROUP,
    VARIANTS_GROUP,
    PluginBroken,
    brain_names,
    load_brain,
    load_variant,
    variant_names,
)

__all__ = [
    "BRAINS_GROUP",
    "VARIANTS_GROUP",
    "PluginBroken",
    "brain_names",
    "load_brain",
    "load_variant",
    "variant_names",
]
