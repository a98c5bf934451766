"""Printing what was measured: a table for each kind of result, ratios as ``NAME: 7.3x``."""

import os
import platform
from collections.abc import Sequence
from dataclasses import fields
from typing import Any


def machine() -> str:
    """The machine in a line: what the figures were measured on."""
    return f"{os.cpu_count()} cores, {platform.machine()}, CPython {platform.python_version()}"


def print_table(title: str, results: Sequence[Any]) -> None:
    """Print dataclasses of one type, a row each."""
    names = [field.name for field in fields(results[0])]
    rows = [names, *([_figure(getattr(each, name)) for name in names] for each in results)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(names))]
    print(f"\n{title}")
    for row in rows:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))


def print_ratio(name: str, ours: float, baseline: float) -> None:
    """Print how many times the baseline ours is."""
    print(f"{name}: {ours / baseline:.1f}x")


def _figure(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    return str(value)
