"""Which deals a match has: how many cards, and of what kind."""

from typing import Final, NamedTuple

REGULAR: Final = "regular"
BLIND: Final = "blind"
NO_TRUMP: Final = "no_trump"
DARK: Final = "dark"
GOLDEN: Final = "golden"


class DealPlan(NamedTuple):
    """One deal of a schedule."""

    hand_size: int
    kind: str = REGULAR
    multiplier: int = 1
    """What every score of the deal is multiplied by."""
    bids_first: bool = False
    """Whether the bids are made before the cards are dealt."""


NO_DEAL: Final = DealPlan(0)
"""What is under way before the first deal."""


def pyramid(peak: int, *, at_peak: int) -> list[int]:
    """Hand sizes that climb from 1 to the peak, stay there for ``at_peak`` deals, and come down."""
    climb = list(range(1, peak))
    return climb + [peak] * at_peak + climb[::-1]
