"""Serving rules to a host in another process: the other side of `kozyr.plugins.remote`.

::

    rules = RulesServer([LocalReferee(variant)])
    async with serving(rules, listen="127.0.0.1:0") as address:
        print(address)
        await asyncio.Event().wait()
"""

from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import grpc
import grpc.aio
from google.protobuf.message import Message
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from kozyr import wire
from kozyr.addresses import is_unix
from kozyr.errors import (
    Code,
    IllegalMove,
    InvalidMessage,
    KozyrError,
    Refused,
    UnknownVariant,
    UnsupportedRules,
)
from kozyr.events import Seat
from kozyr.log import Cause, Entry, entry_digest
from kozyr.plugins.errors import CannotServe
from kozyr.plugins.greeting import choose_protocol
from kozyr.referee import Offer, Position, Referee
from kozyr.v1 import record_pb2, rules_pb2_grpc
from kozyr.v1 import rules_pb2 as pb

POSITIONS_MAX: Final = 4_096
"""Positions that are remembered by default; of others the host sends the log again."""

REQUEST_BYTES_MAX: Final = 4_194_304
"""What one call may hold."""

STREAMS_MAX: Final = 1_024
"""Calls under way on one connection."""

DRAIN_S: Final = 2.0
"""Time for calls under way when the server stops."""

Context = grpc.aio.ServicerContext[Any, Any]
RequestT = TypeVar("RequestT", bound=Message)
AnswerT = TypeVar("AnswerT", bound=Message)


@dataclass(frozen=True, slots=True)
class Tls:
    """The certificates of a server.

    Attributes:
        cert: the server's own, with those that lead to its root.
        key: its key.
        client_ca: what signs the clients'; None where they need none.
    """

    cert: Path
    key: Path
    client_ca: Path | None = None


class RulesServer(rules_pb2_grpc.RulesServiceServicer):
    """Answers for referees in this process; remembers the positions that were asked for last."""

    def __init__(self, referees: Iterable[Referee], *, positions_max: int = POSITIONS_MAX) -> None:
        self._referees: dict[tuple[str, int], Referee] = {
            (referee.variant_id, referee.rules_version): referee for referee in referees
        }
        self._positions: OrderedDict[_Key, _Kept] = OrderedDict()
        self._positions_max = positions_max

    async def Describe(  # noqa: N802 (the name of the call)
        self, request: pb.DescribeRequest, context: Context
    ) -> pb.DescribeResponse:
        return await _answered(self._describe, request, context)

    async def Configure(  # noqa: N802
        self, request: pb.ConfigureRequest, context: Context
    ) -> pb.ConfigureResponse:
        return await _answered(self._configure, request, context)

    async def Begin(  # noqa: N802
        self, request: pb.BeginRequest, context: Context
    ) -> pb.BeginResponse:
        return await _answered(self._begin, request, context)

    async def Act(self, request: pb.ActRequest, context: Context) -> pb.ActResponse:  # noqa: N802
        return await _answered(self._act, request, context)

    async def Check(  # noqa: N802
        self, request: pb.CheckRequest, context: Context
    ) -> pb.CheckResponse:
        return await _answered(self._check, request, context)

    async def Sample(  # noqa: N802
        self, request: pb.SampleRequest, context: Context
    ) -> pb.SampleResponse:
        return await _answered(self._sample, request, context)

    def _describe(self, request: pb.DescribeRequest) -> pb.DescribeResponse:
        version = choose_protocol(list(request.protocol_versions))
        offers: dict[str, Offer] = {}
        for (variant_id, _), referee in sorted(self._referees.items()):
            offer = referee.describe()
            before = offers[variant_id].rules_versions if variant_id in offers else ()
            offers[variant_id] = replace(offer, rules_versions=(*before, *offer.rules_versions))
        return pb.DescribeResponse(
            protocol_version=version, variants=map(wire.encode_offer, offers.values())
        )

    def _configure(self, request: pb.ConfigureRequest) -> pb.ConfigureResponse:
        referee = self._referee(request.variant, request.rules_version)
        options = wire.decode_options(request.options_json)
        return wire.encode_configuration(referee.configure(options, request.seats or None))

    def _begin(self, request: pb.BeginRequest) -> pb.BeginResponse:
        header = wire.decode_header(request.header)
        referee = self._referee(header.variant, header.rules_version)
        opened = _Kept(referee, referee.begin(header), _Key(header.match_id, 0, header.digest()))
        taken = self._take(opened, request.log)
        self._keep(opened if not taken else taken[-1])
        return pb.BeginResponse(step=wire.encode_step((taken or [opened])[-1].position.step))

    def _act(self, request: pb.ActRequest) -> pb.ActResponse:
        kept = self._find(request.head)
        if kept is None:
            return pb.ActResponse(need_log=True)
        taken = self._take(kept, request.entries)
        if taken:
            self._keep(taken[-1])
        return pb.ActResponse(steps=[wire.encode_step(each.position.step) for each in taken])

    def _check(self, request: pb.CheckRequest) -> pb.CheckResponse:
        kept = self._find(request.head)
        if kept is None:
            return pb.CheckResponse(need_log=True)
        entry = Entry(
            version=kept.key.version + 1,
            actor=Seat(request.seat),
            action=request.action,
            deck=(),
            cause=Cause.PLAYER,
            digest=b"",
        )
        try:
            kept.referee.act(kept.position, entry)
        except IllegalMove as error:
            return pb.CheckResponse(clause=error.clause, explanation=error.message)
        return pb.CheckResponse()

    def _sample(self, request: pb.SampleRequest) -> pb.SampleResponse:
        variant = request.header.variant
        raise Refused(
            f"{variant} does not offer samples",
            reason=Code.UNIMPLEMENTED.name,
            code=Code.UNIMPLEMENTED,
        )

    def _referee(self, variant_id: str, rules_version: int) -> Referee:
        referee = self._referees.get((variant_id, rules_version))
        if referee is not None:
            return referee
        served = sorted(version for name, version in self._referees if name == variant_id)
        if not served:
            raise UnknownVariant(variant_id, known=sorted({name for name, _ in self._referees}))
        raise UnsupportedRules(variant_id, wanted=rules_version, served=served)

    def _take(self, kept: "_Kept", messages: Iterable[record_pb2.Entry]) -> "list[_Kept]":
        """The positions after each of some entries."""
        entries = [wire.decode_entry(message) for message in messages]
        keys = []
        key = kept.key
        for entry in entries:
            key = _Key(key.match_id, key.version + 1, entry_digest(key.digest, entry))
            if (entry.version, entry.digest or key.digest) != (key.version, key.digest):
                raise InvalidMessage(f"entry {entry.version} does not follow there")
            keys.append(key)
        positions = kept.referee.follow(kept.position, entries)
        return [
            _Kept(kept.referee, position, key)
            for position, key in zip(positions, keys, strict=True)
        ]

    def _find(self, head: pb.Head) -> "_Kept | None":
        key = _Key(head.match_id, head.version, head.digest)
        kept = self._positions.get(key)
        if kept is not None:
            self._positions.move_to_end(key)
        return kept

    def _keep(self, kept: "_Kept") -> None:
        self._positions[kept.key] = kept
        self._positions.move_to_end(kept.key)
        if len(self._positions) > self._positions_max:
            self._positions.popitem(last=False)


