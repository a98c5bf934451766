"""One table in the memory of a replica: its mailbox and its match.

A move is decided on the position in memory, appended to the log in Redis, and only then taken
over, acknowledged and shown. One append is under way at a time; a lost race reads the log again
and decides anew. What is in memory is only a cache of the log.
"""

import asyncio
from collections import deque
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from kozyr import wire
from kozyr.errors import KozyrError
from kozyr.events import Seat
from kozyr.log import Cause, Entry, Header, entry_digest
from kozyr.match import Advance, Match
from kozyr.v1 import session_pb2
from kozyr_table import errors, frames
from kozyr_table.audience import Audience, Follower, Place
from kozyr_table.clock import SeatClock
from kozyr_table.keys import TableKeys, split_name
from kozyr_table.refereeing import Summoned
from kozyr_table.room import Room, Status
from kozyr_table.stored import Append, AppendReply, StoredTable, earliest, head_text

if TYPE_CHECKING:
    from kozyr_table.tables import Tables

log = structlog.get_logger()

ATTEMPTS_MAX: Final = 8
"""How often a move is decided anew after lost races."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a stored log comes to.

    Attributes:
        summoned: who referees the match.
        match: the match in memory that the log goes on from, or a new one.
        advance: what the match has to take over.
    """

    summoned: Summoned
    match: Match
    advance: Advance


@dataclass(slots=True)
class Command:
    """A move on its way through the mailbox.

    Attributes:
        seat: whose move, or None for the opening of the match.
        epoch: of the seat's controller when the move came.
        follower: who gets the answer; None when the clock or the table itself acts.
        attempts: how often it was decided so far.
    """

    seat: Seat | None
    decision_id: int = 0
    action: int = 0
    cause: Cause = Cause.CHANCE
    request_id: str = ""
    epoch: int = 0
    follower: Follower | None = None
    attempts: int = 0


