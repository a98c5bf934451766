"""What a match of Oh Hell can be set to."""

from typing import Literal

from pydantic import Field

from kozyr import Options


class OhHellOptions(Options):
    """The options of Oh Hell."""

    schedule: Literal["down_up", "up_down", "down", "up", "single"] = Field(
        "down_up", description="How the hands grow and shrink from deal to deal."
    )
    max_hand: int = Field(
        7, ge=1, le=17, description="The cards of the largest hand, if the pack has so many."
    )
    cards_per_suit: int = Field(
        13, ge=2, le=13, description="The cards of each of the four suits, from the ace down."
    )
    dealer_restriction: bool = Field(
        True, description="The dealer may not make the bids add up to the tricks."
    )
    points_per_trick: int = Field(1, ge=0, le=100, description="What a trick is worth.")
    off_bid_penalty: bool = Field(
        False, description="A wrong bid costs the points of the tricks that it is off by."
    )
