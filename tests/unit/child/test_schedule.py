"""Which deals there are: H1, C1, C8."""

import pytest

from kozyr.errors import InvalidSeatCount
from kozyr.events import DealBegan, DealerDrawn
from tests.child_table import VARIANT, ChildTable


def deals(seats: int) -> list[DealBegan]:
    """All deals of a match in which seat 0 is the first dealer."""
    table = ChildTable(seats)
    table.draw_lot(dealer=0)
    return table.finish()


@pytest.mark.parametrize(
    ("seats", "peak", "count"),
    [(2, 18, 39), (3, 12, 29), (4, 9, 25), (5, 7, 23)],
)
def test_up_across_down_then_dark_deals_and_one_golden_deal(
    seats: int, peak: int, count: int
) -> None:
    """H1: of four, eight up, four nines, eight down, four dark and one golden deal: 25."""
    everything = deals(seats)
    up = list(range(1, peak))
    sizes = [*up, *[peak] * seats, *up[::-1], *[peak] * seats, peak]
    assert [deal.hand_size for deal in everything] == sizes
    assert len(sizes) == count
    kinds = [deal.kind for deal in everything]
    assert kinds == ["regular"] * (2 * (peak - 1) + seats) + ["dark"] * seats + ["golden"]


def test_five_leave_one_card_unused() -> None:
    """H1: five times seven are 35."""
    table = ChildTable(5)
    table.draw_lot(dealer=0)
    table.skip_to_deal(22)
    deck = table.game.deck()
    table.hand_out(deck)
    held = {card for seat in range(5) for card in table.hand(seat).split()}
    assert len(held) == 35
    assert len(deck) == 36


def test_the_deal_passes_clockwise_from_the_one_who_drew_the_highest_card() -> None:
    """C1, C8"""
    everything = deals(3)
    assert [deal.dealer for deal in everything] == [place % 3 for place in range(29)]
    assert {deal.deal_count for deal in everything} == {29}


def test_the_lot_is_drawn_from_the_whole_pack() -> None:
    """C1: the highest rank deals first; of equals, the later suit of ♠ ♣ ♦ ♥."""
    table = ChildTable(3)
    table.draw_lot(dealer=2)
    [drawn] = table.said(DealerDrawn)
    assert drawn.dealer == 2
    assert len(table.game.deck()) == 36


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    """C1: seat 1 deals; seat 0 is on its left and gets the first and the third card."""
    table = ChildTable(2)
    table.draw_lot(dealer=0)
    table.skip_to_deal(1)
    first = list(table.game.deck())[:4]
    table.hand_out(table.game.deck())
    table.act("look")
    names = [VARIANT.actions(table.options)[card].text for card in first]
    assert table.hand(0).split() == sorted(
        (name.removeprefix("play ") for name in (names[0], names[2])),
        key=lambda card: "6789TJQKA".index(card[0]),
    )


@pytest.mark.parametrize("seats", [1, 6])
def test_two_to_five_play(seats: int) -> None:
    """H1"""
    with pytest.raises(InvalidSeatCount, match="2, 3, 4, 5"):
        VARIANT.start(VARIANT.parse_options({}), seats)


def test_equal_totals_share_a_place() -> None:
    """C8"""
    table = ChildTable(3)
    table.draw_lot(dealer=0)
    table.finish()
    outcome = table.game.outcome()
    assert outcome is not None
    assert outcome.places == tuple(
        1 + sum(other > own for other in outcome.scores) for own in outcome.scores
    )
    assert outcome.notes == ((), (), ())
