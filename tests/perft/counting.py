"""Counting all the ways in which one deal can be played.

This is what chess programmers call perft: a tree of moves is so large that a wrong rule can hardly
leave its numbers as they are, and so plain that small ones can be worked out by hand.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from kozyr.cards import Card
from kozyr.events import DealScored, Event, Seat
from kozyr.game import CHANCE_BIT, Game
from kozyr.variant import seat_list

DEPTH_MAX = 1_000
"""More decisions than a deal has."""


@dataclass
class Count:
    """What was counted of one deal.

    Attributes:
        nodes: how many positions are one decision deep, two, three, and so on; a deal that is
            over grows no deeper.
        plays: how many ways to play the deal lead to its end.
        scores: what each seat scores in all of these together; empty where there are none.
    """

    nodes: list[int] = field(default_factory=list)
    plays: int = 0
    scores: list[int] = field(default_factory=list)

    def add(self, scores: tuple[int, ...]) -> None:
        """Count a way to play the deal with what comes of it."""
        self.plays += 1
        before = self.scores or [0] * len(scores)
        self.scores = [total + score for total, score in zip(before, scores, strict=True)]


def count_deal(
    game: Game,
    deck: tuple[Card, ...],
    *,
    depth_max: int = DEPTH_MAX,
    first: Callable[[Sequence[Seat]], Seat] = min,
) -> Count:
    """Count the tree of all decisions from here to the end of the deal.

    Args:
        game: is left as it was.
        deck: what the deal is dealt from, if that is yet to be done.
        depth_max: how many decisions deep the tree may grow.
        first: which of several seats that decide at once is asked first; the tree is the same.
    """
    count = Count()

    def grow(position: Game, depth: int) -> None:
        if depth == depth_max:
            return
        if depth == len(count.nodes):
            count.nodes.append(0)
        seat = first(seat_list(position.waiting()))
        for action in position.legal(seat):
            count.nodes[depth] += 1
            child = position.clone()
            scores = scores_of(child.apply(seat, action))
            if scores is None:
                deal_if_due(child, deck)
                grow(child, depth + 1)
            else:
                count.add(scores)

    root = game.clone()
    deal_if_due(root, deck)
    grow(root, 0)
    return count


def deal_if_due(game: Game, deck: tuple[Card, ...]) -> None:
    """Hand the deck out where the game waits for it."""
    if game.waiting() == CHANCE_BIT:
        game.deal(deck)


def scores_of(events: list[Event]) -> tuple[int, ...] | None:
    """What the seats score, if the deal is over with these events."""
    for event in events:
        [payload, *_] = (payload for _, payload in event.faces)
        if isinstance(payload, DealScored):
            return payload.scores
    return None
