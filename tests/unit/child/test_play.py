"""Trump, and the play of plain cards: H2, C4, C5."""

from kozyr.cards import DIAMONDS
from kozyr.events import CardShown, TrickTaken, TrumpSet
from tests.child_table import ChildTable, passed


def taker(table: ChildTable) -> int:
    """Who took the last trick."""
    return table.said(TrickTaken)[-1].seat


def test_diamonds_are_trump_and_nothing_is_turned_up() -> None:
    """H2"""
    table = passed("AS KS", "6C 7C", "6D 7D")
    assert table.said(TrumpSet)[-1] == TrumpSet(DIAMONDS)
    assert table.said(CardShown) == []


def test_the_eldest_leads_and_the_winner_of_a_trick_leads_the_next() -> None:
    """C4"""
    table = passed("8S KC", "AS 6C", "9S 6D")
    assert table.turn == 0
    table.play("8S", "AS", "9S")
    assert taker(table) == table.turn == 1


def test_follow_suit_else_trump_else_anything() -> None:
    """C5: seat 1 follows with any spade, seat 2 trumps with any diamond, seat 3 is free."""
    table = passed("8S KC 8C", "6S AS 6C", "7D AD 6H", "8H 9H TC")
    table.play("8S")
    assert table.playable() == {"6S", "AS"}
    assert table.refusal("play 6C") == "C5"
    table.play("6S")
    assert table.playable() == {"7D", "AD"}
    assert table.refusal("play 6H") == "C5"
    table.play("7D")
    assert table.playable() == {"8H", "9H", "TC"}
    table.play("8H")
    assert taker(table) == 2


def test_the_highest_card_of_the_suit_led_takes_a_trick_without_trump() -> None:
    """C5: the ace of hearts is of another suit."""
    table = passed("8S", "TS", "AH")
    table.play("8S", "TS", "AH")
    assert taker(table) == 1


def test_nobody_has_to_beat_anything() -> None:
    """C5: seat 2 may play a lower trump than that on the table."""
    table = passed("8S 6C", "9D 7C", "7D AD")
    table.play("8S", "9D")
    assert table.playable() == {"7D", "AD"}