class _Key(NamedTuple):
    """The name of a position."""

    match_id: str
    version: int
    digest: bytes


class _Kept(NamedTuple):
    """A position that is remembered."""

    referee: Referee
    position: Position
    key: _Key


@asynccontextmanager
async def serving(
    rules: RulesServer,
    *,
    listen: str,
    tls: Tls | None = None,
    drain_s: float = DRAIN_S,
) -> AsyncIterator[str]:
    """Serve rules, with health and reflection, until the context ends; gives the address.

    Raises:
        CannotServe: the address is taken, or a certificate cannot be used.
    """
    server = grpc.aio.server(
        options=[
            ("grpc.max_receive_message_length", REQUEST_BYTES_MAX),
            ("grpc.max_concurrent_streams", STREAMS_MAX),
            ("grpc.so_reuseport", 0),
        ]
    )
    rules_pb2_grpc.add_RulesServiceServicer_to_server(rules, server)
    checks = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    name = pb.DESCRIPTOR.services_by_name["RulesService"].full_name
    reflection.enable_server_reflection(
        [name, health.SERVICE_NAME, reflection.SERVICE_NAME], server
    )
    address = _listen(server, listen, tls)
    await server.start()
    await checks.set("", health_pb2.HealthCheckResponse.SERVING)
    try:
        yield address
    finally:
        await checks.enter_graceful_shutdown()
        await server.stop(drain_s)


def _listen(server: grpc.aio.Server, listen: str, tls: Tls | None) -> str:
    """Open the server's port; returns its address."""
    try:
        if tls is None:
            port = server.add_insecure_port(listen)
        else:
            port = server.add_secure_port(listen, _credentials(tls))
    except RuntimeError as error:  # what gRPC says has no type of its own
        raise CannotServe(listen, why="it is taken, or no address of this machine") from error
    except OSError as error:
        raise CannotServe(listen, why=f"a certificate cannot be read: {error}") from error
    return listen if is_unix(listen) else f"{listen.rpartition(':')[0]}:{port}"


def _credentials(tls: Tls) -> grpc.ServerCredentials:
    pair = tls.key.read_bytes(), tls.cert.read_bytes()
    client_ca = None if tls.client_ca is None else tls.client_ca.read_bytes()
    return grpc.ssl_server_credentials(
        [pair], root_certificates=client_ca, require_client_auth=client_ca is not None
    )


async def _answered(
    handle: Callable[[RequestT], AnswerT], request: RequestT, context: Context
) -> AnswerT:
    """The answer to a call; what is refused ends it with that status."""
    try:
        return handle(request)
    except KozyrError as error:
        await context.abort_with_status(wire.error_status(error))
        raise AssertionError("abort_with_status always raises") from error
