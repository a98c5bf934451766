"""Where rules come from: a variant installed here, a program, or an address.

=====================  =============================================  ==========================
text                   table in a TOML file                           the rules run
=====================  =============================================  ==========================
``odessa``             ``{variant = "odessa"}``                       in this process
``isolated:odessa``    ``{variant = "odessa", isolate = true}``       in a child of their own
``command:node x.js``  ``{command = "node x.js"}``, or a list         in a child of any language
``HOST:PORT``          ``{address = "HOST:PORT"}``, with ``tls_ca``   in somebody's process
``unix:PATH``          ``{address = "unix:PATH"}``                    in somebody's process
=====================  =============================================  ==========================
"""

import re
import shlex
import sys
from pathlib import Path
from typing import Any, Final, Self, final

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator, model_validator

from kozyr.addresses import Address, check_address
from kozyr.plugins.errors import InvalidSource

ISOLATED: Final = "isolated:"
COMMAND: Final = "command:"

_VARIANT: Final = re.compile(r"[a-z][a-z0-9_-]*")


@final
class Source(BaseModel):
    """One of `variant`, `command` and `address`, with what belongs to it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    variant: str | None = None
    """The id of an installed variant."""
    isolate: bool = False
    """Whether the variant gets a process of its own."""
    command: tuple[str, ...] | None = None
    """A program that serves rules, and its arguments."""
    address: Address | None = None
    """Where somebody serves rules."""
    tls_ca: Path | None = None
    """The certificates that sign the server's; with it the connection is encrypted."""
    tls_cert: Path | None = None
    """The certificate to show to a server that wants one."""
    tls_key: Path | None = None
    """Its key."""
    tls_name: str | None = None
    """The name in the server's certificate, where it is not the address's."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """The source of that text.

        Raises:
            InvalidSource: it is none.
        """
        try:
            return cls.model_validate(text)
        except ValidationError as error:
            problems = (detail["msg"].removeprefix("Value error, ") for detail in error.errors())
            raise InvalidSource("; ".join(problems)) from error

    @property
    def remote(self) -> bool:
        """Whether the rules run in another process."""
        return self.variant is None or self.isolate

    @property
    def program(self) -> tuple[str, ...] | None:
        """The program of the child that the rules are to run in, and its arguments."""
        if self.isolate:
            assert self.variant is not None
            return (sys.executable, "-m", "kozyr_cli", "plugin", "serve", self.variant)
        return self.command

    def __str__(self) -> str:
        if self.command is not None:
            return COMMAND + shlex.join(self.command)
        if self.address is not None:
            return self.address
        return f"{ISOLATED if self.isolate else ''}{self.variant}"

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, given: Any) -> Any:
        return _parts(given.strip()) if isinstance(given, str) else given

    @field_validator("command", mode="before")
    @classmethod
    def _split_command(cls, given: Any) -> Any:
        try:
            return tuple(shlex.split(given)) if isinstance(given, str) else given
        except ValueError as error:  # a quotation that does not end
            raise InvalidSource(f"{given!r} is no command line: {error}") from error

    @model_validator(mode="after")
    def _check(self) -> Self:
        named = [each for each in (self.variant, self.command, self.address) if each is not None]
        if len(named) != 1:
            raise InvalidSource("a source is exactly one of variant, command and address")
        if self.command == ():
            raise InvalidSource("the command is empty")
        if self.variant is not None and not _VARIANT.fullmatch(self.variant):
            raise InvalidSource(f"{self.variant!r} is no id of a variant")
        if self.isolate and self.variant is None:
            raise InvalidSource("isolate is for installed variants; all others are isolated")
        if self.tls_ca is None and (self.tls_cert or self.tls_key or self.tls_name):
            raise InvalidSource("tls_cert, tls_key and tls_name need tls_ca")
        if (self.tls_cert is None) != (self.tls_key is None):
            raise InvalidSource("tls_cert and tls_key belong together")
        if self.tls_ca is not None and self.address is None:
            raise InvalidSource("TLS is for addresses")
        return self


def _parts(text: str) -> dict[str, Any]:
    """The fields that a text means."""
    if text.startswith(ISOLATED):
        return {"variant": text.removeprefix(ISOLATED), "isolate": True}
    if text.startswith(COMMAND):
        return {"command": text.removeprefix(COMMAND)}
    if _VARIANT.fullmatch(text):
        return {"variant": text}
    try:
        return {"address": check_address(text)}
    except ValueError:
        raise InvalidSource(
            f"{text!r} is no source of rules: name an installed variant, isolated:VARIANT, "
            "command:PROGRAM, HOST:PORT or unix:PATH"
        ) from None
