"""Cards that the rules forbid, refused or paid for: M7, C6."""

from typing import Any

import pytest

from kozyr.cards import parse_card
from kozyr.events import (
    WATCHER,
    CardPlayed,
    CardReturned,
    CardsDealt,
    DealScored,
    Revoked,
    Seat,
)
from tests.maverick_table import MaverickTable, rows_taken_by

ROWS = rows_taken_by("000 000 0000000")
"""Seat 0 takes every trick: 12 − 12 + 7 = 7. First AS 2S 3S 5S is played; all hold four suits."""

JOKERS_EARLY = [*ROWS[:-1], "JC SJ BJ JD"]
"""The same with the jokers in seats 1 and 2."""


def at_play(rows: list[str] = ROWS, **options: Any) -> MaverickTable:
    """Seat 0 has led the ace of spades, and seat 1 is to follow."""
    table = MaverickTable(max_deals=1, **options)
    table.deal_for(rows)
    table.exchange()
    table.play("AS")
    return table


@pytest.mark.parametrize("options", [{}, {"revoke": "forbid"}])
def test_by_default_a_revoke_is_refused_and_nothing_changes(options: dict[str, str]) -> None:
    """C6, M7, ``revoke``: M3 for a suit, M4 for a joker."""
    table = at_play(JOKERS_EARLY, **options)
    before = (table.moves(), table.game.waiting(), table.hand(1), len(table.events))
    assert table.refusal("play 2H") == "M3"
    assert table.refusal("play SJ") == "M4"
    assert (table.moves(), table.game.waiting(), table.hand(1), len(table.events)) == before
    assert table.playable() == {"2S", "6S", "9S"}


def test_with_a_penalty_any_card_of_the_hand_may_be_played() -> None:
    """M7, ``revoke``"""
    table = at_play(revoke="penalty")
    assert table.playable() == set(table.hand(1).split())
    assert len(table.playable()) == 13


def test_a_card_of_another_hand_is_refused_all_the_same() -> None:
    """M7, M3"""
    assert at_play(revoke="penalty").refusal("play 3S") == "M3"


def test_a_revoke_costs_four_and_the_card_goes_back_seen_by_all() -> None:
    """M7"""
    table = at_play(revoke="penalty")
    hand, told = table.hand(1), len(table.events)
    table.play("2H")
    card = parse_card("2H")
    for viewer in (0, 1, 2, 3, WATCHER):
        assert [event.seen_by(Seat(viewer)) for event in table.events[told:]] == [
            CardPlayed(Seat(1), card),
            Revoked(Seat(1), card, "M3", -4),
            CardReturned(Seat(1), card),
        ]
    assert table.hand(1) == hand
    view = table.view(2)
    assert view.counts == [12, 13, 13, 13]
    assert [play.seat for play in view.trick] == [0]


def test_after_a_revoke_the_same_seat_must_play_a_card_that_follows() -> None:
    """M7"""
    table = at_play(revoke="penalty")
    table.play("2H")
    assert table.turn == 1
    assert table.playable() == {"2S", "6S", "9S"}
    assert table.refusal("play 2H") == "M3"
    assert table.refusal("play 2C") == "M3"
    table.play("9S")
    assert table.turn == 2


def test_a_joker_played_by_one_who_holds_the_suit_is_a_revoke() -> None:
    """M7, M4"""
    table = at_play(JOKERS_EARLY, revoke="penalty")
    table.play("SJ")
    joker = parse_card("SJ")
    assert table.said(Revoked) == [Revoked(Seat(1), joker, "M4", -4)]
    assert table.playable() == {"2S", "6S", "9S"}


def test_the_card_that_went_back_can_be_played_later() -> None:
    """M7: the joker of seat 1 comes back in the last trick, and the big one beats it.

    Seat 0's team takes all: 7; seat 1's has −4.
    """
    table = at_play(JOKERS_EARLY, revoke="penalty")
    table.play("SJ")
    table.play("2S", "3S", "5S")
    table.play_rows(JOKERS_EARLY[1:])
    assert table.taken()[-1] == (2, 1)
    assert table.scores() == (7, -4, 7, -4)


def test_whoever_is_void_does_not_revoke() -> None:
    """M7, M3: nobody can follow in the last trick, and nothing is ever paid."""
    table = at_play(revoke="penalty")
    table.play("2S", "3S", "5S")
    table.play_rows(ROWS[1:])
    assert table.said(Revoked) == []
    assert table.scores() == (7, 0, 7, 0)


def test_whoever_leads_cannot_revoke() -> None:
    """M7, M3, M4: any card may be led, a joker too."""
    table = MaverickTable(max_deals=1, revoke="penalty")
    table.deal_for(ROWS)
    table.exchange()
    table.play("BJ")
    assert table.said(Revoked) == []
    assert table.turn == 1


def test_after_a_joker_nobody_can_revoke() -> None:
    """M7, M4: a joker led asks for no suit."""
    table = MaverickTable(max_deals=1, revoke="penalty")
    table.deal_for(ROWS)
    table.exchange()
    table.play("BJ", "2H", "3S", "5D" if "5D" in table.hand(3) else "4D")
    assert table.said(Revoked) == []
    assert len(table.taken()) == 1


def test_every_revoke_of_a_deal_is_paid_for_by_its_team() -> None:
    """M7: seats 1 and 3 revoke in the first trick, seat 1 again in the second, seat 2 in the third.

    Seats 0 and 2: 7 − 4 = 3. Seats 1 and 3: 0 − 12 = −12.
    """
    table = at_play(revoke="penalty")
    table.play("2H", "2S", "3S", "4D", "5S")
    table.play("KS", "2D", "6S", "7S", "8S")
    table.play("QS", "9S", "3C", "TS", "JS")
    table.play_rows(ROWS[3:])
    assert [(each.seat, each.penalty) for each in table.said(Revoked)] == [
        (1, -4),
        (3, -4),
        (1, -4),
        (2, -4),
    ]
    assert table.scores() == (3, -12, 3, -12)


def test_a_revoke_ends_no_deal_and_is_dealt_anew_in_none() -> None:
    """M7, and not the replays of C6: thirteen tricks are played, and the deal counts."""
    table = at_play(revoke="penalty")
    table.play("2H", "2S", "3S", "5S")
    assert table.said(DealScored) == []
    table.play_rows(ROWS[1:])
    assert len(table.taken()) == 13
    assert len(table.said(CardsDealt)) == 4
    [scored] = table.said(DealScored)
    assert scored.result == "played"
    assert scored.scores == (7, -4, 7, -4)


def test_what_is_played_for_one_who_is_late_is_no_revoke() -> None:
    """M7"""
    table = at_play(revoke="penalty")
    for _ in range(51):
        table.events += table.game.apply(Seat(table.turn), table.game.default(table.turn))
    assert table.said(Revoked) == []
    assert len(table.taken()) == 13
