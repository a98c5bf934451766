"""Checks that nonsense is refused in a typed way, and that the plugin lives on."""

import random
from collections.abc import Iterator
from typing import Any, Final, cast

import grpc
from google.protobuf.message import Message

from kozyr import wire
from kozyr.cards import Card
from kozyr.conformance.exam import Exam
from kozyr.conformance.playthrough import Playthrough, complaint, step_bytes
from kozyr.conformance.verdicts import NotApplicable, Violated, require
from kozyr.errors import InvalidOptions, InvalidSeatCount, MatchError
from kozyr.events import Seat
from kozyr.game import CHANCE
from kozyr.plugins.calls import RULES, UNANSWERED
from kozyr.v1 import rules_pb2 as pb

OPTIONS_TRIED: Final = 200
ENTRIES_TRIED: Final = 40
"""For each match."""
REQUESTS_TRIED: Final = 60
"""For each method of the plugin interface."""

BYTES_MAX: Final = 512
"""The length of a request of random bytes."""

CALL_TIMEOUT_S: Final = 10.0

NUMBER_MAX: Final = (1 << 32) - 1


def fuzzed_options(exam: Exam) -> None:
    """Options of any names and values are taken, or refused as options."""
    rng = exam.rng("fuzzed options")
    known = list(exam.referee.configure({}).options)
    for _ in range(OPTIONS_TRIED):
        names = [rng.choice([*known, _text(rng)]) for _ in range(rng.randint(0, 4))]
        options = {name: _value(rng) for name in names}
        seats = rng.choice((None, rng.randint(1, 20)))
        try:
            exam.referee.configure(options, seats)
        except (InvalidOptions, InvalidSeatCount):
            continue
        except Exception as error:
            raise Violated(f"options {options}, {seats} seats: {complaint(error)}") from error


def fuzzed_entries(exam: Exam) -> None:
    """Entries of any actor, action and deck are taken, or refused as entries."""
    rng = exam.rng("fuzzed entries")
    for match in exam.matches:
        for _ in range(ENTRIES_TRIED if match.version else 0):
            version = rng.randrange(match.version)
            fork = match.fork(version)
            entry = _entry(fork, rng)
            try:
                fork.take(*entry)
            except MatchError:
                continue
            except Exception as error:
                told = f"{match.where(version)}: entry {entry}: {complaint(error)}"
                raise Violated(told) from error


def fuzzed_bytes(exam: Exam) -> None:
    """Bytes that are no requests get an error of gRPC or an answer, and the plugin lives on."""
    if exam.channel is None:
        raise NotApplicable("only where the rules are served by gRPC")
    rng = exam.rng("fuzzed bytes")
    for method, request in _requests(exam).items():
        genuine = request.SerializeToString()
        for _ in range(REQUESTS_TRIED):
            _send(exam, method, _nonsense(rng, genuine))
    match = exam.matches[0]
    again = match.fork(0)
    for entry, expected in zip(match.entries[:20], match.steps[1:], strict=False):
        same = step_bytes(again.repeat(entry)) == step_bytes(expected)
        require(same, "after nonsense a match goes on otherwise")


def _requests(exam: Exam) -> dict[str, Message]:
    """A genuine request of each method."""
    match = exam.matches[0]
    entries = [wire.encode_entry(entry) for entry in match.entries[:10]]
    header = wire.encode_header(match.header)
    head = pb.Head(match_id=match.header.match_id, version=0, digest=match.header.digest())
    observation = wire.encode_observation(match.observation(Seat(0), min(match.version, 10)))
    return {
        "Describe": pb.DescribeRequest(protocol_versions=[1]),
        "Configure": pb.ConfigureRequest(
            variant=match.header.variant,
            rules_version=match.header.rules_version,
            options_json=wire.encode_options(match.header.options),
            seats=match.case.seats,
        ),
        "Begin": pb.BeginRequest(header=header, log=entries),
        "Act": pb.ActRequest(head=head, entries=entries),
        "Check": pb.CheckRequest(head=head, seat=0, action=1),
        "Sample": pb.SampleRequest(header=header, observation=observation, seed=1),
    }


def _send(exam: Exam, method: str, request: bytes) -> None:
    assert exam.channel is not None
    call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = exam.channel().unary_unary(
        f"/{RULES}/{method}"
    )
    try:
        call(request, timeout=CALL_TIMEOUT_S)
    except grpc.RpcError as error:
        code = cast("grpc.Call", error).code()
        if code in UNANSWERED:
            told = f"{method} with the bytes {request[:40].hex()}…: {code.name}"
            raise Violated(f"the plugin does not live on after {told}") from error


def _nonsense(rng: random.Random, genuine: bytes) -> bytes:
    """Random bytes, or a request with some bytes of it changed or cut off."""
    if not genuine or rng.random() < 0.3:
        return rng.randbytes(rng.randrange(BYTES_MAX))
    damaged = bytearray(genuine)
    for _ in range(rng.randint(1, 4)):
        damaged[rng.randrange(len(damaged))] = rng.randrange(256)
    return bytes(damaged[: rng.randint(len(damaged) // 2, len(damaged))])


def _entry(match: Playthrough, rng: random.Random) -> tuple[Seat, int, tuple[Card, ...]]:
    """An actor, an action and a deck of any kind."""
    actor = Seat(rng.choice((*range(match.case.seats + 2), CHANCE, 255)))
    action = rng.choice((rng.randrange(256), rng.randint(0, NUMBER_MAX)))
    deck: tuple[Card, ...] = ()
    if actor == CHANCE:
        cards = list(match.entries[0].deck if match.entries else match.step.deck)
        deck = tuple(rng.choice(cards) for _ in range(rng.randrange(60)))
    return actor, action, deck


def _value(rng: random.Random, depth: int = 2) -> Any:
    """A JSON value of any kind."""
    kinds = 8 if depth else 6
    match rng.randrange(kinds):
        case 0:
            return None
        case 1:
            return rng.random() < 0.5
        case 2:
            return rng.choice((0, 1, -1, rng.randint(-100, 100), rng.randint(-(2**80), 2**80)))
        case 3:
            return rng.choice((0.5, -0.0, 1e300))
        case 4 | 5:
            return _text(rng)
        case 6:
            return [_value(rng, depth - 1) for _ in range(rng.randrange(3))]
        case _:
            return {_text(rng): _value(rng, depth - 1) for _ in range(rng.randrange(3))}


def _text(rng: random.Random) -> str:
    return "".join(_letters(rng, rng.randrange(12)))


def _letters(rng: random.Random, count: int) -> Iterator[str]:
    for _ in range(count):
        yield chr(rng.choice((rng.randint(32, 126), rng.randint(0, 0x2FF), 0x1F0A1)))
