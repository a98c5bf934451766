"""The contract of a position: what every variant's game can be asked.

A `Game` is a mutable position. It does no I/O, reads no clock and holds no randomness: whenever
`CHANCE` is awaited, the host shuffles `Game.deck()` and hands it to `Game.deal`, so a position is
exactly what its log of actions and decks made it.

This file belongs to the compiled unit: typed, no protobuf, no pydantic.
"""

from abc import ABC, abstractmethod
from typing import Final

from mypy_extensions import mypyc_attr

from kozyr.cards import Card
from kozyr.events import Event, Outcome, Seat

CHANCE: Final = Seat(17)
"""The one who shuffles; bit 17 of `Game.waiting`."""

CHANCE_BIT: Final = 1 << 17


@mypyc_attr(allow_interpreted_subclasses=True)
class Game(ABC):
    """A position of one match under one variant's rules and options."""

    @abstractmethod
    def waiting(self) -> int:
        """Who must decide now, as a mask of seats and `CHANCE_BIT`; 0 when the match is over.

        When several seats are in it they decide independently, in any order; what each chose is
        revealed when all have.
        """

    @abstractmethod
    def legal(self, seat: Seat) -> list[int]:
        """The actions that a waiting seat may take, ascending; never empty for a waiting seat."""

    @abstractmethod
    def check(self, seat: Seat, action: int) -> None:
        """Say why an action is not allowed; return when it is in `legal`.

        Raises:
            NotYourTurn: the seat is not waited for.
            IllegalMove: the rules forbid the action; the error names the clause.
        """

    @abstractmethod
    def apply(self, seat: Seat, action: int) -> list[Event]:
        """Take a legal action for a waiting seat and say what happened.

        The caller has checked the action (`check`); an illegal one gives no defined result.
        """

    @abstractmethod
    def deck(self) -> tuple[Card, ...]:
        """The cards to shuffle, in the documented order, when CHANCE is awaited."""

    @abstractmethod
    def deal(self, deck: tuple[Card, ...]) -> list[Event]:
        """Take the shuffled deck, a permutation of `deck()`, and say what happened."""

    @abstractmethod
    def default(self, seat: Seat) -> int:
        """The legal action that is taken for a waiting seat whose time is up."""

    @abstractmethod
    def clone(self) -> "Game":
        """An independent copy."""

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """The total of each seat so far, without the deal under way."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the match ended, None while it goes on."""
