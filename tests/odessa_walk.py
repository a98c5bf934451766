"""Random matches of Odessa and its kin, step by step, with the umpire looking on."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kozyr.cards import Card
from kozyr.events import Event, Seat
from kozyr.game import CHANCE, CHANCE_BIT, Game
from kozyr.moves import ActionTable, parse_move
from kozyr.variant import Variant, seat_list
from kozyr_odessa import OdessaVariant
from tests.oracle_odessa import REPLAYS_MAX, Umpire, truth

ODESSA = OdessaVariant()


@dataclass(frozen=True)
class RandomMatch:
    """A random match before it begins.

    Attributes:
        options: the options given, the rest by default.
        seed: of the shuffles and of the moves.
        recklessness: the chance that a move is any that the table accepts, revokes too, instead
            of one that keeps the rules.
        variant: the game that is played.
        umpire_type: who knows its rules.
    """

    options: dict[str, Any]
    seats: int
    seed: int
    recklessness: float = 0.0
    variant: Variant[Any] = ODESSA
    umpire_type: type[Umpire] = Umpire

    def start(self) -> Game:
        """A new game of this match."""
        return self.variant.start(self.variant.parse_options(self.options), self.seats)

    def actions(self) -> ActionTable:
        """What the action numbers mean."""
        return self.variant.actions(self.variant.parse_options(self.options))

    def umpire(self) -> Umpire:
        """A new umpire of this match."""
        return self.umpire_type(self.options, self.seats)


@dataclass(frozen=True)
class Step:
    """One entry of the log: an action, or a deck when ``seat`` is CHANCE; and what came of it."""

    seat: Seat
    action: int
    deck: tuple[Card, ...]
    events: list[Event]


@dataclass(frozen=True)
class Moment:
    """The position after a step; ``game`` and ``umpire`` are live and move on with the walk."""

    step: Step
    game: Game
    umpire: Umpire


def redo(game: Game, step: Step) -> list[Event]:
    """Take a logged step in another game."""
    if step.seat == CHANCE:
        return game.deal(step.deck)
    return game.apply(step.seat, step.action)


def walk(match: RandomMatch) -> Iterator[Moment]:
    """Play a random match to its end; stop with an error if it does not end."""
    rng = random.Random(match.seed)
    game, actions = match.start(), match.actions()
    umpire = match.umpire()
    for _ in range(steps_max(umpire)):
        waiting = game.waiting()
        if not waiting:
            return
        step = _random_step(game, waiting, umpire, actions, match.recklessness, rng)
        for event in step.events:
            umpire.hear(truth(event))
        yield Moment(step, game, umpire)
    assert not game.waiting(), "the match does not end"


def steps_max(umpire: Umpire) -> int:
    """More steps than a match can have: the lot, and every deal with all its replays."""
    sizes = [size for _, size in umpire.schedule]
    return 1 + sum((1 + REPLAYS_MAX) * (2 + umpire.seats * (2 + size)) for size in sizes)


def steps_of(match: RandomMatch) -> Sequence[Step]:
    """The log of a whole random match."""
    return [moment.step for moment in walk(match)]


def _random_step(
    game: Game,
    waiting: int,
    umpire: Umpire,
    actions: ActionTable,
    recklessness: float,
    rng: random.Random,
) -> Step:
    if waiting == CHANCE_BIT:
        cards = list(game.deck())
        rng.shuffle(cards)
        deck = tuple(cards)
        return Step(CHANCE, 0, deck, game.deal(deck))
    [seat] = seat_list(waiting)
    texts = umpire.allowed() if rng.random() < recklessness else umpire.lawful()
    action = actions.number(parse_move(rng.choice(sorted(texts))))
    return Step(seat, action, (), game.apply(seat, action))
