from typing import Any

import pytest

from kozyr.errors import InvalidOptions, InvalidSeatCount
from kozyr.variant import seat_list
from tests.toy import TOY, ToyOptions


def test_options_not_given_take_their_defaults() -> None:
    assert TOY.parse_options({}) == ToyOptions(deals=2, hand=2)
    assert TOY.parse_options({"hand": 5}) == ToyOptions(deals=2, hand=5)


def test_an_unknown_option_is_refused_with_the_list_of_those_there_are() -> None:
    with pytest.raises(InvalidOptions, match="unknown option 'hands'; there are: deals, hand"):
        TOY.parse_options({"hands": 2})


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"hand": 6}, "option 'hand': .*less than or equal to 5 .*got 6"),
        ({"hand": "2"}, "option 'hand': .*integer .*got '2'"),
        ({"hand": True}, "option 'hand': .*integer .*got True"),
        ({"hand": None}, "option 'hand': .*integer .*got None"),
    ],
)
def test_a_value_out_of_range_is_refused_with_what_is_allowed(
    given: dict[str, Any], problem: str
) -> None:
    with pytest.raises(InvalidOptions, match=problem):
        TOY.parse_options(given)


def test_every_wrong_option_is_named_not_only_the_first() -> None:
    with pytest.raises(InvalidOptions) as refused:
        TOY.parse_options({"hand": 0, "deals": 0, "colour": "red"})
    assert len(refused.value.problems) == 3


def test_options_cannot_be_changed_afterwards() -> None:
    with pytest.raises(ValueError, match="frozen"):
        TOY.parse_options({}).hand = 3


@pytest.mark.parametrize("seats", [-1, 0, 1, 7])
def test_a_number_of_seats_that_is_not_played_is_refused_with_those_that_are(seats: int) -> None:
    with pytest.raises(InvalidSeatCount, match=f"{seats} seats .* allowed: 2, 3, 4, 5, 6"):
        TOY.start(ToyOptions(), seats)


def test_everybody_plays_alone_unless_the_variant_says_otherwise() -> None:
    assert TOY.teams(ToyOptions(), 4) == (0, 1, 2, 3)


def test_the_options_have_a_schema_with_their_ranges_and_defaults() -> None:
    hand = TOY.options_schema()["properties"]["hand"]
    assert (hand["minimum"], hand["maximum"], hand["default"]) == (1, 5, 2)


def test_a_mask_lists_its_seats_in_order() -> None:
    assert seat_list(0) == ()
    assert seat_list(0b1_0110) == (1, 2, 4)
