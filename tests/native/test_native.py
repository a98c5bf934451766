"""What is compiled runs compiled, and is in every way what it is interpreted."""

import copy
import pickle
from collections.abc import Callable
from importlib import import_module
from importlib.machinery import ExtensionFileLoader

import pytest

from kozyr.conformance.copies import answers
from kozyr.game import Game
from kozyr.log import Cause
from kozyr.match import Match
from kozyr.plugins import variant_names
from kozyr.variant import seat_list
from tests.native.unit import COMPILED, compiled_modules


@pytest.mark.parametrize("name", compiled_modules())
def test_a_module_runs_as_it_is_meant_to_here(name: str) -> None:
    spec = import_module(name).__spec__
    assert spec is not None
    assert isinstance(spec.loader, ExtensionFileLoader) is COMPILED


def middle_of_a_match(variant: str) -> Game:
    """The position of a match after some moves."""
    match = Match(variant, seed=5)
    for _ in range(25):
        seat, decision = next(iter(match.pending.items()))
        match.play(seat, decision.default, cause=Cause.TIMEOUT)
    position = match._position
    game: Game = position.game  # type: ignore[attr-defined]
    return game


def cloned(game: Game) -> Game:
    return game.clone()


def pickled(game: Game) -> Game:
    twin: Game = pickle.loads(pickle.dumps(game))  # noqa: S301 (we have just written it)
    return twin


@pytest.mark.parametrize("variant", variant_names())
@pytest.mark.parametrize("way", [copy.deepcopy, pickled, cloned])
def test_a_position_that_was_copied_goes_on_alike_and_alone(
    variant: str, way: Callable[[Game], Game]
) -> None:
    game = middle_of_a_match(variant)
    twin = way(game)
    assert type(twin) is type(game)
    assert answers(twin) == answers(game)
    before = answers(game)
    [seat, *_] = seat_list(game.waiting())
    told = twin.apply(seat, twin.default(seat))
    assert answers(game) == before, "the original noticed"
    assert game.apply(seat, game.default(seat)) == told
    assert answers(twin) == answers(game)


def test_positions_are_hashed_by_identity() -> None:
    game = middle_of_a_match("odessa")
    assert len({game, game, game.clone()}) == 2
