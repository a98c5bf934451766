"""A table for tests of Georgian: Odessa's, with Georgian's rules."""

from typing import Any

from kozyr_georgian import GeorgianVariant
from tests.odessa_table import OdessaTable

VARIANT = GeorgianVariant()


class GeorgianTable(OdessaTable):
    """One match under test, with all that has happened in it."""

    def __init__(self, seats: int, **options: Any) -> None:
        super().__init__(seats, variant=VARIANT, **options)

    def schedule(self) -> list[int]:
        """The hand sizes of the whole match, from clause G1."""
        peak = min(9, self.options.deck // self.seats)
        rising, across = list(range(1, peak)), [peak] * (self.options.peak_deals or self.seats)
        return rising + across + rising[::-1] + across


def table_before(hand_size: int, *, seats: int, **options: Any) -> GeorgianTable:
    """A table at the beginning of the first deal of that size; the last seat deals."""
    table = GeorgianTable(seats, **options)
    table.draw_lot(dealer=(seats - hand_size) % seats)
    table.skip_to_deal(hand_size - 1)
    return table


def deal_of(
    *hands: str,
    turned_up: str | None = None,
    bids: str = "",
    hand_size: int | None = None,
    **options: Any,
) -> GeorgianTable:
    """A table in a deal of these hands, after these bids (``"1 0 2"``); the last seat deals."""
    size = hand_size or max(len(hand.split()) for hand in hands)
    table = table_before(size, seats=len(hands), **options)
    table.deal(*hands, dealer=len(hands) - 1, turned_up=turned_up, hand_size=size)
    table.bid(bids)
    return table
