"""``kozyr plugin serve`` answers whoever calls, also those who call wrongly."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar, cast

import grpc
import pytest
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from kozyr import wire
from kozyr.errors import (
    InvalidMessage,
    InvalidOptions,
    KozyrError,
    Refused,
    UnknownVariant,
    UnsupportedRules,
)
from kozyr.match import Match
from kozyr.plugins import UnsupportedProtocol
from kozyr.plugins.greeting import DESCRIPTOR, PROTOCOLS, read_greeting
from kozyr.v1 import rules_pb2 as pb
from tests.toy import play_out

SERVE = [sys.executable, "-m", "kozyr_cli", "plugin", "serve"]
CALL_LIMIT_S = 20.0

AnswerT = TypeVar("AnswerT", bound=Message)


class Caller:
    """Calls a server by the names of its methods."""

    def __init__(self, channel: grpc.Channel) -> None:
        self.channel = channel

    def call(
        self,
        method: str,
        request: Message,
        answer: type[AnswerT],
        *,
        service: str = "kozyr.v1.RulesService",
    ) -> AnswerT:
        """The answer.

        Raises:
            KozyrError: what the server refuses with.
        """
        send: grpc.UnaryUnaryMultiCallable[Message, AnswerT]
        send = self.channel.unary_unary(
            f"/{service}/{method}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=answer.FromString,
        )
        try:
            return send(request, timeout=CALL_LIMIT_S)
        except grpc.RpcError as error:
            raise wire.decode_call_error(cast("grpc.Call", error)) from error

    def begin(self, match: Match, entries: int) -> pb.BeginResponse:
        log = map(wire.encode_entry, match.entries[:entries])
        request = pb.BeginRequest(header=wire.encode_header(match.header), log=log)
        return self.call("Begin", request, pb.BeginResponse)

    def act(self, match: Match, version: int, entries: int = 1) -> pb.ActResponse:
        log = match.entries[version : version + entries]
        request = pb.ActRequest(head=head(match, version), entries=map(wire.encode_entry, log))
        return self.call("Act", request, pb.ActResponse)


def head(match: Match, version: int) -> pb.Head:
    digest = match.entries[version - 1].digest if version else match.header.digest()
    return pb.Head(match_id=match.header.match_id, version=version, digest=digest)


def short_match(seed: int = 1) -> Match:
    return play_out(Match("odessa", seats=3, seed=seed, options={"max_hand": 1}))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    greeting, end = os.pipe()
    listen = f"unix:{tmp_path_factory.mktemp('serve') / 'rules.sock'}"
    with subprocess.Popen(
        [*SERVE, "odessa", "georgian", "--listen", listen, "--positions-max", "4"],
        env={**os.environ, DESCRIPTOR: str(end), PROTOCOLS: "1,2"},
        pass_fds=[end],
    ) as process:
        os.close(end)
        with os.fdopen(greeting, "rb") as line:
            assert read_greeting(line.readline()) == listen
        with grpc.insecure_channel(listen) as channel:
            yield Caller(channel)
        process.send_signal(signal.SIGTERM)
    assert process.returncode == 0


def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*SERVE, *words],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=CALL_LIMIT_S,
    )


def test_the_server_says_what_it_serves(server: Caller) -> None:
    request = pb.DescribeRequest(protocol_versions=[1, 2])
    answer = server.call("Describe", request, pb.DescribeResponse)
    assert answer.protocol_version == 1
    assert [variant.variant for variant in answer.variants] == ["georgian", "odessa"]


def test_a_host_of_another_protocol_is_told_which_is_spoken(server: Caller) -> None:
    request = pb.DescribeRequest(protocol_versions=[2])
    with pytest.raises(UnsupportedProtocol) as refused:
        server.call("Describe", request, pb.DescribeResponse)
    assert refused.value.served == (1,)


def test_health_and_reflection_are_served(server: Caller) -> None:
    health = server.call(
        "Check",
        health_pb2.HealthCheckRequest(),
        health_pb2.HealthCheckResponse,
        service="grpc.health.v1.Health",
    )
    assert health.status == health_pb2.HealthCheckResponse.SERVING
    ask: grpc.StreamStreamMultiCallable[
        reflection_pb2.ServerReflectionRequest, reflection_pb2.ServerReflectionResponse
    ]
    ask = server.channel.stream_stream(
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
    )
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    [answer] = ask(iter([request]), timeout=CALL_LIMIT_S)
    names = {service.name for service in answer.list_services_response.service}
    assert {"kozyr.v1.RulesService", "grpc.health.v1.Health"} <= names


def test_an_unknown_position_needs_the_log_and_goes_on_from_it(server: Caller) -> None:
    match = short_match()
    assert server.act(match, 3).need_log
    server.begin(match, 3)
    answer = server.act(match, 3)
    assert not answer.need_log
    assert len(answer.steps) == 1
    check = pb.CheckRequest(head=head(short_match(seed=2), 2), seat=0, action=1)
    assert server.call("Check", check, pb.CheckResponse).need_log


def test_the_step_of_a_match_taken_up_is_that_of_its_last_entry(server: Caller) -> None:
    match = short_match()
    step = server.begin(match, len(match.entries)).step
    assert wire.decode_step(step).outcome == match.outcome
    assert wire.decode_step(server.begin(match, 0).step).deck


def test_positions_that_were_asked_for_long_ago_are_forgotten(server: Caller) -> None:
    first, *later = (short_match(seed) for seed in range(5))
    server.begin(first, 2)
    assert not server.act(first, 2).need_log
    for match in later:  # as many as are remembered
        server.begin(match, 2)
    assert server.act(first, 2).need_log
    assert not server.act(later[-1], 2).need_log


def test_of_several_entries_all_are_taken_or_none(server: Caller) -> None:
    match = short_match()
    server.begin(match, 0)
    log = [wire.encode_entry(entry) for entry in match.entries[:3]]
    log[2].digest = b"\x00" * 32
    request = pb.ActRequest(head=head(match, 0), entries=log)
    with pytest.raises(InvalidMessage, match="entry 3 does not follow"):
        server.call("Act", request, pb.ActResponse)
    assert server.act(match, 2).need_log
    assert not server.act(match, 0, 3).need_log


def refused(server: Caller, method: str, request: Message) -> KozyrError:
    with pytest.raises(KozyrError) as error:
        server.call(method, request, pb.ConfigureResponse)
    return error.value


@pytest.mark.parametrize(
    ("request_", "kind"),
    [
        (pb.ConfigureRequest(variant="chess", rules_version=1), UnknownVariant),
        (pb.ConfigureRequest(variant="odessa", rules_version=9), UnsupportedRules),
        (
            pb.ConfigureRequest(variant="odessa", rules_version=1, options_json='{"no": 1}'),
            InvalidOptions,
        ),
        (pb.ConfigureRequest(variant="odessa", rules_version=1, options_json="["), InvalidMessage),
        (pb.BeginRequest(), InvalidMessage),
        (pb.SampleRequest(), Refused),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_reason(
    server: Caller, request_: Message, kind: type[KozyrError]
) -> None:
    method = type(request_).__name__.removesuffix("Request")
    assert type(refused(server, method, request_)) is kind


def test_a_check_says_why_or_nothing(server: Caller) -> None:
    match = short_match()
    server.begin(match, 2)
    seat = match.entries[2].actor
    request = pb.CheckRequest(head=head(match, 2), seat=seat, action=match.entries[2].action)
    assert server.call("Check", request, pb.CheckResponse) == pb.CheckResponse()
    request.action = 127
    answer = server.call("Check", request, pb.CheckResponse)
    assert answer.clause
    assert answer.explanation


def test_a_variant_that_is_not_installed_is_named() -> None:
    ended = run("chess")
    assert ended.returncode == 2
    assert ended.stderr.startswith("kozyr: no variant 'chess' is installed")


def test_an_address_that_is_taken_is_named_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        ended = run("odessa", "--listen", address, KOZYR_LOG_LEVEL="error")
    assert ended.returncode == 1
    assert f"kozyr: cannot serve rules on '{address}'" in ended.stderr


def test_half_of_a_certificate_is_refused(tmp_path: Path) -> None:
    ended = run("odessa", "--tls-cert", str(tmp_path / "cert.pem"))
    assert ended.returncode == 2
    assert "tls_cert and tls_key belong together" in ended.stderr


def test_a_certificate_that_is_not_there_is_named(tmp_path: Path) -> None:
    cert = str(tmp_path / "cert.pem")
    ended = run("odessa", "--tls-cert", cert, "--tls-key", cert, "--listen", "127.0.0.1:0")
    assert ended.returncode == 1
    assert cert in ended.stderr
