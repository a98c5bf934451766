"""Bids: C2, C3."""

import pytest

from kozyr.errors import IllegalMove, NotYourTurn
from kozyr.events import BidMade, Seat
from kozyr.moves import parse_move
from tests.odessa_table import deal_of


def test_bidding_goes_clockwise_from_the_dealers_left_one_bid_each() -> None:
    """C2"""
    table = deal_of("AS KS", "6C 7C", "8D 9D", turned_up="6H")
    turns = []
    for bid in ("bid 1", "pass", "bid 2"):
        turns.append(table.turn)
        table.act(bid)
    assert turns == [0, 1, 2]
    assert [bid.count for bid in table.said(BidMade)[-3:]] == [1, 0, 2]


def test_a_bid_is_from_none_to_as_many_as_there_are_cards() -> None:
    """C2"""
    table = deal_of("AS KS QS", "6C 7C 8C", turned_up="6H", max_hand=4)
    assert table.moves() == {"pass", "bid 1", "bid 2", "bid 3"}
    assert table.refusal("bid 4") == "C2"


def test_a_pass_is_told_apart_from_not_having_bid_yet() -> None:
    """C2"""
    table = deal_of("AS KS", "6C 7C", turned_up="6H")
    table.act("pass")
    passed, silent = table.view(1).bids
    assert passed == BidMade(Seat(0), 0)
    assert silent is None


def test_a_seat_may_not_bid_out_of_turn() -> None:
    """C2"""
    table = deal_of("AS KS", "6C 7C", turned_up="6H")
    with pytest.raises(NotYourTurn):
        table.game.check(Seat(1), table.actions.number(parse_move("pass")))


def test_nobody_plays_before_all_have_bid() -> None:
    """C2, C4"""
    table = deal_of("AS KS", "6C 7C", turned_up="6H", bids="1")
    with pytest.raises(IllegalMove):
        table.game.check(table.turn, table.actions.number(parse_move("play 6C")))


def test_nobody_bids_after_all_have_bid() -> None:
    """C2"""
    table = deal_of("AS KS", "6C 7C", turned_up="6H", bids="1 0")
    with pytest.raises(IllegalMove):
        table.game.check(table.turn, table.actions.number(parse_move("pass")))


def test_dealer_may_not_make_the_bids_sum_to_the_cards_dealt() -> None:
    """C3: 1 + 0 + 1 would be 2."""
    table = deal_of("AS KS", "6C 7C", "8D 9D", turned_up="6H", bids="1 0")
    assert table.refusal("bid 1") == "C3"
    assert table.moves() == {"pass", "bid 2"}


def test_dealer_may_not_pass_when_the_others_bid_all_the_cards() -> None:
    """C3: 2 + 0 + 0 would be 2."""
    table = deal_of("AS KS", "6C 7C", "8D 9D", turned_up="6H", bids="2 0")
    assert table.refusal("pass") == "C3"
    assert table.moves() == {"bid 1", "bid 2"}


def test_dealer_is_free_when_the_others_bid_more_than_the_cards() -> None:
    """C3"""
    table = deal_of("AS KS", "6C 7C", "8D 9D", turned_up="6H", bids="2 1")
    assert table.moves() == {"pass", "bid 1", "bid 2"}


def test_only_the_dealer_is_restricted() -> None:
    """C3: the second of three may bring the sum to 2."""
    table = deal_of("AS KS", "6C 7C", "8D 9D", turned_up="6H", bids="1")
    assert table.moves() == {"pass", "bid 1", "bid 2"}


@pytest.mark.parametrize(("other", "dealer"), [("0", "pass"), ("1", "bid 1")])
def test_with_one_card_the_dealer_has_one_bid_left(other: str, dealer: str) -> None:
    """C3"""
    table = deal_of("AS", "6C", turned_up="6H", bids=other)
    assert table.moves() == {dealer}


def test_a_free_dealer_may_bid_anything() -> None:
    """C3, ``dealer_restriction`` off: the rule called "converge"."""
    table = deal_of("AS KS", "6C 7C", turned_up="6H", bids="1", dealer_restriction=False)
    assert table.moves() == {"pass", "bid 1", "bid 2"}
