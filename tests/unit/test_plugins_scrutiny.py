"""What a host can hold a plugin to, step by step."""

from collections.abc import Sequence
from typing import Any

import pytest

from kozyr.brain import Decision
from kozyr.cards import Card
from kozyr.events import (
    EVERYBODY,
    CardChosen,
    CardPlayed,
    CardReturned,
    CardsDealt,
    CardsGiven,
    CardShown,
    Custom,
    DealBegan,
    DealerDrawn,
    DealScored,
    Event,
    HandLooked,
    MatchEnded,
    Outcome,
    Seat,
    TrickTaken,
    private,
    public,
)
from kozyr.match import Match
from kozyr.moves import UNUSED, ActionTable, Look, Pass
from kozyr.plugins import load_variant
from kozyr.plugins.scrutiny import Fault, Ledger
from kozyr.referee import LocalReferee, Step
from tests.toy import TOY, play_out

A, B, C = Seat(0), Seat(1), Seat(2)
ONE, TWO, THREE = Card(1), Card(2), Card(3)
ACTIONS = ActionTable([Pass(), Look(), UNUSED])
SEATS = 3


def step(*events: Event, **changes: Any) -> Step:
    """A step with these events after which seat 0 may pass or look."""
    fields: dict[str, Any] = {
        "events": events,
        "pending": {A: Decision(1, A, (0, 1), 0)},
        "deck": (),
        "scores": (0,) * SEATS,
        "outcome": None,
    }
    return Step(**{**fields, **changes})


def ledger(*events: Event) -> Ledger:
    """A ledger after a step with these events."""
    return Ledger(SEATS, ACTIONS).after(step(*events))


def dealt(seat: Seat, *cards: Card) -> Event:
    return private(seat, CardsDealt(seat, len(cards), cards), CardsDealt(seat, len(cards)))


def given(giver: Seat, receiver: Seat, *cards: Card) -> Event:
    hands = 1 << giver | 1 << receiver
    own = CardsGiven(giver, receiver, len(cards), cards)
    return Event(((hands, own), (EVERYBODY & ~hands, CardsGiven(giver, receiver, len(cards)))))


def ended(*scores: int) -> Outcome:
    return Outcome(scores, (1,) * len(scores), ((),) * len(scores))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("variant", "options"),
    [
        (TOY, {}),
        ("odessa", {"joker": True, "full_deal_trump": "eldest_names"}),
        ("odessa", {"revoke": "penalty"}),
        ("georgian", {}),
        ("maverick", {"bets": True, "revoke": "penalty"}),
    ],
)
def test_honest_matches_pass(variant: Any, options: dict[str, Any], seed: int) -> None:
    rules = load_variant(variant) if isinstance(variant, str) else variant
    match = play_out(Match(rules, seats=4, seed=seed, options=options), seed=seed)
    referee = LocalReferee(rules)
    position = referee.begin(match.header)
    seen = Ledger(4, match.setup.actions).opening(position.step)
    for entry in match.entries:
        position = referee.act(position, entry)
        seen = seen.after(position.step)
    assert seen.totals == match.scores


def test_a_match_begins_with_a_shuffle() -> None:
    with pytest.raises(Fault, match="something else than a shuffle"):
        Ledger(SEATS, ACTIONS).opening(step())
    Ledger(SEATS, ACTIONS).opening(step(pending={}, deck=(ONE, TWO)))


def test_a_ledger_is_left_as_it_was() -> None:
    before = ledger()
    after = before.after(step(dealt(A, ONE)))
    assert (before.counts, after.counts) == ([0, 0, 0], [1, 0, 0])
    assert before.known[A] == 0
    assert after.known[A] == 1 << ONE


@pytest.mark.parametrize(
    "event",
    [
        public(CardsDealt(A, 1, (ONE,))),
        private(B, CardsDealt(A, 1, (ONE,)), CardsDealt(A, 1)),
        public(HandLooked(A, (ONE,))),
        private(B, CardChosen(A, ONE), CardChosen(A)),
        private(C, CardsGiven(A, B, 0, (ONE,)), CardsGiven(A, B, 0)),
    ],
)
def test_hidden_cards_are_named_to_their_owners_only(event: Event) -> None:
    with pytest.raises(Fault, match="may not know them"):
        ledger(event)


def test_a_custom_event_names_only_what_its_viewers_know() -> None:
    table = ledger(dealt(A, ONE), dealt(B, TWO), public(CardShown(THREE)))
    recall = Custom("recall", cards=(ONE, THREE))
    table.after(step(private(A, recall)))
    table.after(step(public(Custom("recall", cards=(THREE,)))))
    for event in (public(recall), private(B, recall)):
        with pytest.raises(Fault, match="may not know"):
            table.after(step(event))


def test_a_new_deal_makes_all_cards_unknown_again() -> None:
    table = ledger(public(CardShown(THREE)), public(DealBegan(0, 1, "regular", A, 1)))
    with pytest.raises(Fault, match="may not know"):
        table.after(step(public(Custom("recall", cards=(THREE,)))))


