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
from kozyr.errors import IllegalMove, InvalidDeck, MatchOver, NotYourTurn, UnsupportedRules
from kozyr.events import Event, Outcome, Seat
from kozyr.game import CHANCE, CHANCE_BIT, Game
from kozyr.log import Entry, Header
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
        return _LocalPosition(self.variant.start(options, header.seats), [], pending={})

    def act(self, position: Position, entry: Entry) -> Position:
        assert isinstance(position, _LocalPosition), "this referee did not make the position"
        game, step = position.game, position.step
        if entry.actor == CHANCE:
            _check_deck(step, entry.deck)
            twin = game.clone()
            events = twin.deal(entry.deck)
        else:
            decision = step.pending.get(entry.actor)
            if decision is None:
                raise _out_of_turn(step, entry.actor)
            if entry.action not in decision.legal:
                _explain(game, entry, decision.legal)
            twin = game.clone()
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
    """The decisions open after an entry.

    A decision is named by the version at which it opened, and keeps its name while others decide.
    """
    pending = {}
    waiting = game.waiting()
    for seat in seat_list(waiting) if waiting < CHANCE_BIT else ():
        old = before.pending.get(seat)
        opened = entry.version if old is None or seat == entry.actor else old.id
        pending[seat] = Decision(opened, seat, tuple(game.legal(seat)), game.default(seat))
    return pending


def _check_deck(step: Step, deck: tuple[Card, ...]) -> None:
    if not step.deck:
        raise _out_of_turn(step, CHANCE)
    if sorted(deck) != sorted(step.deck):
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
