"""The 7♠ as the Poker: H6, H7, H8, H9, H10."""

import pytest

from kozyr.cards import parse_card
from kozyr.errors import IllegalMove
from kozyr.events import CardPlayed, Seat, TrickTaken
from kozyr.moves import Announcement, Play
from tests.child_table import ChildTable, passed


def taker(table: ChildTable) -> int:
    """Who took the last trick."""
    return table.said(TrickTaken)[-1].seat


def test_the_poker_takes_the_trick_from_the_ace_of_trumps() -> None:
    """H6: it is played though seat 2 could follow."""
    table = passed("8D 6C", "AD 7C", "7S 9D")
    table.play("8D", "AD")
    assert table.playable() == {"9D", "7S high"}
    table.play("7S high")
    assert taker(table) == 2


def test_what_comes_after_the_poker_does_not_beat_it() -> None:
    """H6"""
    table = passed("8H", "7S", "AD")
    table.play("8H", "7S high", "AD")
    assert taker(table) == 1


def test_a_poker_played_with_no_word_is_high() -> None:
    """H6"""
    table = passed("8H", "7S", "AD")
    table.play("8H", "7S")
    assert table.said(CardPlayed)[-1] == CardPlayed(Seat(1), parse_card("7S"), Announcement.HIGH)
    silent, high = Play(parse_card("7S")), Play(parse_card("7S"), Announcement.HIGH)
    assert table.actions.number(silent) == table.actions.number(high)


def test_the_number_of_a_plain_seven_of_spades_is_no_move() -> None:
    """H6"""
    table = passed("7S 6C", "8H 9H")
    with pytest.raises(IllegalMove) as refused:
        table.game.check(Seat(0), parse_card("7S"))
    assert refused.value.clause == "H6"


def test_with_no_other_spade_the_poker_does_not_have_to_follow_but_a_trump_must_be_played() -> None:
    """H7, C5"""
    table = passed("8S 6C 7C", "7S 9D 8H")
    table.play("8S")
    assert table.playable() == {"9D", "7S high", "7S simple"}
    assert table.refusal("play 8H") == "C5"


def test_with_no_other_spade_and_no_trump_anything_is_played() -> None:
    """H7"""
    table = passed("8S 6C 7C", "7S 9C 8H")
    table.play("8S")
    assert table.playable() == {"9C", "8H", "7S high", "7S simple"}


def test_with_another_spade_one_must_follow_by_it_or_by_the_poker() -> None:
    """H7, H8, C5"""
    table = passed("8S 6C 7C", "7S 9S 8H")
    table.play("8S")
    assert table.playable() == {"9S", "7S high", "7S simple"}
    assert table.refusal("play 8H") == "C5"


def test_a_simple_poker_is_a_plain_seven() -> None:
    """H8: it follows spades, and the eight beats it."""
    table = passed("8S", "7S")
    table.play("8S", "7S simple")
    assert taker(table) == 0


def test_a_simple_poker_beats_the_six() -> None:
    """H8"""
    table = passed("6S", "7S")
    table.play("6S", "7S simple")
    assert taker(table) == 1


def test_the_poker_is_simple_only_where_a_seven_of_spades_may_be_played() -> None:
    """H8, C5: hearts are led; seat 1 has a heart, seat 2 a trump, seat 3 neither."""
    table = passed("8H 6C", "7S 9H", "6S 7D", "8S 9C")
    table.play("8H")
    assert table.playable() == {"9H", "7S high"}
    assert table.refusal("play 7S simple") == "H8"
    for hand, playable in (("7S 9D", {"9D", "7S high"}), ("7S 9C", {"9C", "7S high", "7S simple"})):
        table = passed("8H 6C", hand)
        table.play("8H")
        assert table.playable() == playable


def test_a_poker_that_follows_demands_nothing() -> None:
    """H9"""
    table = passed("8H 6C", "7S 9C")
    table.play("8H")
    assert table.refusal("play 7S demand") == "H9"


def test_led_by_trumps_everybody_plays_the_highest_trump_or_else_anything() -> None:
    """H9: seat 1 must play the ace of diamonds, seat 2 has none and is free, spades or not."""
    table = passed("7S 6C 7C", "6D AD 8S", "8C 9S TH")
    assert table.moves() == {
        "play 6C",
        "play 7C",
        "play 7S high",
        "play 7S simple",
        "play 7S demand",
    }
    table.play("7S demand")
    assert table.playable() == {"AD"}
    assert table.refusal("play 6D") == "H9"
    table.play("AD")
    assert table.playable() == {"8C", "9S", "TH"}
    table.play("9S")
    assert taker(table) == 0


def test_led_high_the_poker_asks_for_trumps_any_of_them() -> None:
    """H10: seat 1 plays any trump, seat 2 has none and is free, though it has a spade."""
    table = passed("7S 6C 7C", "6D AD 8S", "8C 9S TH")
    table.play("7S high")
    assert table.playable() == {"6D", "AD"}
    assert table.refusal("play 8S") == "H10"
    table.play("6D")
    assert table.playable() == {"8C", "9S", "TH"}
    table.play("8C")
    assert taker(table) == 0


def test_with_the_option_a_poker_led_high_asks_for_spades() -> None:
    """H10, C5, ``silent_poker_lead`` spades: seat 1 follows, seat 2 trumps, and the Poker wins."""
    table = passed("7S 6C 7C", "6D AD 8S", "8C 9D TH", silent_poker_lead="spades")
    table.play("7S high")
    assert table.playable() == {"8S"}
    assert table.refusal("play 6D") == "H10"
    table.play("8S")
    assert table.playable() == {"9D"}
    table.play("9D")
    assert taker(table) == 0


def test_led_simple_the_poker_is_a_low_spade() -> None:
    """H8, C5"""
    table = passed("7S 6C", "8S 9D", "6S 9C")
    table.play("7S simple")
    assert table.playable() == {"8S"}
    table.play("8S", "6S")
    assert taker(table) == 1


def test_a_demand_names_no_suit() -> None:
    """H9: only with circular trumps it does (H12)."""
    table = passed("7S 6C", "8S 9D")
    assert not any(move.startswith("play 7S demand ") for move in table.moves())
