"""Which deals there are, and which options: G1, C1, C8."""

import pytest

from kozyr.errors import InvalidOptions, InvalidSeatCount
from kozyr.events import DealBegan
from tests.georgian_table import VARIANT, GeorgianTable


def deals(seats: int, **options: object) -> list[DealBegan]:
    """All deals of a match in which seat 0 is the first dealer."""
    table = GeorgianTable(seats, **options)
    table.draw_lot(dealer=0)
    return table.finish()


def hand_sizes(seats: int, **options: object) -> list[int]:
    return [deal.hand_size for deal in deals(seats, **options)]


def test_four_play_eight_up_four_nines_eight_down_and_four_nines() -> None:
    """G1"""
    up, down = [1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]
    assert hand_sizes(4) == [*up, 9, 9, 9, 9, *down, 9, 9, 9, 9]


def test_six_with_36_cards_have_at_most_six_in_hand() -> None:
    """G1"""
    up, down = [1, 2, 3, 4, 5], [5, 4, 3, 2, 1]
    assert hand_sizes(6) == [*up, 6, 6, 6, 6, 6, 6, *down, 6, 6, 6, 6, 6, 6]


@pytest.mark.parametrize(
    ("seats", "deck", "largest"),
    [(2, 36, 9), (3, 36, 9), (5, 36, 7), (2, 52, 9), (5, 52, 9), (6, 52, 8)],
)
def test_the_largest_hand_is_nine_or_what_the_deck_has_for_each(
    seats: int, deck: int, largest: int
) -> None:
    """G1: 36 are 7 for five, with a card over; 52 are 8 for six, with four over."""
    assert max(hand_sizes(seats, deck=deck)) == largest


def test_a_joker_makes_no_hand_larger() -> None:
    """G1, O10: 37 cards are still six for each of six."""
    assert max(hand_sizes(6, joker=True)) == 6


def test_peak_deals_says_how_often_the_largest_hand_comes_each_time() -> None:
    """G1, ``peak_deals``"""
    up, down = [1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]
    assert hand_sizes(4, peak_deals=1) == [*up, 9, *down, 9]
    assert hand_sizes(2, peak_deals=3) == [*up, 9, 9, 9, *down, 9, 9, 9]


def test_no_deal_is_blind_or_doubled() -> None:
    """G1"""
    assert {(deal.kind, deal.multiplier) for deal in deals(3)} == {("regular", 1)}


def test_the_deal_passes_clockwise_from_the_one_who_drew_the_highest_card() -> None:
    """C1, C8"""
    everything = deals(3)
    assert [deal.dealer for deal in everything] == [place % 3 for place in range(len(everything))]
    assert {deal.deal_count for deal in everything} == {len(everything)}


def test_bids_reach_the_largest_hand_and_no_further() -> None:
    """C2, G1: in the first deal of nine, the ninth of the match."""
    table = GeorgianTable(2)
    table.draw_lot(dealer=1)
    table.skip_to_deal(8)
    table.hand_out(table.game.deck())
    assert table.moves() == {"pass", *(f"bid {count}" for count in range(1, 10))}


@pytest.mark.parametrize(
    "options",
    [
        {"max_hand": 6},
        {"blind_deals": 1},
        {"no_trump_deals": 0},
        {"made_pass": 0},
        {"peak_deals": 0},
        {"peak_deals": 101},
        {"deck": 32},
    ],
)
def test_other_options_and_values_out_of_range_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(InvalidOptions):
        VARIANT.parse_options(options)


@pytest.mark.parametrize("seats", [1, 7])
def test_it_is_played_by_two_to_six(seats: int) -> None:
    with pytest.raises(InvalidSeatCount):
        VARIANT.start(VARIANT.parse_options({}), seats)
