"""Which options there are, and for how many the game is: the table of options, M8."""

import pytest

from kozyr.errors import InvalidOptions, InvalidSeatCount
from tests.maverick_table import VARIANT


def test_every_option_has_its_default() -> None:
    """M5, M7, M8, M9"""
    assert VARIANT.parse_options({}).model_dump() == {
        "target": 30,
        "max_deals": 200,
        "bets": False,
        "trumps_beat": True,
        "revoke": "forbid",
    }


@pytest.mark.parametrize(
    "options",
    [
        {"target": 30},
        {"target": 40},
        {"target": 50},
        {"max_deals": 1},
        {"bets": True},
        {"trumps_beat": False},
        {"revoke": "penalty"},
        {"revoke": "forbid"},
    ],
)
def test_every_value_of_the_table_is_taken(options: dict[str, object]) -> None:
    """M5, M7, M8, M9"""
    parsed = VARIANT.parse_options(options).model_dump()
    assert {name: parsed[name] for name in options} == options


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"target": 31}, "30, 40 or 50"),
        ({"target": 0}, "30, 40 or 50"),
        ({"max_deals": 0}, "greater than or equal to 1"),
        ({"max_deals": 1001}, "less than or equal to 1000"),
        ({"revoke": "never"}, "'forbid' or 'penalty'"),
        ({"bets": 1}, "a valid boolean"),
        ({"trumps_beat": "yes"}, "a valid boolean"),
        *(
            ({name: value}, "target, max_deals, bets, trumps_beat, revoke")
            for name, value in {
                "deck": 52,
                "dealer_restriction": True,
                "full_deal_trump": "none",
                "joker": True,
                "joker_demand": True,
                "max_hand": 6,
                "peak_deals": 1,
            }.items()
        ),
    ],
)
def test_any_other_option_or_value_is_refused_with_what_is_allowed(
    options: dict[str, object], said: str
) -> None:
    with pytest.raises(InvalidOptions) as refused:
        VARIANT.parse_options(options)
    assert said in str(refused.value)


@pytest.mark.parametrize("seats", [1, 2, 3, 5, 6])
def test_it_is_played_by_exactly_four(seats: int) -> None:
    with pytest.raises(InvalidSeatCount):
        VARIANT.start(VARIANT.parse_options({}), seats)
    assert list(VARIANT.seat_counts(VARIANT.parse_options({}))) == [4]
