"""One typed interface to a variant's rules, wherever they run.

A referee turns a position and an entry into the next position. What a position is made of is the
referee's own business, but for what came of the last entry: in this process it holds a `Game`;
elsewhere it names a position that a plugin holds.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from kozyr.brain import Decision, Setup
from kozyr.cards import Card
from kozyr.errors import (
    IllegalMove,
    InvalidDeck,
    InvalidSeatCount,
    MatchOver,
    NotYourTurn,
    UnsupportedRules,
)
from kozyr.events import Event, Outcome, Seat
from kozyr.game import CHANCE, CHANCE_BIT, Game
from kozyr.log import Entry, Header
from kozyr.moves import ActionTable
from kozyr.variant import Variant, seat_list


@dataclass(slots=True)
class Step:
    """What came of an entry.

    Attributes:
        events: what happened, in order.
        pending: what the seats must decide now, by seat.
        deck: the cards to shuffle when chance is awaited, else empty.
        scores: totals, by seat.
        outcome: how the match ended, None while it goes on.
    """

    events: Sequence[Event]
    pending: Mapping[Seat, Decision]
    deck: tuple[Card, ...]
    scores: tuple[int, ...]
    outcome: Outcome | None

    def left_to_do(self) -> dict[str, object]:
        """The position as it can be asked: all but what happened, and the names of decisions."""
        return {
            "decisions": {seat: (each.legal, each.default) for seat, each in self.pending.items()},
            "deck": self.deck,
            "scores": self.scores,
            "outcome": self.outcome,
        }


@dataclass(frozen=True, slots=True)
class Offer:
    """A variant that somebody can referee.

    Attributes:
        variant: its short name, like ``odessa``.
        title: its name for people.
        summary: a paragraph for people; may be empty.
        rules_versions: the versions of its rules, ascending; new matches take the last.
        options_schema: the JSON Schema of its options, as plain JSON values.
        seat_counts: how many may play with the default options, ascending.
        samples: whether full positions can be drawn that are consistent with an observation.
    """

    variant: str
    title: str
    summary: str
    rules_versions: tuple[int, ...]
    options_schema: Mapping[str, Any]
    seat_counts: tuple[int, ...]
    samples: bool = False

    @property
    def newest(self) -> int:
        """The rules_version that new matches take."""
        return self.rules_versions[-1]


@dataclass(frozen=True, slots=True)
class Configuration:
    """What some options of a variant come to.

    Attributes:
        options: all options, as plain JSON values.
        seat_counts: how many may play with them, ascending.
        actions: the meaning of every action under them.
        teams: the team of each seat; empty where the number of seats was not given.
    """

    options: Mapping[str, Any]
    seat_counts: tuple[int, ...]
    actions: ActionTable
    teams: tuple[int, ...]


class Position:
    """A position, and what came of the entry that led to it."""

    __slots__ = ("step",)

    def __init__(self, step: Step) -> None:
        self.step = step


class Referee(ABC):
    """Applies one variant's rules, in one version, to matches."""

    @property
    @abstractmethod
    def variant_id(self) -> str:
        """The short name of the variant."""

    @property
    @abstractmethod
    def rules_version(self) -> int:
        """The version of its rules."""

    @property
    @abstractmethod
    def remote(self) -> bool:
        """Whether a call may block and fail: the rules run in another process."""

    @abstractmethod
    def describe(self) -> Offer:
        """What is refereed."""

    @abstractmethod
    def configure(self, options: Mapping[str, Any], seats: int | None = None) -> Configuration:
        """Complete some options and say what follows from them.

        Raises:
            InvalidOptions: a name is unknown or a value is out of range.
            InvalidSeatCount: so many do not play with these options.
        """

    def setup(self, header: Header) -> Setup:
        """What everybody at the table knows before the first card.

        Raises:
            InvalidOptions, InvalidSeatCount: such a match cannot be played.
        """
        configuration = self.configure(header.options, header.seats)
        return Setup(
            variant=header.variant,
            rules_version=header.rules_version,
            options=header.options,
            seats=header.seats,
            teams=configuration.teams,
            actions=configuration.actions,
        )

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

    def follow(self, position: Position, entries: Sequence[Entry]) -> list[Position]:
        """Take entries one after the other: the position after each.

        Raises:
            MatchOver, NotYourTurn, IllegalMove, InvalidDeck: one of them is not possible there.
        """
        positions = []
        for entry in entries:
            position = self.act(position, entry)
            positions.append(position)
        return positions


