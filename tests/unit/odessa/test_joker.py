"""The joker: O10, O11, O12."""

from typing import Any

from kozyr.cards import BIG_JOKER, DIAMONDS, NO_SUIT, parse_card
from kozyr.errors import IllegalMove
from kozyr.events import CardPlayed, CardShown, Seat, TrickTaken, TrumpSet
from kozyr.moves import Announcement, InvalidMove, parse_move
from tests.odessa_table import OdessaTable, deal_of, table_before

LEADS = {
    f"BJ {call} {suit}"
    for call in ("high", "low")
    for suit in ("spades", "clubs", "diamonds", "hearts")
}


def joker_deal(*hands: str, turned_up: str = "6H", **options: Any) -> OdessaTable:
    """A deal with the joker in the pack; hearts are trump and all have passed."""
    passes = " ".join("0" for _ in hands)
    return deal_of(*hands, turned_up=turned_up, bids=passes, **{"joker": True, **options})


def taker(table: OdessaTable) -> int:
    """Who took the last trick."""
    return table.said(TrickTaken)[-1].seat


def impossible(table: OdessaTable, text: str) -> bool:
    """Whether the seat on turn cannot make this move, or there is no such move at all."""
    try:
        table.game.check(table.turn, table.actions.number(parse_move(text)))
    except (IllegalMove, InvalidMove):
        return True
    return False


def test_the_joker_is_one_more_card() -> None:
    """O10: 37 or 53 cards."""
    for deck in (36, 52):
        table = table_before(1, seats=2, deck=deck, joker=True)
        assert len(table.game.deck()) == deck + 1
        assert table.game.deck().count(BIG_JOKER) == 1


def test_without_the_option_there_is_no_joker() -> None:
    """O10"""
    table = table_before(1, seats=2)
    assert len(table.game.deck()) == 36
    assert BIG_JOKER not in table.game.deck()


def test_the_joker_may_be_played_though_the_suit_led_is_held() -> None:
    """O10: high or low, beside the cards that follow."""
    table = joker_deal("AS 6C 7C", "KS BJ 6D")
    table.play("AS")
    assert table.playable() == {"KS", "BJ high", "BJ low"}


def test_the_joker_may_be_played_instead_of_a_trump() -> None:
    """O10"""
    table = joker_deal("AS 6C 7C", "9H BJ 6D")
    table.play("AS")
    assert table.playable() == {"9H", "BJ high", "BJ low"}


def test_the_joker_is_no_trump_and_obliges_to_nothing() -> None:
    """O10, C5: with neither suit nor trump the other cards are as free as the joker."""
    table = joker_deal("AS 6C 7C", "9D BJ 6D")
    table.play("AS")
    assert table.playable() == {"9D", "6D", "BJ high", "BJ low"}


def test_a_high_joker_takes_the_trick_from_the_highest_trump() -> None:
    """O10"""
    table = joker_deal("AS", "AH", "BJ")
    table.play("AS", "AH", "BJ high")
    assert taker(table) == 2


def test_nothing_played_after_a_high_joker_beats_it() -> None:
    """O10"""
    table = joker_deal("AS", "BJ", "AH")
    table.play("AS", "BJ high", "AH")
    assert taker(table) == 1


def test_a_low_joker_that_follows_never_takes_the_trick() -> None:
    """O10: not even from the lowest card."""
    table = joker_deal("6S", "BJ")
    table.play("6S", "BJ low")
    assert taker(table) == 0


def test_a_joker_that_follows_names_no_suit() -> None:
    """O10, O11"""
    table = joker_deal("AS 6C", "KS BJ")
    table.play("AS")
    assert impossible(table, "play BJ high spades")
    assert impossible(table, "play BJ low hearts")


def test_a_joker_must_be_called_high_or_low() -> None:
    """O10"""
    table = joker_deal("AS 6C", "KS BJ")
    table.play("AS")
    assert impossible(table, "play BJ")


def test_a_joker_led_always_names_one_of_the_four_suits() -> None:
    """O11"""
    for demand in (True, False):
        table = joker_deal("BJ 6C", "KS 7C", joker_demand=demand)
        assert table.playable() == LEADS | {"6C"}
        assert table.refusal("play BJ high") == "O11"
        assert table.refusal("play BJ low") == "O11"


def test_everybody_hears_how_the_joker_is_called_and_what_it_names() -> None:
    """O11"""
    table = joker_deal("BJ 6C", "KS 7C")
    table.play("BJ low diamonds")
    assert table.said(CardPlayed, viewer=1)[-1] == CardPlayed(
        Seat(0), BIG_JOKER, Announcement.LOW, DIAMONDS
    )


