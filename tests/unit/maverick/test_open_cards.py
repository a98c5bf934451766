"""Dealing, and what the two open cards make of their suits: C1, M1."""

import pytest

from kozyr.cards import SUITS, card_text, parse_card, suit_text
from kozyr.events import (
    WATCHER,
    CardPlayed,
    CardsDealt,
    CardShown,
    DealBegan,
    SummatorSet,
    TrumpSet,
)
from tests.maverick_table import MaverickTable, deck_texts, rows_taken_by


def suits_of(open_cards: str) -> tuple[str, str]:
    """Trump and summator when these two cards lie open."""
    table = MaverickTable()
    table.deal_out(open_cards=open_cards)
    [trump], [summator] = table.said(TrumpSet), table.said(SummatorSet)
    return suit_text(trump.suit), suit_text(summator.suit)


@pytest.mark.parametrize(
    ("open_cards", "suits"),
    [
        ("KH 4S", ("hearts", "spades")),
        ("AC 2D", ("clubs", "diamonds")),
        ("3S 2H", ("spades", "hearts")),
        ("TD 9C", ("diamonds", "clubs")),
        ("JD TS", ("diamonds", "spades")),
        ("AS KD", ("spades", "diamonds")),
    ],
)
def test_the_higher_card_makes_trump_and_the_lower_one_the_summator(
    open_cards: str, suits: tuple[str, str]
) -> None:
    """M1: in either order."""
    assert suits_of(open_cards) == suits
    assert suits_of(" ".join(reversed(open_cards.split()))) == suits


@pytest.mark.parametrize("open_cards", ["9H 3H", "3C AC", "KD 2D", "4S 5S"])
def test_two_cards_of_one_suit_make_spades_trump_and_diamonds_the_summator(
    open_cards: str,
) -> None:
    """M1"""
    assert suits_of(open_cards) == ("spades", "diamonds")


@pytest.mark.parametrize("open_cards", ["8C 8H", "AD AS", "2H 2D"])
def test_two_cards_of_one_rank_make_spades_trump_and_diamonds_the_summator(
    open_cards: str,
) -> None:
    """M1"""
    assert suits_of(open_cards) == ("spades", "diamonds")


@pytest.mark.parametrize("open_cards", ["BJ TH", "TH SJ", "SJ 2C", "BJ SJ"])
def test_a_joker_that_lies_open_makes_spades_trump_and_diamonds_the_summator(
    open_cards: str,
) -> None:
    """M1"""
    assert suits_of(open_cards) == ("spades", "diamonds")


def test_the_last_two_cards_are_laid_open_for_all() -> None:
    """M1"""
    table = MaverickTable()
    table.hand_out(table.game.deck())
    last = deck_texts(MaverickTable())[-2:]
    for viewer in (0, 1, 2, 3, WATCHER):
        shown = table.said(CardShown, viewer)
        assert [(card_text(each.card), each.seat) for each in shown] == [
            (last[0], None),
            (last[1], None),
        ]


def test_the_open_cards_take_no_part_in_the_play() -> None:
    """M1: the other 52 are played, each once."""
    table = MaverickTable(max_deals=1)
    table.play_deal(rows_taken_by("000 000 0000000"))
    played = [each.card for each in table.said(CardPlayed)]
    assert len(played) == len(set(played)) == 52
    assert not {parse_card("KH"), parse_card("4S")} & set(played)


def test_thirteen_cards_each_are_dealt_one_at_a_time_from_the_left_of_the_dealer() -> None:
    """C1, M1: seat 1 deals, so seat 2 gets the first, the fifth, … card."""
    table = MaverickTable(dealer=1)
    deck = deck_texts(table)
    assert len(deck) == len(set(deck)) == 54
    table.hand_out(table.game.deck())
    for place, seat in enumerate((2, 3, 0, 1)):
        assert set(table.hand(seat).split()) == set(deck[place:52:4])
        [dealt] = [each for each in table.said(CardsDealt, seat) if each.seat == seat]
        assert dealt.count == 13


def test_nobody_sees_the_cards_of_another() -> None:
    """C1"""
    table = MaverickTable()
    table.deal_out()
    for viewer in (0, 1, 2, 3, WATCHER):
        for dealt in table.said(CardsDealt, viewer):
            assert (dealt.cards is None) == (dealt.seat != viewer)


def test_the_lot_is_drawn_with_the_jokers_put_aside() -> None:
    """C1"""
    deck = MaverickTable(dealer=0).game.deck()
    assert deck[-2:] == (parse_card("BJ"), parse_card("SJ"))
    for dealer in range(4):
        table = MaverickTable(dealer=dealer)
        table.hand_out(table.game.deck())
        [began] = table.said(DealBegan)
        assert began == DealBegan(0, 0, "regular", began.dealer, 13)
        assert began.dealer == dealer


def test_the_deal_passes_clockwise() -> None:
    """C1, C4: whoever sits left of the dealer leads."""
    table = MaverickTable(dealer=2, max_deals=5)
    for dealer in (2, 3, 0, 1, 2):
        table.deal_for(rows_taken_by("000 000 0000000"), dealer=dealer)
        table.exchange()
        assert table.said(DealBegan)[-1].dealer == dealer
        assert table.deciding == ((dealer + 1) % 4,)
        table.play_rows(rows_taken_by("000 000 0000000"))


def test_all_four_suits_can_be_trump_and_summator() -> None:
    """M1"""
    texts = [suit_text(suit) for suit in SUITS]
    for trump in "SCDH":
        for summator in "SCDH".replace(trump, ""):
            assert suits_of(f"K{trump} 4{summator}") == (
                texts["SCDH".index(trump)],
                texts["SCDH".index(summator)],
            )
