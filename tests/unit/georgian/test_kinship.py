"""What Georgian has from Odessa, in its own deals: C2–C5, C7, O2, O10–O12."""

from typing import Any

import pytest

from kozyr.cards import DIAMONDS, HEARTS, NO_SUIT, TWO, card_text, pack, parse_card
from kozyr.events import CardShown, DealBegan, Seat, TrickTaken, TrumpSet
from kozyr.moves import UNUSED
from tests.georgian_table import VARIANT, GeorgianTable, deal_of, table_before

SUIT_WORDS = ("spades", "clubs", "diamonds", "hearts")

FULL_HANDS = ("AS KS QS", "AC KC QC", "AH KH QH", "6H 7H 8H 9S TS JC QD KD AD")
"""Four hands of nine cards; the first three are filled up with what is left."""


def full_deal(**options: Any) -> GeorgianTable:
    """Four players and nine cards each: the whole pack of 36."""
    return deal_of(*FULL_HANDS, hand_size=9, **options)


def joker_deal(*hands: str, turned_up: str = "6H", **options: Any) -> GeorgianTable:
    """A deal with the joker in the pack; hearts are trump and all have passed."""
    passes = " ".join("0" for _ in hands)
    return deal_of(*hands, turned_up=turned_up, bids=passes, joker=True, **options)


def taker(table: GeorgianTable) -> int:
    """Who took the last trick."""
    return table.said(TrickTaken)[-1].seat


def test_the_eldest_bids_first_and_a_pass_is_a_bid() -> None:
    """C2"""
    table = deal_of("AS KS", "6C 7C", "6D 7D", turned_up="6H")
    assert table.turn == 0
    table.bid("0")
    assert table.turn == 1
    bids = table.view(2).bids
    assert bids[0] is not None
    assert bids[0].count == 0
    assert bids[1] is None


def test_the_dealer_may_not_make_the_bids_sum_to_the_cards_dealt() -> None:
    """C3"""
    table = deal_of("AS KS", "6C 7C", "6D 7D", turned_up="6H", bids="1 0")
    assert table.moves() == {"pass", "bid 2"}
    assert table.refusal("bid 1") == "C3"


def test_a_free_dealer_may() -> None:
    """C3, ``dealer_restriction`` off"""
    table = deal_of("AS KS", "6C 7C", "6D 7D", turned_up="6H", bids="1 0", dealer_restriction=False)
    assert table.moves() == {"pass", "bid 1", "bid 2"}


def test_the_eldest_leads_and_the_winner_of_a_trick_leads_the_next() -> None:
    """C4"""
    table = deal_of("7S KC", "AS 6C", "8S 6D", turned_up="6H", bids="0 0 0")
    assert table.turn == 0
    table.play("7S", "AS", "8S")
    assert table.turn == 1


def test_follow_suit_else_trump_else_anything() -> None:
    """C5: seat 1 follows with any spade, seat 2 trumps with any heart, seat 3 is free."""
    table = deal_of("7S KC 8C", "6S AS 6C", "7H AH 6D", "8D 9D TC", turned_up="6H", bids="0 0 0 0")
    table.play("7S")
    assert table.playable() == {"6S", "AS"}
    table.play("6S")
    assert table.playable() == {"7H", "AH"}
    table.play("7H")
    assert table.playable() == {"8D", "9D", "TC"}
    table.play("8D")
    assert taker(table) == 2


def test_the_card_after_the_last_one_dealt_makes_trump() -> None:
    """O2"""
    table = deal_of("AS", "6C", turned_up="QD")
    assert table.view(0).shown == [CardShown(parse_card("QD"))]
    assert table.view(0).trump == DIAMONDS


def test_in_a_deal_of_the_whole_pack_the_dealers_last_card_makes_trump() -> None:
    """C7: four times nine cards."""
    table = full_deal()
    assert table.view(0).shown == [CardShown(parse_card("AD"), Seat(3))]
    assert table.view(0).trump == DIAMONDS
    assert table.view(0).counts == [9, 9, 9, 9]


