"""Every installed variant passes the battery, wherever its rules run."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from kozyr.conformance import CHECKS, Exam, Verdict, exam_of, examine
from kozyr.plugins import load_variant, open_plugin, variant_names
from kozyr.referee import LocalReferee
from tests.plugin_playing import hostile, served

SHORT: dict[str, dict[str, list[Any]]] = {
    "child": {},
    "georgian": {"peak_deals": [None, 1]},
    "maverick": {"max_deals": [1, 2]},
    "odessa": {
        "max_hand": [3, 6],
        "blind_deals": [1, 0],
        "no_trump_deals": [0, 1],
        "made_pass": [0, -7],
    },
}
"""What is tried of options whose bounds would make long matches."""

FEWER: dict[str, dict[str, list[Any]]] = {
    "child": {"silent_poker_lead": ["trump"], "dealer_restriction": [True]},
    "georgian": {"deck": [36], "peak_deals": [1], "full_deal_trump": ["eldest_names"]},
    "maverick": {},
    "odessa": {"max_hand": [3], "deck": [36], "made_pass": [5], "dealer_restriction": [True]},
}
"""What is tried beside that where every step is a call: only some of the values."""

NOT_HELD = {
    "in-process": {"fuzzed bytes", "worlds", "uniform"},
    "isolated": {"check", "clones", "worlds", "uniform"},
    "address": {"check", "clones", "worlds", "uniform"},
}
"""The checks that do not apply there, or to what our variants do not offer yet."""

ONE_AT_A_TIME = {"hidden choices", "order"}
"""Those that do not apply where one seat decides at a time."""


@contextmanager
def target(kind: str, variant: str, folder: Path) -> Iterator[str]:
    match kind:
        case "in-process":
            yield variant
        case "isolated":
            yield f"isolated:{variant}"
        case "address":
            with served(variant, f"--listen=unix:{folder / 'rules.sock'}") as address:
                yield address


@pytest.mark.parametrize("kind", NOT_HELD)
@pytest.mark.parametrize("variant", variant_names())
def test_every_variant_passes_the_battery_wherever_its_rules_run(
    variant: str, kind: str, tmp_path: Path
) -> None:
    with target(kind, variant, tmp_path) as source, open_plugin(source) as plugin:
        fewer = FEWER[variant] if plugin.remote else {}
        exam = exam_of(plugin, variant, values=SHORT[variant] | fewer)
        found = {finding.check: finding for finding in examine(exam)}
    failed = {name: each.words for name, each in found.items() if each.verdict is Verdict.FAILED}
    assert not failed
    others = {name for name, each in found.items() if each.verdict is not Verdict.HELD}
    assert others == NOT_HELD[kind] | (set() if variant == "maverick" else ONE_AT_A_TIME)


def test_a_plugin_that_nonsense_ends_does_not_pass() -> None:
    [check] = [each for each in CHECKS if each.name == "fuzzed bytes"]
    with open_plugin(hostile("die_of_nonsense")) as plugin:
        finding = check(exam_of(plugin, "toy", values={"deals": [1], "hand": [1]}))
    assert finding.verdict is Verdict.FAILED
    assert "does not live on after Describe" in finding.words


def invariants_hold(variant: str, *, matches: int, **values: list[Any]) -> None:
    exam = Exam(LocalReferee(load_variant(variant)), matches=matches, values=values)
    for number in range(matches):
        match = exam.match(number)
        assert match.problem is None, match.where()
        assert match.violation is None, match.where()


@pytest.mark.parametrize("variant", variant_names())
def test_random_matches_over_the_options_keep_every_invariant(variant: str) -> None:
    invariants_hold(variant, matches=40, **SHORT[variant])


@pytest.mark.soak
@pytest.mark.parametrize("variant", variant_names())
def test_a_thousand_random_matches_over_all_options_keep_every_invariant(variant: str) -> None:
    invariants_hold(variant, matches=1_000)
