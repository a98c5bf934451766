"""What is kept in Redis, as values and as the texts that Redis holds."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kozyr.brain import Decision
from kozyr.cards import Card
from kozyr.events import Seat
from kozyr.game import CHANCE
from kozyr.log import Cause, Entry, Header
from kozyr.match import Advance
from kozyr_table.clock import SeatClock
from kozyr_table.keys import TableKeys, TableName
from kozyr_table.room import Room, TableInfo


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as Redis has it.

    Attributes:
        since: the version that the entries follow, 0 for the whole log.
        digest: the digest after the last entry, in hex; empty before the match has begun.
    """

    info: TableInfo
    room: Room
    created_at_ms: int
    seed: bytes
    header: Header | None
    clocks: Mapping[Seat, SeatClock]
    entries: tuple[Entry, ...]
    since: int
    digest: str


@dataclass(slots=True)
class Append:
    """Moves to append to one table's log.

    Attributes:
        keys: the table.
        version: the version they follow, with its digest in hex.
        advance: what they are and lead to.
        epoch: of the controller of the seat that acts.
        timeout: whether the clock acts for it.
        opened: the decisions that open with it, in the order of the reply's clocks.
    """

    keys: TableKeys
    version: int
    digest: str
    advance: Advance
    epoch: int
    timeout: bool
    opened: list[Decision] = field(init=False)

    def __post_init__(self) -> None:
        version = self.version
        self.opened = [each for each in self.advance.pending.values() if each.id > version]

    @property
    def text(self) -> str:
        """The append as the script takes it: words, then a line for each entry."""
        entries = self.advance.entries
        first, last = entries[0], entries[-1]
        opened = self.opened
        words = (
            f"{self.keys.name} {self.version} {self.digest or '-'} {last.version} "
            f"{last.digest.hex()} {first.actor} {self.epoch} {'T' if self.timeout else '-'} "
            f"{'-' if self.advance.last.outcome is None else 'O'} {len(opened)}"
        )
        for decision in opened:
            words += f" {decision.seat} {decision.id}"
        if len(opened) < len(self.advance.pending):
            for decision in self.advance.pending.values():
                if decision.id <= self.version:
                    words += f" {decision.seat}"
        return "\n".join([words, *[_entry_text(entry) for entry in entries]])


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


def _entry_text(entry: Entry) -> str:
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
    room = Room.parse(meta["status"], meta["room_version"], meta["room"])
    clocks = {
        Seat(seat): SeatClock.parse(meta[f"c{seat}"])
        for seat in range(len(room.seats))
        if f"c{seat}" in meta
    }
    return StoredTable(
        info=TableInfo.parse(meta["info"]),
        room=room,
        created_at_ms=int(meta["created_at_ms"]),
        seed=bytes.fromhex(meta["seed"]),
        header=Header.from_plain(json.loads(meta["header"])) if "header" in meta else None,
        clocks=clocks,
        entries=tuple(parse_entry(version, text) for version, text in enumerate(log, since + 1)),
        since=since,
        digest=meta.get("digest", ""),
    )
