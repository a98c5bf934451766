"""``kozyr variants``: which games are installed, and what each can be set to."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from kozyr.plugins import load_variant, variant_names
from kozyr.variant import Variant
from kozyr_cli.console import out


def variants(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[VARIANT]…", help="Only these.")
    ] = None,
    *,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON, the options as JSON Schema.")
    ] = False,
) -> None:
    """List the installed games and their options: [cyan]kozyr variants odessa[/cyan]."""
    chosen = [load_variant(name) for name in names or variant_names()]
    if as_json:
        out.print_json(json.dumps([_plain(variant) for variant in chosen]))
        return
    for index, variant in enumerate(chosen):
        if index:
            out.print()
        _print(variant)


def seat_counts(variant: Variant[Any]) -> list[int]:
    """How many may play a variant with its default options."""
    return list(variant.seat_counts(variant.parse_options({})))


def _plain(variant: Variant[Any]) -> dict[str, Any]:
    return {
        "id": variant.id,
        "title": variant.title,
        "rules_version": variant.rules_version,
        "seat_counts": seat_counts(variant),
        "options": variant.options_schema(),
    }


def _print(variant: Variant[Any]) -> None:
    seats = ", ".join(map(str, seat_counts(variant)))
    out.print(
        f"[bold cyan]{escape(variant.id)}[/]  {escape(variant.title)}, rules version "
        f"{variant.rules_version}, for {seats} players",
        highlight=False,
    )
    options = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("  option", "default", "allowed", ""):
        options.add_column(column, no_wrap=column != "")
    for name, schema in variant.options_schema().get("properties", {}).items():
        options.add_row(
            f"  {escape(name)}",
            escape(in_words(schema.get("default"))),
            escape(allowed(schema)),
            escape(schema.get("description", "")),
        )
    if options.row_count:
        out.print(options, highlight=False)


def allowed(schema: Mapping[str, Any]) -> str:
    """What the JSON Schema of one option allows, for people."""
    if "enum" in schema:
        return " | ".join(map(in_words, schema["enum"]))
    if "const" in schema:
        return in_words(schema["const"])
    if schema.get("type") == "boolean":
        return "on | off"
    if "minimum" in schema or "maximum" in schema:
        return f"{schema.get('minimum', '')} … {schema.get('maximum', '')}".strip()
    return str(schema.get("type", "any value"))


def in_words(value: object) -> str:
    """A value of an option as people write it, and as ``--option`` takes it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return value if isinstance(value, str) else json.dumps(value)
