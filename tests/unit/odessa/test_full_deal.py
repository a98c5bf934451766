"""Deals that use the whole deck: C7."""

from typing import Any

import pytest

from kozyr.cards import DIAMONDS, HEARTS, NO_SUIT, parse_card
from kozyr.errors import NotYourTurn
from kozyr.events import CardsDealt, CardShown, Seat, TrumpSet
from tests.odessa_table import OdessaTable, deal_of, table_before

HANDS = ("AS KS QS", "AC KC QC", "AH KH QH", "6H 7H 8H 9S TS JC QD KD AD")
"""Four hands of nine cards; the first three are filled up with what is left."""


def full_deal(**options: Any) -> OdessaTable:
    """Four players and nine cards each: the whole pack of 36."""
    return deal_of(*HANDS, hand_size=9, max_hand=9, **options)


def test_the_dealers_last_card_is_shown_to_all_and_fixes_trump() -> None:
    """C7, ``full_deal_trump`` last_card, the default"""
    table = full_deal()
    for viewer in range(4):
        assert table.view(viewer).shown == [CardShown(parse_card("AD"), Seat(3))]
        assert table.view(viewer).trump == DIAMONDS


def test_the_shown_card_stays_in_the_dealers_hand() -> None:
    """C7"""
    table = full_deal()
    assert table.view(3).counts == [9, 9, 9, 9]
    assert table.hand(3) == "9S TS JC QD KD AD 6H 7H 8H"


@pytest.mark.parametrize("way", ["last_card", "none", "eldest_names"])
def test_a_deal_that_leaves_a_card_turns_it_up_whatever_the_option(way: str) -> None:
    """C7, O2: eight cards each leave four."""
    table = deal_of(
        "AS", "AC", "AH", "6D", turned_up="QH", hand_size=8, max_hand=9, full_deal_trump=way
    )
    assert table.said(CardShown)[-1] == CardShown(parse_card("QH"))
    assert table.view(0).trump == HEARTS
    assert table.view(0).counts == [8, 8, 8, 8]


def test_with_none_a_full_deal_has_no_trump() -> None:
    """C7, ``full_deal_trump`` none"""
    table = full_deal(full_deal_trump="none")
    assert table.view(0).shown == []
    assert table.view(0).trump == NO_SUIT
    assert table.turn == 0
    assert "bid 1" in table.moves()


def test_the_eldest_names_trump_after_its_first_three_cards() -> None:
    """C7, ``full_deal_trump`` eldest_names"""
    table = full_deal(full_deal_trump="eldest_names")
    assert table.turn == 0
    assert table.hand(0) == "QS KS AS"
    assert table.moves() == {
        "name spades",
        "name clubs",
        "name diamonds",
        "name hearts",
        "name no-trump",
    }
    assert table.view(0).trump is None


def test_the_others_too_see_only_their_first_three_cards_until_trump_is_named() -> None:
    """C7"""
    table = full_deal(full_deal_trump="eldest_names")
    assert [table.hand(seat) for seat in (1, 2, 3)] == ["QC KC AC", "QH KH AH", "6H 7H 8H"]
    assert table.view(1).counts == [3, 3, 3, 3]
    with pytest.raises(NotYourTurn):
        table.game.check(Seat(1), table.game.default(Seat(0)))


def test_the_rest_is_dealt_when_trump_is_named_and_then_the_eldest_bids() -> None:
    """C7, C2"""
    table = full_deal(full_deal_trump="eldest_names")
    table.act("name hearts")
    assert table.said(TrumpSet)[-1] == TrumpSet(HEARTS)
    assert table.view(2).trump == HEARTS
    assert table.view(2).counts == [9, 9, 9, 9]
    assert table.view(2).shown == []
    assert table.hand(3) == "9S TS JC QD KD AD 6H 7H 8H"
    assert [dealt.count for dealt in table.said(CardsDealt)[-8:]] == [3, 3, 3, 3, 6, 6, 6, 6]
    assert table.turn == 0
    assert {"pass", "bid 9"} <= table.moves()


def test_the_eldest_may_name_no_trump() -> None:
    """C7"""
    table = full_deal(full_deal_trump="eldest_names")
    table.act("name no-trump")
    assert table.view(1).trump == NO_SUIT


def test_in_a_blind_deal_the_bids_come_before_the_naming() -> None:
    """C7, O7"""
    table = table_before(
        9, seats=4, kind="blind", max_hand=9, full_deal_trump="eldest_names", made_pass=1
    )
    table.act("pass", "pass", "pass", "bid 1")
    table.deal(*HANDS, dealer=3, hand_size=9)
    assert table.turn == 0
    assert table.view(1).counts == [3, 3, 3, 3]
    table.act("name diamonds")
    assert table.view(1).counts == [9, 9, 9, 9]
    assert table.turn == 0
    assert {"play AS", "play QS"} <= table.moves()


def test_in_a_blind_deal_the_dealers_last_card_is_shown_after_the_bids() -> None:
    """C7, O7"""
    table = table_before(9, seats=4, kind="blind", max_hand=9)
    table.act("pass", "pass", "pass", "bid 1")
    table.deal(*HANDS, dealer=3, hand_size=9)
    assert table.view(0).shown == [CardShown(parse_card("AD"), Seat(3))]
    assert {"play AS", "play QS"} <= table.moves()


@pytest.mark.parametrize("way", ["last_card", "none", "eldest_names"])
def test_in_a_no_trump_deal_nothing_is_shown_or_named(way: str) -> None:
    """C7, O8"""
    table = full_deal(kind="no_trump", no_trump_deals=1, full_deal_trump=way)
    assert table.view(0).shown == []
    assert table.view(0).trump == NO_SUIT
    assert table.view(0).counts == [9, 9, 9, 9]
    assert {"pass", "bid 9"} <= table.moves()


@pytest.mark.parametrize("way", ["last_card", "none", "eldest_names"])
def test_with_a_joker_in_the_deck_there_is_always_a_card_to_turn_up(way: str) -> None:
    """C7, O10: 37 cards for four players."""
    hands = ("AS", "AC", "AH", "6D")
    table = deal_of(
        *hands, turned_up="BJ", hand_size=9, max_hand=9, joker=True, full_deal_trump=way
    )
    assert table.said(CardShown)[-1] == CardShown(parse_card("BJ"))
    assert table.view(0).counts == [9, 9, 9, 9]


@pytest.mark.parametrize(("seats", "max_hand"), [(3, 12), (6, 6)])
def test_three_and_six_players_deal_out_the_pack_of_36_as_well(seats: int, max_hand: int) -> None:
    """C7"""
    table = table_before(max_hand, seats=seats)
    table.hand_out(table.game.deck())
    assert table.said(CardShown)[-1] == CardShown(parse_card("AH"), Seat(seats - 1))
