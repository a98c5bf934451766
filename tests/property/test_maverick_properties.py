"""Random matches over the whole space of Maverick's options.

What is compared comes from `tests.oracle_maverick`, a second reading of the rules; what a seat may
know is worked out from the decks, in `tests.maverick_secrets`.
"""

import random
from typing import Any

import pytest
from hypothesis import given

from kozyr.cards import SUITS
from kozyr.errors import IllegalMove, NotYourTurn
from kozyr.events import EVERYBODY, CardChosen, Event, Seat
from kozyr.game import CHANCE_BIT, Game
from kozyr.observation import Observation
from kozyr.variant import seat_list
from tests.maverick_secrets import Playing, Secrets, reshuffle_what_is_hidden
from tests.maverick_walk import VIEWERS, MaverickMatch, redo, steps_of, walk
from tests.odessa_secrets import cards_named
from tests.oracle_maverick import SUIT_LETTERS, MaverickUmpire
from tests.strategies import maverick_matches


def position(game: Game) -> object:
    """Everything that a game can be asked, to compare two of them."""
    asked = [seat for seat in seat_list(game.waiting()) if seat < 4]
    choices = [(seat, game.legal(seat), game.default(seat)) for seat in asked]
    return game.waiting(), choices, game.scores(), game.outcome()


def faces(events: list[Event], viewer: Seat) -> list[str]:
    """What a viewer gets of some events, to the letter."""
    return [repr(event.seen_by(viewer)) for event in events]


# The rules


@given(maverick_matches())
def test_every_match_ends_and_keeps_the_rules_as_a_second_reader_has_them(
    match: MaverickMatch,
) -> None:
    """C1, C4, C6, M1–M13: turns, legal moves, gifts, bets, tricks, revokes, scores and places."""
    actions = match.actions()
    for moment in walk(match):
        game, umpire = moment.game, moment.umpire
        assert not umpire.due
        if not umpire.deciding:
            assert game.waiting() == (0 if umpire.phase == "over" else CHANCE_BIT)
        else:
            assert set(seat_list(game.waiting())) == umpire.deciding
        for seat in map(Seat, umpire.deciding):
            legal = game.legal(seat)
            assert legal == sorted(set(legal))
            assert {actions[action].text for action in legal} == umpire.allowed(seat)
        assert game.scores() == tuple(umpire.totals * 2)
    assert umpire.phase == "over"
    assert game.outcome() == umpire.outcome


@given(maverick_matches(short=True))
def test_check_passes_exactly_what_is_legal(match: MaverickMatch) -> None:
    """C6, M2, M3, M9"""
    actions, rng = match.actions(), random.Random(match.seed)
    for moment in walk(match):
        if rng.random() > 0.1:
            continue
        for seat in VIEWERS:
            if seat not in moment.umpire.deciding:
                with pytest.raises(NotYourTurn):
                    moment.game.check(seat, 0)
                continue
            passed = [action for action in range(len(actions)) if passes(moment.game, seat, action)]
            assert passed == moment.game.legal(seat)


def passes(game: Game, seat: Seat, action: int) -> bool:
    """Whether the game lets the action pass."""
    try:
        game.check(seat, action)
    except IllegalMove:
        return False
    return True


@given(maverick_matches(short=True))
def test_what_a_timeout_does_keeps_the_rules_and_bets_nothing(match: MaverickMatch) -> None:
    """M7, M9"""
    actions = match.actions()
    for moment in walk(match):
        for seat in map(Seat, moment.umpire.deciding):
            default = actions[moment.game.default(seat)].text
            assert default in moment.umpire.lawful(seat)
            assert not default.startswith("bet ")


@given(maverick_matches(short=True))
def test_a_replay_of_the_log_equals_the_live_game_and_so_does_a_clone(
    match: MaverickMatch,
) -> None:
    again, clone, rng = match.start(), match.start(), random.Random(match.seed)
    for moment in walk(match):
        assert redo(again, moment.step) == moment.step.events
        assert redo(clone, moment.step) == moment.step.events
        assert position(again) == position(clone) == position(moment.game)
        if rng.random() < 0.2:
            clone = moment.game.clone()


# The exchange


@given(maverick_matches(short=True))
def test_an_exchange_decided_in_any_order_of_seats_ends_in_the_same_events_and_position(
    match: MaverickMatch,
) -> None:
    """M2: whatever is played afterwards, too."""
    rng, steps, at = random.Random(match.seed), steps_of(match), 0
    game = match.start()
    while at < len(steps):
        if not is_choice(steps[at].events):
            redo(game, steps[at])
            at += 1
            continue
        choices, played = steps[at : at + 8], steps[at + 8 : at + 60]
        told = [event for step in choices for event in step.events]
        other = game.clone()
        for step in choices:
            redo(game, step)
        order = rng.sample(choices, 8)
        retold = [event for step in order for event in other.apply(step.seat, step.action)]
        assert retold[8:] == told[8:]
        assert sorted(map(repr, retold[:8])) == sorted(map(repr, told[:8]))
        for viewer in VIEWERS:  # each seat's own choices, in the order of its making
            assert sorted(faces(retold, viewer)) == sorted(faces(told, viewer))
        assert position(other) == position(game)
        for step in played:
            redo(game, step)
            assert redo(other, step) == step.events
            assert position(other) == position(game)
        at += 8 + len(played)


