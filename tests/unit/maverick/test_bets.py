"""Who may bet what, and when: M9."""

import pytest

from kozyr.events import (
    WATCHER,
    BetMade,
    CardChosen,
    CardsDealt,
    CardShown,
    HandLooked,
    Seat,
    SummatorSet,
    TrumpSet,
)
from kozyr.moves import Bet
from tests.maverick_table import MaverickTable, rows_taken_by

ROWS = rows_taken_by("000 000 0000000")
ALL_LOOK = ("look",) * 4
SECOND_ROUND = {"pass", "bet zero", "bet smart"}


def dealt(*bets: str, dealer: int = 3, bets_option: bool = True) -> MaverickTable:
    """A table with a deal that has just been dealt, after these bets by whoever is asked."""
    table = MaverickTable(dealer=dealer, bets=bets_option)
    table.deal_for(ROWS, dealer=dealer)
    table.act(*bets)
    return table


def bets_made(table: MaverickTable) -> list[tuple[int, Bet]]:
    return [(made.seat, made.bet) for made in table.said(BetMade)]


def sees_own_cards(table: MaverickTable) -> list[bool]:
    """By seat, whether it has seen its thirteen cards."""
    return [len(table.hand(seat).split()) == 13 for seat in range(4)]


def test_by_default_nobody_is_asked_for_a_bet() -> None:
    """M9, ``bets``: cards are seen at once, and the exchange comes first."""
    table = MaverickTable()
    table.deal_for(ROWS)
    assert sees_own_cards(table) == [True] * 4
    assert table.deciding == (0, 1, 2, 3)
    assert all(move.startswith("give ") for move in table.moves_of(0))


def test_there_are_no_bets_where_the_option_is_off() -> None:
    """M9, ``bets``"""
    table = dealt(bets_option=False)
    table.exchange()
    table.play_rows(ROWS)
    assert not table.said(BetMade)
    assert not table.said(HandLooked)


def test_nobody_sees_a_card_before_the_first_round_of_bets() -> None:
    """M9: only the open cards, and with them trump and summator, are known."""
    table = dealt()
    for viewer in (0, 1, 2, 3, WATCHER):
        dealt_cards = table.said(CardsDealt, viewer)
        assert [(each.seat, each.count) for each in dealt_cards] == [
            (0, 13),
            (1, 13),
            (2, 13),
            (3, 13),
        ]
        assert all(each.cards is None for each in dealt_cards)
        assert len(table.said(CardShown, viewer)) == 2
        assert len(table.said(TrumpSet, viewer)) == len(table.said(SummatorSet, viewer)) == 1
    assert [table.hand(seat) for seat in range(4)] == [""] * 4


@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_the_first_round_begins_at_the_left_of_the_dealer(dealer: int) -> None:
    """M9: blind, or look; clockwise."""
    table = dealt(dealer=dealer)
    for place in range(1, 5):
        assert table.deciding == ((dealer + place) % 4,)
        assert table.moves() == {"look", "bet blind"}
        table.act("look")


def test_neither_zero_nor_smart_can_be_bet_without_having_looked() -> None:
    """M9"""
    table = dealt()
    for text in ("bet zero", "bet smart", "pass"):
        assert table.refusal(text) == "M9"
    assert table.refusal("give AS") == "M9"


def test_whoever_looks_sees_its_own_cards_and_nobody_else_does() -> None:
    """M9"""
    table = dealt("look")
    assert sees_own_cards(table) == [True, False, False, False]
    for viewer in (0, 1, 2, 3, WATCHER):
        [looked] = table.said(HandLooked, viewer)
        assert looked.seat == 0
        assert (looked.cards is not None) == (viewer == 0)


def test_once_a_team_is_blind_the_partner_is_not_asked() -> None:
    """M9: the other team is, and bets on in the second round."""
    table = dealt("bet blind")
    assert table.is_not_asked(2, "look")
    asked = []
    for _ in range(2):
        asked.append(table.turn)
        table.act("look")
    for _ in range(2):
        asked.append(table.turn)
        assert table.moves() == SECOND_ROUND
        table.act("pass")
    assert asked == [1, 3, 1, 3]
    assert table.deciding == (0, 1, 2, 3)
    assert bets_made(table) == [(0, Bet.BLIND), (1, Bet.NONE), (3, Bet.NONE)]


