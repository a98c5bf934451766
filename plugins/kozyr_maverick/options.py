"""What a match of Maverick can be set to."""

from typing import Final, Literal

from pydantic import Field

from kozyr.variant import Options

MATCH_DEALS_MAX: Final = 1_000
"""The largest `max_deals`."""


class MaverickOptions(Options):
    """The options of Maverick."""

    target: Literal[30, 40, 50] = Field(
        30, description="The points at which a team wins, when the deal has been scored."
    )
    max_deals: int = Field(
        200,
        ge=1,
        le=MATCH_DEALS_MAX,
        description="After how many deals the match ends where no team has won before.",
    )
    bets: bool = Field(
        False, description="Bets come before the exchange: blind, zero or smart, one for a team."
    )
    trumps_beat: bool = Field(
        True,
        description=(
            "A trump beats every other suit; off, it wins only where trumps were led, and costs "
            "points all the same."
        ),
    )
    revoke: Literal["forbid", "penalty"] = Field(
        "forbid",
        description=(
            "What comes of a card that the rules forbid: it is refused, or it costs the team 4 "
            "points and goes back to the hand."
        ),
    )