def test_with_none_a_deal_of_the_whole_pack_has_no_trump() -> None:
    """C7, ``full_deal_trump`` none"""
    table = full_deal(full_deal_trump="none")
    assert table.view(0).shown == []
    assert table.view(0).trump == NO_SUIT


def test_the_eldest_names_trump_after_three_cards() -> None:
    """C7, ``full_deal_trump`` eldest_names"""
    table = full_deal(full_deal_trump="eldest_names")
    assert [table.hand(seat) for seat in (0, 1)] == ["QS KS AS", "QC KC AC"]
    assert "name no-trump" in table.moves()
    table.act("name hearts")
    assert table.said(TrumpSet)[-1] == TrumpSet(HEARTS)
    assert table.view(0).counts == [9, 9, 9, 9]
    assert {"pass", "bid 9"} <= table.moves()


@pytest.mark.parametrize("seats", [2, 3])
def test_two_and_three_never_deal_out_the_pack(seats: int) -> None:
    """C7, G1: nine cards each leave some of 36."""
    table = table_before(9, seats=seats)
    table.hand_out(table.game.deck())
    assert table.said(CardShown)[-1].seat is None
    assert table.said(DealBegan)[-1].hand_size == 9


def test_the_joker_may_be_played_high_or_low_whatever_is_led() -> None:
    """O10"""
    table = joker_deal("AS 6C", "KS BJ")
    table.play("AS")
    assert table.playable() == {"KS", "BJ high", "BJ low"}
    table.play("BJ high")
    assert taker(table) == 1


def test_a_low_joker_that_follows_takes_no_trick() -> None:
    """O10"""
    table = joker_deal("6S", "BJ")
    table.play("6S", "BJ low")
    assert taker(table) == 0


def test_a_joker_led_high_demands_the_highest_card_of_the_suit_it_names() -> None:
    """O11"""
    table = joker_deal("BJ 6C", "KS 9S")
    assert len(table.playable()) == 1 + 8
    table.play("BJ high spades")
    assert table.playable() == {"KS"}
    assert table.refusal("play 9S") == "O11"


def test_without_the_demand_the_suit_is_merely_followed() -> None:
    """O11, ``joker_demand`` off"""
    table = joker_deal("BJ 6C", "KS 9S", joker_demand=False)
    table.play("BJ high spades")
    assert table.playable() == {"KS", "9S"}


def test_a_joker_turned_up_makes_the_deal_no_trump() -> None:
    """O12"""
    table = joker_deal("7S 6C", "AH AD", turned_up="BJ")
    assert table.view(0).trump == NO_SUIT


def moves_with(**options: Any) -> set[str]:
    """All moves of the game under these options, but the plain plays."""
    actions = VARIANT.actions(VARIANT.parse_options(options))
    plain = {f"play {card_text(card)}" for card in pack(lowest_rank=TWO)}
    return {move.text for move in actions if move != UNUSED} - plain


BIDS = {"pass", *(f"bid {count}" for count in range(1, 10))}
NAMES = {f"name {suit}" for suit in (*SUIT_WORDS, "no-trump")}
CALLS = {
    f"play BJ {call}{suit}"
    for call in ("high", "low")
    for suit in ("", *(f" {word}" for word in SUIT_WORDS))
}


def test_there_are_only_the_moves_that_the_options_can_use() -> None:
    """C2, C7, O10, O11: words for a joker, or trumps to name where it can come to that."""
    assert moves_with() == BIDS
    assert moves_with(joker=True) == BIDS | CALLS
    assert moves_with(full_deal_trump="eldest_names") == BIDS | NAMES
    assert moves_with(full_deal_trump="eldest_names", joker=True) == BIDS | CALLS


def test_there_are_as_many_cards_to_play_as_the_pack_has() -> None:
    """G1, ``deck``"""
    for deck in (36, 52):
        actions = VARIANT.actions(VARIANT.parse_options({"deck": deck}))
        assert sum(move != UNUSED for move in actions) == deck + len(BIDS)
