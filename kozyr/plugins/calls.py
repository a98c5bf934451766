"""Calls to a plugin in another process: each has a deadline, and its answer a size.

What can go wrong with a call comes out as a refusal by the rules, which the caller names, or as
`PluginUnavailable` or `PluginMisbehaved`.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar, cast, final

import grpc
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2

from kozyr import wire
from kozyr.addresses import is_unix
from kozyr.errors import (
    InvalidMessage,
    InvalidOptions,
    InvalidSeatCount,
    KozyrError,
    MatchError,
    Refused,
)
from kozyr.plugins.errors import PluginMisbehaved, PluginUnavailable, UnsupportedProtocol
from kozyr.plugins.greeting import PROTOCOLS_SPOKEN
from kozyr.plugins.source import Source
from kozyr.referee import Configuration, Offer
from kozyr.v1 import rules_pb2 as pb

ANSWER_BYTES_MAX: Final = 4_194_304
"""What one answer of a plugin may hold."""

WORDS_CHARS_MAX: Final = 1_024
"""What is repeated of a plugin's own words."""

AnswerT = TypeVar("AnswerT", bound=Message)
T = TypeVar("T")

UNANSWERED: Final = (
    grpc.StatusCode.CANCELLED,  # we closed the connection
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.UNAVAILABLE,
)
"""How a call ends when nobody answers it."""

RULES: Final = pb.DESCRIPTOR.services_by_name["RulesService"].full_name
"""The name of the service that a plugin is."""
_HEALTH: Final = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name


