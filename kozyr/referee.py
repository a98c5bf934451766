"""One typed interface to a variant's rules, wherever they run.

A referee turns a state and an entry into the next state and what came of it. What a state is, is
the referee's own business: in this process it is a `Game`; elsewhere it names a position that a
plugin holds.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from kozyr.brain import Setup
from kozyr.cards import Card
from kozyr.errors import IllegalMove, InvalidDeck, MatchOver, NotYourTurn, UnsupportedRules
from kozyr.events import Event, Outcome, Seat
from kozyr.game import CHANCE, CHANCE_BIT, Game
from kozyr.log import Entry, Header
from kozyr.variant import Variant, seat_list

State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a waiting seat may do: its legal actions, ascending, and the default of them."""

    legal: tuple[int, ...]
    default: int


@dataclass(frozen=True, slots=True)
class Step:
    """What came of an entry.

    Attributes:
        events: what happened, in order.
        choices: the seats that must decide now.
        deck: the cards to shuffle when chance is awaited, else empty.
        scores: totals, by seat.
        outcome: how the match ended, None while it goes on.
    """

    events: tuple[Event, ...]
    choices: Mapping[Seat, Choice]
    deck: tuple[Card, ...]
    scores: tuple[int, ...]
    outcome: Outcome | None


class Referee(ABC, Generic[State]):
    """Applies one variant's rules to matches."""

    @abstractmethod
    def setup(self, header: Header) -> Setup:
        """What everybody at the table knows before the first card."""

    @abstractmethod
    def begin(self, header: Header) -> tuple[State, Step]:
        """Open a match.

        Raises:
            UnsupportedRules: the header's rules_version is not served.
            InvalidOptions, InvalidSeatCount: such a match cannot be played.
        """

    @abstractmethod
    def act(self, state: State, entry: Entry) -> tuple[State, Step]:
        """Take an entry; the state given is left as it was.

        Raises:
            MatchOver, NotYourTurn, IllegalMove, InvalidDeck: the entry is not possible here.
        """


class LocalReferee(Referee[Game]):
    """The rules of a variant in this process."""

    def __init__(self, variant: Variant[Any]) -> None:
        self.variant = variant

    def setup(self, header: Header) -> Setup:
        options = self.variant.parse_options(header.options)
        return Setup(
            variant=header.variant,
            rules_version=header.rules_version,
            options=header.options,
            seats=header.seats,
            teams=self.variant.teams(options, header.seats),
            actions=self.variant.actions(options),
        )

    def begin(self, header: Header) -> tuple[Game, Step]:
        version = self.variant.rules_version
        if header.rules_version != version:
            raise UnsupportedRules(self.variant.id, wanted=header.rules_version, served=(version,))
        options = self.variant.parse_options(header.options)
        game = self.variant.start(options, header.seats)
        return game, _step_of(game, [])

    def act(self, state: Game, entry: Entry) -> tuple[Game, Step]:
        waiting = state.waiting()
        if not waiting:
            raise MatchOver
        if not waiting >> entry.actor & 1:
            raise NotYourTurn(entry.actor, waiting=seat_list(waiting))
        game = state.clone()
        if entry.actor == CHANCE:
            if sorted(entry.deck) != sorted(state.deck()):
                raise InvalidDeck("the deck is not a permutation of the cards to shuffle")
            return game, _step_of(game, game.deal(entry.deck))
        try:
            state.check(entry.actor, entry.action)
        except IllegalMove as error:
            legal = state.legal(entry.actor)
            raise IllegalMove(error.message, clause=error.clause, legal=legal) from None
        return game, _step_of(game, game.apply(entry.actor, entry.action))


def _step_of(game: Game, events: list[Event]) -> Step:
    waiting = game.waiting()
    if waiting & CHANCE_BIT:
        return Step(tuple(events), {}, game.deck(), game.scores(), None)
    choices = {
        seat: Choice(tuple(game.legal(seat)), game.default(seat)) for seat in seat_list(waiting)
    }
    outcome = None if waiting else game.outcome()
    return Step(tuple(events), choices, (), game.scores(), outcome)
