"""The battery finds what is broken, names it, and has nothing to say against a sound variant."""

import re

import pytest

from kozyr.conformance import CHECKS, Exam, Finding, Verdict, exam_of, examine
from kozyr.conformance.pytest_plugin import ConformanceTests
from kozyr.errors import InvalidOptions, UnknownVariant
from kozyr.plugins import open_plugin
from kozyr.referee import LocalReferee, Referee
from tests.broken_toys import DEFECTS, Defect, Sampling
from tests.toy import TOY

SHORT = {"deals": [1, 2], "hand": [1, 3]}
"""Options whose matches end soon, and still have what there is to find."""

ONE_TRICK = {"deals": [1], "hand": [1]}
"""Where the sampling toys draw worlds for every decision."""

ENTRIES_MAX = 500
"""A match of these has a tenth of that."""


def findings(referee: Referee) -> dict[str, Finding]:
    sampling = isinstance(referee, LocalReferee) and isinstance(referee.variant, Sampling)
    values = ONE_TRICK if sampling else SHORT
    exam = Exam(referee, values=values, entries_max=ENTRIES_MAX)
    return {finding.check: finding for finding in examine(exam)}


def test_a_sound_variant_passes_every_check_that_applies() -> None:
    verdicts = {name: each.verdict for name, each in findings(LocalReferee(TOY)).items()}
    assert set(verdicts) == {check.name for check in CHECKS}
    assert verdicts.pop("fuzzed bytes") is Verdict.NOT_APPLICABLE
    assert verdicts.pop("worlds") is verdicts.pop("uniform") is Verdict.NOT_OFFERED
    assert set(verdicts.values()) == {Verdict.HELD}


def test_worlds_that_are_drawn_as_they_should_be_pass() -> None:
    found = findings(LocalReferee(Sampling()))
    assert found["worlds"].verdict is found["uniform"].verdict is Verdict.HELD


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_a_defect_fails_its_checks_and_no_other_and_is_named(defect: Defect) -> None:
    failed = {
        name: finding.words
        for name, finding in findings(defect.referee).items()
        if finding.verdict is Verdict.FAILED
    }
    assert failed.keys() == defect.found_by
    assert re.search(defect.words, "\n".join(failed.values())), failed


def test_every_check_is_failed_by_some_defect() -> None:
    """But for the bytes on the wire, which an integration test sends to a plugin."""
    found = {name for defect in DEFECTS for name in defect.found_by}
    assert found == {check.name for check in CHECKS} - {"fuzzed bytes"}


def test_the_same_seed_gives_the_same_matches() -> None:
    def log(seed: int) -> list[tuple[int, int]]:
        match = Exam(LocalReferee(TOY), seed=seed, values=SHORT).match(3)
        return [(entry.actor, entry.action) for entry in match.entries]

    assert log(1) == log(1) != log(2)


def test_as_many_matches_are_played_as_are_wanted_and_one_of_each_case_at_least() -> None:
    cases = len(Exam(LocalReferee(TOY), values=SHORT).cases)
    assert len(Exam(LocalReferee(TOY), values=SHORT).matches) == cases
    assert len(Exam(LocalReferee(TOY), values=SHORT, matches=cases + 5).matches) == cases + 5


def test_values_of_an_option_that_is_not_there_are_refused() -> None:
    with pytest.raises(InvalidOptions, match="no option 'depth'"):
        Exam(LocalReferee(TOY), values={"depth": [1]})


def test_a_variant_that_a_plugin_does_not_serve_is_refused() -> None:
    with open_plugin("odessa") as plugin, pytest.raises(UnknownVariant, match="chess"):
        exam_of(plugin, "chess")


class TestToy(ConformanceTests):
    target = TOY
    values = SHORT
