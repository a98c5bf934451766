"""One typed interface to a variant's rules, wherever they run.

A referee turns a position and an entry into the next position. What a position is made of is the
referee's own business, but for what came of the last entry: in this process it holds a `Game`;
elsewhere it names a position that a plugin holds.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from kozyr.brain import Setup
from kozyr.cards import Card
from kozyr.errors import IllegalMove, InvalidDeck, MatchOver, NotYourTurn, UnsupportedRules
from kozyr.events import Event, Outcome, Seat
from kozyr.game import CHANCE, CHANCE_BIT, Game
from kozyr.log import Entry, Header
from kozyr.variant import Variant, seat_list


@dataclass(slots=True)
class Choice:
    """What a waiting seat may do: its legal actions, ascending, and the default of them."""

    legal: tuple[int, ...]
    default: int


@dataclass(slots=True)
class Step:
    """What came of an entry.

    Attributes:
        events: what happened, in order.
        choices: the seats that must decide now.
        deck: the cards to shuffle when chance is awaited, else empty.
        scores: totals, by seat.
        outcome: how the match ended, None while it goes on.
    """

    events: Sequence[Event]
    choices: Mapping[Seat, Choice]
    deck: tuple[Card, ...]
    scores: tuple[int, ...]
    outcome: Outcome | None


class Position:
    """A position, and what came of the entry that led to it."""

    __slots__ = ("step",)

    def __init__(self, step: Step) -> None:
        self.step = step


class Referee(ABC):
    """Applies one variant's rules to matches."""

    @abstractmethod
    def setup(self, header: Header) -> Setup:
        """What everybody at the table knows before the first card."""

    @abstractmethod
    def begin(self, header: Header) -> Position:
        """Open a match.

        Raises:
            UnsupportedRules: the header's rules_version is not served.
            InvalidOptions, InvalidSeatCount: such a match cannot be played.
        """

    @abstractmethod
    def act(self, position: Position, entry: Entry) -> Position:
        """Take an entry; the position given is left as it was.

        Raises:
            MatchOver, NotYourTurn, IllegalMove, InvalidDeck: the entry is not possible here.
        """


class LocalReferee(Referee):
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

    def begin(self, header: Header) -> Position:
        version = self.variant.rules_version
        if header.rules_version != version:
            raise UnsupportedRules(self.variant.id, wanted=header.rules_version, served=(version,))
        options = self.variant.parse_options(header.options)
        return _LocalPosition(self.variant.start(options, header.seats), [])

    def act(self, position: Position, entry: Entry) -> Position:
        assert isinstance(position, _LocalPosition), "this referee did not make the position"
        game = position.game
        if entry.actor == CHANCE:
            _check_deck(position.step, entry.deck)
            twin = game.clone()
            return _LocalPosition(twin, twin.deal(entry.deck))
        choice = position.step.choices.get(entry.actor)
        if choice is None:
            raise _out_of_turn(position.step, entry.actor)
        if entry.action not in choice.legal:
            _explain(game, entry, choice.legal)
        twin = game.clone()
        return _LocalPosition(twin, twin.apply(entry.actor, entry.action))


class _LocalPosition(Position):
    """A position in this process."""

    __slots__ = ("game",)

    def __init__(self, game: Game, events: list[Event]) -> None:
        self.game = game
        waiting = game.waiting()
        choices = {}
        deck: tuple[Card, ...] = ()
        if waiting & CHANCE_BIT:
            deck = game.deck()
        else:
            for seat in seat_list(waiting):
                choices[seat] = Choice(tuple(game.legal(seat)), game.default(seat))
        outcome = None if waiting else game.outcome()
        super().__init__(Step(events, choices, deck, game.scores(), outcome))


def _check_deck(step: Step, deck: tuple[Card, ...]) -> None:
    if not step.deck:
        raise _out_of_turn(step, CHANCE)
    if sorted(deck) != sorted(step.deck):
        raise InvalidDeck("the deck is not a permutation of the cards to shuffle")


def _out_of_turn(step: Step, actor: Seat) -> MatchOver | NotYourTurn:
    if step.outcome is not None:
        return MatchOver()
    return NotYourTurn(actor, waiting=sorted(step.choices) or [CHANCE])


def _explain(game: Game, entry: Entry, legal: tuple[int, ...]) -> NoReturn:
    """Raise what the rules say against an action that is not legal."""
    try:
        game.check(entry.actor, entry.action)
    except IllegalMove as error:
        raise IllegalMove(error.message, clause=error.clause, legal=legal) from None
    raise AssertionError(f"the rules do not list action {entry.action} and do not refuse it")
