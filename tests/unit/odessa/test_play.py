"""Plays and tricks: C4, C5, O2."""

from itertools import pairwise

import pytest

from kozyr.cards import DIAMONDS, parse_card
from kozyr.errors import IllegalMove, NotYourTurn
from kozyr.events import CardShown, Seat, TrickTaken, TrumpSet
from kozyr.moves import parse_move
from tests.odessa_table import OdessaTable, deal_of


def taker(table: OdessaTable) -> int:
    """Who took the last trick."""
    return table.said(TrickTaken)[-1].seat


def test_the_card_after_the_last_dealt_is_turned_up_and_fixes_trump() -> None:
    """O2"""
    table = deal_of("AS KS", "6C 7C", turned_up="9D")
    assert table.said(CardShown)[-1] == CardShown(parse_card("9D"))
    assert table.said(TrumpSet)[-1] == TrumpSet(DIAMONDS)
    assert [table.view(seat).trump for seat in range(2)] == [DIAMONDS, DIAMONDS]
    assert [table.hand(seat) for seat in range(2)] == ["KS AS", "6C 7C"]


def test_the_dealers_left_leads_and_the_winner_of_a_trick_leads_the_next() -> None:
    """C4"""
    table = deal_of("6S 6C", "AS 7C", "7S AC", turned_up="6H", bids="0 1 0")
    turns = []
    for card in ("6S", "AS", "7S", "7C", "AC", "6C"):
        turns.append(table.turn)
        table.play(card)
    assert turns == [0, 1, 2, 1, 2, 0]
    assert [trick.seat for trick in table.said(TrickTaken)[-2:]] == [1, 2]


def test_nobody_plays_out_of_turn() -> None:
    """C4"""
    table = deal_of("6S 6C", "AS 7C", turned_up="6H", bids="0 0")
    with pytest.raises(NotYourTurn):
        table.game.check(Seat(1), table.actions.number(parse_move("play AS")))


def test_a_card_that_is_not_in_the_hand_is_refused() -> None:
    """C5, in both revoke modes (C6)."""
    for revoke in ("forbid", "penalty"):
        table = deal_of("6S 6C", "AS 7C", turned_up="6H", bids="0 0", revoke=revoke)
        for card in ("AS", "6H", "KD"):
            with pytest.raises(IllegalMove):
                table.game.check(table.turn, table.actions.number(parse_move(f"play {card}")))
        table.play("6S")
        table.play("AS")
        with pytest.raises(IllegalMove):
            table.game.check(table.turn, table.actions.number(parse_move("play AS")))


def test_any_card_may_be_led() -> None:
    """C5"""
    table = deal_of("AS 6C 7H", "6S 7S 8S", turned_up="6H", bids="0 0")
    assert table.playable() == {"AS", "6C", "7H"}


def test_whoever_holds_the_suit_led_must_follow_with_any_card_of_it() -> None:
    """C5: nobody must beat; the trump and the club stay in the hand."""
    table = deal_of("TS 6D 7D", "AS 6S 9H", turned_up="6H", bids="0 0")
    table.play("TS")
    assert table.playable() == {"AS", "6S"}
    assert table.refusal("play 9H") == "C5"


def test_whoever_has_not_the_suit_led_must_play_a_trump() -> None:
    """C5"""
    table = deal_of("TS 6D 7D", "AC 6C 9H", turned_up="6H", bids="0 0")
    table.play("TS")
    assert table.playable() == {"9H"}
    assert table.refusal("play AC") == "C5"


def test_nobody_must_overtrump() -> None:
    """C5: the lower and the higher trump are both allowed."""
    table = deal_of("TS 6D", "9H 6C", "7H AH", turned_up="6H", bids="0 0 0")
    table.play("TS", "9H")
    assert table.playable() == {"7H", "AH"}
    table.play("7H")
    assert taker(table) == 1


def test_whoever_has_neither_suit_nor_trump_may_play_anything() -> None:
    """C5"""
    table = deal_of("TS 6D 7S", "AC 6C 9D", turned_up="6H", bids="0 0")
    table.play("TS")
    assert table.playable() == {"AC", "6C", "9D"}


def test_a_trump_led_is_followed_with_a_trump_or_with_anything() -> None:
    """C5"""
    table = deal_of("TH 6D", "AC 7H", "6C 9D", turned_up="6H", bids="0 0 0")
    table.play("TH")
    assert table.playable() == {"7H"}
    table.play("7H")
    assert table.playable() == {"6C", "9D"}


def test_without_trumps_the_highest_card_of_the_suit_led_wins() -> None:
    """C5: the ace of another suit wins nothing."""
    table = deal_of("TS", "KS", "AC", "9S", turned_up="6H", bids="0 0 0 0")
    table.play("TS", "KS", "AC", "9S")
    assert taker(table) == 1


def test_the_highest_trump_wins() -> None:
    """C5"""
    table = deal_of("AS", "7H", "9H", "KS", turned_up="6H", bids="0 0 0 0")
    table.play("AS", "7H", "9H", "KS")
    assert taker(table) == 2


def test_ten_ranks_below_jack_queen_king_ace() -> None:
    """C5: the seniority 6 7 8 9 10 J Q K A, card by card."""
    for lower, higher in pairwise("6789TJQKA"):
        table = deal_of(f"{lower}S", f"{higher}S", turned_up="6H", bids="0 0")
        table.play(f"{lower}S", f"{higher}S")
        assert taker(table) == 1


def test_the_pack_of_52_begins_with_the_two() -> None:
    """C5, ``deck`` 52"""
    assert len(OdessaTable(3, deck=52).game.deck()) == 52
    table = deal_of("2S", "3S", "2H", turned_up="6H", bids="0 0 0", deck=52)
    table.play("2S", "3S", "2H")
    assert taker(table) == 2
