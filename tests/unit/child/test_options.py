"""What the options are, and what is refused."""

from typing import Any

import pytest

from kozyr.errors import InvalidOptions
from kozyr.moves import UNUSED
from tests.child_table import VARIANT

DEFAULTS = {
    "revoke": "forbid",
    "dealer_restriction": False,
    "silent_poker_lead": "trump",
    "circular_trumps": False,
}


def test_the_options_and_their_defaults_are_those_of_the_rules_page() -> None:
    """C3, C6, H10, H11, H12"""
    assert VARIANT.parse_options({}).model_dump() == DEFAULTS


@pytest.mark.parametrize(
    "given",
    [
        {"revoke": "allow"},
        {"dealer_restriction": "on"},
        {"silent_poker_lead": "clubs"},
        {"circular_trumps": 1},
        {"deck": 36},
        {"joker": True},
    ],
)
def test_an_unknown_option_or_value_is_refused_by_name(given: dict[str, Any]) -> None:
    [name] = given
    with pytest.raises(InvalidOptions, match=name):
        VARIANT.parse_options(given)


@pytest.mark.parametrize(("circular", "demands"), [(False, 1), (True, 4)])
def test_only_the_moves_of_the_game_have_numbers(circular: bool, demands: int) -> None:  # noqa: FBT001
    """35 cards beside the Poker, its words, 0 to 18 tricks, and 1 to 18 in the dark."""
    options = VARIANT.parse_options({"circular_trumps": circular})
    texts = [move.text for move in VARIANT.actions(options) if move != UNUSED]
    assert len(texts) == 35 + 2 + demands + 19 + 1 + 18
    assert sum(text.startswith("play 7S demand") for text in texts) == demands
