"""Those who follow a table, and what each of them is shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from kozyr.brain import Decision
from kozyr.events import WATCHER, Seat
from kozyr.match import Match
from kozyr.v1 import session_pb2, table_pb2
from kozyr_table import frames
from kozyr_table.messages import table_message

if TYPE_CHECKING:
    from kozyr_table.table import LiveTable


class Follower(Protocol):
    """Whoever gets a table's frames: a session."""

    def send(self, frame: bytes) -> None:
        """Send a frame; never blocks."""

    def detached(self, table: "LiveTable") -> None:
        """The table is gone."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """What a follower sees of a table, and plays there.

    Attributes:
        seats: the seats it plays, with the epochs of their controllers.
        viewers: the mask of what it sees: these seats, or the watcher.
    """

    seats: dict[Seat, int]
    viewers: int

    @classmethod
    def of(cls, seats: dict[Seat, int]) -> "Attachment":
        """The attachment of a player of these seats, or of a spectator of none."""
        return cls(seats, sum(1 << seat for seat in seats) or 1 << WATCHER)


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a match, by version and digest."""

    version: int
    digest: bytes


class Audience:
    """The followers of one table."""

    def __init__(self, table: "LiveTable") -> None:
        self._table = table
        self._attachments: dict[Follower, Attachment] = {}

    def __bool__(self) -> bool:
        return bool(self._attachments)

    def attach(self, follower: Follower, attachment: Attachment, place: Place | None) -> None:
        """Let somebody follow, and tell what they missed since a place, or everything."""
        self._attachments[follower] = attachment
        follower.send(self._view(attachment, place))

    def detach(self, follower: Follower) -> None:
        """Let somebody follow no more."""
        self._attachments.pop(follower, None)

    def epoch(self, follower: Follower, seat: Seat) -> int | None:
        """The epoch under which a follower plays a seat, None when it does not play it."""
        attachment = self._attachments.get(follower)
        return None if attachment is None else attachment.seats.get(seat)

    def show_moves(self, match: Match, since: int, opened: Sequence[Decision]) -> None:
        """Show everybody what came after version ``since``, and the decisions that opened."""
        rest = frames.place_fields(match, self._table.clocks)
        start = match.marks[since]
        if not since:
            rest += self._table_update(match).SerializeToString()
            start = 0
        events = match.history[start:]
        encoded: dict[int, bytes] = {}
        for follower, attachment in self._attachments.items():
            viewers = attachment.viewers
            frame = encoded.get(viewers)
            if frame is None:
                frame = encoded[viewers] = frames.update_frame(
                    self._table.head,
                    frames.faces(events, start, viewers),
                    rest=rest,
                    decisions=[each for each in opened if viewers >> each.seat & 1],
                )
            follower.send(frame)

    def show_again(self, place: Place) -> None:
        """Show everybody what they have not heard since a place, open decisions included."""
        self._take_lost_seats()
        for follower, attachment in self._attachments.items():
            follower.send(self._view(attachment, place))

    def show_room(self) -> None:
        """Show everybody the room."""
        self._take_lost_seats()
        self._send_to_all(self._table_update(None))

    def dismiss(self, *, archived: bool) -> None:
        """Tell everybody that the table is gone: archived, or closed without a match."""
        table = table_message(self._table)
        if not archived:
            table.status = table_pb2.TABLE_STATUS_CLOSED
        self._send_to_all(session_pb2.TableUpdate(table=table, archived=archived))
        for follower in self._attachments:
            follower.detached(self._table)
        self._attachments.clear()

    def _take_lost_seats(self) -> None:
        """Take the view of a seat from whoever plays it no more."""
        rows = self._table.room.seats
        for follower, attachment in self._attachments.items():
            kept = {
                seat: epoch for seat, epoch in attachment.seats.items() if rows[seat].epoch == epoch
            }
            if len(kept) < len(attachment.seats):
                self._attachments[follower] = Attachment.of(kept)

    def _send_to_all(self, update: session_pb2.TableUpdate) -> None:
        frame = frames.update_frame(self._table.head, (), rest=update.SerializeToString())
        for follower in self._attachments:
            follower.send(frame)

    def _table_update(self, begins: Match | None) -> session_pb2.TableUpdate:
        """An update with the table, and with the match for those who do not know it yet."""
        update = session_pb2.TableUpdate(table=table_message(self._table))
        if begins is not None:
            update.match.match_id = begins.header.match_id
            update.match.teams.extend(begins.setup.teams)
        return update

    def _view(self, attachment: Attachment, place: Place | None) -> bytes:
        """All that an attachment sees after a place; everything, when the place is unknown."""
        match = self._table.match
        if match is None or not match.version:
            rest = self._table_update(None).SerializeToString()
            return frames.update_frame(self._table.head, (), rest=rest, full=True)
        since = _known_version(match, place)
        start = match.marks[since] if since else 0
        rest = self._table_update(None if since else match).SerializeToString()
        return frames.update_frame(
            self._table.head,
            frames.faces(match.history[start:], start, attachment.viewers),
            rest=frames.place_fields(match, self._table.clocks) + rest,
            decisions=[
                decision for seat, decision in match.pending.items() if seat in attachment.seats
            ],
            full=not since,
        )


def _known_version(match: Match, place: Place | None) -> int:
    """The version of a place in this match, 0 when it is in none."""
    if place is None or not 0 < place.version <= match.version:
        return 0
    known = match.entries[place.version - 1].digest == place.digest
    return place.version if known else 0
