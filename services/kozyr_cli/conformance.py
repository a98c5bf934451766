"""``kozyr conformance``: whether a variant, wherever its rules run, keeps the contract."""

import json
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.markup import escape
from rich.table import Table

from kozyr import logs
from kozyr_cli.console import out
from kozyr_cli.main import FAILED

if TYPE_CHECKING:
    from kozyr.conformance import Exam, Finding

VERDICT_WIDTH: Final = 14
CHECK_WIDTH: Final = 15
"""Columns of the report: as wide as the longest verdict, and the longest name of a check."""

_STYLES: Final = {"held": "green", "failed": "bold red"}


def conformance(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="An installed variant, isolated:VARIANT, command:PROGRAM, HOST:PORT or unix:PATH.",
        ),
    ],
    *,
    variant: Annotated[
        str | None, typer.Option(metavar="ID", help="Only this of the variants that it serves.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of everything that is random.")] = 0,
    matches: Annotated[
        int, typer.Option(min=0, help="Random matches; at least one for each case of options.")
    ] = 0,
    options: Annotated[
        str,
        typer.Option(
            metavar="JSON", help='Options that stay fixed, {"deck": 36}, or vary within a list.'
        ),
    ] = "{}",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Examine whether rules keep the contract of plugins: [cyan]kozyr conformance odessa[/cyan].

    The exit code is 1 when something failed. The same seed examines the same again.
    """
    values = parse_values(options)
    # Not for the help's sake:
    from kozyr.conformance import Verdict, exam_of, examine  # noqa: PLC0415
    from kozyr.plugins import Source, open_plugin  # noqa: PLC0415

    source = Source.parse(target)
    if source.remote:
        logs.configure(level="warning", form="auto")
    reports = []
    failed = False
    with open_plugin(source) as plugin:
        for name in [variant] if variant else sorted(plugin.offers()):
            exam = exam_of(plugin, name, seed=seed, matches=matches, values=values)
            if not as_json:
                _print_head(exam, target)
            findings = []
            for finding in examine(exam):
                findings.append(finding)
                if not as_json:
                    _print(finding)
            failed |= any(finding.verdict is Verdict.FAILED for finding in findings)
            reports.append(_plain(exam, target, findings))
    if as_json:
        out.print_json(json.dumps(reports))
    if failed:
        raise typer.Exit(FAILED)


def parse_values(text: str) -> dict[str, list[Any]]:
    """What is tried of options, from a JSON object of values and lists of values.

    Raises:
        BadParameter: it is no such object.
    """
    try:
        given = json.loads(text)
    except ValueError as error:
        raise typer.BadParameter(f"--options is no JSON: {error}") from error
    if not isinstance(given, dict):
        raise typer.BadParameter("--options is a JSON object")
    return {name: value if isinstance(value, list) else [value] for name, value in given.items()}


def _plain(exam: "Exam", target: str, findings: "list[Finding]") -> dict[str, Any]:
    return {
        "target": target,
        "variant": exam.referee.variant_id,
        "rules_version": exam.referee.rules_version,
        "seed": exam.seed,
        "findings": [
            {
                "check": finding.check,
                "claim": finding.claim,
                "verdict": finding.verdict.value,
                "words": finding.words,
            }
            for finding in findings
        ],
    }


def _print_head(exam: "Exam", target: str) -> None:
    referee = exam.referee
    out.print(
        f"[bold cyan]{escape(referee.variant_id)}[/], rules version {referee.rules_version}, "
        f"from {escape(target)}, seed {exam.seed}",
        highlight=False,
    )


def _print(finding: "Finding") -> None:
    """Print a finding as soon as it is there: some checks take their time."""
    verdict = finding.verdict.value
    words = f"\n[dim]{escape(finding.words)}[/]" if finding.words else ""
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(no_wrap=True, min_width=VERDICT_WIDTH)
    table.add_column(no_wrap=True, min_width=CHECK_WIDTH)
    table.add_column()
    style = _STYLES.get(verdict, "dim")
    table.add_row(f"[{style}]{verdict}[/]", finding.check, escape(finding.claim) + words)
    out.print(table, highlight=False)
