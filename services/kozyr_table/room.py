"""The room of a table: who sits where, as a value, and what its people may do to it.

Every change is a function from a room to the next room, or a refusal; the store makes it atomic.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any, Final

from kozyr.tokens import Identity
from kozyr_table.clock import ClockRule
from kozyr_table.errors import InvalidRequest, NotSeated, SeatTaken, TableFull, WrongStatus


class Status(StrEnum):
    """What a table goes through."""

    GATHERING = "gathering"
    PLAYING = "playing"
    FINISHED = "finished"
    SUSPENDED = "suspended"
    """Its match is stopped: nobody can ask the rules."""


class Controller(StrEnum):
    """Who plays a seat."""

    OPEN = "open"
    ACCOUNT = "account"
    BOT = "bot"


NOBODY_WORKS: Final = ""
"""The worker of a bot's seat that no worker serves."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat.

    Attributes:
        nonce: what the player adds to the shuffles, in hex.
        epoch: grows whenever another controller takes the seat.
        worker: who thinks for the bot, as ``tenant/account/worker``, or `NOBODY_WORKS`.
    """

    controller: Controller = Controller.OPEN
    account: str = ""
    name: str = ""
    brain: str = ""
    ready: bool = False
    nonce: str = ""
    epoch: int = 0
    worker: str = NOBODY_WORKS

    def played_by(self, identity: Identity) -> bool:
        """Whether this caller may play the seat now."""
        if self.controller is Controller.ACCOUNT:
            return self.account == identity.account
        if self.controller is Controller.BOT:
            return self.worker.rpartition("/")[0] == worker_account(identity)
        return False


@dataclass(frozen=True, slots=True)
class TableInfo:
    """What never changes about a table.

    Attributes:
        options: all options of the variant, as plain JSON values.
        commitment: the SHA-256 of the seed of the shuffles, in hex.
        listed: whether the table is in the public list.
    """

    match_id: str
    variant: str
    rules_version: int
    options: Mapping[str, Any]
    clock: ClockRule
    title: str
    host: str
    commitment: str
    listed: bool

    @property
    def options_text(self) -> str:
        """The options as a JSON object."""
        return json.dumps(self.options, sort_keys=True)

    @property
    def text(self) -> str:
        """The info as Redis keeps it."""
        return json.dumps({**asdict(self), "clock": self.clock.text}, separators=(",", ":"))

    @classmethod
    def parse(cls, text: str) -> "TableInfo":
        """The info that `text` writes."""
        plain = json.loads(text)
        return cls(**{**plain, "clock": ClockRule.parse(plain["clock"])})


@dataclass(frozen=True, slots=True)
class Room:
    """The part of a table that its people change.

    Attributes:
        version: grows with every change.
        why: why the match is suspended; empty when it is not.
    """

    status: Status
    version: int
    seats: tuple[SeatRow, ...]
    why: str = ""

    @property
    def seats_text(self) -> str:
        """The seats as Redis keeps them."""
        return json.dumps([asdict(row) for row in self.seats], separators=(",", ":"))

    @classmethod
    def parse(cls, status: str, version: str, seats: str, why: str = "") -> "Room":
        """The room that Redis keeps."""
        rows = tuple(
            SeatRow(**{**row, "controller": Controller(row["controller"])})
            for row in json.loads(seats)
        )
        return cls(Status(status), int(version), rows, why)

    @property
    def free_seats(self) -> list[int]:
        """The seats that nobody has taken, ascending."""
        return [seat for seat, row in enumerate(self.seats) if row.controller is Controller.OPEN]

    @property
    def can_start(self) -> bool:
        """Whether every seat is taken and ready."""
        return self.status is Status.GATHERING and all(row.ready for row in self.seats)

    def seat_of(self, account: str) -> int:
        """Where an account sits.

        Raises:
            NotSeated: nowhere.
        """
        for seat, row in enumerate(self.seats):
            if row.controller is Controller.ACCOUNT and row.account == account:
                return seat
        raise NotSeated("you sit nowhere at this table")

    def with_row(self, seat: int, row: SeatRow) -> "Room":
        """The room with another row at a seat, one version on."""
        seats = (*self.seats[:seat], row, *self.seats[seat + 1 :])
        return replace(self, seats=seats, version=self.version + 1)


Change = Callable[[Room], Room]
"""A change of a room; it raises a `ServiceError` when the room does not allow it."""


def join(identity: Identity, *, seat: int | None, name: str, nonce: bytes) -> Change:
    """Take a seat; the first free one when none is named."""

    def change(room: Room) -> Room:
        _must_gather(room)
        for taken, row in enumerate(room.seats):
            if row.controller is Controller.ACCOUNT and row.account == identity.account:
                raise SeatTaken(f"you sit at seat {taken} of this table already")
        free = room.free_seats
        if seat is not None and not 0 <= seat < len(room.seats):
            raise InvalidRequest(f"there is no seat {seat}; seats are 0 to {len(room.seats) - 1}")
        if seat is not None and seat not in free:
            raise SeatTaken(f"seat {seat} is taken; free: {_listed(free)}")
        if not free:
            raise TableFull("every seat of this table is taken")
        where = free[0] if seat is None else seat
        row = SeatRow(
            Controller.ACCOUNT,
            account=identity.account,
            name=name or identity.name or identity.account,
            nonce=nonce.hex(),
            epoch=room.seats[where].epoch + 1,
        )
        return room.with_row(where, row)

    return change


def set_ready(identity: Identity, *, ready: bool) -> Change:
    """Say that one is ready to start, or not any more."""

    def change(room: Room) -> Room:
        _must_gather(room)
        seat = room.seat_of(identity.account)
        return room.with_row(seat, replace(room.seats[seat], ready=ready))

    return change


def leave(identity: Identity) -> Change:
    """Leave one's seat before the match has begun."""

    def change(room: Room) -> Room:
        _must_gather(room)
        seat = room.seat_of(identity.account)
        return room.with_row(seat, SeatRow(epoch=room.seats[seat].epoch + 1))

    return change


