"""Schedules are made of hand sizes."""

from kozyr.tricks import BLIND, REGULAR, DealPlan, pyramid


def test_a_pyramid_climbs_stays_and_comes_down() -> None:
    assert pyramid(4, at_peak=3) == [1, 2, 3, 4, 4, 4, 3, 2, 1]


def test_a_pyramid_of_one_card_has_only_its_peak() -> None:
    assert pyramid(1, at_peak=2) == [1, 1]


def test_a_deal_is_regular_and_counts_once_unless_it_says_otherwise() -> None:
    assert DealPlan(6) == DealPlan(6, REGULAR, multiplier=1, bids_first=False)
    assert DealPlan(6, BLIND, multiplier=2, bids_first=True) != DealPlan(6, BLIND)