def test_a_high_lead_demands_the_highest_card_of_the_suit() -> None:
    """O11"""
    table = joker_deal("BJ 6C 7C", "KS 9S 9H", "7S AD 7H")
    table.play("BJ high spades")
    assert table.playable() == {"KS"}
    assert table.refusal("play 9S") == "O11"
    table.play("KS")
    assert table.playable() == {"7S"}
    table.play("7S")
    assert taker(table) == 0


def test_a_copy_of_the_game_remembers_the_demand() -> None:
    """O11"""
    table = joker_deal("BJ 6C 7C", "KS 9S 9H")
    table.play("BJ high spades")
    assert table.game.clone().legal(table.turn) == table.game.legal(table.turn)


def test_a_demand_is_met_with_any_trump_where_the_suit_is_missing() -> None:
    """O11: any trump, not the highest; the joker takes the trick."""
    table = joker_deal("BJ 6C 7C", "6D 9H AH")
    table.play("BJ high spades")
    assert table.playable() == {"9H", "AH"}
    table.play("AH")
    assert taker(table) == 0


def test_a_demand_is_met_with_anything_where_suit_and_trump_are_missing() -> None:
    """O11"""
    table = joker_deal("BJ 6C 7C", "6D 9D AC")
    table.play("BJ high spades")
    assert table.playable() == {"6D", "9D", "AC"}


def test_a_demand_for_trumps_asks_for_the_highest_trump() -> None:
    """O11"""
    table = joker_deal("BJ 6C 7C", "8H 9H AC")
    table.play("BJ high hearts")
    assert table.playable() == {"9H"}


def test_where_demands_are_forbidden_a_high_lead_is_followed_with_any_card_of_the_suit() -> None:
    """O11, ``joker_demand`` off: "forbidden to claim the greatest suit"."""
    table = joker_deal("BJ 6C 7C", "KS 9S 9H", "9C 7H AD", joker_demand=False)
    table.play("BJ high spades")
    assert table.playable() == {"KS", "9S"}
    assert table.refusal("play 9H") == "C5"
    table.play("9S")
    assert table.playable() == {"7H"}
    table.play("7H")
    assert taker(table) == 0


def test_a_low_lead_is_followed_with_any_card_of_the_suit() -> None:
    """O11: a low lead demands nothing high."""
    table = joker_deal("BJ 6C 7C", "KS 9S 9H", "9C 7H AD")
    table.play("BJ low spades")
    assert table.playable() == {"KS", "9S"}
    table.play("9S")
    assert table.playable() == {"7H"}


def test_a_low_lead_is_below_the_lowest_card_of_the_suit() -> None:
    """O11"""
    table = joker_deal("BJ", "2S", "AD", deck=52)
    table.play("BJ low spades", "2S", "AD")
    assert taker(table) == 1


def test_a_low_lead_loses_to_a_trump() -> None:
    """O11"""
    table = joker_deal("BJ", "7H", "AD")
    table.play("BJ low spades", "7H", "AD")
    assert taker(table) == 1


def test_a_low_lead_wins_if_nobody_plays_that_suit_or_a_trump() -> None:
    """O11"""
    table = joker_deal("BJ", "AC", "AD")
    table.play("BJ low spades", "AC", "AD")
    assert taker(table) == 0


def test_a_low_lead_that_names_trump_is_the_lowest_trump() -> None:
    """O11: it loses to the lowest real trump and beats what is no trump."""
    table = joker_deal("BJ", "AC", "7H")
    table.play("BJ low hearts", "AC", "7H")
    assert taker(table) == 2
    table = joker_deal("BJ", "AC", "AD")
    table.play("BJ low hearts", "AC", "AD")
    assert taker(table) == 0


def test_the_winner_by_joker_leads_the_next_trick() -> None:
    """O10, C4"""
    table = joker_deal("AS 6C", "KS BJ")
    table.play("AS", "BJ high")
    assert table.turn == 1
    assert table.playable() == {"KS"}


def test_a_joker_turned_up_makes_the_deal_no_trump() -> None:
    """O12"""
    table = joker_deal("7S 6C", "AH AD", "8S AC", turned_up="BJ")
    assert table.said(CardShown)[-1] == CardShown(parse_card("BJ"))
    assert table.said(TrumpSet)[-1] == TrumpSet(NO_SUIT)
    table.play("7S")
    assert table.playable() == {"AH", "AD"}
    table.play("AH", "8S")
    assert taker(table) == 2


def test_without_trumps_a_low_lead_wins_unless_its_suit_is_played() -> None:
    """O11, O8"""
    table = deal_of("BJ", "AH", kind="no_trump", no_trump_deals=1, bids="0 0", joker=True)
    table.play("BJ low spades", "AH")
    assert taker(table) == 0
