"""Random matches over the whole space of Odessa's options.

What is compared comes from `tests.oracle_odessa`, a second reading of the rules; what a seat may
know is worked out from the decks, in `tests.odessa_secrets`.
"""

import random
from collections import Counter, deque

import pytest
from hypothesis import given

from kozyr.errors import IllegalMove, NotYourTurn
from kozyr.events import EVERYBODY, DealBegan, DealScored, Seat, TrickTaken
from kozyr.game import CHANCE, CHANCE_BIT, Game
from kozyr.variant import seat_list
from tests.odessa_claims import (
    assert_hidden_cards_do_not_matter,
    assert_the_umpire_agrees,
    assert_what_is_heard_is_true,
    story,
    viewers,
)
from tests.odessa_secrets import Secrets
from tests.odessa_walk import RandomMatch, redo, steps_of, walk
from tests.strategies import odessa_matches

Position = tuple[int, dict[Seat, list[int]], tuple[int, ...], object]


def position(game: Game) -> Position:
    """Everything that a game can be asked, to compare two of them."""
    deciding = [seat for seat in seat_list(game.waiting()) if seat != CHANCE]
    legal = {seat: game.legal(seat) for seat in deciding}
    return game.waiting(), legal, game.scores(), game.outcome()


@given(odessa_matches())
def test_every_match_ends_and_keeps_the_rules_as_a_second_reader_has_them(
    match: RandomMatch,
) -> None:
    """C1–C8, O1–O12: turns, legal moves, tricks, revokes, scores, places and double losses."""
    assert_the_umpire_agrees(match)


@given(odessa_matches())
def test_the_tricks_of_a_deal_sum_to_the_cards_of_a_hand(match: RandomMatch) -> None:
    """C4"""
    tricks, hand_size = 0, 0
    for event in story(match):
        match event:
            case DealBegan():
                tricks, hand_size = 0, event.hand_size
            case TrickTaken():
                tricks += 1
            case DealScored(result="played"):
                assert tricks == hand_size
            case DealScored():
                assert tricks < hand_size


@given(odessa_matches())
def test_totals_are_the_sums_of_the_scores_of_the_deals(match: RandomMatch) -> None:
    """C8"""
    sums: Counter[int] = Counter()
    for event in story(match):
        if isinstance(event, DealScored):
            sums.update(dict(enumerate(event.scores)))
            assert event.totals == tuple(sums[seat] for seat in range(match.seats))


@given(odessa_matches())
def test_check_passes_exactly_what_is_legal(match: RandomMatch) -> None:
    actions, rng = match.actions(), random.Random(match.seed)
    for moment in walk(match):
        if moment.umpire.turn is None or rng.random() > 0.1:
            continue
        turn = Seat(moment.umpire.turn)
        legal = moment.game.legal(turn)
        passed = [action for action in range(len(actions)) if passes(moment.game, turn, action)]
        assert passed == legal
        for seat in viewers(match):
            if seat != turn:
                with pytest.raises(NotYourTurn):
                    moment.game.check(seat, legal[0])


def passes(game: Game, seat: Seat, action: int) -> bool:
    """Whether the game lets the action pass."""
    try:
        game.check(seat, action)
    except IllegalMove:
        return False
    return True


@given(odessa_matches())
def test_what_a_timeout_plays_is_legal_and_no_revoke(match: RandomMatch) -> None:
    """C6"""
    actions = match.actions()
    for moment in walk(match):
        if moment.umpire.turn is not None:
            default = moment.game.default(Seat(moment.umpire.turn))
            assert actions[default].text in moment.umpire.lawful()


@given(odessa_matches())
def test_a_replay_of_the_log_equals_the_live_game(match: RandomMatch) -> None:
    again = match.start()
    for moment in walk(match):
        assert redo(again, moment.step) == moment.step.events
        assert position(again) == position(moment.game)


@given(odessa_matches())
def test_a_clone_and_its_original_go_their_own_ways(match: RandomMatch) -> None:
    """A clone can be played on without a trace in its original, and follows it when it is told."""
    rng = random.Random(match.seed)
    followers: deque[Game] = deque(maxlen=3)
    for moment in walk(match):
        for follower in followers:
            assert redo(follower, moment.step) == moment.step.events
            assert position(follower) == position(moment.game)
        if rng.random() < 0.3:
            before = position(moment.game)
            followers.append(moment.game.clone())
            play_anyhow(moment.game.clone(), rng, steps=5)
            assert position(moment.game) == before


def play_anyhow(game: Game, rng: random.Random, *, steps: int) -> None:
    """Play some random legal steps."""
    for _ in range(steps):
        waiting = game.waiting()
        if waiting == 0:
            return
        if waiting == CHANCE_BIT:
            cards = list(game.deck())
            rng.shuffle(cards)
            game.deal(tuple(cards))
        else:
            [seat] = seat_list(waiting)
            game.apply(seat, rng.choice(game.legal(seat)))


@given(odessa_matches())
def test_audiences_of_an_event_do_not_overlap_and_nobody_misses_it(match: RandomMatch) -> None:
    for step in steps_of(match):
        for event in step.events:
            seen = 0
            for audience, _ in event.faces:
                assert audience
                assert not audience & seen
                seen |= audience
            assert seen == EVERYBODY


@given(odessa_matches())
def test_what_a_viewer_has_heard_folds_to_the_truth(match: RandomMatch) -> None:
    assert_what_is_heard_is_true(match)


@given(odessa_matches())
def test_no_face_names_a_card_that_its_viewer_may_not_know(match: RandomMatch) -> None:
    """C1, C7, O2: dealt cards are their owner's; what is turned up or played is everybody's."""
    secrets = Secrets(match)
    for moment in walk(match):
        secrets.follow(moment.step, moment.umpire)


@given(odessa_matches())
def test_permuting_hidden_cards_changes_nothing_that_a_viewer_gets(match: RandomMatch) -> None:
    assert_hidden_cards_do_not_matter(match)
