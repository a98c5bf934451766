"""What a match of Child can be set to."""

from typing import Literal

from pydantic import Field

from kozyr.variant import Options


class ChildOptions(Options):
    """The options of Child."""

    dealer_restriction: bool = Field(
        False,
        description="The dealer, who bids last, may not make the bids add up to the tricks.",
    )
    silent_poker_lead: Literal["trump", "spades"] = Field(
        "trump",
        description=(
            "What a Poker that is led high with no demand asks for: trumps, or spades. With "
            "circular trumps it is always spades."
        ),
    )
    circular_trumps: bool = Field(
        False,
        description=(
            "Trump in each trick is the suit after the one that is led, in the circle of spades, "
            "clubs, diamonds and hearts; off, diamonds are always trump."
        ),
    )
    revoke: Literal["forbid", "penalty"] = Field(
        "forbid",
        description=(
            "What comes of a card that the rules forbid: it is refused, or it costs 50 points and "
            "the deal is dealt anew."
        ),
    )
