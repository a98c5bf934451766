"""The rules of Georgian poker: Odessa's, with another schedule and another score."""

from typing import Final

from mypy_extensions import i64, mypyc_attr

from kozyr.tricks import DealPlan, DealState, count_of, pyramid
from kozyr_odessa import OdessaRules

HAND_MAX: Final = 9
"""The largest hand, however few play (G1)."""


@mypyc_attr(allow_interpreted_subclasses=True)
class GeorgianRules(OdessaRules):
    """Georgian under one set of options."""

    def score(self, state: DealState, seat: i64) -> i64:
        bid = count_of(state.bids, seat=seat)
        taken = count_of(state.tricks, seat=seat)
        return 50 * bid + 50 if taken == bid else 10 * taken  # G2


def peak(deck: int, *, seats: int) -> int:
    """The cards of the largest hand (G1)."""
    return min(HAND_MAX, deck // seats)


def georgian_schedule(*, seats: int, deck: int, peak_deals: int) -> tuple[DealPlan, ...]:
    """The deals of a match: up, across, down and across again (G1)."""
    largest = peak(deck, seats=seats)
    sizes = pyramid(largest, at_peak=peak_deals) + [largest] * peak_deals
    return tuple(DealPlan(size) for size in sizes)
