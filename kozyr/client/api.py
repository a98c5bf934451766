"""The client: a channel, an account, and the calls of the table service."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import grpc
import grpc.aio

from kozyr import wire
from kozyr.brain import Setup
from kozyr.client.errors import failure_of
from kozyr.client.seating import Seating
from kozyr.client.session import Listener, Metadata, Session
from kozyr.moves import ActionTable
from kozyr.record import Record
from kozyr.v1 import accounts_pb2, bots_pb2, lobby_pb2, rules_pb2, table_pb2
from kozyr.v1.accounts_pb2_grpc import AccountServiceStub
from kozyr.v1.bots_pb2_grpc import BotServiceStub
from kozyr.v1.lobby_pb2_grpc import LobbyServiceStub
from kozyr.v1.session_pb2_grpc import SessionServiceStub
from kozyr.v1.table_pb2_grpc import TableServiceStub

CALL_S_MAX: Final = 10.0
"""How long a call may take, in seconds."""

FRAME_BYTES_MAX: Final = 64 * 1024 * 1024
"""The largest frame that a session takes; one holds whatever gathered while the last was read."""

CONFIGURATIONS_MAX: Final = 256
"""How many configurations are remembered."""

CHANNEL_OPTIONS: Final = (
    ("grpc.max_receive_message_length", FRAME_BYTES_MAX),
    # A service that is back is found again within a second.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    # Clients of one process shall not share a connection: each carries streams of its own.
    ("grpc.use_local_subchannel_pool", 1),
)

ME: Final = "me"
"""In a plan: the caller takes the seat."""

RequestT = TypeVar("RequestT")
ResponseT = TypeVar("ResponseT")


@dataclass(frozen=True, slots=True)
class Configuration:
    """A variant with all its options.

    Attributes:
        seat_counts: how many may play.
        actions: the meaning of every action.
    """

    variant: str
    rules_version: int
    options: Mapping[str, Any]
    seat_counts: tuple[int, ...]
    actions: ActionTable = field(repr=False)

    def setup(self, teams: Sequence[int]) -> Setup:
        """What a brain is told of a match with these teams, by seat."""
        return Setup(
            variant=self.variant,
            rules_version=self.rules_version,
            options=self.options,
            seats=len(teams),
            teams=tuple(teams),
            actions=self.actions,
        )


class Client:
    """A table service, seen by one account; to be entered with ``async with``.

    Calls that change something take a ``request_id``: when the answer was lost, the same call with
    the same id has no further effect and gives the answer again.

    Attributes:
        token: of the account; may be set at any time.
    """

    def __init__(self, channel: grpc.aio.Channel, *, token: str = "") -> None:
        self.token = token
        self._channel = channel
        self._accounts = AccountServiceStub(channel)
        self._bots = BotServiceStub(channel)
        self._lobby = LobbyServiceStub(channel)
        self._sessions = SessionServiceStub(channel)
        self._tables = TableServiceStub(channel)
        self._configurations: dict[tuple[str, str, int], Configuration] = {}

    @classmethod
    def connect(cls, address: str, *, token: str = "") -> Self:
        """A client of the service at ``host:port`` or ``unix:path``; needs a running loop.

        Nothing is sent yet: that nobody answers there is found by the first call.
        """
        return cls(grpc.aio.insecure_channel(address, options=CHANNEL_OPTIONS), token=token)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._channel.close()

    def session(self, listener: Listener | None = None) -> Session:
        """A stream for any number of tables.

        Args:
            listener: told of everything as it comes in.
        """
        return Session(self._sessions, self._metadata(), listener)

    def seating(self, *, worker_id: str, brains: Iterable[str], capacity: int) -> Seating:
        """A stream of seats for a worker that thinks for bots.

        Args:
            worker_id: names the worker for as long as its process lives.
            brains: the names of its brains, without budgets.
            capacity: how many seats it plays at a time at most.
        """
        offer = bots_pb2.Offer(worker_id=worker_id, brains=brains, capacity=capacity)
        return Seating(self._bots, self._metadata(), offer)

    async def create_guest(self, display_name: str) -> accounts_pb2.CreateGuestResponse:
        """Make a guest account; a client without a token goes on as this guest."""
        request = accounts_pb2.CreateGuestRequest(display_name=display_name)
        guest = await self._call(self._accounts.CreateGuest, request)
        self.token = self.token or guest.token
        return guest

    async def list_variants(self) -> Sequence[rules_pb2.VariantInfo]:
        """The variants that can be played here, by name."""
        request = lobby_pb2.ListVariantsRequest()
        return (await self._call(self._lobby.ListVariants, request)).variants

    async def configure(
        self, variant: str, options: Mapping[str, Any] | str = "", *, rules_version: int = 0
    ) -> Configuration:
        """Check options, and learn all of them and the meaning of the actions.

        Args:
            options: some options, as plain values or as a JSON object; the rest by default.
            rules_version: 0 for the newest.

        Raises:
            UnknownVariant, InvalidOptions, UnsupportedRules: there is no such game here.
        """
        text = options if isinstance(options, str) else wire.encode_options(options)
        key = variant, text, rules_version
        if known := self._configurations.get(key):
            return known
        request = lobby_pb2.ConfigureVariantRequest(
            variant=variant, options_json=text, rules_version=rules_version
        )
        answer = await self._call(self._lobby.ConfigureVariant, request)
        configuration = Configuration(
            variant=variant,
            rules_version=answer.rules_version,
            options=wire.decode_options(answer.options_json),
            seat_counts=tuple(answer.seat_counts),
            actions=wire.decode_actions(answer.actions),
        )
        if rules_version:  # what is newest may change
            if len(self._configurations) >= CONFIGURATIONS_MAX:
                del self._configurations[next(iter(self._configurations))]
            self._configurations[key] = configuration
        return configuration

    async def create_table(
        self,
        variant: str,
        *,
        seats: int,
        options: Mapping[str, Any] | None = None,
        plan: Mapping[int, str] | None = None,
        clock: table_pb2.Clock | None = None,
        visibility: table_pb2.Visibility.ValueType = table_pb2.VISIBILITY_UNSPECIFIED,
        title: str = "",
        display_name: str = "",
        request_id: str = "",
    ) -> table_pb2.Table:
        """Make a table.

        Args:
            plan: who takes which seat: `ME`, or a bot by its brain, like ``greedy``.
            clock: by default the service's.
            display_name: how the caller wants to be called, where it takes a seat.
        """
        request = lobby_pb2.CreateTableRequest(
            request_id=request_id or _new_request_id(),
            variant=variant,
            options_json=wire.encode_options(options or {}),
            seats=seats,
            plan=[
                lobby_pb2.SeatPlan(seat=seat, me=True, display_name=display_name)
                if who == ME
                else lobby_pb2.SeatPlan(seat=seat, brain=who)
                for seat, who in (plan or {}).items()
            ],
            clock=clock,
            visibility=visibility,
            title=title,
        )
        return (await self._call(self._lobby.CreateTable, request)).table

    async def list_tables(
        self,
        *,
        variant: str = "",
        status: table_pb2.TableStatus.ValueType = table_pb2.TABLE_STATUS_UNSPECIFIED,
        free_seats: int = 0,
        page_size: int = 0,
        page_token: str = "",
    ) -> lobby_pb2.ListTablesResponse:
        """A page of the public tables; its ``next_page_token`` names the next one.

        Args:
            free_seats: only tables with at least so many.
        """
        request = lobby_pb2.ListTablesRequest(
            variant=variant,
            status=status,
            free_seats=free_seats,
            page_size=page_size,
            page_token=page_token,
        )
        return await self._call(self._lobby.ListTables, request)

    async def get_table(self, table_id: str) -> table_pb2.Table:
        """A table."""
        request = table_pb2.GetTableRequest(table_id=table_id)
        return (await self._call(self._tables.GetTable, request)).table

    async def join(
        self,
        table_id: str,
        *,
        seat: int | None = None,
        display_name: str = "",
        nonce: bytes = b"",
        request_id: str = "",
    ) -> table_pb2.JoinTableResponse:
        """Take a seat, the first free one unless one is named.

        Args:
            nonce: added to the seed of the shuffles.
        """
        request = table_pb2.JoinTableRequest(
            request_id=request_id or _new_request_id(),
            table_id=table_id,
            seat=seat,
            display_name=display_name,
            nonce=nonce,
        )
        return await self._call(self._tables.JoinTable, request)

    async def set_ready(
        self, table_id: str, *, ready: bool = True, request_id: str = ""
    ) -> table_pb2.Table:
        """Say that one is ready to start, or not any more."""
        request = table_pb2.SetReadyRequest(
            request_id=request_id or _new_request_id(), table_id=table_id, ready=ready
        )
        return (await self._call(self._tables.SetReady, request)).table

    async def leave(self, table_id: str, *, request_id: str = "") -> table_pb2.Table:
        """Leave one's seat before the match has begun."""
        request = table_pb2.LeaveTableRequest(
            request_id=request_id or _new_request_id(), table_id=table_id
        )
        return (await self._call(self._tables.LeaveTable, request)).table

    async def get_record(self, match_id: str) -> Record:
        """The record of a finished match; `kozyr.verify_record` says whether it is true."""
        request = table_pb2.GetRecordRequest(match_id=match_id)
        message = (await self._call(self._tables.GetRecord, request)).record
        header = message.header
        configuration = await self.configure(
            header.variant, header.options_json, rules_version=header.rules_version
        )
        return wire.decode_record(message, configuration.actions)

    def _metadata(self) -> Metadata:
        return (("authorization", f"Bearer {self.token}"),) if self.token else ()

    async def _call(
        self, method: grpc.aio.UnaryUnaryMultiCallable[RequestT, ResponseT], request: RequestT
    ) -> ResponseT:
        try:
            return await method(request, metadata=self._metadata(), timeout=CALL_S_MAX)
        except grpc.aio.AioRpcError as error:
            raise failure_of(error) from error


def _new_request_id() -> str:
    return secrets.token_hex(12)
