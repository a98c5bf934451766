"""What the options are, and what is refused."""

from typing import Any

import pytest

from kozyr.errors import InvalidOptions, InvalidSeatCount
from kozyr.moves import UNUSED, parse_move
from tests.odessa_table import VARIANT

DEFAULTS = {
    "deck": 36,
    "revoke": "forbid",
    "dealer_restriction": True,
    "full_deal_trump": "last_card",
    "joker": False,
    "joker_demand": True,
    "max_hand": 6,
    "blind_deals": 1,
    "no_trump_deals": 0,
    "made_pass": 0,
}


def test_the_options_and_their_defaults_are_those_of_the_rules_page() -> None:
    """C3, C6, C7, O1, O3, O7, O8, O10, O11"""
    assert VARIANT.parse_options({}).model_dump() == DEFAULTS


def test_the_schema_names_every_option() -> None:
    assert set(VARIANT.options_schema()["properties"]) == set(DEFAULTS)


@pytest.mark.parametrize(
    "given",
    [
        {"deck": 32},
        {"deck": "36"},
        {"revoke": "allow"},
        {"dealer_restriction": "on"},
        {"full_deal_trump": "dealer_names"},
        {"joker": 1},
        {"joker_demand": "off"},
        {"max_hand": 0},
        {"max_hand": 13},
        {"max_hand": 6.5},
        {"blind_deals": -1},
        {"no_trump_deals": -1},
        {"made_pass": 2.5},
        {"made_pass": "5"},
    ],
)
def test_a_value_out_of_range_is_refused_by_name(given: dict[str, Any]) -> None:
    [name] = given
    with pytest.raises(InvalidOptions, match=name):
        VARIANT.parse_options(given)


def test_the_refusal_of_a_value_says_what_is_allowed() -> None:
    for given, allowed in (
        ({"deck": 40}, ("36", "52")),
        ({"revoke": "allow"}, ("forbid", "penalty")),
        ({"full_deal_trump": "dealer"}, ("last_card", "none", "eldest_names")),
        ({"max_hand": 13}, ("12",)),
        ({"max_hand": 0}, ("1",)),
        ({"blind_deals": -1}, ("0",)),
    ):
        with pytest.raises(InvalidOptions) as refused:
            VARIANT.parse_options(given)
        assert all(value in str(refused.value) for value in allowed)


def test_an_unknown_option_is_refused_with_the_list_of_what_there_is() -> None:
    with pytest.raises(InvalidOptions) as refused:
        VARIANT.parse_options({"peak_deals": 4})
    [problem] = refused.value.problems
    assert "peak_deals" in problem
    assert all(name in problem for name in DEFAULTS)


def test_every_wrong_option_is_named() -> None:
    with pytest.raises(InvalidOptions) as refused:
        VARIANT.parse_options({"deck": 40, "joker": "yes", "no_such_thing": 1})
    assert len(refused.value.problems) == 3


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        ({}, [2, 3, 4, 5, 6]),
        ({"max_hand": 7}, [2, 3, 4, 5]),
        ({"max_hand": 9}, [2, 3, 4]),
        ({"max_hand": 12}, [2, 3]),
        ({"max_hand": 12, "joker": True}, [2, 3]),
        ({"max_hand": 12, "deck": 52}, [2, 3, 4]),
        ({"max_hand": 8, "deck": 52}, [2, 3, 4, 5, 6]),
    ],
)
def test_as_many_may_play_as_the_longest_hand_leaves_cards_for(
    options: dict[str, Any], allowed: list[int]
) -> None:
    """O1: `max_hand` × players is at most the deck."""
    parsed = VARIANT.parse_options(options)
    assert list(VARIANT.seat_counts(parsed)) == allowed
    for seats in (1, 7, allowed[-1] + 1):
        with pytest.raises(InvalidSeatCount) as refused:
            VARIANT.start(parsed, seats)
        assert list(refused.value.allowed) == allowed


def test_equal_options_share_one_action_table() -> None:
    one, other = (VARIANT.parse_options({"joker": True}) for _ in range(2))
    assert VARIANT.actions(one) is VARIANT.actions(other)


def test_every_action_has_a_text_that_parses_back_to_it() -> None:
    """C2, C5, C7, O10, O11: whatever can be done can be typed."""
    for options in ({}, {"deck": 52, "joker": True, "full_deal_trump": "eldest_names"}):
        actions = VARIANT.actions(VARIANT.parse_options(options))
        for action, move in enumerate(actions):
            if move != UNUSED:
                assert actions.number(parse_move(move.text)) == action
