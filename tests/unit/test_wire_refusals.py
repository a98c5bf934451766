"""A refusal reaches the caller as the exception it was, on a stream and as a status."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc.aio
import pytest

from kozyr import errors, wire
from kozyr.errors import Code, IllegalMove, InvalidMessage, KozyrError, NotYourTurn, Refused
from kozyr.plugins import PluginBroken
from kozyr.v1.errors_pb2 import Refusal
from kozyr.wire import refusals
from tests.vocabulary import kinds_of


class SeatWobbles(KozyrError):
    """A refusal of some service, which knows nothing of the wire."""

    reason = "SEAT_WOBBLES"
    code = Code.UNAVAILABLE
    retryable = True
    facts = ("seat", "legs", "owner")

    def __init__(self, seat: int, *, legs: Sequence[str], owner: str | None = None) -> None:
        super().__init__(f"the legs {' and '.join(legs)} of seat {seat} are loose")
        self.seat = seat
        self.legs = tuple(legs)
        self.owner = owner


REFUSALS: list[KozyrError] = [
    KozyrError("no"),
    errors.UnknownVariant("chess", known=["odessa", "georgian"]),
    errors.UnknownBrain("no brain 'x' is installed"),
    PluginBroken("it cannot be loaded"),
    errors.InvalidOptions(["unknown option 'a'", "option 'b': too big"]),
    errors.InvalidSeatCount(7, allowed=(2, 3)),
    errors.MatchError("not now"),
    NotYourTurn(2, waiting=(0, 1)),
    errors.StaleDecision(3, pending=9),
    IllegalMove("the bids may not sum to 5", clause="C3", legal=(61, 62, 64)),
    errors.InvalidDeck("not a permutation"),
    errors.MatchOver(),
    errors.InvalidRecord("the seal is broken", line=7),
    errors.InvalidRecord("cut off"),
    InvalidMessage("no card has the number 0"),
    errors.UnsupportedRules("odessa", wanted=3, served=(1, 2)),
    SeatWobbles(2, legs=["left", "right"]),
    SeatWobbles(0, legs=[], owner="Ольга"),
]
UNKNOWN = Refused(
    "the table is on fire",
    reason="TABLE_ON_FIRE",
    code=Code.ABORTED,
    retryable=True,
    clause="F1",
    legal=(1, 2),
    metadata={"where": '"there"'},
)


def assert_same(again: KozyrError, error: KozyrError) -> None:
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
    assert (again.reason, again.code, again.retryable) == (
        error.reason,
        error.code,
        error.retryable,
    )


def test_all_refusals_of_the_library_are_tried_here() -> None:
    here = {type(error) for error in REFUSALS} | {Refused}
    assert here >= {kind for kind in kinds_of(KozyrError) if kind.__module__ == "kozyr.errors"}


@pytest.mark.parametrize("error", [*REFUSALS, UNKNOWN], ids=lambda error: type(error).__name__)
def test_a_refusal_on_a_stream_is_raised_again_as_it_was(error: KozyrError) -> None:
    message = wire.parse(Refusal, wire.encode_refusal(error).SerializeToString())
    assert_same(wire.decode_refusal(message), error)


def test_a_refusal_says_all_it_knows_to_clients_in_any_language() -> None:
    refusal = wire.encode_refusal(IllegalMove("follow suit", clause="C5", legal=(3, 4)))
    assert (refusal.reason, refusal.code, refusal.clause) == ("ILLEGAL_MOVE", 9, "C5")
    assert refusal.message == "follow suit"
    assert list(refusal.legal_actions) == [3, 4]
    wobbles = wire.encode_refusal(SeatWobbles(2, legs=["left"]))
    assert dict(wobbles.metadata) == {"seat": "2", "legs": '["left"]', "owner": "null"}
    assert wobbles.retryable


def test_a_reason_without_a_class_becomes_a_refused_with_all_it_says() -> None:
    error = wire.decode_refusal(
        Refusal(
            reason="TABLE_ON_FIRE",
            message="the table is on fire",
            code=10,
            clause="F1",
            legal_actions=[1, 2],
            metadata={"where": '"there"'},
            retryable=True,
        )
    )
    assert_same(error, UNKNOWN)


@pytest.mark.parametrize("metadata", [{}, {"seat": "2"}, {"seat": "two", "waiting": "[]"}])
def test_a_known_reason_without_its_facts_becomes_a_refused(metadata: dict[str, str]) -> None:
    error = wire.decode_refusal(
        Refusal(reason="NOT_YOUR_TURN", message="wait", code=9, metadata=metadata)
    )
    assert isinstance(error, Refused)
    assert (error.reason, error.code, str(error)) == (
        "NOT_YOUR_TURN",
        Code.FAILED_PRECONDITION,
        "wait",
    )


def test_a_code_that_nobody_knows_is_unknown() -> None:
    assert wire.decode_refusal(Refusal(reason="X", code=77)).code is Code.UNKNOWN


def test_what_a_caller_sent_is_not_echoed_without_limit() -> None:
    shouted = errors.UnknownVariant("я" * 10_000, known=["odessa"])
    refusal = wire.encode_refusal(shouted)
    assert len(refusal.message.encode()) <= refusals.MESSAGE_BYTES_MAX
    assert refusal.message.endswith("…")
    assert not refusal.metadata
    assert isinstance(wire.decode_refusal(refusal), Refused)


def test_half_a_character_does_not_break_a_refusal() -> None:
    assert wire.encode_refusal(KozyrError("a \ud800 b")).message == "a ? b"


class Door(grpc.GenericRpcHandler):
    """A service that refuses every call for the reason it is given."""

    def __init__(self) -> None:
        self.error: KozyrError = KozyrError("closed")

    def service(self, _: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes]":
        return grpc.unary_unary_rpc_method_handler(self.refuse)

    async def refuse(self, _: bytes, context: Any) -> bytes:
        await context.abort_with_status(wire.error_status(self.error))
        return b""


async def refused_by_call(address: str) -> KozyrError:
    """What a client raises for a refused call."""
    async with grpc.aio.insecure_channel(address) as channel:
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(
            "/kozyr.v1.Door/Knock"
        )
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await call(b"")
    return wire.decode_call_error(refused.value)


async def test_a_refused_call_is_raised_again_as_it_was(tmp_path: Path) -> None:
    address = f"unix:{tmp_path}/door"
    door = Door()
    server = grpc.aio.server(handlers=[door])
    server.add_insecure_port(address)
    await server.start()
    try:
        for error in [*REFUSALS, UNKNOWN]:
            door.error = error
            assert_same(await refused_by_call(address), error)
        door.error = IllegalMove("“" * 4_000, clause="C5", legal=range(1_000))
        cut = await refused_by_call(address)
        assert isinstance(cut, IllegalMove)
        assert (cut.clause, cut.legal, cut.message[-1]) == ("C5", (), "…")
    finally:
        await server.stop(grace=None)


async def test_nobody_at_home_is_a_retryable_refusal(tmp_path: Path) -> None:
    error = await refused_by_call(f"unix:{tmp_path}/nobody")
    assert isinstance(error, Refused)
    assert (error.reason, error.code, error.retryable) == ("UNAVAILABLE", Code.UNAVAILABLE, True)


async def test_a_failure_of_another_kind_keeps_its_status(tmp_path: Path) -> None:
    address = f"unix:{tmp_path}/empty"
    server = grpc.aio.server()
    server.add_insecure_port(address)
    await server.start()
    try:
        error = await refused_by_call(address)
    finally:
        await server.stop(grace=None)
    assert isinstance(error, Refused)
    assert (error.reason, error.code, error.retryable) == (
        "UNIMPLEMENTED",
        Code.UNIMPLEMENTED,
        False,
    )
