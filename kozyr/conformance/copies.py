"""Checks of `Game.clone`: a copy and its original go their own ways."""

import random
from collections import deque
from typing import Any, Final

from kozyr.conformance.exam import Exam
from kozyr.conformance.playthrough import redo
from kozyr.conformance.verdicts import require
from kozyr.game import CHANCE_BIT, Game
from kozyr.variant import seat_list

CLONES: Final = 20
"""How many copies are made of the positions of each match."""

ENTRIES_AFTER: Final = 6
"""How many entries a copy is played on."""


def clones(exam: Exam) -> None:
    """A copy can be played on without a trace in its original, and follows it when it is told."""
    variant, rng = exam.variant, exam.rng("clones")
    for match in exam.matches:
        options = variant.parse_options(match.case.configuration.options)
        game = variant.start(options, match.case.seats)
        moments = {rng.randrange(match.version + 1) for _ in range(CLONES)}
        followers: deque[Game] = deque(maxlen=2)
        for version, entry in enumerate(match.entries):
            where = match.where(version)
            if version in moments:
                before = answers(game)
                followers.append(game.clone())
                _play_somehow(game.clone(), rng)
                require(answers(game) == before, f"{where}: a copy was played on, and it shows")
            told = redo(game, entry)
            for follower in followers:
                again = redo(follower, entry)
                require(again == told, f"{where}: a copy says {again}, its original {told}")
                same = answers(follower) == answers(game)
                require(same, f"{where}: a copy that did the same is not in the same position")


def answers(game: Game) -> tuple[Any, ...]:
    """Everything that a position can be asked."""
    waiting = game.waiting()
    if waiting & CHANCE_BIT:
        return waiting, game.deck(), game.scores(), game.outcome()
    choices = {seat: (game.legal(seat), game.default(seat)) for seat in seat_list(waiting)}
    return waiting, choices, game.scores(), game.outcome()


def _play_somehow(game: Game, rng: random.Random) -> None:
    for _ in range(ENTRIES_AFTER):
        waiting = game.waiting()
        if not waiting:
            return
        if waiting & CHANCE_BIT:
            cards = game.deck()
            game.deal(tuple(rng.sample(cards, len(cards))))
        else:
            seat = rng.choice(seat_list(waiting))
            game.apply(seat, rng.choice(game.legal(seat)))
