"""Random matches of Maverick, step by step, with the umpire looking on."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kozyr.events import WATCHER, Seat
from kozyr.game import CHANCE, CHANCE_BIT, Game
from kozyr.moves import ActionTable, parse_move
from kozyr_maverick import MaverickVariant
from tests.odessa_walk import Step, redo
from tests.oracle_maverick import MaverickUmpire, whole_truth

__all__ = ["VIEWERS", "MaverickMatch", "Moment", "Step", "hear", "redo", "steps_of", "walk"]

MAVERICK = MaverickVariant()

VIEWERS = [*map(Seat, range(4)), WATCHER]

DEAL_STEPS_MAX = 1 + 8 + 8 + 52 + 39
"""The shuffle, two rounds of bets, the exchange, the cards, and one revoke of whoever follows."""


@dataclass(frozen=True)
class MaverickMatch:
    """A random match before it begins.

    Attributes:
        options: the options given, the rest by default.
        seed: of the shuffles, of the moves, and of which seat is the first to choose.
        recklessness: the chance that a move is any that the table accepts, revokes too, instead
            of one that keeps the rules.
    """

    options: dict[str, Any]
    seed: int
    recklessness: float = 0.0

    def start(self) -> Game:
        """A new game of this match."""
        return MAVERICK.start(MAVERICK.parse_options(self.options), 4)

    def actions(self) -> ActionTable:
        """What the action numbers mean."""
        return MAVERICK.actions(MAVERICK.parse_options(self.options))

    def umpire(self) -> MaverickUmpire:
        """A new umpire of this match."""
        return MaverickUmpire(self.options)


@dataclass(frozen=True)
class Moment:
    """The position after a step; ``game`` and ``umpire`` are live and move on with the walk."""

    step: Step
    game: Game
    umpire: MaverickUmpire


def hear(umpire: MaverickUmpire, step: Step) -> None:
    """Let the umpire read all that happened in a step."""
    for event in step.events:
        umpire.hear(whole_truth(event))


def walk(match: MaverickMatch) -> Iterator[Moment]:
    """Play a random match to its end; stop with an error if it does not end."""
    rng = random.Random(match.seed)
    game, actions, umpire = match.start(), match.actions(), match.umpire()
    for _ in range(1 + umpire.options["max_deals"] * DEAL_STEPS_MAX):
        if not game.waiting():
            return
        step = _random_step(game, umpire, actions, match.recklessness, rng)
        hear(umpire, step)
        yield Moment(step, game, umpire)
    assert not game.waiting(), "the match does not end"


def steps_of(match: MaverickMatch) -> Sequence[Step]:
    """The log of a whole random match."""
    return [moment.step for moment in walk(match)]


def _random_step(
    game: Game,
    umpire: MaverickUmpire,
    actions: ActionTable,
    recklessness: float,
    rng: random.Random,
) -> Step:
    if game.waiting() == CHANCE_BIT:
        cards = list(game.deck())
        rng.shuffle(cards)
        deck = tuple(cards)
        return Step(CHANCE, 0, deck, game.deal(deck))
    seat = Seat(rng.choice(sorted(umpire.deciding)))
    moves = umpire.allowed(seat) if rng.random() < recklessness else umpire.lawful(seat)
    action = actions.number(parse_move(rng.choice(sorted(moves))))
    return Step(seat, action, (), game.apply(seat, action))
