"""Blind deals and no-trump deals: O7, O8."""

from typing import Any

from kozyr.cards import HEARTS, NO_SUIT
from kozyr.events import CardsDealt, CardShown, DealBegan, DealScored, TrickTaken
from tests.odessa_table import OdessaTable, deal_of, table_before


def blind_deal(*bids: str, **options: Any) -> OdessaTable:
    """Two players, two cards, hearts trump, seat 1 deals; seat 0 takes both tricks."""
    table = table_before(2, seats=2, kind="blind", **options)
    table.act(*bids)
    table.deal("AS KS", "6C 7C", dealer=1, turned_up="6H")
    return table


def test_blind_bids_are_made_before_the_cards_are_dealt() -> None:
    """O7: no cards, no trump known."""
    table = table_before(2, seats=2, kind="blind")
    assert table.said(DealBegan)[-1].kind == "blind"
    assert table.turn == 0
    for viewer in range(2):
        view = table.view(viewer)
        assert (view.hand, view.counts, view.shown, view.trump) == (0, [0, 0], [], None)
    dealt_before = len(table.said(CardsDealt))
    table.act("bid 1", "bid 2")
    assert len(table.said(CardsDealt)) == dealt_before
    assert table.shuffling


def test_after_blind_bids_the_cards_come_and_the_dealers_left_leads() -> None:
    """O7, C4, O2"""
    table = blind_deal("bid 1", "bid 2")
    assert table.turn == 0
    assert table.playable() == {"AS", "KS"}
    assert table.view(1).trump == HEARTS


def test_the_dealer_of_a_blind_deal_is_restricted_too() -> None:
    """O7, C3"""
    table = table_before(2, seats=2, kind="blind")
    table.act("bid 2")
    assert table.refusal("pass") == "C3"
    assert table.moves() == {"bid 1", "bid 2"}


def test_a_blind_deal_counts_double_losses_too() -> None:
    """O7: 2 × 20 and 2 × −10."""
    table = blind_deal("bid 2", "bid 1")
    assert table.said(DealBegan)[-1].multiplier == 2
    table.play("AS", "6C", "KS", "7C")
    assert table.scores() == (40, -20)


def test_tricks_over_a_blind_bid_and_a_blind_made_pass_count_double() -> None:
    """O7, O3, O4: 2 × 2 and 2 × 5."""
    table = blind_deal("bid 1", "pass", made_pass=5)
    table.play("AS", "6C", "KS", "7C")
    assert table.scores() == (4, 10)


def test_a_blind_deal_of_four_scores_the_worked_example_twice_over() -> None:
    """O7: 40, 4, 0 and −40."""
    table = table_before(4, seats=4, kind="blind")
    table.act("bid 2", "bid 1", "pass", "bid 2")
    hands = ("AS KS 6C 7C", "AC KC 6S 7S", "8S 9S 8C 9C", "TS JS TC JC")
    table.deal(*hands, dealer=3, turned_up="6H")
    table.play("AS", "6S", "8S", "TS", "KS", "7S", "9S", "JS")
    table.play("6C", "AC", "8C", "TC", "KC", "9C", "JC", "7C")
    assert table.scores() == (40, 4, 0, -40)


def test_only_blind_deals_count_double() -> None:
    """O7, O8"""
    table = OdessaTable(2, max_hand=2, no_trump_deals=1)
    table.draw_lot(dealer=0)
    factors = {deal.kind: deal.multiplier for deal in table.finish()}
    assert factors == {"regular": 1, "blind": 2, "no_trump": 1}


def test_a_match_may_do_without_blind_deals() -> None:
    """O7, ``blind_deals`` 0"""
    table = OdessaTable(2, max_hand=1, blind_deals=0)
    table.draw_lot(dealer=0)
    assert [deal.kind for deal in table.finish()] == ["regular", "regular"]


def test_in_a_no_trump_deal_no_card_is_turned_up() -> None:
    """O8"""
    table = deal_of("AS KS", "6C 7C", kind="no_trump", no_trump_deals=1)
    assert table.said(DealBegan)[-1].kind == "no_trump"
    assert table.view(0).shown == []
    assert table.view(0).trump == NO_SUIT
    shown_in_regular_and_blind_deals = len(table.said(DealScored))
    assert len(table.said(CardShown)) == shown_in_regular_and_blind_deals


def test_in_a_no_trump_deal_the_bids_come_after_the_cards() -> None:
    """O8, C2"""
    table = deal_of("AS KS", "6C 7C", kind="no_trump", no_trump_deals=1)
    assert table.hand(0) == "KS AS"
    assert table.moves() == {"pass", "bid 1", "bid 2"}


def test_in_a_no_trump_deal_all_suits_are_equal() -> None:
    """O8, C5: void in the suit led anything may be played, and only that suit wins."""
    table = deal_of("7S 6C", "AH AD", "8S AC", kind="no_trump", no_trump_deals=1, bids="0 0 0")
    table.play("7S")
    assert table.playable() == {"AH", "AD"}
    table.play("AH", "8S")
    assert table.said(TrickTaken)[-1].seat == 2


def test_a_no_trump_deal_is_scored_like_any_other() -> None:
    """O8, O3, O5"""
    table = deal_of("AS KS", "6C 7C", kind="no_trump", no_trump_deals=1, bids="2 1")
    table.play("AS", "6C", "KS", "7C")
    assert table.scores() == (20, -10)