@pytest.mark.parametrize(
    ("events", "problem"),
    [
        ([public(CardPlayed(A, ONE))], "does not hold it"),
        ([dealt(A, ONE), public(CardPlayed(A, TWO))], "does not hold it"),
        ([dealt(A, ONE), public(CardPlayed(A, ONE)), public(CardPlayed(A, ONE))], "not hold it"),
        ([dealt(A, ONE), given(A, B, ONE), public(CardPlayed(A, ONE))], "does not hold it"),
        ([given(A, B, ONE)], "gives cards that seat 0 does not hold"),
        ([dealt(A, ONE, ONE)], "names a card twice"),
        ([private(A, CardsDealt(A, 2, (ONE,)), CardsDealt(A, 2))], "other cards than it counts"),
        ([public(CardsDealt(A, 61))], "other cards than it counts"),
        ([private(A, CardsDealt(A, 1, (ONE,)), CardsDealt(A, 5))], "different things"),
        ([Event(((1, TrickTaken(A)), (EVERYBODY, TrickTaken(A))))], "two faces"),
        ([Event(((0, TrickTaken(A)),))], "nobody one"),
        ([Event(((1, TrickTaken(A)), (2, TrickTaken(B))))], "different things"),
        ([public(TrickTaken(Seat(3)))], "a seat that is not there"),
        ([public(CardShown(ONE, Seat(3)))], "a seat that is not there"),
        ([public(DealerDrawn((ONE, TWO), A))], "a card for each seat"),
        ([public(DealScored((1, 0), (1, 0)))], "for each seat"),
        ([public(DealScored((1, 0, 0), (2, 0, 0)))], "and gets"),
    ],
)
def test_events_that_do_not_fit_what_was_told_are_refused(
    events: Sequence[Event], problem: str
) -> None:
    with pytest.raises(Fault, match=problem):
        ledger(*events)


def test_cards_are_followed_from_hand_to_hand() -> None:
    table = ledger(dealt(A, ONE), dealt(B, TWO), given(A, B, ONE))
    table.after(step(public(CardPlayed(B, ONE)), public(CardPlayed(B, TWO))))
    back = table.after(step(public(CardPlayed(B, ONE)), public(CardReturned(B, ONE))))
    back.after(step(public(CardPlayed(B, ONE))))


def test_a_hand_that_nobody_has_seen_may_hold_anything() -> None:
    table = ledger(public(CardsDealt(A, 2)))
    table.after(step(public(CardPlayed(A, ONE))))
    looked = table.after(step(private(A, HandLooked(A, (ONE, TWO)), HandLooked(A))))
    with pytest.raises(Fault, match="does not hold it"):
        looked.after(step(public(CardPlayed(A, THREE))))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"pending": {}}, "exactly one of"),
        ({"deck": (ONE,)}, "exactly one of"),
        ({"pending": {}, "deck": (ONE, ONE)}, "a card twice"),
        ({"scores": (1, 0, 0)}, "gives scores of"),
        ({"scores": (0, 0)}, "gives scores of"),
        ({"pending": {}, "outcome": ended(0, 0, 0)}, "gives the outcome"),
        ({"pending": {Seat(5): Decision(1, Seat(5), (0,), 0)}}, "asks seat 5"),
        ({"pending": {A: Decision(1, A, (1, 0), 0)}}, "not ascending"),
        ({"pending": {A: Decision(1, A, (0, 0), 0)}}, "not ascending"),
        ({"pending": {A: Decision(1, A, (0, 3), 0)}}, "not ascending, or none"),
        ({"pending": {A: Decision(1, A, (0, 2), 0)}}, "means nothing"),
        ({"pending": {A: Decision(1, A, (0,), 1)}}, "default that is not legal"),
    ],
)
def test_what_a_step_comes_to_must_fit(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(Fault, match=problem):
        Ledger(SEATS, ACTIONS).after(step(**changes))


def test_an_end_is_told_as_it_is() -> None:
    outcome = ended(1, 0, 0)
    scored = public(DealScored((1, 0, 0), (1, 0, 0)))
    over = {"pending": {}, "scores": (1, 0, 0)}
    table = Ledger(SEATS, ACTIONS)
    table.after(step(scored, public(MatchEnded(outcome)), outcome=outcome, **over))
    faults = {
        "gives the outcome": step(scored, outcome=outcome, **over),
        "but told of": step(public(MatchEnded(ended(1, 0, 0))), outcome=outcome, pending={}),
        "goes on after the end": step(public(MatchEnded(outcome)), scored, outcome=outcome, **over),
        "gives places": step(
            scored,
            public(MatchEnded(Outcome((1, 0, 0), (1, 2, 9), ((), (), ())))),
            outcome=Outcome((1, 0, 0), (1, 2, 9), ((), (), ())),
            **over,
        ),
    }
    for problem, told in faults.items():
        with pytest.raises(Fault, match=problem):
            table.after(told)
