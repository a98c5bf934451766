"""The worker: takes seats from a table service and plays them, all on one session.

It is a client like any other. What a frame asks is answered in one frame. When the service is
lost it connects again and goes on from the places it knows.
"""

import asyncio
import random
import secrets
from collections.abc import Callable, Iterable
from typing import Final

import structlog

from kozyr.brain import Decision
from kozyr.client import (
    BufferFull,
    Client,
    Configuration,
    ConnectionLost,
    Listener,
    Seating,
    Session,
    TableView,
    Update,
)
from kozyr.errors import KozyrError
from kozyr.events import Seat
from kozyr.plugins import load_brain
from kozyr.v1 import bots_pb2, table_pb2
from kozyr_bots.player import Player

log = structlog.get_logger()

RECONNECT_S_MIN: Final = 0.1
"""The first wait before connecting again, in seconds; each further one is twice as long."""

RECONNECT_S_MAX: Final = 5.0

RETRY_S: Final = 0.25
"""When a move is sent again that the service could not take just then, in seconds."""


class Game:
    """A table at which this worker plays.

    Attributes:
        view: the table as the session shows it.
        players: by seat.
    """

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self.players: dict[Seat, Player] = {}
        self.view: TableView | None = None


class Worker(Listener):
    """Plays the seats that a table service gives it, until it is cancelled."""

    def __init__(self, client: Client, *, brains: Iterable[str], capacity: int) -> None:
        """Make a worker that will offer these brains.

        Args:
            capacity: how many seats it plays at a time at most.
        """
        self._client = client
        self._id = secrets.token_hex(8)
        self._brains = tuple(brains)
        self._capacity = capacity
        self._games: dict[str, Game] = {}
        self._again: dict[tuple[str, Seat], Decision] = {}
        self._session: Session
        self._seating: Seating
        self._wait_s = RECONNECT_S_MIN
        self._first = True

    async def run(self, *, ready: Callable[[], None]) -> None:
        """Play until cancelled; then the last answers are sent and the seats given back.

        Args:
            ready: called once, when the service has been reached.

        Raises:
            KozyrError: the service does not want this worker.
        """
        while True:
            try:
                await self._serve(ready)
            except KozyrError as error:
                if not error.retryable:
                    raise
                wait_s = self._next_wait_s(error)
                log.warning("service_lost", error=str(error), again_in_s=round(wait_s, 3))
                await asyncio.sleep(wait_s)

    async def _serve(self, ready: Callable[[], None]) -> None:
        client = self._client
        seating = client.seating(worker_id=self._id, brains=self._brains, capacity=self._capacity)
        async with client.session(self) as self._session, seating as self._seating:
            await self._session.ping()
            self._wait_s = RECONNECT_S_MIN
            if self._first:
                self._first = False
                ready()
            self._resume()
            tasks = [
                asyncio.create_task(self._session.ended()),
                asyncio.create_task(self._take_seats()),
            ]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in tasks:
                    if task.done():
                        task.result()
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    def _next_wait_s(self, error: KozyrError) -> float:
        asked_s = error.reconnect_in_ms / 1000 if isinstance(error, ConnectionLost) else 0.0
        wait_s = max(asked_s, self._wait_s)
        self._wait_s = min(2 * self._wait_s, RECONNECT_S_MAX)
        return wait_s * random.uniform(1.0, 1.5)  # so that workers do not come back all at once

    def _resume(self) -> None:
        """Go on at the tables that a lost session played."""
        self._again.clear()
        for game in self._games.values():
            for player in game.players.values():
                player.confirmed = False
            if game.view is not None:
                self._session.resume(game.view)

    # Seats.

    async def _take_seats(self) -> None:
        async for response in self._seating:
            for withdrawn in response.withdrawn:
                self._leave(withdrawn)
            tables = [await self._take(assignment) for assignment in response.assignments]
            for table_id in dict.fromkeys(tables):  # once for all seats of a table
                game = self._games.get(table_id) if table_id else None
                if game is not None:
                    self._attach(table_id, game)

    async def _take(self, assignment: bots_pb2.Assignment) -> str:
        """Seat a player; returns the table to attach, or nothing."""
        seat = Seat(assignment.seat.seat)
        table_id = assignment.seat.table_id
        game = self._games.get(table_id)
        known = game.players.get(seat) if game else None
        if known is not None and known.is_for(assignment):
            known.confirmed = True
            return ""
        try:
            brain = load_brain(assignment.brain)
            configuration = await self._client.configure(
                assignment.variant,
                assignment.options_json,
                rules_version=assignment.rules_version,
            )
        except KozyrError as error:
            if error.retryable:
                raise
            log.warning("seat_not_taken", table=table_id, seat=seat, error=str(error))
            self._seating.release([assignment.seat])
            return ""
        game = self._games.setdefault(table_id, Game(configuration))
        game.players[seat] = Player(assignment, brain)
        return table_id

    def _leave(self, withdrawn: bots_pb2.SeatRef) -> None:
        game = self._games.get(withdrawn.table_id)
        if game is None or game.players.pop(Seat(withdrawn.seat), None) is None:
            return
        if game.players:
            self._attach(withdrawn.table_id, game)
        else:
            del self._games[withdrawn.table_id]
            self._session.detach(withdrawn.table_id)

    def _attach(self, table_id: str, game: Game) -> None:
        game.view = self._session.attach_nowait(table_id, sorted(game.players))

    def _release(self, table_id: str) -> None:
        """Give back the seats of a table at which there is nothing more to play."""
        game = self._games.pop(table_id)
        self._seating.release(
            bots_pb2.SeatRef(table_id=table_id, seat=seat) for seat in game.players
        )

    # What the session tells.

    def updated(self, view: TableView, update: Update) -> None:
        game = self._games.get(view.table_id)
        if game is None:
            return
        for decision in update.decisions:
            self._answer(game, view, decision)
        closed = update.room and _status(view) == table_pb2.TABLE_STATUS_CLOSED
        if update.archived or closed:
            self._release(view.table_id)

    def attach_refused(self, view: TableView, error: KozyrError) -> None:
        game = self._games.get(view.table_id)
        if game is None:
            return
        ours = {seat: player for seat, player in game.players.items() if player.confirmed}
        if ours and len(ours) < len(game.players):  # the others went elsewhere meanwhile
            game.players = ours
            self._attach(view.table_id, game)
        else:
            log.info("table_lost", table=view.table_id, error=str(error))
            del self._games[view.table_id]

    def act_refused(self, table_id: str, request_id: str, error: KozyrError) -> None:
        game = self._games.get(table_id)
        if game is None:
            return
        log.info("move_refused", table=table_id, request=request_id, error=str(error))
        for player in game.players.values():
            if player.request_id == request_id and player.answered and error.retryable:
                self._answer_later(table_id, player.answered)

    # Moves.

    def _answer(self, game: Game, view: TableView, decision: Decision) -> None:
        player = game.players.get(decision.seat)
        if player is None:
            return
        action = player.answer(
            view.observations[decision.seat],
            decision,
            lambda: game.configuration.setup(view.teams),
        )
        try:
            self._session.act(view.table_id, decision.seat, decision.id, action, player.request_id)
        except BufferFull:
            self._answer_later(view.table_id, decision)

    def _answer_later(self, table_id: str, decision: Decision) -> None:
        if not self._again:
            asyncio.get_running_loop().call_later(RETRY_S, self._answer_again, self._session)
        self._again[table_id, decision.seat] = decision

    def _answer_again(self, session: Session) -> None:
        if session is not self._session or session.error is not None:
            return
        again, self._again = self._again, {}
        for (table_id, seat), decision in again.items():
            game = self._games.get(table_id)
            view = game.view if game else None
            if game and view and view.decisions.get(seat) == decision:
                self._answer(game, view, decision)


def _status(view: TableView) -> table_pb2.TableStatus.ValueType:
    return view.table.status if view.table else table_pb2.TABLE_STATUS_UNSPECIFIED
