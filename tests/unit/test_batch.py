"""Many matches stepped at once are what each of them would be by itself."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kozyr import batch
from kozyr.batch import OBSERVATION, BatchGame, IllegalAction, NotATrickGame
from kozyr.events import Event, Seat
from kozyr.game import CHANCE
from kozyr.observation import Observation
from kozyr.plugins import load_variant
from kozyr.tricks.batch import FIELD_COUNT, FIELDS
from kozyr.tricks.playouts import advance, below
from kozyr.variant import seat_list
from tests.toy import TOY

CASES: list[tuple[str, int, dict[str, Any]]] = [
    ("odessa", 4, {"max_hand": 3, "joker": True}),
    ("odessa", 3, {"max_hand": 12, "full_deal_trump": "eldest_names", "blind_deals": 1}),
    ("odessa", 2, {"max_hand": 3, "revoke": "penalty"}),
    ("georgian", 5, {"peak_deals": 1}),
    ("child", 5, {"circular_trumps": True}),
    ("child", 4, {"revoke": "penalty"}),
    ("maverick", 4, {"max_deals": 2, "bets": True}),
    ("maverick", 4, {"max_deals": 2, "revoke": "penalty"}),
]
COUNT = 3
"""Matches in a batch."""


class Mirror:
    """The same matches one by one, by the contract of every game, with all that they tell."""

    def __init__(self, case: tuple[str, int, dict[str, Any]], seed: int) -> None:
        variant = load_variant(case[0])
        self.seats = case[1]
        self.random = advance(seed)
        self.games = [
            variant.start(variant.parse_options(case[2]), self.seats) for _ in range(COUNT)
        ]
        self.views = [
            [Observation.empty(Seat(seat), self.seats) for seat in range(self.seats)]
            for _ in range(COUNT)
        ]
        for index in range(COUNT):
            self.go_on(index)

    def take(self, index: int, action: int) -> None:
        game = self.games[index]
        self.hear(index, game.apply(self.turn(index), action))
        self.go_on(index)

    def go_on(self, index: int) -> None:
        """Shuffle as the batch does, and hear what that tells."""
        game = self.games[index]
        while game.waiting() == 1 << CHANCE:
            deck = list(game.deck())
            for place in range(len(deck) - 1, 0, -1):
                self.random = advance(self.random)
                other = below(self.random, place + 1)
                deck[place], deck[other] = deck[other], deck[place]
            self.hear(index, game.deal(tuple(deck)))

    def hear(self, index: int, events: list[Event]) -> None:
        for view in self.views[index]:
            for event in events:
                payload = event.seen_by(view.viewer)
                if payload is not None:
                    view.hear(payload)

    def turn(self, index: int) -> Seat:
        return seat_list(self.games[index].waiting())[0]


def legal_of(games: BatchGame, index: int) -> list[int]:
    return [int(action) for action in np.flatnonzero(games.legal_mask()[index])]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_batch_is_its_matches_one_by_one(case: tuple[str, int, dict[str, Any]]) -> None:
    """What a seat on turn is given is legal and known as in a match, and no card more."""
    rng = random.Random(7)
    games = BatchGame(case[0], count=COUNT, seats=case[1], options=case[2], seed=5)
    mirror = Mirror(case, seed=5)
    for _ in range(4_000):
        for index in range(COUNT):
            game = mirror.games[index]
            assert games.scores[index].tolist() == list(game.scores())
            assert bool(games.done[index]) == (not game.waiting())
            if game.waiting():
                _compare(games, mirror, index)
                games.actions[index] = rng.choice(game.legal(mirror.turn(index)))
        if games.done.all():
            return
        for going_on in np.flatnonzero(games.done == 0):
            mirror.take(int(going_on), int(games.actions[going_on]))
        games.step()
    raise AssertionError("the matches do not end")


def _compare(games: BatchGame, mirror: Mirror, index: int) -> None:
    seat, row = mirror.turn(index), games.observations[index]
    view = mirror.views[index][seat]
    assert row["seat"] == seat
    assert legal_of(games, index) == mirror.games[index].legal(seat)
    assert row["hand"] == view.hand
    assert row["laid"] == len(view.trick)
    assert row["table"] == sum(1 << played.card for played in view.trick)
    assert view.deal is not None
    assert (row["deal"], row["dealer"]) == (view.deal.index, view.deal.dealer)
    if view.trump is not None:
        assert row["trump"] == view.trump
    for each in range(mirror.seats):
        assert row["tricks"] >> 5 * each & 31 == view.tricks[each]
        bid = view.bids[each]
        assert row["bids"] >> 5 * each & 31 == (0 if bid is None else bid.count)


def test_matches_that_are_over_begin_anew_when_told_to() -> None:
    games = BatchGame("odessa", count=4, options={"max_hand": 1, "blind_deals": 0}, seed=2)
    assert games.restart() == 0
    while not games.done.any():
        games.actions[:] = games.legal_mask().argmax(axis=1)
        games.step()
    over = int(games.done.sum())
    assert games.restart() == over
    assert not games.done.any()
    assert (games.scores[:over] == 0).all()


def test_the_same_seed_and_actions_give_the_same_matches() -> None:
    def hands(seed: int) -> list[int]:
        games = BatchGame("child", count=50, seed=seed)
        games.actions[:] = 101  # look
        games.step()
        found: list[int] = games.observations["hand"].tolist()
        return found

    assert hands(1) == hands(1) != hands(2)


@pytest.mark.parametrize("action", [-1, 5, 184, 2**40])
def test_an_illegal_action_is_refused_by_its_match_and_nothing_changes(action: int) -> None:
    games = BatchGame("odessa", count=3, options={"max_hand": 2}, seed=1)
    before = games.observations.copy(), games.legal.copy()
    games.actions[:] = games.legal_mask().argmax(axis=1)
    games.actions[1] = action
    with pytest.raises(IllegalAction, match=f"match 1: action {action} is not legal"):
        games.step()
    assert (games.observations == before[0]).all()
    assert (games.legal == before[1]).all()


def test_a_match_that_is_over_takes_no_action() -> None:
    games = BatchGame("odessa", count=1, options={"max_hand": 1, "blind_deals": 0}, seed=2)
    while not games.done.all():
        games.actions[:] = games.legal_mask().argmax(axis=1)
        games.step()
    scores = games.scores.copy()
    games.actions[:] = -1
    games.step()
    assert (games.scores == scores).all()
    assert not games.legal.any()


def test_a_game_of_another_kind_cannot_be_stepped_in_a_batch() -> None:
    with pytest.raises(NotATrickGame, match="toy is not made of the toolkit"):
        BatchGame(TOY, count=2)


def test_a_batch_has_a_match_at_least() -> None:
    with pytest.raises(ValueError, match="1 match or more, not 0"):
        BatchGame("odessa", count=0)


def test_every_field_is_documented() -> None:
    source = Path(batch.__file__).read_text(encoding="utf-8")
    assert OBSERVATION.names == FIELDS
    assert len(FIELDS) == FIELD_COUNT
    for field in FIELDS:
        assert f"\n``{field}``" in source


def test_only_the_actions_can_be_written_to() -> None:
    games = BatchGame("odessa", count=2)
    for array in (games.legal, games.observations, games.scores, games.done):
        assert not array.flags.writeable