@final
class RulesCalls:
    """A connection to a plugin. Calls are safe from any thread."""

    def __init__(self, source: Source, *, address: str, name: str, timeout_s: float) -> None:
        self.name = name
        self._timeout_s = timeout_s
        self.channel = _channel(source, address)
        self._configure = self._method(RULES, "Configure", pb.ConfigureResponse)
        self._begin = self._method(RULES, "Begin", pb.BeginResponse)
        self._act = self._method(RULES, "Act", pb.ActResponse)
        self._check = self._method(RULES, "Check", pb.CheckResponse)

    def close(self) -> None:
        """End all calls under way, and the connection."""
        self.channel.close()

    def check_health(self, *, wait_s: float | None = None) -> None:
        """Ask whether it serves.

        Args:
            wait_s: how long to wait until it can be reached; by default it must be there.

        Raises:
            PluginUnavailable: it does not serve.
            PluginMisbehaved: it does not answer such a question.
        """
        answer = self._call(
            self._method(_HEALTH, "Check", health_pb2.HealthCheckResponse),
            health_pb2.HealthCheckRequest(),
            timeout_s=wait_s,
            wait_for_ready=wait_s is not None,
        )
        if answer.status != health_pb2.HealthCheckResponse.SERVING:
            raise PluginUnavailable(f"the plugin {self.name} says that it does not serve")

    def describe(self) -> Mapping[str, Offer]:
        """What it serves, by variant.

        Raises:
            PluginUnavailable, PluginMisbehaved: it does not say.
            UnsupportedProtocol: it speaks none of our protocol versions.
        """
        request = pb.DescribeRequest(protocol_versions=PROTOCOLS_SPOKEN)
        describe = self._method(RULES, "Describe", pb.DescribeResponse)
        answer = self._call(describe, request, refusals=(UnsupportedProtocol,))
        if answer.protocol_version not in PROTOCOLS_SPOKEN:
            raise self.misbehaved(
                f"answers with protocol version {answer.protocol_version}, which was not offered"
            )
        offers = [self.decoded(wire.decode_offer, variant) for variant in answer.variants]
        named = {offer.variant: offer for offer in offers}
        if not offers or len(named) != len(offers):
            raise self.misbehaved("offers no variant, or one twice")
        return named

    def configure(
        self, variant_id: str, rules_version: int, options_json: str, *, seats: int | None
    ) -> Configuration:
        """What options come to.

        Raises:
            InvalidOptions, InvalidSeatCount: they are not possible.
            PluginUnavailable, PluginMisbehaved: it does not say.
        """
        request = pb.ConfigureRequest(
            variant=variant_id,
            rules_version=rules_version,
            options_json=options_json,
            seats=seats or 0,
        )
        refusals = (InvalidOptions, InvalidSeatCount)
        answer = self._call(self._configure, request, refusals=refusals)
        configuration = self.decoded(wire.decode_configuration, answer)
        if seats is None:
            return configuration
        if seats not in configuration.seat_counts:
            raise InvalidSeatCount(seats, allowed=configuration.seat_counts)
        if len(configuration.teams) != seats:
            raise self.misbehaved(f"names {len(configuration.teams)} teams for {seats} seats")
        return configuration

    def begin(self, request: pb.BeginRequest) -> pb.BeginResponse:
        """Open a match.

        Raises:
            InvalidOptions, InvalidSeatCount: it is not possible.
            PluginUnavailable, PluginMisbehaved: it does not.
        """
        return self._call(self._begin, request, refusals=(InvalidOptions, InvalidSeatCount))

    def act(self, request: pb.ActRequest) -> pb.ActResponse:
        """Take entries.

        Raises:
            MatchError: the rules refuse one of them.
            PluginUnavailable, PluginMisbehaved: it does not.
        """
        return self._call(self._act, request, refusals=(MatchError,))

    def check(self, request: pb.CheckRequest) -> pb.CheckResponse:
        """Ask whether an action is legal.

        Raises:
            PluginUnavailable, PluginMisbehaved: it does not say.
        """
        return self._call(self._check, request)

    def decoded(self, decode: Callable[[Any], T], message: Any) -> T:
        """What a message of the plugin says.

        Raises:
            PluginMisbehaved: it makes no sense.
        """
        try:
            return decode(message)
        except InvalidMessage as error:
            raise self.misbehaved(f"sends what makes no sense: {error}") from error

    def misbehaved(self, what: str) -> PluginMisbehaved:
        """The error for something that the plugin did, as the end of a sentence."""
        return PluginMisbehaved(f"the plugin {self.name} {what}")

    def _method(
        self, service: str, name: str, answer: type[AnswerT]
    ) -> "grpc.UnaryUnaryMultiCallable[Message, AnswerT]":
        return self.channel.unary_unary(
            f"/{service}/{name}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=answer.FromString,
        )

    def _call(
        self,
        method: "grpc.UnaryUnaryMultiCallable[Message, AnswerT]",
        request: Message,
        *,
        refusals: tuple[type[KozyrError], ...] = (),
        timeout_s: float | None = None,
        wait_for_ready: bool = False,
    ) -> AnswerT:
        timeout_s = timeout_s or self._timeout_s
        try:
            return method(request, timeout=timeout_s, wait_for_ready=wait_for_ready)
        except grpc.RpcError as error:
            call = cast("grpc.Call", error)
            refusal = wire.decode_call_error(call)
            if isinstance(refusal, refusals):
                raise refusal from error
            raise self._failure(call, refusal, refusals) from error
        except ValueError as error:  # the connection was closed before the call
            raise PluginUnavailable(f"the plugin {self.name} was let go of") from error

    def _failure(
        self, call: grpc.Call, refusal: KozyrError, refusals: tuple[type[KozyrError], ...]
    ) -> KozyrError:
        """What a call that failed comes to."""
        code = call.code()
        plain = isinstance(refusal, Refused)
        if plain and code in UNANSWERED:
            hung = code is grpc.StatusCode.DEADLINE_EXCEEDED
            why = "did not answer in time" if hung else f"cannot be reached: {refusal}"
            return PluginUnavailable(f"the plugin {self.name} {why}")
        words = str(refusal)[:WORDS_CHARS_MAX]
        if plain and InvalidOptions in refusals and code is grpc.StatusCode.INVALID_ARGUMENT:
            return InvalidOptions([words])
        if plain and MatchError in refusals and code is grpc.StatusCode.FAILED_PRECONDITION:
            return MatchError(words)
        return self.misbehaved(f"answers with {code.name}: {words}")


def _channel(source: Source, address: str) -> grpc.Channel:
    options: list[tuple[str, int | str]] = [
        ("grpc.max_receive_message_length", ANSWER_BYTES_MAX),
        ("grpc.max_send_message_length", -1),  # what we send is ours
        ("grpc.use_local_subchannel_pool", 1),  # a restarted plugin is not the one before
        ("grpc.enable_retries", 0),
    ]
    if source.tls_ca is None:
        if is_unix(address):
            options.append(("grpc.default_authority", "localhost"))
        return grpc.insecure_channel(address, options=options)
    if source.tls_name is not None:
        options.append(("grpc.ssl_target_name_override", source.tls_name))
    credentials = grpc.ssl_channel_credentials(
        root_certificates=source.tls_ca.read_bytes(),
        private_key=None if source.tls_key is None else source.tls_key.read_bytes(),
        certificate_chain=None if source.tls_cert is None else source.tls_cert.read_bytes(),
    )
    return grpc.secure_channel(address, credentials, options=options)
