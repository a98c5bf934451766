"""The battery as tests of your own test suite.

Subclass `ConformanceTests` in any test file; there is nothing to switch on, and who does not import
this module never meets it::

    from kozyr.conformance.pytest_plugin import ConformanceTests

    class TestOhHell(ConformanceTests):
        target = "oh_hell"                  # or "isolated:oh_hell", "command:node plugin.js", …
        values = {"max_hand": [1, 3]}       # shorter matches than the schema's bounds would give

It has one test for each check of the battery. What is not offered or does not apply is skipped.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import pytest

from kozyr.conformance.battery import CHECKS, Check, Verdict
from kozyr.conformance.exam import Exam
from kozyr.conformance.opening import exam_of
from kozyr.plugins import Source, open_plugin
from kozyr.referee import LocalReferee
from kozyr.variant import Variant


class ConformanceTests:
    """One test for each check of the battery.

    Attributes:
        target: a variant, or a source of rules or its text (see `kozyr.plugins.Source`).
        variant: which of the variants that the target serves; by default the first.
        values: what is tried of an option, where it is not what its schema suggests.
        seed: of everything that is random.
        matches: how many random matches are played, at least one for each case of the cover.
    """

    target: ClassVar[Variant[Any] | Source | str]
    variant: ClassVar[str | None] = None
    values: ClassVar[Mapping[str, Sequence[Any]]] = {}
    seed: ClassVar[int] = 0
    matches: ClassVar[int] = 0

    @pytest.fixture(scope="class")
    @classmethod
    def exam(cls) -> Iterator[Exam]:
        """The examination that all checks share."""
        if isinstance(cls.target, Variant):
            referee = LocalReferee(cls.target)
            yield Exam(referee, seed=cls.seed, matches=cls.matches, values=cls.values)
            return
        with open_plugin(cls.target) as plugin:
            yield exam_of(
                plugin, cls.variant, seed=cls.seed, matches=cls.matches, values=cls.values
            )

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name.replace(" ", "_"))
    def test_conformance(self, exam: Exam, check: Check) -> None:
        """The variant passes the check, where it applies."""
        finding = check(exam)
        if finding.verdict is Verdict.FAILED:
            pytest.fail(f"{finding.claim}\n{finding.words}\n(seed {exam.seed})", pytrace=False)
        if finding.verdict is not Verdict.HELD:
            pytest.skip(f"{finding.verdict.value}: {finding.words}")
