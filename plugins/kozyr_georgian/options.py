"""What a match of Georgian can be set to."""

from typing import Final

from pydantic import Field

from kozyr_odessa import KinOptions

PEAK_DEALS_MAX: Final = 100
"""The largest `peak_deals`."""


class GeorgianOptions(KinOptions):
    """The options of Georgian."""

    peak_deals: int | None = Field(
        None,
        ge=1,
        le=PEAK_DEALS_MAX,
        description=(
            "How many deals of the largest hand come at the top, and again at the end; by default "
            "as many as there are players."
        ),
    )
