"""What a match can be set to."""

from pydantic import Field

from kozyr import Options


class SkeletonOptions(Options):
    """The options; each has a default, a range, and a description for people."""

    hand_size: int = Field(5, ge=1, le=8, description="The cards of every hand.")
    deals: int = Field(4, ge=1, le=12, description="How many deals are played.")
