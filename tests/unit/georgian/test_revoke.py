"""Revokes, forbidden or paid for: G3, C6."""

from typing import Any

from kozyr.cards import parse_card
from kozyr.events import DealBegan, DealScored, Revoked, Seat
from tests.georgian_table import GeorgianTable, deal_of


def two_card_deal(**options: Any) -> GeorgianTable:
    """Both have passed and seat 0 has led the ace of spades; seat 1 holds the king."""
    table = deal_of("AS 7C", "KS 6D", turned_up="6H", bids="0 0", **options)
    table.play("AS")
    return table


def test_by_default_a_revoke_is_refused() -> None:
    """C6, C5"""
    table = two_card_deal()
    assert table.refusal("play 6D") == "C5"
    assert table.playable() == {"KS"}


def test_a_revoke_costs_fifty_ends_the_deal_and_nobody_else_scores() -> None:
    """G3, C6"""
    table = two_card_deal(revoke="penalty")
    assert table.playable() == {"KS", "6D"}
    table.play("6D")
    assert table.said(Revoked) == [Revoked(Seat(1), parse_card("6D"), "C5", -50)]
    assert table.said(DealScored)[-1].result == "revoked"
    assert table.scores() == (0, -50)


def test_the_deal_is_dealt_anew_by_the_same_dealer_and_then_counts() -> None:
    """G3, C6, G2: 2 bid and taken, 1 bid and none taken."""
    table = two_card_deal(revoke="penalty")
    table.play("6D")
    table.deal("AC KC", "QC JC", dealer=1, turned_up="6H")
    again = table.said(DealBegan)[-1]
    assert (again.dealer, again.hand_size, again.replay) == (1, 2, 1)
    table.bid("2 1")
    table.play("AC", "QC", "KC", "JC")
    assert table.said(DealScored)[-1].result == "played"
    assert table.scores() == (150, 0)


def test_a_deal_is_replayed_twenty_times_and_then_skipped() -> None:
    """C6, G3"""
    table = two_card_deal(revoke="penalty")
    table.play("6D")
    for _ in range(20):
        assert table.said(DealScored)[-1].result == "revoked"
        table.deal("AS 7C", "KS 6D", dealer=1, turned_up="6H")
        table.bid("0 0")
        table.play("AS", "6D")
    assert table.said(DealScored)[-1].result == "skipped"
    following = table.said(DealBegan)[-1]
    assert (following.index, following.dealer, following.replay) == (2, 0, 0)


def test_a_card_that_is_not_the_highest_demanded_is_a_revoke() -> None:
    """C6, O11"""
    table = deal_of("BJ 7C", "KS 9S", turned_up="6H", bids="0 0", joker=True, revoke="penalty")
    table.play("BJ high spades", "9S")
    assert table.said(Revoked) == [Revoked(Seat(1), parse_card("9S"), "O11", -50)]
