"""The battery: every check, its verdict, and the report on one variant."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from kozyr.conformance import (
    contract,
    copies,
    fuzz,
    matches,
    order,
    refusals,
    replay,
    sampling,
    secrecy,
)
from kozyr.conformance.exam import Exam
from kozyr.conformance.playthrough import complaint
from kozyr.conformance.verdicts import NotApplicable, NotOffered


class Verdict(Enum):
    """How a check ended."""

    HELD = "held"
    FAILED = "failed"
    NOT_OFFERED = "not offered"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one check.

    Attributes:
        check: its name.
        claim: what it checks, in a sentence.
        words: what is wrong, or why there was nothing to check; empty when it held.
    """

    check: str
    claim: str
    verdict: Verdict
    words: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the battery; `claim` is the first line of what it is made of."""

    run: Callable[[Exam], None]

    @property
    def name(self) -> str:
        """Its name, for people."""
        return self.run.__name__.replace("_", " ")

    @property
    def claim(self) -> str:
        """What it checks, in a sentence."""
        return (self.run.__doc__ or "").partition("\n")[0]

    def __call__(self, exam: Exam) -> Finding:
        """Examine somebody."""
        verdict, words = Verdict.HELD, ""
        try:
            self.run(exam)
        except NotOffered as reason:
            verdict, words = Verdict.NOT_OFFERED, str(reason)
        except NotApplicable as reason:
            verdict, words = Verdict.NOT_APPLICABLE, str(reason)
        except Exception as error:  # noqa: BLE001 (whatever rules raise is a finding)
            verdict, words = Verdict.FAILED, complaint(error)
        return Finding(self.name, self.claim, verdict, words)


CHECKS: Final = tuple(
    map(
        Check,
        (
            contract.names,
            contract.seats,
            contract.schema,
            contract.defaults,
            contract.refused_options,
            contract.moves,
            matches.ending,
            matches.invariants,
            replay.determinism,
            replay.replay,
            replay.branches,
            refusals.illegal_moves,
            refusals.refused_logs,
            refusals.turns,
            refusals.check,
            secrecy.hidden_cards,
            secrecy.hidden_choices,
            order.order,
            copies.clones,
            fuzz.fuzzed_options,
            fuzz.fuzzed_entries,
            fuzz.fuzzed_bytes,
            sampling.worlds,
            sampling.uniform,
        ),
    )
)
"""Every check, the simpler before those that build on them."""


def examine(exam: Exam, checks: Iterable[Check] = CHECKS) -> Iterator[Finding]:
    """The finding of each check, as soon as it is there."""
    for check in checks:
        yield check(exam)
