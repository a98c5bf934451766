"""Scores of a deal and of the match: O3, O4, O5, O6, C8."""

from typing import Any

import pytest

from kozyr.events import MatchEnded
from tests.odessa_table import OdessaTable, deal_of


def two_tricks_to_seat_0(bids: str, **options: Any) -> tuple[int, ...]:
    """The scores of a deal of two cards in which seat 0 takes both tricks."""
    table = deal_of("AS KS", "6C 7C", turned_up="6H", bids=bids, **options)
    table.play("AS", "6C", "KS", "7C")
    return table.scores()


def one_card_deal(table: OdessaTable, *hands: str, bids: str, dealer: int) -> None:
    """Deal one card each, hearts trump, bid (in turn), and play it out."""
    table.deal(*hands, dealer=dealer, turned_up="6H")
    table.act(*("pass" if bid == "0" else f"bid {bid}" for bid in bids.split()))
    table.play(*(hands[(dealer + 1 + place) % table.seats] for place in range(table.seats)))


def test_a_bid_made_exactly_is_ten_for_each_trick() -> None:
    """O3: 2 bid, 2 taken; the other is 1 short."""
    assert two_tricks_to_seat_0("2 1") == (20, -10)


def test_a_made_pass_is_nothing() -> None:
    """O3"""
    assert two_tricks_to_seat_0("1 0") == (2, 0)


@pytest.mark.parametrize("points", [5, 0, -7])
def test_a_made_pass_is_worth_what_the_option_says(points: int) -> None:
    """O3, ``made_pass``"""
    assert two_tricks_to_seat_0("1 0", made_pass=points) == (2, points)


def test_a_pass_that_takes_tricks_is_no_made_pass() -> None:
    """O3, O4"""
    assert two_tricks_to_seat_0("0 0", made_pass=5) == (2, 5)


def test_more_tricks_than_bid_are_one_point_each_all_of_them() -> None:
    """O4: 1 bid, 2 taken: 2 points, and not 10 + 1."""
    assert two_tricks_to_seat_0("1 0") == (2, 0)


def test_each_missing_trick_costs_ten() -> None:
    """O5: 2 bid and none taken, 1 bid and none taken."""
    assert two_tricks_to_seat_0("1 2") == (2, -20)
    assert two_tricks_to_seat_0("2 1") == (20, -10)


def test_missing_one_of_two_costs_ten_and_the_trick_taken_counts_nothing() -> None:
    """O5: 2 bid, 1 taken."""
    table = deal_of("AS 6C", "7S 9C", turned_up="6H", bids="2 1")
    table.play("AS", "7S", "6C", "9C")
    assert table.scores() == (-10, 10)


def test_the_worked_example_of_the_rules_page() -> None:
    """O3, O4, O5: bids 2 1 0 2 (never 4), tricks 2 2 0 0."""
    table = deal_of(
        "AS KS 6C 7C",
        "AC KC 6S 7S",
        "8S 9S 8C 9C",
        "TS JS TC JC",
        turned_up="6H",
        bids="2 1 0 2",
    )
    table.play("AS", "6S", "8S", "TS")
    table.play("KS", "7S", "9S", "JS")
    table.play("6C", "AC", "8C", "TC")
    table.play("KC", "9C", "JC", "7C")
    assert table.scores() == (20, 2, 0, -20)


def test_totals_add_up_and_stand_still_during_a_deal() -> None:
    """C8"""
    table = OdessaTable(2, max_hand=1, blind_deals=0)
    table.draw_lot(dealer=1)
    one_card_deal(table, "AS", "6S", bids="1 1", dealer=1)
    assert table.game.scores() == (10, -10)
    table.deal("KS", "7S", dealer=0, turned_up="6H")
    table.act("bid 1")
    assert table.game.scores() == (10, -10)


def test_a_total_below_zero_is_a_double_loss_and_the_score_stays() -> None:
    """O6, C8: 10 − 10, then 1 + 0."""
    table = OdessaTable(2, max_hand=1, blind_deals=0)
    table.draw_lot(dealer=1)
    one_card_deal(table, "AS", "6S", bids="1 1", dealer=1)
    one_card_deal(table, "AS", "6S", bids="0 0", dealer=0)
    [ended] = table.said(MatchEnded)
    assert ended.outcome == table.game.outcome()
    assert ended.outcome.scores == (11, -10)
    assert ended.outcome.places == (1, 2)
    assert ended.outcome.notes == ((), ("double_loss",))


def test_a_total_that_was_below_zero_for_a_while_is_no_double_loss() -> None:
    """O6: seat 1 has −10, then +10; nought is not below zero."""
    table = OdessaTable(2, max_hand=1, blind_deals=0)
    table.draw_lot(dealer=1)
    one_card_deal(table, "AS", "6S", bids="1 1", dealer=1)
    one_card_deal(table, "6S", "AS", bids="1 1", dealer=0)
    [ended] = table.said(MatchEnded)
    assert ended.outcome.scores == (0, 0)
    assert ended.outcome.notes == ((), ())


def test_equal_totals_share_a_place_and_the_next_place_is_left_out() -> None:
    """C8: seats 0 and 1 take two tricks each, uncalled for."""
    table = OdessaTable(4, max_hand=1, blind_deals=0)
    table.draw_lot(dealer=3)
    one_card_deal(table, "AS", "6S", "7S", "8S", bids="0 0 0 0", dealer=3)
    one_card_deal(table, "6S", "AS", "7S", "8S", bids="0 0 0 0", dealer=0)
    one_card_deal(table, "AS", "6S", "7S", "8S", bids="0 0 0 0", dealer=1)
    one_card_deal(table, "6S", "AS", "7S", "8S", bids="0 0 0 0", dealer=2)
    [ended] = table.said(MatchEnded)
    assert ended.outcome.scores == (2, 2, 0, 0)
    assert ended.outcome.places == (1, 1, 3, 3)


def test_two_may_share_the_last_place() -> None:
    """C8, O6: 1 − 10, 1 − 10 and 0 + 1."""
    table = OdessaTable(3, max_hand=1, blind_deals=0)
    table.draw_lot(dealer=2)
    one_card_deal(table, "AS", "6S", "7S", bids="0 0 0", dealer=2)
    one_card_deal(table, "6S", "AS", "7S", bids="0 0 0", dealer=0)
    one_card_deal(table, "6S", "7S", "AS", bids="0 1 1", dealer=1)
    [ended] = table.said(MatchEnded)
    assert ended.outcome.scores == (-9, -9, 1)
    assert ended.outcome.places == (2, 2, 1)
    assert ended.outcome.notes == (("double_loss",), ("double_loss",), ())