def test_after_a_blind_bet_both_partners_look() -> None:
    """M9"""
    table = dealt("bet blind")
    assert sees_own_cards(table) == [True, False, True, False]
    assert [looked.seat for looked in table.said(HandLooked)] == [0, 2]


def test_the_partner_of_one_who_looked_may_still_bet_blind_for_the_team() -> None:
    """M9: seat 2 has seen none of its cards; seat 0 is then not asked in the second round."""
    table = dealt("look", "look")
    assert table.turn == 2
    table.act("bet blind")
    assert sees_own_cards(table) == [True, True, True, False]
    assert table.turn == 3
    table.act("look")
    assert table.turn == 1
    table.act("pass", "pass")
    assert table.deciding == (0, 1, 2, 3)
    assert [looked.seat for looked in table.said(HandLooked)] == [0, 1, 2, 3]


def test_if_both_teams_are_blind_there_is_no_second_round() -> None:
    """M9"""
    table = dealt("bet blind", "bet blind")
    assert table.deciding == (0, 1, 2, 3)
    assert sees_own_cards(table) == [True] * 4
    assert all(move.startswith("give ") for move in table.moves_of(0))


@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_the_second_round_begins_at_the_left_of_the_dealer_before_the_exchange(
    dealer: int,
) -> None:
    """M9: zero, smart or pass."""
    table = dealt(*ALL_LOOK, dealer=dealer)
    for place in range(1, 5):
        assert table.deciding == ((dealer + place) % 4,)
        assert table.moves() == SECOND_ROUND
        table.act("pass")
    assert table.deciding == (0, 1, 2, 3)
    assert table.said(CardChosen) == []
    assert bets_made(table) == [((dealer + place) % 4, Bet.NONE) for place in range(1, 5)]


def test_nobody_is_blind_who_has_looked() -> None:
    """M9"""
    table = dealt(*ALL_LOOK)
    assert table.refusal("bet blind") == "M9"
    assert table.refusal("look") == "M9"
    assert table.refusal("give AS") == "M9"


@pytest.mark.parametrize(("text", "bet"), [("bet zero", Bet.ZERO), ("bet smart", Bet.SMART)])
def test_once_a_team_has_bet_the_partner_is_not_asked(text: str, bet: Bet) -> None:
    """M9"""
    table = dealt(*ALL_LOOK, text)
    assert table.turn == 1
    table.act("pass")
    assert table.is_not_asked(2, "pass")
    assert table.turn == 3
    table.act("pass")
    assert table.deciding == (0, 1, 2, 3)
    assert bets_made(table) == [(0, bet), (1, Bet.NONE), (3, Bet.NONE)]


def test_after_a_pass_the_partner_is_asked() -> None:
    """M9: each team has one bet, whichever partner makes it."""
    table = dealt(*ALL_LOOK, "pass", "pass", "bet zero", "bet smart")
    assert table.deciding == (0, 1, 2, 3)
    assert bets_made(table) == [(0, Bet.NONE), (1, Bet.NONE), (2, Bet.ZERO), (3, Bet.SMART)]


def test_bets_are_known_to_all() -> None:
    """M9"""
    table = dealt("bet blind", "look", "look", "bet smart")
    for viewer in (0, 1, 2, 3, WATCHER):
        assert table.said(BetMade, viewer) == [
            BetMade(Seat(0), Bet.BLIND),
            BetMade(Seat(1), Bet.SMART),
        ]


def test_whoever_is_late_looks_and_passes() -> None:
    """M9"""
    table = dealt()
    for expected in ("look",) * 4 + ("pass",) * 4:
        action = table.game.default(table.turn)
        assert table.actions[action].text == expected
        table.events += table.game.apply(table.turn, action)


def test_every_deal_has_its_own_bets() -> None:
    """M9, C1: seat 1 is asked first in the second deal, blind or not, by a team that has bet."""
    table = dealt("bet blind", "bet blind")
    table.exchange()
    table.play_rows(ROWS)
    table.deal_for(ROWS, dealer=0)
    assert table.turn == 1
    assert table.moves() == {"look", "bet blind"}
    assert [table.hand(seat) for seat in range(4)] == [""] * 4