def is_choice(events: list[Event]) -> bool:
    """Whether somebody chose a card to give away."""
    return any(isinstance(event.seen_by(Seat(0)), CardChosen) for event in events)


# What is known and what is hidden


@given(maverick_matches(short=True))
def test_what_a_viewer_has_heard_folds_to_the_truth(match: MaverickMatch) -> None:
    """M1, M2, M6, M7, M9"""
    views = {viewer: Observation.empty(viewer, 4) for viewer in VIEWERS}
    for moment in walk(match):
        for event in moment.step.events:
            for viewer, view in views.items():
                face = event.seen_by(viewer)
                assert face is not None
                view.hear(face)
        if moment.umpire.phase != "over":
            for view in views.values():
                assert known_to(view) == true_for(view.viewer, moment.umpire)
    for view in views.values():
        assert view.outcome == moment.umpire.outcome


def known_to(view: Observation) -> dict[str, Any]:
    """What a viewer has made of all that it heard of the deal under way."""
    return {
        "hand": set(cards_named(view.hand)),
        "counts": view.counts,
        "trump": view.trump,
        "summator": view.summator,
        "bets": view.bets,
        "trick": [cards_named(1 << play.card)[0] for play in view.trick],
        "tricks": view.tricks,
        "points": [view.points[0] + view.points[2], view.points[1] + view.points[3]],
        "totals": view.totals,
    }


def true_for(viewer: Seat, umpire: MaverickUmpire) -> dict[str, Any]:
    """The same as the umpire has it."""
    sits = viewer < 4
    return {
        "hand": umpire.hands[viewer] if sits and umpire.looked[viewer] else set(),
        "counts": umpire.counts,
        "trump": SUITS[SUIT_LETTERS.index(umpire.trump)] if umpire.trump else None,
        "summator": SUITS[SUIT_LETTERS.index(umpire.summator)] if umpire.trump else None,
        "bets": umpire.bets,
        "trick": umpire.trick,
        "tricks": umpire.tricks,
        "points": umpire.points,
        "totals": umpire.totals * 2,
    }


@given(maverick_matches(short=True))
def test_audiences_of_an_event_do_not_overlap_and_nobody_misses_it(match: MaverickMatch) -> None:
    """M2, M9"""
    for step in steps_of(match):
        for event in step.events:
            seen = 0
            for audience, _ in event.faces:
                assert not audience & seen
                seen |= audience
            assert seen == EVERYBODY


@given(maverick_matches(short=True))
def test_no_face_names_a_card_that_its_viewer_may_not_know(match: MaverickMatch) -> None:
    """C1, M1, M2, M9: cards are seen by their owner, by who gets them, or once they are played."""
    secrets = Secrets()
    for moment in walk(match):
        secrets.follow(moment.step, moment.umpire)
        secrets.assert_no_face_tells_more(moment.step)


@given(maverick_matches(short=True))
def test_permuting_hidden_cards_before_the_play_changes_nothing_that_a_viewer_gets(
    match: MaverickMatch,
) -> None:
    """M2, M9: bets, and what others lay aside and pass on; an unseen hand of one's own, too."""
    rng, steps = random.Random(match.seed), steps_of(match)
    for viewer in VIEWERS:
        pair = reshuffle_what_is_hidden(match, steps, viewer, rng, before_play=True)
        assert pair is not None, "before the play nothing speaks against an exchange"
        assert_equal_for(viewer, pair)


@given(maverick_matches(short=True))
def test_permuting_hidden_cards_in_play_changes_nothing_that_a_viewer_gets(
    match: MaverickMatch,
) -> None:
    rng, steps = random.Random(match.seed), steps_of(match)
    for viewer in VIEWERS:
        pair = reshuffle_what_is_hidden(match, steps, viewer, rng, before_play=False)
        if pair is not None:
            assert_equal_for(viewer, pair)


def assert_equal_for(viewer: Seat, pair: tuple[Playing, Playing]) -> None:
    """A viewer cannot tell two playings of a stretch apart."""
    real, permuted = pair
    for events, other in zip(real.told, permuted.told, strict=True):
        assert faces(events, viewer) == faces(other, viewer)
    assert may_ask(real.game, viewer) == may_ask(permuted.game, viewer)


def may_ask(game: Game, viewer: Seat) -> object:
    """What a viewer can ask of a position."""
    mine = game.waiting() >> viewer & 1
    choice = (game.legal(viewer), game.default(viewer)) if mine else None
    return game.waiting(), choice, game.scores(), game.outcome()
