"""Who deals, how many cards, in which order: C1, C8, O1, O7, O8."""

from typing import Any

import pytest

from kozyr.cards import parse_cards
from kozyr.errors import MatchError
from kozyr.events import WATCHER, CardsDealt, DealerDrawn, Seat
from tests.odessa_table import OdessaTable, deal_of, table_before


def lot(*cards: str) -> DealerDrawn:
    """What came of a lot in which the seats drew these cards."""
    table = OdessaTable(len(cards))
    drawn = parse_cards(" ".join(cards))
    table.hand_out([*drawn, *(each for each in table.game.deck() if each not in drawn)])
    [event] = table.said(DealerDrawn)
    return event


def kinds(seats: int, **options: Any) -> list[tuple[str, int]]:
    """Kind and hand size of all deals of a match."""
    table = OdessaTable(seats, **options)
    table.draw_lot(dealer=0)
    return [(deal.kind, deal.hand_size) for deal in table.finish()]


def regular(*sizes: int) -> list[tuple[str, int]]:
    return [("regular", size) for size in sizes]


def test_the_highest_card_of_the_lot_deals_first() -> None:
    """C1"""
    drawn = lot("9H", "KC", "6S", "QD")
    assert drawn == DealerDrawn(parse_cards("9H KC 6S QD"), Seat(1))


def test_equal_ranks_of_the_lot_are_decided_by_the_suits_in_their_circle() -> None:
    """C1: the later in ♠ ♣ ♦ ♥ is higher."""
    assert lot("KS", "KC").dealer == 1
    assert lot("KD", "KC", "KS").dealer == 0
    assert lot("KD", "6S", "KH", "KC").dealer == 2


def test_the_lot_is_drawn_from_a_pack_without_the_joker() -> None:
    """C1, O10"""
    table = OdessaTable(3, joker=True)
    assert len(table.game.deck()) == 36
    table.draw_lot(dealer=2)
    assert len(table.game.deck()) == 37


def test_the_deal_passes_clockwise() -> None:
    """C1"""
    table = OdessaTable(3, max_hand=2)
    table.draw_lot(dealer=1)
    assert [deal.dealer for deal in table.finish()] == [1, 2, 0, 1, 2, 0]


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    """C1, O2: the pack in order is 6S 7S 8S 9S TS JS QS …; seat 2 deals."""
    table = table_before(2, seats=3)
    table.hand_out(table.game.deck())
    assert [table.hand(seat) for seat in range(3)] == ["6S 9S", "7S TS", "8S JS"]
    assert table.view(0).shown[-1].card == parse_cards("QS")[0]


def test_only_its_owner_sees_a_card_that_is_dealt() -> None:
    """C1: the others, and those who watch, learn how many cards there are."""
    table = deal_of("AS KS", "6C 7C", turned_up="6H")
    assert table.said(CardsDealt, viewer=0)[-2:] == [
        CardsDealt(Seat(0), 2, parse_cards("AS KS")),
        CardsDealt(Seat(1), 2),
    ]
    assert table.said(CardsDealt, viewer=WATCHER)[-2:] == [
        CardsDealt(Seat(0), 2),
        CardsDealt(Seat(1), 2),
    ]


def test_hands_grow_to_six_stay_there_for_a_round_and_shrink_before_one_blind_deal() -> None:
    """O1, O7: the defaults, with four players."""
    assert kinds(4) == [
        *regular(1, 2, 3, 4, 5),
        *regular(6, 6, 6, 6),
        *regular(5, 4, 3, 2, 1),
        ("blind", 6),
    ]


def test_there_are_as_many_longest_deals_as_players() -> None:
    """O1"""
    assert kinds(2, max_hand=3, blind_deals=0) == regular(1, 2, 3, 3, 2, 1)
    assert kinds(6, max_hand=2, blind_deals=0) == regular(1, 2, 2, 2, 2, 2, 2, 1)


def test_a_longest_hand_of_one_card_leaves_one_round_of_one_card_deals() -> None:
    """O1"""
    assert kinds(3, max_hand=1, blind_deals=0) == regular(1, 1, 1)


def test_the_longest_hand_reaches_twelve_cards() -> None:
    """O1: three players deal out the pack of 36."""
    up = list(range(1, 12))
    expected = regular(*up, 12, 12, 12, *reversed(up))
    assert kinds(3, max_hand=12, blind_deals=0) == expected


def test_blind_deals_come_before_no_trump_deals_at_the_end() -> None:
    """O1, O7, O8: the printed variant of two blind deals and two caps."""
    assert kinds(3, max_hand=2, blind_deals=2, no_trump_deals=2) == [
        *regular(1, 2, 2, 2, 1),
        ("blind", 2),
        ("blind", 2),
        ("no_trump", 2),
        ("no_trump", 2),
    ]


def test_without_options_there_is_no_no_trump_deal() -> None:
    """O8"""
    assert "no_trump" not in dict(kinds(2, max_hand=1))


def test_every_deal_tells_its_place_in_the_schedule() -> None:
    """O1"""
    table = OdessaTable(2, max_hand=2)
    table.draw_lot(dealer=0)
    deals = table.finish()
    assert [deal.index for deal in deals] == [0, 1, 2, 3, 4]
    assert {deal.deal_count for deal in deals} == {5}


def test_the_match_ends_after_the_last_deal_of_its_schedule() -> None:
    """C8"""
    table = OdessaTable(2, max_hand=1, blind_deals=0)
    table.draw_lot(dealer=1)
    table.skip_to_deal(1)
    assert table.game.outcome() is None
    table.skip_to_deal(2)
    assert table.game.waiting() == 0
    assert table.game.outcome() is not None
    with pytest.raises(MatchError):
        table.game.check(Seat(0), 0)
