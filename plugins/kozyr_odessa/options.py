"""What a match of Odessa can be set to."""

from typing import Final, Literal

from pydantic import Field

from kozyr.variant import Options

HAND_MAX: Final = 12
"""The largest `max_hand`, in cards."""

EXTRA_DEALS_MAX: Final = 100
"""The largest number of deals of each extra kind."""

MADE_PASS_MAX: Final = 1_000_000
"""The largest worth of a made pass, in points, either way."""


class KinOptions(Options):
    """The options that Odessa shares with its kin."""

    deck: Literal[36, 52] = Field(
        36, description="The pack: 36 cards from the six up, or 52. A joker comes on top of it."
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


class OdessaOptions(KinOptions):
    """The options of Odessa."""

    max_hand: int = Field(
        6,
        ge=1,
        le=HAND_MAX,
        description="The cards of the largest hand. Times the players it may not exceed `deck`.",
    )
    blind_deals: int = Field(
        1,
        ge=0,
        le=EXTRA_DEALS_MAX,
        description="How many deals are bid before the cards are dealt, and score double.",
    )
    no_trump_deals: int = Field(
        0, ge=0, le=EXTRA_DEALS_MAX, description="How many deals without trump end the match."
    )
    made_pass: int = Field(
        0,
        ge=-MADE_PASS_MAX,
        le=MADE_PASS_MAX,
        description="What a pass scores when no trick was taken, in points.",
    )
