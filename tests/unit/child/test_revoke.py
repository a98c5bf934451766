"""Revokes, forbidden or paid for: C6, H13."""

from typing import Any

import pytest

from kozyr.cards import parse_card
from kozyr.events import DealBegan, DealScored, Revoked, Seat
from tests.child_table import ChildTable, deal_of, passed


def spade_led(**options: Any) -> ChildTable:
    """Both have passed and seat 0 has led the ace of spades; seat 1 holds the king."""
    table = passed("AS 7C", "KS 6D", **options)
    table.play("AS")
    return table


def test_by_default_a_revoke_is_refused() -> None:
    """C6, C5"""
    table = spade_led()
    assert table.refusal("play 6D") == "C5"
    assert table.playable() == {"KS"}


def test_a_revoke_costs_fifty_ends_the_deal_and_nobody_else_scores() -> None:
    """H13, C6"""
    table = spade_led(revoke="penalty")
    assert table.playable() == {"KS", "6D"}
    table.play("6D")
    assert table.said(Revoked) == [Revoked(Seat(1), parse_card("6D"), "C5", -50)]
    assert table.said(DealScored)[-1].result == "revoked"
    assert table.scores() == (0, -50)


def test_a_bid_in_the_dark_does_not_double_the_penalty() -> None:
    """C6, H13"""
    table = deal_of("AS 7C", "KS 6D", bids="2d 1d", revoke="penalty")
    table.play("AS", "6D")
    assert table.scores() == (0, -50)


def test_the_deal_is_dealt_anew_by_the_same_dealer_face_down_and_then_counts() -> None:
    """C6, H3, H4: made 2, made 0."""
    table = spade_led(revoke="penalty")
    table.play("6D")
    table.deal("AC KC", "QC JC", dealer=1)
    again = table.said(DealBegan)[-1]
    assert (again.dealer, again.hand_size, again.replay) == (1, 2, 1)
    assert table.hand(0) == ""
    table.bid("2 0")
    table.play("AC", "QC", "KC", "JC")
    assert table.scores() == (20, 5)


def test_a_deal_is_replayed_twenty_times_and_then_skipped() -> None:
    """C6"""
    table = spade_led(revoke="penalty")
    table.play("6D")
    for _ in range(20):
        assert table.said(DealScored)[-1].result == "revoked"
        table.deal("AS 7C", "KS 6D", dealer=1)
        table.bid("0 0")
        table.play("AS", "6D")
    assert table.said(DealScored)[-1].result == "skipped"
    following = table.said(DealBegan)[-1]
    assert (following.index, following.dealer, following.replay) == (2, 0, 0)


@pytest.mark.parametrize(
    ("hands", "led", "wrong", "clause", "options"),
    [
        (("8H 6C", "7S 9H"), "8H", "7S simple", "H8", {}),
        (("7S 6C", "6D AD"), "7S demand", "6D", "H9", {}),
        (("7S 6C", "6D 8S"), "7S high", "8S", "H10", {}),
        (("8H 6C", "7S 9D"), "8H", "9D", "H7", {"circular_trumps": True}),
        (("7S 6D", "8C AC"), "7S demand clubs", "8C", "H12", {"circular_trumps": True}),
    ],
)
def test_what_the_poker_rules_out_is_a_revoke_too(
    hands: tuple[str, str], led: str, wrong: str, clause: str, options: dict[str, Any]
) -> None:
    """C6, H7, H8, H9, H10, H12"""
    table = passed(*hands, revoke="penalty", **options)
    table.play(led, wrong)
    [revoked] = table.said(Revoked)
    assert (revoked.seat, revoked.clause, revoked.penalty) == (1, clause, -50)


def test_what_is_played_for_somebody_whose_time_is_up_is_never_a_revoke() -> None:
    """C6"""
    table = passed("8H 6C", "7S 6H", revoke="penalty")
    table.play("8H")
    assert table.actions[table.game.default(Seat(1))].text == "play 6H"
