"""The deals whose trees are counted: read from this folder's files, and written back.

A file is named for its variant and holds tables ``[[deal]]``:

- ``what``: why the deal is there;
- ``like``: the deal (by its ``what``) from which all is taken that is not said anew;
- ``options``: those that are not as by default;
- ``deal``: which deal of the match it is, from 1 (by default the first); those before it are
  played anyhow;
- ``hands``: the cards of each seat, seat 0 first. The last seat deals, so that seat 0 is always the
  first to bid and to lead. A hand that is too short is filled up with what is left of the pack;
- ``open``: the cards that lie open beside the hands;
- ``bids``, then ``moves``: what is done before the counting begins, separated by commas or lines;
- ``depth``: how many decisions deep the tree is counted, where the whole of it is too large;
- ``nodes``, ``plays`` and ``scores``: what comes out, see `tests.perft.counting.Count`. These are
  written by ``python -m tests.perft regenerate``.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kozyr.cards import ACE, HEARTS, Card, card, parse_cards
from kozyr.events import DealBegan, Event, Seat
from kozyr.game import CHANCE_BIT, Game
from kozyr.moves import parse_move
from kozyr.plugins import load_variant
from kozyr.variant import Variant, seat_list
from tests.perft.counting import DEPTH_MAX, Count, count_deal, deal_if_due

FOLDER = Path(__file__).parent

_HEADER = "[[deal]]\n"
_RESULT = re.compile(r"^(nodes|plays|scores) = .*\n", re.MULTILINE)


@dataclass(frozen=True)
class CountedDeal:
    """One table of a file."""

    variant: Variant[Any]
    what: str
    hands: list[str]
    options: dict[str, Any] = field(default_factory=dict)
    deal: int = 1
    open: str = ""
    bids: str = ""
    moves: str = ""
    depth: int = DEPTH_MAX
    nodes: list[int] = field(default_factory=list)
    plays: int = 0
    scores: list[int] = field(default_factory=list)

    @property
    def written(self) -> Count:
        """What the file says."""
        return Count(self.nodes, self.plays, self.scores)

    def count(self) -> Count:
        """What comes out now."""
        return count_deal(*self.position(), depth_max=self.depth)

    def position(self) -> tuple[Game, tuple[Card, ...]]:
        """The game where the counting begins, and the deck of the deal."""
        options = self.variant.parse_options(self.options)
        game, actions = self.variant.start(options, self.seats), self.variant.actions(options)
        began = _play_up_to(game, self.deal, seats=self.seats)
        deck = self._deck(game, began.hand_size)
        for text in filter(str.strip, re.split(r"[,\n]", f"{self.bids}\n{self.moves}")):
            deal_if_due(game, deck)
            action = actions.number(parse_move(text))
            [seat, *_] = seat_list(game.waiting())
            game.check(seat, action)
            game.apply(seat, action)
        return game, deck

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.hands)

    def _deck(self, game: Game, hand_size: int) -> tuple[Card, ...]:
        """The pack, stacked so that these hands are dealt and these cards lie open."""
        hands = [list(parse_cards(hand)) for hand in self.hands]
        opened = parse_cards(self.open)
        rest = _pack_of(game)
        for each in (*opened, *(each for hand in hands for each in hand)):
            rest.remove(each)
        for hand in hands:
            while len(hand) < hand_size:
                hand.append(rest.pop(0))
        dealt = [hand[turn] for turn in range(hand_size) for hand in hands]
        return (*dealt, *opened, *rest)


def _pack_of(game: Game) -> list[Card]:
    """The pack of a deal that may have to be bid before it is dealt."""
    ahead = game.clone()
    while ahead.waiting() != CHANCE_BIT:
        [seat, *_] = seat_list(ahead.waiting())
        ahead.apply(seat, ahead.default(seat))
    return list(ahead.deck())


def _play_up_to(game: Game, number: int, *, seats: int) -> DealBegan:
    """Let the last seat deal this deal, and play those before it anyhow."""
    lot = list(game.deck())
    lot.remove(card(HEARTS, ACE))
    lot.insert((seats - number) % seats, card(HEARTS, ACE))
    events = game.deal(tuple(lot))
    while not (began := [deal for deal in _deals_begun(events) if deal.index == number - 1]):
        if game.waiting() == CHANCE_BIT:
            events = game.deal(game.deck())
        else:
            [seat, *_] = seat_list(game.waiting())
            events = game.apply(seat, game.default(seat))
    [deal] = began
    assert deal.dealer == Seat(seats - 1)
    return deal


def _deals_begun(events: list[Event]) -> Iterator[DealBegan]:
    for event in events:
        for _, payload in event.faces:
            if isinstance(payload, DealBegan):
                yield payload


# The files.


def files() -> list[Path]:
    """All files of counts."""
    return sorted(FOLDER.glob("*.toml"))


def counted_deals(path: Path) -> list[CountedDeal]:
    """The deals of a file."""
    variant = load_variant(path.stem)
    deals: dict[str, CountedDeal] = {}
    for table in tomllib.loads(path.read_text(encoding="utf-8"))["deal"]:
        model = deals.get(table.pop("like", ""))
        said = {"nodes": [], "plays": 0, "scores": []} | table
        deal = replace(model, **said) if model else CountedDeal(variant=variant, **said)
        assert deal.what not in deals
        deals[deal.what] = deal
    return list(deals.values())


def regenerated(path: Path) -> str:
    """A file with its counts as they come out now; everything else as it is."""
    top, *blocks = path.read_text(encoding="utf-8").split(_HEADER)
    deals = counted_deals(path)
    written = [
        _with_results(block, deal.count()) for block, deal in zip(blocks, deals, strict=True)
    ]
    return "\n".join([top.rstrip("\n") + "\n", *written])


def _with_results(block: str, count: Count) -> str:
    results = f"nodes = {count.nodes}\n"
    if count.plays:
        results += f"plays = {count.plays}\nscores = {count.scores}\n"
    return _HEADER + _RESULT.sub("", block).rstrip("\n") + "\n" + results
