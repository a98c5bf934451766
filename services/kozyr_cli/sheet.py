"""The score sheet of a match, deal by deal, as it is kept on paper.

A cell reads ``2/3 -10 45``: tricks taken, tricks bid, the score of the deal, the new total. A bid
of ``–`` is a pass, and one with a small circle, ``3°``, was made in the dark. Where the screen is
narrow the score is left out: ``2/3 45``. A bet stands where a bid would, like ``0/zero +12 30``.
In a deal under way the points of one's tricks stand behind their number, where the game counts
them: ``3 +5``.

Suits are the trump, and behind it the summator where there is one: ``♥ Σ♠``.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from kozyr.cards import NO_SUIT, Suit
from kozyr.events import WATCHER, BidMade, DealBegan, DealScored, Payload, Seat
from kozyr.moves import Bet
from kozyr.observation import Observation, SheetRow
from kozyr_cli.telling import signs, suit_sign

WIDE_COLUMNS: Final = 1_000
"""Wider than any sheet."""

OTHER_LINES: Final = 7
"""What stands above and below the finished deals."""


class DealFacts(NamedTuple):
    """What a sheet keeps of a deal beside the row of the observation's sheet."""

    trump: Suit | None
    summator: Suit | None
    bids: tuple[BidMade | None, ...]
    bets: tuple[Bet | None, ...]


class ScoreSheet:
    """What a spectator has heard of a match, drawn as a sheet."""

    def __init__(self, title: str, players: Sequence[str]) -> None:
        self.title = title
        self.players = players
        self.observation = Observation.empty(WATCHER, len(players))
        self._facts: list[DealFacts] = []
        """The facts of each row of the observation's sheet."""

    def hear(self, payload: Payload) -> None:
        """Fold in the next thing that a spectator sees."""
        self.observation.hear(payload)
        if isinstance(payload, DealScored):
            self._facts.append(self._known())

    @property
    def last_deal(self) -> str:
        """The deal scored last, as one line."""
        row = self.observation.sheet[-1]
        count = f" of {row.deal.deal_count}" if row.deal.deal_count else ""
        cells = [
            f"{player} {_cell(row, self._facts[-1], Seat(seat), scores=True).plain}"
            for seat, player in enumerate(self.players)
        ]
        title = f"deal {row.deal.index + 1}{count}: {_cards(row.deal)} {_suits(self._facts[-1])}"
        return " | ".join([title.rstrip(), *cells])

    def draw(self, console: Console) -> RenderableType:
        """The sheet as far as it fits the screen: without its oldest deals if need be.

        The last row is the deal under way.
        """
        table = self._table(console.height - OTHER_LINES, scores=True)
        wide = console.options.update(max_width=WIDE_COLUMNS)
        if console.measure(table, options=wide).maximum > console.width:
            table = self._table(console.height - OTHER_LINES, scores=False)
        played = signs(
            [play.card for play in self.observation.trick or self.observation.last_trick]
        )
        return Group(table, Text(f"on the table: {played}"))

    def _table(self, deals_max: int, *, scores: bool) -> Table:
        seen = self.observation
        table = Table(
            title=self._title(),
            title_justify="left",
            box=SIMPLE_HEAD,
            padding=(0, 1, 0, 0),
            pad_edge=False,
        )
        for heading in ("deal", "cards", "trump", *self.players):
            table.add_column(Text(heading), justify="right", no_wrap=True)
        finished = list(zip(seen.sheet, self._facts, strict=True))
        for row, facts in finished[-max(1, deals_max) :]:
            cells = [_cell(row, facts, Seat(seat), scores=scores) for seat in range(seen.seats)]
            table.add_row(*_head(row.deal, facts), *cells)
        if seen.deal is not None and not (seen.sheet and seen.sheet[-1].deal is seen.deal):
            counts = [Text(self._count(Seat(seat))) for seat in range(seen.seats)]
            table.add_row(*_head(seen.deal, self._known()), *counts, style="cyan")
        return table

    def _known(self) -> DealFacts:
        seen = self.observation
        return DealFacts(seen.trump, seen.summator, tuple(seen.bids), tuple(seen.bets))

    def _title(self) -> str:
        deal = self.observation.deal
        if deal is None or not deal.deal_count:
            return self.title
        return f"{self.title}, deal {deal.index + 1} of {deal.deal_count}"

    def _count(self, seat: Seat) -> str:
        seen = self.observation
        bid, bet = seen.bids[seat], seen.bets[seat]
        tricks, points = seen.tricks[seat], seen.points[seat]
        if bid is None and not bet and not tricks:
            return "·"
        counts = _counts(tricks, bid, bet)
        return f"{counts} {points:+d}" if points else counts


def _cell(row: SheetRow, facts: DealFacts, seat: Seat, *, scores: bool) -> Text:
    score, total = row.scored.scores[seat], row.scored.totals[seat]
    counts = _counts(row.tricks[seat], facts.bids[seat], facts.bets[seat])
    words = [counts, *([f"{score:+d}"] if scores else [])]
    style = "red" if score < 0 else "green" if row.tricks[seat] == row.bids[seat] else ""
    return Text(f"{' '.join(words)} {total:>3}", style)


def _counts(tricks: int, bid: BidMade | None, bet: Bet | None) -> str:
    if bet:
        return f"{tricks}/{bet.name.lower()}"
    if bid is None:
        return f"{tricks}"
    return f"{tricks}/{bid.count or '–'}{'°' if bid.dark else ''}"


def _head(deal: DealBegan, facts: DealFacts) -> tuple[str, str, str]:
    return str(deal.index + 1), _cards(deal), _suits(facts)


def _cards(deal: DealBegan) -> str:
    kind = "" if deal.kind == "regular" else f" {deal.kind.replace('_', '-')}"
    multiplier = "" if deal.multiplier == 1 else f" ×{deal.multiplier}"
    return f"{deal.hand_size}{kind}{multiplier}"


def _suits(facts: DealFacts) -> str:
    trump = facts.trump
    summator = "" if facts.summator is None else f" Σ{suit_sign(facts.summator)}"
    if trump is None:
        return summator.strip()
    return ("NT" if trump == NO_SUIT else suit_sign(trump)) + summator