class LiveTable:
    """A table in memory."""

    def __init__(
        self, tables: "Tables", keys: TableKeys, stored: StoredTable, replayed: Replayed | None
    ) -> None:
        self.keys: Final = keys
        self.tenant, self.table_id = split_name(keys.name)
        self.head: Final = frames.table_head(self.table_id)
        self.info: Final = stored.info
        self.created_at_ms: Final = stored.created_at_ms
        self.audience: Final = Audience(self)
        self.gone = False
        self._tables: Final = tables
        self._queue: deque[Command] = deque()
        self._current: Command | None = None
        self._busy = False
        self._stale = False
        self._room_changes = 0
        self._room_changes_known = 0
        self._rereading: list[asyncio.Future[None]] = []
        self.summoned: Summoned | None = None
        self.match: Match | None = None
        self._answered: dict[tuple[Seat, str], int] = {}
        self._restore(stored, replayed)

    def _restore(self, stored: StoredTable, replayed: Replayed | None) -> None:
        self.room = stored.room
        self.clocks = dict(stored.clocks)
        self._head = stored.head
        self._pauses = stored.pauses
        self._score = 0  # not known: it is set anew
        if replayed is None:  # it has not begun, or nobody can ask its rules now
            return
        self.summoned = replayed.summoned
        if replayed.match is not self.match:
            self.match = replayed.match
            self._answered.clear()
        replayed.match.extend(replayed.advance)
        for entry in stored.entries:
            self._remember(entry)

    @property
    def idle(self) -> bool:
        """Whether nobody follows it and nothing is under way."""
        return not (self.audience or self._busy or self._queue)

    @property
    def place(self) -> Place:
        """The place of the position in memory."""
        match = self.match
        return Place(match.version, match.digest) if match else Place(0, b"")

    def header(self, room: Room) -> Header:
        """The header of the match that begins with a room."""
        return Header(
            match_id=self.info.match_id,
            variant=self.info.variant,
            rules_version=self.info.rules_version,
            options=self.info.options,
            players=tuple(row.name for row in room.seats),
            commitment=bytes.fromhex(self.info.commitment),
            nonces=tuple(bytes.fromhex(row.nonce) for row in room.seats),
        )

    # the life of the table

    def room_changed(self, room: Room) -> bool:
        """Take over a room that Redis has, show it, and open the match when it starts.

        False when it was heard of already, or a later one was.
        """
        if room.version <= self.room.version:
            return False
        self._room_changes += 1
        self.room = room
        self.audience.show_room()
        if room.status is Status.PLAYING and self.match is None:
            self.changed_elsewhere()
        return True

    def time_is_up(self, now_ms: int) -> bool:
        """Let the clock act for every seat whose deadline has passed.

        Returns:
            Whether it has a match; if not, what is in memory may be old.
        """
        if self._busy:
            return True
        match = self.match
        if match is None or self.room.status is Status.SUSPENDED:
            return False
        if not match.version:
            self.submit(Command(None))
            return True
        due = [
            decision
            for seat, decision in match.pending.items()
            if 0 < self.clocks[seat].deadline_ms <= now_ms
        ]
        for decision in due:
            self.submit(Command(decision.seat, decision.id, decision.default, Cause.TIMEOUT))
        if not due:  # it was looked at for a deadline that is none any more
            self._score = self._earliest()
            self._tables.rearm(self, head=self._head, deadline_ms=self._score)
        return True

    def close(self, *, archived: bool) -> None:
        """The table is gone: tell everybody."""
        self.gone = True
        self.audience.dismiss(archived=archived)
        self._refuse_all(errors.UnknownTable(self.table_id))
        self._end_rereading()

    def changed_elsewhere(self) -> None:
        """Another replica has changed the table: read it when nothing is under way."""
        self._stale = True
        self._pump()

    async def reread(self) -> None:
        """Wait until the table was read from Redis once more, or is gone.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        reading = asyncio.get_running_loop().create_future()
        self._rereading.append(reading)
        self.changed_elsewhere()
        await reading

    def _reload(self) -> None:
        """Read the table from Redis; until then moves wait."""
        self._busy = True
        self._stale = False
        self._room_changes_known = self._room_changes
        self._tables.spawn_reload(self)

    def continues_with(self, stored: StoredTable) -> bool:
        """Whether what Redis has goes on from the position in memory, or is the whole log."""
        if not stored.since:
            return True
        digest = self.place.digest
        for entry in stored.entries:
            digest = entry_digest(digest, entry)
        return head_text(stored.since + len(stored.entries), digest) == stored.head

    def reloaded(self, stored: StoredTable, replayed: Replayed | None) -> bool:
        """Take over what Redis has, and show what is new; False when it may be old already."""
        if self.gone:
            return False
        if self._room_changes != self._room_changes_known:
            self._reload()  # the room has changed here meanwhile
            return False
        place = self.place
        self._restore(stored, replayed)
        self.audience.show_again(place)
        self._busy = False
        self._end_rereading()
        if self.match is not None and not self.match.version:
            self.submit(Command(None))
        self._pump()
        return True

    def ended_elsewhere(self, advance: Advance) -> None:
        """Take over the end of a match that was archived before it was heard of here."""
        match = self.match
        assert match is not None
        place = self.place
        match.extend(advance)
        self.room = Room(Status.FINISHED, self.room.version, self.room.seats)
        self.audience.show_again(place)

    # moves

    def submit(self, command: Command) -> None:
        """Put a move into the mailbox."""
        limit = self._tables.settings.table_queue_max
        if len(self._queue) >= limit:
            self._refuse(command, errors.LimitExceeded(f"{limit} moves wait at this table already"))
            return
        self._queue.append(command)
        self._pump()

    def _pump(self) -> None:
        """Decide the next moves until one is on its way to Redis."""
        if self._stale and not self._busy:
            self._reload()
        while self._queue and not self._busy:
            command = self._queue.popleft()
            try:
                self._decide(command)
            except KozyrError as error:
                self._refuse(command, error)

    def _decide(self, command: Command) -> None:
        match = self.match
        if command.seat is not None:
            if command.follower is not None:
                self._check_controller(command.seat, command.epoch)
            answered = self._answered.get((command.seat, command.request_id))
            if answered is not None:
                self._accept(command, answered)
                return
        if self.room.status is Status.SUSPENDED:
            raise errors.Suspended(f"the match is suspended: {self.room.why}")
        if match is None or self.room.status is not Status.PLAYING:
            raise errors.WrongStatus(f"the table is {self.room.status}; no match is on")
        if command.seat is None:
            if match.version:
                return
            prepare = match.prepare_opening
        else:
            prepare = partial(
                match.prepare,
                command.seat,
                command.action,
                decision_id=command.decision_id,
                cause=command.cause,
                request_id=command.request_id,
            )
        assert self.summoned is not None, "the match has a referee"
        if self.summoned.remote:
            self._busy = True
            self._current = command
            self._tables.spawn_decision(self, self.summoned, prepare)
        else:
            self._append(command, prepare())

    def decided(self, advance: Advance) -> None:
        """What the move under way leads to was worked out elsewhere."""
        command = self._take_current()
        if not self.gone:
            self._append(command, advance)

    def not_decided(self, error: KozyrError) -> None:
        """The move under way was refused elsewhere, or nobody could say what it leads to."""
        command = self._take_current()
        self._busy = False
        self._refuse(command, error)
        self._pump()

    def _append(self, command: Command, advance: Advance) -> None:
        self._busy = True
        self._current = command
        append = Append(
            keys=self.keys,
            head=self._head,
            pauses=self._pauses,
            advance=advance,
            epoch=command.epoch,
            timeout=command.cause is Cause.TIMEOUT,
            rule=self.info.clock,
            clocks=self.clocks,
            score=self._score,
        )
        self._tables.committer.submit(self, append)

    def _check_controller(self, seat: Seat, epoch: int) -> None:
        if self.room.seats[seat].epoch != epoch:
            raise errors.NotYourSeat(f"another controller has taken seat {seat}")

    def appended(self, append: Append, reply: AppendReply) -> None:
        """Redis has answered the append under way."""
        command = self._take_current()
        if self.gone:
            return
        if reply.verdict in ("conflict", "missing", "status", "epoch"):
            self._decide_again(command)
            return
        if reply.verdict == "ok":
            self._take_over(command, append, reply)
        elif reply.verdict == "late":
            self._refuse(command, errors.TooLate("the time for this decision was up"))
        # "early": a timeout that is none any more; the deadline that counts will come
        self._busy = False
        self._pump()

    def append_failed(self, error: errors.StoreUnavailable) -> None:
        """The append under way had no answer; whether it counts is known after a reload."""
        self._refuse(self._take_current(), error)
        self._refuse_all(error)
        self._reload()

    def broken(self) -> None:
        """Something failed that must not: begin again from what Redis has."""
        self._current = None
        self._refuse_all(errors.StoreUnavailable("this table has to be read again"))
        self._reload()

    def _take_current(self) -> Command:
        command = self._current
        assert command is not None, "no append is under way"
        self._current = None
        return command

    def _decide_again(self, command: Command) -> None:
        command.attempts += 1
        if command.attempts < ATTEMPTS_MAX:
            self._queue.appendleft(command)
        else:
            self._refuse(command, errors.StoreUnavailable("too many lost races for this table"))
        self._reload()

    def _take_over(self, command: Command, append: Append, reply: AppendReply) -> None:
        match = self.match
        assert match is not None
        since = match.version
        match.commit(append.advance, at_ms=reply.at_ms)
        if command.seat is not None:
            self._remember(match.entries[since])
            self.clocks[command.seat] = self.clocks[command.seat].stop(
                self.info.clock, now_ms=reply.at_ms
            )
        for decision, (deadline, bank) in zip(append.opened, reply.clocks, strict=True):
            clock = SeatClock(decision.id, deadline, bank, reply.at_ms)
            self.clocks[decision.seat] = clock
            self._tables.deadline_armed(deadline)
        self._head = append.head_after
        deadline = self._earliest()
        if not deadline or not self._score or deadline < self._score:
            self._score = deadline
        self._accept(command, since + 1)
        if match.over:
            self.room = Room(Status.FINISHED, self.room.version, self.room.seats)
        self.audience.show_moves(match, since, append.opened)
        self._tables.moved(self)

    def _earliest(self) -> int:
        assert self.match is not None
        return earliest(self.clocks[seat] for seat in self.match.pending)

    def _remember(self, entry: Entry) -> None:
        if entry.request_id:
            self._answered[entry.actor, entry.request_id] = entry.version

    def _accept(self, command: Command, version: int) -> None:
        if command.follower is not None:
            command.follower.send(frames.accepted_frame(self.head, command.request_id, version))

    def _refuse(self, command: Command, error: KozyrError) -> None:
        if command.follower is not None:
            result = session_pb2.ActResult(
                table_id=self.table_id,
                request_id=command.request_id,
                refusal=wire.encode_refusal(error),
            )
            command.follower.send(frames.result_frame(result))
        else:  # the clock's or the table's own: usually another replica was faster
            log.debug("step_refused", table=self.keys.name, seat=command.seat, error=str(error))

    def reread_failed(self, error: KozyrError) -> None:
        """Redis or the rules do not answer: let nobody wait for them."""
        self._refuse_all(error)
        self._end_rereading(error)

    def _end_rereading(self, error: KozyrError | None = None) -> None:
        for reading in self._rereading:
            if reading.done():
                continue
            if error is None:
                reading.set_result(None)
            else:
                reading.set_exception(error)
        self._rereading.clear()

    def _refuse_all(self, error: KozyrError) -> None:
        while self._queue:
            self._refuse(self._queue.popleft(), error)
