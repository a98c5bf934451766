"""What every match of every variant keeps, step by step and at its end."""

from kozyr.conformance.playthrough import Case
from kozyr.conformance.verdicts import Violated, require
from kozyr.events import Outcome, Payload
from kozyr.observation import Observation
from kozyr.plugins.scrutiny import Fault, Ledger
from kozyr.referee import Step


class Invariants:
    """Follows one match and objects to the first step that breaks the contract.

    What a host checks of a plugin in another process (`kozyr.plugins.scrutiny`) is checked here
    of any: audiences do not overlap, cards are named to those who may know them, decks and
    decisions are sound, scores add up. Beyond that every viewer's events must fold to an
    observation, and places must follow from scores.
    """

    def __init__(self, case: Case) -> None:
        self.case = case
        self._ledger = Ledger(case.seats, case.configuration.actions)
        self._views = [Observation.empty(viewer, case.seats) for viewer in case.viewers]

    def begin(self, step: Step) -> None:
        """Take in what came of the opening.

        Raises:
            Violated: it breaks the contract.
        """
        require(bool(step.deck), "a match begins with a shuffle, and this one does not")
        self.take(step)

    def take(self, step: Step) -> None:
        """Take in what came of an entry.

        Raises:
            Violated: it breaks the contract.
        """
        check_decisions(step)
        try:
            self._ledger.take(step)
        except Fault as fault:
            raise Violated(f"the variant {fault}") from fault
        self.fold(step)
        if step.outcome is not None:
            check_outcome(step.outcome, self.case.seats)

    def fold(self, step: Step) -> None:
        """Tell every viewer what it sees.

        Raises:
            Violated: what it has heard makes no sense.
        """
        for view in self._views:
            for event in step.events:
                payload = event.seen_by(view.viewer)
                if payload is not None:
                    hear(view, payload)
            if not view.watcher:
                check_view(view, step)


def hear(view: Observation, payload: Payload) -> None:
    """Fold in what a viewer sees.

    Raises:
        Violated: it cannot follow what the viewer has heard before.
    """
    try:
        view.hear(payload)
    except (AssertionError, LookupError, TypeError, ValueError) as error:
        raise Violated(f"viewer {view.viewer} cannot follow {payload}: {error!r}") from error


def check_decisions(step: Step) -> None:
    """Check that every decision leaves something to decide, to the seat it is listed for.

    Raises:
        Violated: one does not.
    """
    for seat, decision in step.pending.items():
        require(decision.seat == seat, f"the decision of seat {decision.seat} is listed for {seat}")
        require(bool(decision.legal), f"seat {seat} must decide, but has no legal action")


def check_view(view: Observation, step: Step) -> None:
    """Check what a seat has heard of its cards and of the points.

    Raises:
        Violated: it does not fit together.
    """
    who = f"what seat {view.viewer} has heard"
    require(min(view.counts) >= 0, f"{who} leaves a seat with fewer than no cards: {view.counts}")
    held = view.hand.bit_count()
    counted = view.counts[view.viewer]
    require(held <= counted, f"{who} names {held} cards of its hand and counts {counted}")
    require(tuple(view.totals) == step.scores, f"{who} makes totals of {view.totals}")


def check_outcome(outcome: Outcome, seats: int) -> None:
    """Check that places follow from scores: the more the better, equals share (9 9 5 is 1 1 3).

    Raises:
        Violated: they do not, or something is not said of every seat.
    """
    scores, places = outcome.scores, outcome.places
    lengths = {len(scores), len(places), len(outcome.notes)}
    require(lengths == {seats}, f"the outcome is not one for {seats} seats: {outcome}")
    ranked = tuple(1 + sum(other > own for other in scores) for own in scores)
    require(places == ranked, f"scores of {scores} give the places {ranked}, not {places}")
