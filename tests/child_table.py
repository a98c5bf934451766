"""A table for tests of Child: stacked decks, bids in the dark and after a look.

Hands are given by seat, seat 0 first. `deal_of` seats the dealer last, so that seat 0 is always
the one who bids and leads first.
"""

from typing import Any

from kozyr_child import ChildVariant
from tests.odessa_table import OdessaTable

VARIANT = ChildVariant()


class ChildTable(OdessaTable):
    """One match under test, with all that has happened in it."""

    def __init__(self, seats: int, **options: Any) -> None:
        super().__init__(seats, variant=VARIANT, **options)

    def bid(self, bids: str) -> None:
        """Make these bids, like ``"1 0 2d"``: a look comes first, but before one in the dark."""
        for bid in bids.split():
            if bid.endswith("d"):
                self.act(f"bid {bid[:-1]} dark")
            else:
                self.act("look", "pass" if bid == "0" else f"bid {bid}")

    def schedule(self) -> list[int]:
        """The hand sizes of the whole match, from clause H1."""
        peak = {2: 18, 3: 12, 4: 9, 5: 7}[self.seats]
        rising, across = list(range(1, peak)), [peak] * self.seats
        return rising + across + rising[::-1] + across + [peak]


def table_at(index: int, *, seats: int, **options: Any) -> ChildTable:
    """A table at the beginning of the deal of that index; the last seat deals."""
    table = ChildTable(seats, **options)
    table.draw_lot(dealer=(seats - 1 - index) % seats)
    table.skip_to_deal(index)
    return table


def deal_of(
    *hands: str, bids: str = "", hand_size: int | None = None, **options: Any
) -> ChildTable:
    """A table in a regular deal of these hands, after these bids; the last seat deals."""
    size = hand_size or max(len(hand.split()) for hand in hands)
    table = table_at(size - 1, seats=len(hands), **options)
    table.deal(*hands, dealer=len(hands) - 1, hand_size=size)
    table.bid(bids)
    return table


def passed(*hands: str, **options: Any) -> ChildTable:
    """The same, and everybody has passed."""
    return deal_of(*hands, bids=" ".join("0" for _ in hands), **options)
