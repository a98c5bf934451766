"""``kozyr conformance``: its report, its exit code, and its words about a wrong target."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from kozyr.conformance import CHECKS
from kozyr_cli.main import main

SHORT = '{"max_hand": 1, "blind_deals": 0, "no_trump_deals": 0, "made_pass": 0, "deck": 36}'
HOSTILE = Path(__file__).parents[1] / "hostile_plugin.py"


def unbroken(printed: str) -> str:
    """What was printed, without the ends of lines and the columns."""
    return " ".join(printed.split())


def test_it_prints_what_held_with_the_seed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conformance", "odessa", "--options", SHORT, "--seed", "5"]) == 0
    out = unbroken(capsys.readouterr().out)
    assert out.startswith("odessa, rules version 1, from odessa, seed 5 held names A variant has")
    for check in CHECKS:
        assert f" {check.name} {check.claim.split()[0]} " in out


def test_it_fails_where_a_check_fails_and_says_what_is_wrong(
    capsys: pytest.CaptureFixture[str],
) -> None:
    target = f"command:{shlex.join((sys.executable, str(HOSTILE), 'show_a_hidden_card_to_all'))}"
    assert main(["conformance", target, "--options", '{"deals": 1, "hand": 1}']) == 1
    out = unbroken(capsys.readouterr().out)
    assert "failed" in out
    assert "names cards to viewers who may not know them" in out


def test_it_prints_json_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conformance", "odessa", "--options", SHORT, "--json"]) == 0
    [report] = json.loads(capsys.readouterr().out)
    assert {key: report[key] for key in ("target", "variant", "rules_version", "seed")} == {
        "target": "odessa",
        "variant": "odessa",
        "rules_version": 1,
        "seed": 0,
    }
    assert [each["check"] for each in report["findings"]] == [check.name for check in CHECKS]
    assert {each["verdict"] for each in report["findings"]} >= {"held", "not offered"}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["chess"], "no variant 'chess' is installed; there are child, georgian, maverick, odessa"),
        (["Is this one?"], "is no source of rules: name an installed variant, isolated:VARIANT"),
        (["odessa", "--variant", "chess"], "no variant 'chess'"),
        (["odessa", "--options", "[1]"], "--options is a JSON object"),
        (["odessa", "--options", "{"], "--options is no JSON"),
        (["odessa", "--options", '{"depth": 1}'], "there is no option 'depth'"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_is_allowed(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["conformance", *words]) == 2
    assert complaint in capsys.readouterr().err
