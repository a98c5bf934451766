"""What is kept in Redis, as values and as the texts that Redis holds."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from kozyr.brain import Decision
from kozyr.cards import Card
from kozyr.events import Seat
from kozyr.game import CHANCE
from kozyr.log import Cause, Entry, Header
from kozyr.match import Advance
from kozyr_table.clock import ClockRule, SeatClock
from kozyr_table.keys import TableKeys, TableName
from kozyr_table.room import Room, TableInfo

_NO_CLOCK: Final = SeatClock()
"""The clock of chance."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as Redis has it.

    Attributes:
        since: the version that the entries follow, 0 for the whole log.
        head: the position after the last entry; empty before the match has begun.
        pauses: how often the match was stopped and went on.
    """

    info: TableInfo
    room: Room
    created_at_ms: int
    seed: bytes
    header: Header | None
    clocks: Mapping[Seat, SeatClock]
    entries: tuple[Entry, ...]
    since: int
    head: str
    pauses: int = 0


@dataclass(slots=True)
class Append:
    """Moves to append to one table's log.

    Attributes:
        keys: the table.
        head: the position they follow, as `head_text` writes it.
        pauses: how often the match was stopped before.
        advance: what they are and lead to.
        epoch: of the controller of the seat that acts.
        timeout: whether the clock acts for it.
        rule: the table's clock.
        clocks: each seat's clock at the head.
        score: where the table stands among the deadlines, 0 for nowhere.
        opened: the decisions that open with it, in the order of the reply's clocks.
        head_after: the position they lead to.
    """

    keys: TableKeys
    head: str
    pauses: int
    advance: Advance
    epoch: int
    timeout: bool
    rule: ClockRule
    clocks: Mapping[Seat, SeatClock]
    score: int
    opened: list[Decision] = field(init=False)
    head_after: str = field(init=False)

    def __post_init__(self) -> None:
        first, last = self.advance.entries[0], self.advance.entries[-1]
        pending = self.advance.pending
        self.opened = [each for each in pending.values() if each.id >= first.version]
        self.head_after = head_text(last.version, last.digest)

    def arguments(self) -> list[str | int]:
        """The append as the script takes it."""
        advance, opened, clocks = self.advance, self.opened, self.clocks
        entries = advance.entries
        actor = entries[0].actor
        clock = clocks.get(actor, _NO_CLOCK)
        going_on = 0
        if len(opened) < len(advance.pending):
            going_on = earliest(
                clocks[seat] for seat, each in advance.pending.items() if each not in opened
            )
        arguments: list[str | int] = [
            self.keys.name,
            self.head,
            self.pauses,
            self.head_after,
            actor,
            self.epoch,
            "T" if self.timeout else "",
            "" if advance.last.outcome is None else "O",
            self.rule.letter,
            self.rule.extra_ms,
            clock.deadline_ms,
            clock.bank_ms,
            clock.since_ms,
            going_on,
            self.score,
            len(entries),
        ]
        arguments += [entry_text(entry) for entry in entries]
        arguments.append(len(opened))
        for decision in opened:
            seat = decision.seat
            arguments += (seat, decision.id, clocks[seat].bank_ms)
        return arguments


@dataclass(frozen=True, slots=True)
class AppendReply:
    """What became of an append.

    Attributes:
        verdict: ``ok``, ``conflict``, ``missing``, ``status``, ``epoch``, ``late`` or ``early``.
        at_ms: when it was appended.
        clocks: deadline and bank of each decision opened, in milliseconds.
    """

    verdict: str
    at_ms: int = 0
    clocks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Due:
    """What the deadlines of a shard say.

    Attributes:
        now_ms: Redis' clock.
        next_ms: when the next deadline falls due, 0 for none; the end of a grace, in one.
        names: tables whose time has come.
    """

    now_ms: int
    next_ms: int
    names: tuple[TableName, ...]


def head_text(version: int, digest: bytes) -> str:
    """A position as Redis names it."""
    return f"{version} {digest.hex()}"


def earliest(clocks: Iterable[SeatClock]) -> int:
    """The first deadline of some clocks, 0 when none of them has one."""
    return min((clock.deadline_ms for clock in clocks if clock.deadline_ms), default=0)


def parse_entry(version: int, text: str) -> Entry:
    """An entry of a log in Redis; its digest is worked out by whoever replays it."""
    at, actor, cause, action, deck, request_id = text.split(" ")
    return Entry(
        version=version,
        actor=CHANCE if int(actor) == CHANCE else Seat(int(actor)),
        action=int(action),
        deck=tuple(Card(card) for card in bytes.fromhex(deck)) if deck != "-" else (),
        cause=Cause(int(cause)),
        digest=b"",
        request_id=request_id if request_id != "-" else "",
        at_ms=int(at),
    )


def entry_text(entry: Entry) -> str:
    """An entry as the script takes it: all of `parse_entry` but the time."""
    deck = bytes(entry.deck).hex() if entry.deck else "-"
    cause = entry.cause.value
    return f"{entry.actor} {cause} {entry.action} {deck} {entry.request_id or '-'}"


def append_reply(text: str) -> AppendReply:
    """What the script says of one append."""
    verdict, *numbers = text.split(" ")
    if verdict != "ok":
        return AppendReply(verdict)
    at_ms, *clocks = (int(number) for number in numbers)
    return AppendReply(verdict, at_ms, tuple(zip(clocks[::2], clocks[1::2], strict=True)))


def stored_table(meta: Mapping[str, str], log: Sequence[str], since: int) -> StoredTable:
    """A table from its hash and the entries of its log after a version."""
    room = Room.parse(meta["status"], meta["room_version"], meta["room"], meta.get("why", ""))
    info = TableInfo.parse(meta["info"])
    fresh = SeatClock(bank_ms=info.clock.bank_ms)
    clocks = {
        Seat(seat): SeatClock.parse(meta[f"c{seat}"]) if f"c{seat}" in meta else fresh
        for seat in range(len(room.seats))
    }
    return StoredTable(
        info=info,
        room=room,
        created_at_ms=int(meta["created_at_ms"]),
        seed=bytes.fromhex(meta["seed"]),
        header=Header.from_plain(json.loads(meta["header"])) if "header" in meta else None,
        clocks=clocks,
        entries=tuple(parse_entry(version, text) for version, text in enumerate(log, since + 1)),
        since=since,
        head=meta.get("head", ""),
        pauses=int(meta.get("pauses", 0)),
    )
