"""The conformance kit: one battery of checks that any variant is put to, wherever its rules run.

>>> from kozyr.conformance import Exam, Verdict, examine
>>> from kozyr.plugins import load_variant
>>> from kozyr.referee import LocalReferee
>>> exam = Exam(LocalReferee(load_variant("maverick")), values={"max_deals": [1]})
>>> [finding for finding in examine(exam) if finding.verdict is Verdict.FAILED]
[]
"""

from kozyr.conformance.battery import CHECKS, Check, Finding, Verdict, examine
from kozyr.conformance.exam import Exam
from kozyr.conformance.invariants import Invariants
from kozyr.conformance.opening import exam_of
from kozyr.conformance.verdicts import NotApplicable, NotOffered, Unproven, Violated

__all__ = [
    "CHECKS",
    "Check",
    "Exam",
    "Finding",
    "Invariants",
    "NotApplicable",
    "NotOffered",
    "Unproven",
    "Verdict",
    "Violated",
    "exam_of",
    "examine",
]
