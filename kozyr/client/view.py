"""A table as one client sees it: the fold of its updates."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Final, NamedTuple

from kozyr.brain import Decision
from kozyr.client.errors import BufferFull
from kozyr.events import WATCHER, Payload, Seat
from kozyr.observation import Observation
from kozyr.v1 import session_pb2, table_pb2
from kozyr.wire import Face, decode_decision, decode_event

UPDATES_UNREAD_MAX: Final = 4_096
"""How many updates wait for somebody who reads them one by one."""


class Pending(NamedTuple):
    """A decision that somebody must take; everybody may know of it.

    Attributes:
        deadline_ms: when its time is up, by the service's clock; 0 for never.
        bank_ms: what is left of the seat's bank, where the clock has one.
    """

    seat: Seat
    decision_id: int
    deadline_ms: int
    bank_ms: int


class Update(NamedTuple):
    """What a view has just taken in.

    Attributes:
        faces: what happened, in order.
        decisions: those that have opened for the view's seats.
        full: whether the view was built anew.
        room: whether the table itself has changed: its status, its seats.
        archived: whether the match's record is kept now, and the table gone.
    """

    faces: Sequence[Face] = ()
    decisions: Sequence[Decision] = ()
    full: bool = False
    room: bool = False
    archived: bool = False


class TableView:
    """A table that a session follows. It outlives the session: another one can resume it.

    Attributes:
        seats: the seats whose views these are; none for a spectator's.
        table: the table, once the first update has come.
        match_id: the match; empty until it has begun.
        teams: the team of each seat.
        observations: what each of the seats knows; for a spectator that of `WATCHER`.
        pending: who must decide, by seat.
        decisions: what the view's own seats must decide, by seat.
        version: entries of the log that the view has; with `digest` its place in the match.
        at_ms: when that place was reached, by the service's clock, in milliseconds since 1970.
        archived: whether the table is gone and its record kept.
    """

    def __init__(self, table_id: str, seats: Iterable[int] = ()) -> None:
        self.table_id: Final = table_id
        self.seats: Final = tuple(Seat(seat) for seat in seats)
        self.table: table_pb2.Table | None = None
        self.archived = False
        self._readers: list[asyncio.Queue[Update | Exception | None]] = []
        self._clear()

    def _clear(self) -> None:
        self.match_id = ""
        self.teams: tuple[int, ...] = ()
        self.observations: dict[Seat, Observation] = {}
        self.pending: dict[Seat, Pending] = {}
        self.decisions: dict[Seat, Decision] = {}
        self.version = 0
        self.digest = b""
        self.at_ms = 0
        self._heard = 0
        self._viewers: list[tuple[int, Callable[[Payload], None]]] = []

    async def updates(self) -> AsyncIterator[Update]:
        """What is open now, then every update, until the table is gone or no more followed.

        Raises:
            ConnectionLost: the session has ended.
            BufferFull: the reader has left too many updates unread.
        """
        reader: asyncio.Queue[Update | Exception | None] = asyncio.Queue(UPDATES_UNREAD_MAX)
        self._readers.append(reader)
        try:
            yield Update(decisions=tuple(self.decisions.values()), archived=self.archived)
            while update := None if self.archived and reader.empty() else await reader.get():
                if isinstance(update, Exception):
                    raise update
                yield update
        finally:
            if reader in self._readers:
                self._readers.remove(reader)

    def take(self, message: session_pb2.TableUpdate) -> Update:
        """Fold an update in; sessions call this.

        Raises:
            InvalidMessage: it makes no sense.
        """
        room = message.HasField("table")
        if room:
            self.table = table_pb2.Table()
            self.table.CopyFrom(message.table)  # the message itself would keep its whole frame
        if message.full:
            self._clear()
        if message.HasField("match"):
            self._begin(message.match)
        faces = self._hear(message)
        decisions: list[Decision] = []
        if message.HasField("place"):
            decisions = self._move_to(message)
        if message.archived:
            self.archived = True
        update = Update(faces, decisions, message.full, room, message.archived)
        for reader in tuple(self._readers):
            self._tell(reader, update)
        return update

    def end(self, error: Exception | None) -> None:
        """Let nobody wait for further updates; sessions call this."""
        for reader in tuple(self._readers):
            self._tell(reader, error)
        self._readers.clear()

    def attach_message(self) -> session_pb2.Attach:
        """What asks a service for all that came after the view's place."""
        message = session_pb2.Attach(table_id=self.table_id, seats=self.seats)
        if self.version:
            message.log.version = self.version
            message.log.digest = self.digest
        if self.table is not None:
            message.room_version = self.table.room_version
        return message

    def _begin(self, match: session_pb2.MatchInfo) -> None:
        self.match_id = match.match_id
        self.teams = tuple(match.teams)
        viewers = self.seats or (WATCHER,)
        self.observations = {
            viewer: Observation.empty(viewer, len(self.teams)) for viewer in viewers
        }
        self._viewers = [(1 << viewer, each.hear) for viewer, each in self.observations.items()]

    def _hear(self, message: session_pb2.TableUpdate) -> list[Face]:
        faces = []
        viewers = self._viewers
        heard = self._heard
        for event in message.events:
            face = decode_event(event)
            ordinal, audience, payload = face
            if ordinal < heard:
                continue
            self._heard = ordinal + 1  # further faces of this event may follow
            faces.append(face)
            for bit, hear in viewers:
                if not audience or audience & bit:
                    hear(payload)
        return faces

    def _move_to(self, message: session_pb2.TableUpdate) -> list[Decision]:
        """Go to the update's place; the decisions that have opened for the view's seats."""
        place = message.place
        self.version = place.version
        self.digest = place.digest
        self.at_ms = message.at_ms
        self.pending = pending = {}
        for each in message.pending:
            seat = Seat(each.seat)
            pending[seat] = Pending(seat, each.decision_id, each.deadline_ms, each.bank_ms)
        opened = [decode_decision(each) for each in message.decisions]
        decisions = self.decisions
        for decision in opened:
            decisions[decision.seat] = decision
        for seat in [*decisions]:
            if seat not in pending or pending[seat].decision_id != decisions[seat].id:
                del decisions[seat]
        return opened

    def _tell(
        self, reader: asyncio.Queue[Update | Exception | None], news: Update | Exception | None
    ) -> None:
        try:
            reader.put_nowait(news)
        except asyncio.QueueFull:
            self._readers.remove(reader)
            while not reader.empty():
                reader.get_nowait()
            reader.put_nowait(
                BufferFull(f"more than {UPDATES_UNREAD_MAX} updates of a table were left unread")
            )
