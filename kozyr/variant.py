"""The contract of a variant: its name, its options, its actions, and the games it makes.

A variant is found by the entry point group ``kozyr.variants``; the entry point names a class that
is made without arguments. ``rules_version`` is bumped when, and only when, the same log would
play differently; it is not the package's version.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from kozyr.errors import InvalidOptions, InvalidSeatCount
from kozyr.events import Seat
from kozyr.game import Game
from kozyr.moves import ActionTable


class Options(BaseModel):
    """The base of a variant's options: a frozen pydantic model that refuses unknown names."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


OptionsT = TypeVar("OptionsT", bound=Options)


class Variant(ABC, Generic[OptionsT]):
    """One game's rules. Subclasses say what differs; the rest is the same for all."""

    @property
    @abstractmethod
    def id(self) -> str:
        """The short name in lower case, like ``odessa``."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The name for people."""

    @property
    def summary(self) -> str:
        """A paragraph for people, if its author has written one."""
        return ""

    @property
    @abstractmethod
    def rules_version(self) -> int:
        """The version of the rules' behaviour, from 1."""

    @property
    @abstractmethod
    def options_type(self) -> type[OptionsT]:
        """The pydantic model of the options; its defaults are the variant's."""

    @abstractmethod
    def seat_counts(self, options: OptionsT) -> Sequence[int]:
        """How many may play with these options, ascending."""

    @abstractmethod
    def actions(self, options: OptionsT) -> ActionTable:
        """The meaning of every action, which does not depend on the position.

        Equal options give the same table object, so that asking is cheap.
        """

    @abstractmethod
    def new_game(self, options: OptionsT, seats: int) -> Game:
        """The position before the first deck is shuffled; every match begins with a shuffle."""

    def teams(self, options: OptionsT, seats: int) -> tuple[int, ...]:
        """The team of each seat; by default everybody plays alone."""
        return tuple(range(seats))

    def parse_options(self, given: Mapping[str, Any]) -> OptionsT:
        """Options from plain values, the rest by default.

        Raises:
            InvalidOptions: a name is unknown or a value is out of range; lists what is allowed.
        """
        try:
            return self.options_type.model_validate(dict(given))
        except ValidationError as error:
            raise InvalidOptions(_problems(self.options_type, error)) from error

    def start(self, options: OptionsT, seats: int) -> Game:
        """A new game after a check of the number of seats.

        Raises:
            InvalidSeatCount: these options are not played by so many.
        """
        allowed = self.seat_counts(options)
        if seats not in allowed:
            raise InvalidSeatCount(seats, allowed=allowed)
        return self.new_game(options, seats)

    def options_schema(self) -> dict[str, Any]:
        """The JSON Schema of the options."""
        return self.options_type.model_json_schema()


@lru_cache(maxsize=1 << 10)
def seat_list(mask: int) -> tuple[Seat, ...]:
    """The seats of a mask, ascending."""
    return tuple(Seat(seat) for seat in range(mask.bit_length()) if mask >> seat & 1)


def _problems(model: type[Options], error: ValidationError) -> list[str]:
    """One sentence a problem, each with what is allowed."""
    problems = []
    for detail in error.errors():
        name = ".".join(str(part) for part in detail["loc"])
        if detail["type"] == "extra_forbidden":
            known = ", ".join(model.model_fields) or "none"
            problems.append(f"unknown option {name!r}; there are: {known}")
        else:
            problems.append(f"option {name!r}: {detail['msg']} (got {detail['input']!r})")
    return problems
