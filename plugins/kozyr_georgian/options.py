"""What a match of Georgian can be set to."""

from typing import Final, Literal

from pydantic import Field

from kozyr.variant import Options

PEAK_DEALS_MAX: Final = 100
"""The largest `peak_deals`."""


class GeorgianOptions(Options):
    """The options of Georgian."""

    deck: Literal[36, 52] = Field(
        36, description="The pack: 36 cards from the six up, or 52. A joker comes on top of it."
    )
    peak_deals: int | None = Field(
        None,
        ge=1,
        le=PEAK_DEALS_MAX,
        description=(
            "How many deals of the largest hand come at the top, and again at the end; by default "
            "as many as there are players."
        ),
    )
    dealer_restriction: bool = Field(
        True,
        description="The dealer, who bids last, may not make the bids add up to the tricks.",
    )
    full_deal_trump: Literal["last_card", "none", "eldest_names"] = Field(
        "last_card",
        description=(
            "What makes trump when the deal leaves no card to turn up: the dealer's last card is "
            "shown; there is none; or the dealer's left names it after its first three cards. "
            "Never needed with a joker, whose pack cannot be dealt out."
        ),
    )
    joker: bool = Field(False, description="Add a joker, which takes a trick or avoids it.")
    joker_demand: bool = Field(
        True,
        description=(
            "A joker led high makes everybody play their highest card of the suit it names; off, "
            "the suit is merely followed. Without a joker it changes nothing."
        ),
    )
    revoke: Literal["forbid", "penalty"] = Field(
        "forbid",
        description=(
            "What comes of a card that the rules forbid: it is refused, or it costs 50 points and "
            "the deal is dealt anew."
        ),
    )