def assign_bots(
    worker: str, *, dead: frozenset[str], can: Callable[[str], bool], seats_max: int
) -> Change:
    """Give a worker the bots' seats that nobody serves, or that a dead worker left.

    Args:
        worker: who gets them.
        dead: workers known not to live any more.
        can: whether the worker thinks with a brain.
        seats_max: how many it takes.
    """

    def change(room: Room) -> Room:
        seats = list(room.seats)
        wanting = [seat for seat, row in enumerate(seats) if wants_worker(row, dead)]
        for seat in [seat for seat in wanting if can(seats[seat].brain)][:seats_max]:
            seats[seat] = replace(seats[seat], worker=worker, epoch=seats[seat].epoch + 1)
        return replace(room, seats=tuple(seats), version=room.version + 1)

    return change


def release_bots(worker: str) -> Change:
    """Take its seats from a worker."""

    def change(room: Room) -> Room:
        seats = tuple(
            replace(row, worker=NOBODY_WORKS, epoch=row.epoch + 1) if row.worker == worker else row
            for row in room.seats
        )
        return replace(room, seats=seats, version=room.version + 1)

    return change


def settle(room: Room) -> Room:
    """The same room, one version on: a table that is complete from its creation starts so."""
    return replace(room, version=room.version + 1)


def start(room: Room) -> Room:
    """The room of a match that begins."""
    return replace(room, status=Status.PLAYING)


def worker_account(identity: Identity) -> str:
    """The part of a worker's id that says whose worker it is."""
    return f"{identity.tenant}/{identity.account}"


def wants_worker(row: SeatRow, dead: frozenset[str] = frozenset()) -> bool:
    """Whether a seat is a bot's that nobody serves."""
    return row.controller is Controller.BOT and (row.worker == NOBODY_WORKS or row.worker in dead)


def _must_gather(room: Room) -> None:
    if room.status is not Status.GATHERING:
        raise WrongStatus(f"the table is {room.status}; seats change only while it is gathering")


def _listed(seats: list[int]) -> str:
    return ", ".join(str(seat) for seat in seats) or "none"
