"""A trump for each trick: H12, and what it changes of H7, H9 and H10."""

import pytest

from kozyr.cards import CLUBS, DIAMONDS, HEARTS, NO_SUIT, SPADES, Suit
from kozyr.events import TrickTaken, TrumpSet
from tests.child_table import ChildTable, passed


def circular(*hands: str, **options: object) -> ChildTable:
    return passed(*hands, circular_trumps=True, **options)


def taker(table: ChildTable) -> int:
    """Who took the last trick."""
    return table.said(TrickTaken)[-1].seat


def test_a_deal_begins_without_a_trump() -> None:
    """H12, H2"""
    assert circular("AS", "6C").said(TrumpSet)[-1] == TrumpSet(NO_SUIT)


@pytest.mark.parametrize(
    ("led", "trump", "other", "suit"),
    [
        ("8S", "6C", "AD", CLUBS),
        ("8C", "6D", "AH", DIAMONDS),
        ("8D", "6H", "AS", HEARTS),
        ("8H", "6S", "AC", SPADES),
    ],
)
def test_trump_is_the_suit_after_the_one_that_is_led(
    led: str, trump: str, other: str, suit: Suit
) -> None:
    """H12: ♠ ♣ ♦ ♥ ♠"""
    table = circular(f"{led} 9D", f"{trump} {other}")
    table.play(led)
    assert table.said(TrumpSet)[-1] == TrumpSet(suit)
    assert table.playable() == {trump}
    table.play(trump)
    assert taker(table) == 1


def test_the_trump_is_told_only_when_it_changes() -> None:
    """H12: two leads of spades, then one of hearts."""
    table = circular("AS KS QH", "9S 8S 8H")
    before = len(table.said(TrumpSet))
    table.play("AS", "9S", "KS", "8S", "QH", "8H")
    assert [told.suit for told in table.said(TrumpSet)[before:]] == [CLUBS, SPADES]


@pytest.mark.parametrize(
    ("named", "highest", "free"),
    [
        ("spades", "AS", {"TC", "TH"}),
        ("clubs", "AC", {"TS", "TH"}),
        ("hearts", "AH", {"TS", "TC"}),
    ],
)
def test_a_demand_names_a_suit_of_which_all_play_their_highest_or_else_anything(
    named: str, highest: str, free: set[str]
) -> None:
    """H12, H9: who has none need not trump: such a trick has no trump."""
    lowest = f"8{highest[1]}"
    table = circular("7S 6D 7D", f"{lowest} {highest} KD", f"{' '.join(sorted(free))} 9D")
    table.play(f"7S demand {named}")
    assert table.said(TrumpSet)[-1] == TrumpSet(NO_SUIT)
    assert table.playable() == {highest}
    assert table.refusal(f"play {lowest}") == "H12"
    table.play(highest)
    assert table.playable() == {*free, "9D"}
    table.play("9D")
    assert taker(table) == 0


def test_a_demand_without_a_suit_is_no_move() -> None:
    """H12"""
    table = circular("7S 6C", "8S 9D")
    demands = {move for move in table.moves() if "demand" in move}
    assert demands == {
        f"play 7S demand {suit}" for suit in ("spades", "clubs", "diamonds", "hearts")
    }


@pytest.mark.parametrize("silent_poker_lead", ["trump", "spades"])
def test_led_silently_the_poker_is_a_spade_lead_whatever_the_option(silent_poker_lead: str) -> None:
    """H12, H10: clubs are trump; seat 1 follows, seat 2 must trump, and the Poker wins."""
    table = circular("7S 6H 7H", "8S 9D AC", "9C 8D TH", silent_poker_lead=silent_poker_lead)
    table.play("7S high")
    assert table.said(TrumpSet)[-1] == TrumpSet(CLUBS)
    assert table.playable() == {"8S"}
    assert table.refusal("play AC") == "H10"
    table.play("8S")
    assert table.playable() == {"9C"}
    assert table.refusal("play 8D") == "C5"
    table.play("9C")
    assert taker(table) == 0


def test_a_poker_that_is_the_only_trump_must_trump() -> None:
    """H7, H12: hearts are led, spades are trump."""
    table = circular("8H 6C", "7S 9D")
    table.play("8H")
    assert table.playable() == {"7S high", "7S simple"}
    assert table.refusal("play 9D") == "H7"


def test_beside_another_trump_the_poker_may_stay_in_the_hand() -> None:
    """H7, H12"""
    table = circular("8H 6C 7C", "7S 6S 9D")
    table.play("8H")
    assert table.playable() == {"6S", "7S high", "7S simple"}
    assert table.refusal("play 9D") == "C5"


def test_a_simple_poker_trumps_as_a_plain_seven() -> None:
    """H8, H12: hearts are led; the eight of spades is the higher trump."""
    table = circular("8H", "7S", "8S")
    table.play("8H", "7S simple", "8S")
    assert taker(table) == 2


def test_with_a_heart_to_follow_the_poker_is_not_simple() -> None:
    """H8, H12"""
    table = circular("8H 6C", "7S 9H")
    table.play("8H")
    assert table.playable() == {"9H", "7S high"}
    assert table.refusal("play 7S simple") == "H8"
