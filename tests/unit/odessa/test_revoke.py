"""Revokes, forbidden or paid for: C6, O9."""

from typing import Any

import pytest

from kozyr.cards import parse_card
from kozyr.errors import IllegalMove
from kozyr.events import DealBegan, DealScored, Revoked, Seat
from kozyr.moves import parse_move
from tests.odessa_table import OdessaTable, deal_of, table_before

HANDS = ("AS 7C", "KS 6D")
"""Seat 0 leads the ace of spades; seat 1 revokes with the diamond."""


def two_card_deal(**options: Any) -> OdessaTable:
    """Both have passed; it is the second deal of a match."""
    return deal_of(*HANDS, turned_up="6H", bids="0 0", **options)


def revoked_deal(**options: Any) -> OdessaTable:
    """The same, just after the revoke."""
    table = two_card_deal(revoke="penalty", **options)
    table.play("AS", "6D")
    return table


def test_by_default_a_revoke_is_refused_and_nothing_changes() -> None:
    """C6"""
    table = two_card_deal()
    table.play("AS")
    before = table.game.clone()
    revoke = table.actions.number(parse_move("play 6D"))
    with pytest.raises(IllegalMove) as refused:
        table.game.check(Seat(1), revoke)
    assert refused.value.clause == "C5"
    assert table.game.legal(Seat(1)) == before.legal(Seat(1))
    assert table.game.waiting() == before.waiting()
    assert table.playable() == {"KS"}


def test_under_penalty_any_card_of_the_hand_may_be_played() -> None:
    """C6"""
    table = two_card_deal(revoke="penalty")
    table.play("AS")
    assert table.playable() == {"KS", "6D"}


def test_under_penalty_a_card_that_follows_is_no_revoke() -> None:
    """C6"""
    table = two_card_deal(revoke="penalty")
    table.play("AS", "KS", "7C", "6D")
    assert table.said(Revoked) == []
    assert table.scores() == (2, 0)


def test_a_revoke_costs_fifty_and_ends_the_deal_at_once() -> None:
    """C6, O9: nobody else scores."""
    table = revoked_deal()
    assert table.said(Revoked) == [Revoked(Seat(1), parse_card("6D"), "C5", -50)]
    first, second = table.said(DealScored)
    assert (second.result, second.scores) == ("revoked", (0, -50))
    assert second.totals == (first.totals[0], first.totals[1] - 50)
    assert table.game.scores() == second.totals


def test_not_trumping_is_a_revoke_too() -> None:
    """C6, C5"""
    table = deal_of("AS 7C", "6D 9H", turned_up="6H", bids="0 0", revoke="penalty")
    table.play("AS", "6D")
    assert table.scores() == (0, -50)


def test_after_a_revoke_the_deal_is_dealt_anew_by_the_same_dealer() -> None:
    """C6: same number and kind, new shuffle, new bids."""
    table = revoked_deal()
    assert table.shuffling
    table.deal("AC KC", "QC JC", dealer=1, turned_up="6H")
    first, again = table.said(DealBegan)[-2:]
    assert again == DealBegan(
        index=first.index,
        deal_count=first.deal_count,
        kind="regular",
        dealer=Seat(1),
        hand_size=2,
        replay=1,
    )
    assert table.hand(0) == "KC AC"
    assert table.view(0).bids == [None, None]
    assert table.turn == 0


def test_the_replayed_deal_counts_and_the_match_goes_on_with_the_next_dealer() -> None:
    """C6, C1"""
    table = revoked_deal()
    table.deal("AC KC", "QC JC", dealer=1, turned_up="6H")
    table.act("bid 2", "bid 1")
    table.play("AC", "QC", "KC", "JC")
    assert table.said(DealScored)[-1].result == "played"
    assert table.scores() == (20, -10)
    table.hand_out(table.game.deck())
    following = table.said(DealBegan)[-1]
    assert (following.index, following.dealer, following.replay) == (2, 0, 0)


def test_the_penalty_of_a_blind_deal_is_not_doubled_and_the_new_bids_are_blind_again() -> None:
    """C6, O7, O9"""
    table = table_before(2, seats=2, kind="blind", revoke="penalty")
    table.act("pass", "pass")
    table.deal(*HANDS, dealer=1, turned_up="6H")
    table.play("AS", "6D")
    assert table.scores() == (0, -50)
    again = table.said(DealBegan)[-1]
    assert (again.kind, again.dealer, again.replay, again.multiplier) == ("blind", 1, 1, 2)
    assert table.turn == 0
    table.act("bid 1", "bid 2")
    assert table.shuffling


def test_a_deal_is_replayed_twenty_times_and_then_skipped() -> None:
    """C6: the last revoke is paid for as well; then the next dealer deals the next deal."""
    table = revoked_deal()
    for _ in range(20):
        assert table.said(DealScored)[-1].result == "revoked"
        table.deal(*HANDS, dealer=1, turned_up="6H")
        table.act("pass", "pass")
        table.play("AS", "6D")
    opening, *revokes = table.said(DealScored)
    assert [scored.result for scored in revokes] == ["revoked"] * 20 + ["skipped"]
    assert table.scores() == (0, -50)
    assert table.game.scores()[1] == opening.totals[1] - 21 * 50
    table.hand_out(table.game.deck())
    following = table.said(DealBegan)[-1]
    assert (following.index, following.dealer, following.replay) == (2, 0, 0)


def test_a_card_that_is_not_the_highest_demanded_is_a_revoke() -> None:
    """C6, O11"""
    table = deal_of("BJ 7C", "KS 9S", turned_up="6H", bids="0 0", joker=True, revoke="penalty")
    table.play("BJ high spades")
    assert table.playable() == {"KS", "9S"}
    table.play("9S")
    assert table.said(Revoked) == [Revoked(Seat(1), parse_card("9S"), "O11", -50)]
    assert table.scores() == (0, -50)


def test_the_joker_is_never_a_revoke() -> None:
    """C6, O10"""
    for call in ("high", "low"):
        table = deal_of("AS 7C", "KS BJ", turned_up="6H", bids="0 0", joker=True, revoke="penalty")
        table.play("AS", f"BJ {call}")
        assert table.said(Revoked) == []


def test_what_must_be_said_with_a_joker_is_no_matter_of_penalty() -> None:
    """C6, O11: a lead without a suit is refused, not punished."""
    table = deal_of("BJ 7C", "KS 9S", turned_up="6H", bids="0 0", joker=True, revoke="penalty")
    assert table.refusal("play BJ high") == "O11"


def test_a_timeout_never_revokes() -> None:
    """C6: what is played for a seat keeps the rules even where a penalty would allow more."""
    table = two_card_deal(revoke="penalty")
    table.play("AS")
    assert table.actions[table.game.default(Seat(1))].text == "play KS"
