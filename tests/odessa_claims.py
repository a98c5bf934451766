"""What every random match of Odessa and its kin must keep, each as one assertion.

What is compared comes from the match's umpire, a second reading of the rules; what a seat may know
is worked out from the decks, in `tests.odessa_secrets`.
"""

import random

from kozyr.events import WATCHER, DealScored, Event, Payload, Seat
from kozyr.game import CHANCE_BIT, Game
from kozyr.observation import Observation
from tests.odessa_secrets import cards_named, reshuffle_what_is_hidden
from tests.odessa_walk import RandomMatch, steps_of, walk
from tests.oracle_odessa import Umpire, letter, truth


def viewers(match: RandomMatch) -> list[Seat]:
    """All seats and the watcher."""
    return [*(Seat(seat) for seat in range(match.seats)), WATCHER]


def story(match: RandomMatch) -> list[Payload]:
    """All that happens in a match, with the cards open."""
    return [truth(event) for step in steps_of(match) for event in step.events]


def assert_the_umpire_agrees(match: RandomMatch) -> None:
    """Turns, legal moves, tricks, revokes, scores and places are as the umpire has them."""
    actions = match.actions()
    for moment in walk(match):
        game, umpire = moment.game, moment.umpire
        if umpire.turn is None:
            assert game.waiting() == (0 if umpire.phase == "over" else CHANCE_BIT)
            continue
        assert not umpire.due
        assert game.waiting() == 1 << umpire.turn
        legal = game.legal(Seat(umpire.turn))
        assert legal == sorted(set(legal))
        assert {actions[action].text for action in legal} == umpire.allowed()
    assert umpire.phase == "over"
    assert not umpire.due
    assert game.outcome() == umpire.outcome
    assert game.scores() == umpire.outcome.scores


def assert_what_is_heard_is_true(match: RandomMatch) -> None:
    """Own hand, counts, bids, trump, the table, tricks and totals are as the umpire has them."""
    views = {viewer: Observation.empty(viewer, match.seats) for viewer in viewers(match)}
    scored = []
    for moment in walk(match):
        for event in moment.step.events:
            scored += [face for face in [truth(event)] if isinstance(face, DealScored)]
            for viewer, view in views.items():
                face = event.seen_by(viewer)
                assert face is not None
                view.hear(face)
        umpire = moment.umpire
        if not umpire.due and umpire.phase != "over":
            for view in views.values():
                _assert_view_is_true(view, umpire)
    for view in views.values():
        assert view.outcome == umpire.outcome
        assert [row.scored for row in view.sheet] == scored


def _assert_view_is_true(view: Observation, umpire: Umpire) -> None:
    """Compare a view with what the umpire knows of the deal under way."""
    if not view.watcher:
        assert set(cards_named(view.hand)) == umpire.hands[view.viewer]
    else:
        assert view.hand == 0
    assert view.counts == [len(hand) for hand in umpire.hands]
    bids = [None if bid is None else bid.count for bid in view.bids]
    assert bids == [umpire.bids.get(seat) for seat in range(umpire.seats)]
    assert (None if view.trump is None else letter(view.trump)) == umpire.trump
    assert [play.seat for play in view.trick] == [play.seat for play in umpire.trick]
    assert view.tricks == umpire.tricks
    assert view.totals == umpire.totals


def assert_hidden_cards_do_not_matter(match: RandomMatch) -> None:
    """Exchanging cards that a viewer may not know changes nothing that it gets."""
    rng = random.Random(match.seed)
    steps = steps_of(match)
    for viewer in viewers(match):
        pair = reshuffle_what_is_hidden(match, steps, viewer, rng)
        if pair is None:
            continue
        for real, other in zip(pair.real, pair.permuted, strict=True):
            assert _faces(real, viewer) == _faces(other, viewer)
        assert _what_it_may(pair.real_game, viewer) == _what_it_may(pair.permuted_game, viewer)


def _faces(events: list[Event], viewer: Seat) -> list[str]:
    """What a viewer gets of some events, to the letter."""
    return [repr(event.seen_by(viewer)) for event in events]


def _what_it_may(game: Game, viewer: Seat) -> object:
    """What a viewer can ask of a position."""
    mine = game.waiting() >> viewer & 1
    choice = (game.legal(viewer), game.default(viewer)) if mine else None
    return game.waiting(), choice, game.scores(), game.outcome()
