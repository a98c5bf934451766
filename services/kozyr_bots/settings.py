"""What a bot worker can be told."""

from typing import Annotated, ClassVar

from pydantic import Field, PositiveInt, SecretStr, field_validator

from kozyr.plugins import brain_names
from kozyr.settings import Address, Settings, TokenKey


class BotsSettings(Settings):
    """Settings of ``kozyr bots serve``."""

    service: ClassVar[str] = "bots"

    connect: Annotated[Address, Field(description="Address of the table service.")] = (
        "127.0.0.1:7450"
    )
    token: Annotated[
        SecretStr | None, Field(description="Token of the worker, with the role bots.")
    ] = None
    token_key: TokenKey = None
    brains: Annotated[tuple[str, ...], Field(description="Brains to offer; by default all.")] = ()
    capacity: Annotated[PositiveInt, Field(description="Seats to play at a time at most.")] = 4_096

    @field_validator("brains")
    @classmethod
    def _installed(cls, brains: tuple[str, ...]) -> tuple[str, ...]:
        known = brain_names()
        for brain in brains:
            if brain not in known:
                raise ValueError(f"no brain {brain!r} is installed; there are {', '.join(known)}")
        return brains