class LocalReferee(Referee):
    """The rules of a variant in this process."""

    def __init__(self, variant: Variant[Any]) -> None:
        self.variant = variant

    @property
    def variant_id(self) -> str:
        return self.variant.id

    @property
    def rules_version(self) -> int:
        return self.variant.rules_version

    @property
    def remote(self) -> bool:
        return False

    def describe(self) -> Offer:
        variant = self.variant
        return Offer(
            variant=variant.id,
            title=variant.title,
            summary=variant.summary,
            rules_versions=(variant.rules_version,),
            options_schema=variant.options_schema(),
            seat_counts=tuple(variant.seat_counts(variant.parse_options({}))),
        )

    def configure(self, options: Mapping[str, Any], seats: int | None = None) -> Configuration:
        variant = self.variant
        parsed = variant.parse_options(options)
        allowed = tuple(variant.seat_counts(parsed))
        if seats is not None and seats not in allowed:
            raise InvalidSeatCount(seats, allowed=allowed)
        return Configuration(
            options=parsed.model_dump(mode="json"),
            seat_counts=allowed,
            actions=variant.actions(parsed),
            teams=() if seats is None else variant.teams(parsed, seats),
        )

    def begin(self, header: Header) -> Position:
        version = self.variant.rules_version
        if header.rules_version != version:
            raise UnsupportedRules(self.variant.id, wanted=header.rules_version, served=(version,))
        options = self.variant.parse_options(header.options)
        return _LocalPosition(self.variant.start(options, header.seats), [], pending={})

    def act(self, position: Position, entry: Entry) -> Position:
        assert isinstance(position, _LocalPosition), "this referee did not make the position"
        game, step = position.game, position.step
        check_entry(step, entry)
        twin = game.clone()
        if entry.actor == CHANCE:
            events = twin.deal(entry.deck)
        else:
            legal = step.pending[entry.actor].legal
            if entry.action not in legal:
                _explain(game, entry, legal)
            events = twin.apply(entry.actor, entry.action)
        return _LocalPosition(twin, events, pending=_open_decisions(twin, step, entry))


class _LocalPosition(Position):
    """A position in this process."""

    __slots__ = ("game",)

    def __init__(
        self, game: Game, events: list[Event], *, pending: Mapping[Seat, Decision]
    ) -> None:
        self.game = game
        deck = game.deck() if game.waiting() & CHANCE_BIT else ()
        outcome = None if deck or pending else game.outcome()
        super().__init__(Step(events, pending, deck, game.scores(), outcome))


def _open_decisions(game: Game, before: Step, entry: Entry) -> dict[Seat, Decision]:
    """The decisions open after an entry."""
    pending = {}
    waiting = game.waiting()
    for seat in seat_list(waiting) if waiting < CHANCE_BIT else ():
        opened = decision_id(seat, before, entry)
        pending[seat] = Decision(opened, seat, tuple(game.legal(seat)), game.default(seat))
    return pending


def decision_id(seat: Seat, before: Step, entry: Entry) -> int:
    """The name of the decision that a seat has after an entry: the version at which it opened.

    A decision keeps its name while others decide.
    """
    old = before.pending.get(seat)
    return entry.version if old is None or seat == entry.actor else old.id


def check_entry(step: Step, entry: Entry) -> None:
    """Check what needs no rules: whose turn it is, and what there is to shuffle.

    Raises:
        MatchOver, NotYourTurn, InvalidDeck: the entry is not possible after that step.
    """
    if entry.actor != CHANCE:
        if entry.actor not in step.pending:
            raise _out_of_turn(step, entry.actor)
    elif not step.deck:
        raise _out_of_turn(step, CHANCE)
    elif sorted(entry.deck) != sorted(step.deck):
        raise InvalidDeck("the deck is not a permutation of the cards to shuffle")


def _out_of_turn(step: Step, actor: Seat) -> MatchOver | NotYourTurn:
    if step.outcome is not None:
        return MatchOver()
    return NotYourTurn(actor, waiting=sorted(step.pending) or [CHANCE])


def _explain(game: Game, entry: Entry, legal: tuple[int, ...]) -> NoReturn:
    """Raise what the rules say against an action that is not legal."""
    try:
        game.check(entry.actor, entry.action)
    except IllegalMove as error:
        raise IllegalMove(error.message, clause=error.clause, legal=legal) from None
    raise AssertionError(f"the rules do not list action {entry.action} and do not refuse it")
