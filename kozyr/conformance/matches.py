"""Checks of whole random matches: they end, and keep what every match keeps."""

from kozyr.conformance.exam import Exam
from kozyr.conformance.playthrough import complaint
from kozyr.conformance.verdicts import Violated


def ending(exam: Exam) -> None:
    """A match of random legal moves ends, with every two values of options that can meet."""
    for match in exam.matches:
        if match.problem is not None:
            raise Violated(f"{match.where()}: {complaint(match.problem)}") from match.problem


def invariants(exam: Exam) -> None:
    """Audiences, secrets, decisions, decks, sums and places are sound at every step of a match."""
    for match in exam.matches:
        if match.violation is not None:
            raise match.violation
