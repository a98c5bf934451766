"""Players for tests: a session stream, what it has heard of each table, and playing on it."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import grpc

from kozyr import wire
from kozyr.brain import Decision
from kozyr.errors import KozyrError
from kozyr.events import WATCHER, Seat
from kozyr.observation import Observation
from kozyr.v1 import session_pb2, table_pb2
from kozyr_table.errors import StoreUnavailable
from tests.integration.service import LIMIT_S, SMALL, UNTIMED, Caller, seated

Choose = Callable[[Observation, Decision], int]


class StreamEnded(Exception):
    """The server has ended the stream.

    Attributes:
        error: what the status of the call says, None when it is OK.
    """

    def __init__(self, error: KozyrError | None) -> None:
        super().__init__(str(error))
        self.error = error


class View:
    """What a stream has heard of one table, folded."""

    def __init__(self, seats: tuple[Seat, ...]) -> None:
        self.seats = seats
        self.table = table_pb2.Table()
        self.match = session_pb2.MatchInfo()
        self.place = session_pb2.Place()
        self.observations: dict[Seat, Observation] = {}
        self.ordinals: dict[Seat, list[int]] = {}
        self.pending: dict[int, session_pb2.Pending] = {}
        self.decisions: dict[Seat, Decision] = {}
        self.archived = False
        self.updates: list[session_pb2.TableUpdate] = []

    def fold(self, update: session_pb2.TableUpdate) -> None:
        self.updates.append(update)
        if update.HasField("table"):
            self.table = update.table
        if update.full or not self.observations:
            self._forget()
        if update.HasField("match"):
            self.match = update.match
        for event in update.events:
            self._hear(wire.decode_event(event))
        if update.HasField("place"):
            self.place = update.place
            self.pending = {pending.seat: pending for pending in update.pending}
        for message in update.decisions:
            decision = wire.decode_decision(message)
            assert decision.seat in self.seats
            self.decisions[decision.seat] = decision
        self.decisions = {
            seat: decision
            for seat, decision in self.decisions.items()
            if seat in self.pending and self.pending[seat].decision_id == decision.id
        }
        self.archived |= update.archived

    def _forget(self) -> None:
        self.decisions = {}
        seats = len(self.table.seats)
        for viewer in self.seats or (WATCHER,):
            self.observations[viewer] = Observation.empty(viewer, seats)
            self.ordinals[viewer] = []

    def _hear(self, face: wire.Face) -> None:
        heard = 0
        for viewer, observation in self.observations.items():
            if face.seen_by(viewer):
                assert face.ordinal not in self.ordinals[viewer][-1:], "an event came twice"
                assert self.ordinals[viewer][-1:] < [face.ordinal], "events came out of order"
                self.ordinals[viewer].append(face.ordinal)
                observation.hear(face.payload)
                heard += 1
        assert heard, "an event came that none of the viewers may see"


class Stream:
    """A session stream.

    Attributes:
        answers: to acts, by request id: the version, or the refusal.
        refused: attaches, by table.
    """

    def __init__(self, call: Any) -> None:
        self.call: Final = call
        self.views: dict[str, View] = {}
        self.answers: dict[str, int | KozyrError] = {}
        self.refused: dict[str, KozyrError] = {}
        self.pongs: list[int] = []
        self.goodbye: KozyrError | None = None

    async def send(self, **parts: Any) -> None:
        await self.call.write(session_pb2.PlayRequest(**parts))

    async def hear(self) -> session_pb2.PlayResponse:
        """Take the next frame.

        Raises:
            StreamEnded: there is none.
        """
        async with asyncio.timeout(LIMIT_S):
            try:
                frame: Any = await self.call.read()
            except grpc.aio.AioRpcError as error:
                raise StreamEnded(wire.decode_call_error(error)) from error
        if frame is grpc.aio.EOF:
            raise StreamEnded(await self._status())
        response: session_pb2.PlayResponse = frame
        self._take(response)
        return response

    async def until(self, condition: Callable[[], object]) -> None:
        while not condition():
            await self.hear()

    async def until_version(self, table_id: str, version: int) -> None:
        view = self.views[table_id]
        await self.until(lambda: view.place.version >= version)

    async def until_updates(self, table_id: str, count: int) -> None:
        view = self.views[table_id]
        await self.until(lambda: len(view.updates) >= count)

    async def until_archived(self, table_id: str) -> None:
        view = self.views[table_id]
        await self.until(lambda: view.archived)

    async def until_status(self, table_id: str, status: table_pb2.TableStatus.ValueType) -> None:
        view = self.views[table_id]
        await self.until(lambda: view.table.status == status)

    async def pong(self) -> None:
        """Wait until everything sent before has been taken."""
        count = len(self.pongs)
        await self.send(ping=session_pb2.Ping(nonce=count))
        await self.until(lambda: len(self.pongs) > count)

    async def until_end(self) -> KozyrError | None:
        """Hear all there is; what the status of the call says."""
        try:
            while True:
                await self.hear()
        except StreamEnded as end:
            return end.error

    async def attach(
        self, table_id: str, *seats: int, place: session_pb2.Place | None = None
    ) -> View:
        """Follow a table, as these seats or as a spectator.

        Raises:
            KozyrError: it was refused.
        """
        view = self.following(table_id, *seats)
        self.refused.pop(table_id, None)
        await self.send(attaches=[attach(table_id, *seats, place=place)])
        # A session that follows the table already may hear of it before its answer comes.
        await self.until(
            lambda: any(update.full or place for update in view.updates) or table_id in self.refused
        )
        if table_id in self.refused:
            raise self.refused[table_id]
        return view

    def following(self, table_id: str, *seats: int) -> View:
        """The view of a table that is going to be attached."""
        view = self.views[table_id] = View(tuple(Seat(seat) for seat in seats))
        return view

    async def act(
        self, table_id: str, seat: int, *, request_id: str = "act", decision_id: int, **choice: Any
    ) -> int:
        """Move; the version of the log that holds the move.

        Raises:
            KozyrError: it was refused.
        """
        self.answers.pop(request_id, None)
        act = session_pb2.Act(
            table_id=table_id,
            seat=seat,
            decision_id=decision_id,
            request_id=request_id,
            **choice,
        )
        await self.send(acts=[act])
        return await self.answer(request_id)

    async def answer(self, request_id: str) -> int:
        await self.until(lambda: request_id in self.answers)
        answer = self.answers[request_id]
        if isinstance(answer, KozyrError):
            raise answer
        return answer

    def _take(self, frame: session_pb2.PlayResponse) -> None:
        for update in frame.updates:
            self.views[update.table_id].fold(update)
        for result in frame.results:
            refused = result.HasField("refusal")
            assert refused != bool(result.version)
            self.answers[result.request_id] = (
                wire.decode_refusal(result.refusal) if refused else result.version
            )
        for each in frame.refused_attaches:
            self.refused[each.table_id] = wire.decode_refusal(each.refusal)
        self.pongs += [pong.nonce for pong in frame.pongs]
        if frame.HasField("goodbye"):
            self.goodbye = wire.decode_refusal(frame.goodbye.refusal)

    async def _status(self) -> KozyrError | None:
        if await self.call.code() is grpc.StatusCode.OK:
            return None
        return wire.decode_call_error(
            grpc.aio.AioRpcError(
                await self.call.code(),
                await self.call.initial_metadata(),
                await self.call.trailing_metadata(),
                details=await self.call.details(),
            )
        )


def attach(
    table_id: str, *seats: int, place: session_pb2.Place | None = None
) -> session_pb2.Attach:
    return session_pb2.Attach(table_id=table_id, seats=seats, log=place)


@asynccontextmanager
async def stream(caller: Caller) -> AsyncIterator[Stream]:
    call = caller.at.sessions.Play(metadata=caller.metadata)
    try:
        yield Stream(call)
    finally:
        call.cancel()


def by_chance(seed: int) -> Choose:
    """Chooses any legal action, the same for the same seed."""
    rng = random.Random(seed)
    return lambda _, decision: rng.choice(decision.legal)


class Player:
    """One who plays a seat to the end of the match, through whatever happens to the service.

    Every request is named by its decision, so that a repetition is a repetition.

    Attributes:
        acknowledged: the versions of the moves that the service has acknowledged, by request id.
        moved: set whenever there is one more.
    """

    def __init__(self, table_id: str, seat: int, *, choose: Choose | None = None) -> None:
        self.table_id: Final = table_id
        self.seat: Final = Seat(seat)
        self.acknowledged: dict[str, int] = {}
        self.moved: Final = asyncio.Event()
        self.view = View((self.seat,))
        self._choose: Final = choose or by_chance(seat)
        self._chosen: dict[int, int] = {}

    async def play(self, on: Stream) -> None:
        """Play until the table is gone.

        Raises:
            StreamEnded: the service has ended the stream; play on with another.
        """
        known = self.view.place if self.view.place.version else None
        on.views[self.table_id] = self.view
        await on.send(attaches=[attach(self.table_id, self.seat, place=known)])
        asked: set[int] = set()
        while not self.view.archived:
            decision = self.view.decisions.get(self.seat)
            if decision is not None and decision.id not in asked:
                asked.add(decision.id)
                await self._move(on, decision)
            await on.hear()
            for request_id, answer in on.answers.items():
                if isinstance(answer, int):
                    self.acknowledged[request_id] = answer
                    self.moved.set()
                else:
                    assert isinstance(answer, StoreUnavailable), answer
                    asked.discard(int(request_id))
            on.answers.clear()
            if self.table_id in on.refused:
                raise on.refused.pop(self.table_id)

    async def _move(self, on: Stream, decision: Decision) -> None:
        """Move, and the same again when the decision comes again."""
        action = self._chosen.get(decision.id)
        if action is None:
            action = self._choose(self.view.observations[self.seat], decision)
            self._chosen[decision.id] = action
        await on.send(
            acts=[
                session_pb2.Act(
                    table_id=self.table_id,
                    seat=self.seat,
                    decision_id=decision.id,
                    request_id=str(decision.id),
                    action=action,
                )
            ]
        )


async def play_to_the_end(*players: tuple[Caller, Player]) -> None:
    """Let everybody play on a stream of their own."""

    async def one(caller: Caller, player: Player) -> None:
        async with stream(caller) as session:
            await player.play(session)

    async with asyncio.timeout(2 * LIMIT_S), asyncio.TaskGroup() as group:
        for caller, player in players:
            group.create_task(one(caller, player))


class Duel:
    """Two players at one table, each on a stream of their own, who go on in step."""

    def __init__(self, table_id: str, streams: tuple[Stream, Stream]) -> None:
        self.table_id: Final = table_id
        self.streams: Final = streams

    @property
    def views(self) -> list[View]:
        return [session.views[self.table_id] for session in self.streams]

    @property
    def version(self) -> int:
        return self.views[0].place.version

    @property
    def decision(self) -> Decision:
        """What must be decided now, by one of the two."""
        [seat] = self.views[0].pending
        return self.views[seat].decisions[Seat(seat)]

    @property
    def mover(self) -> Stream:
        return self.streams[self.decision.seat]

    async def reach(self, version: int) -> None:
        """Hear all up to a version, on both sides."""
        for session in self.streams:
            await session.until_version(self.table_id, version)

    async def move(self, **how: Any) -> int:
        """Take the default of the decision, or what is said; the version of the move."""
        decision = self.decision
        version = await self.mover.act(
            self.table_id,
            decision.seat,
            **{
                "decision_id": decision.id,
                "request_id": str(decision.id),
                "action": decision.default,
                **how,
            },
        )
        await self.reach(version)
        return version

    async def moves(self, count: int) -> None:
        for _ in range(count):
            await self.move()

    async def finish(self) -> None:
        """Play until the table is gone."""
        while not all(view.observations[view.seats[0]].outcome for view in self.views):
            await self.move()
        for session in self.streams:
            await session.until_archived(self.table_id)


@asynccontextmanager
async def duel(
    ann: Caller, bob: Caller, *, options: Mapping[str, object] = SMALL, **how: Any
) -> AsyncIterator[Duel]:
    """A match of two that has begun, without a clock unless one is named."""
    table_id = await seated([ann, bob], options=options, **{"clock": UNTIMED, **how})
    async with stream(ann) as first, stream(bob) as second:
        pair = Duel(table_id, (first, second))
        for seat, session in enumerate(pair.streams):
            await session.attach(table_id, seat)
        await pair.reach(1)
        yield pair
