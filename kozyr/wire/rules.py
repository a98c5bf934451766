"""What a plugin and its host say to each other."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from google.protobuf import json_format, struct_pb2

from kozyr.errors import InvalidMessage
from kozyr.events import EVERYBODY, SEATS_MAX, Event, Seat
from kozyr.referee import Configuration, Offer, Step
from kozyr.v1 import rules_pb2 as pb
from kozyr.wire.events import encode_event
from kozyr.wire.moves import decode_actions, encode_actions
from kozyr.wire.observations import decode_decision, encode_decision
from kozyr.wire.payloads import decode_outcome, decode_payload, encode_outcome
from kozyr.wire.values import decode_cards, decode_options, encode_options


def encode_offer(offer: Offer) -> pb.VariantInfo:
    """A variant that can be refereed, for the wire."""
    schema = struct_pb2.Struct()
    json_format.ParseDict(dict(offer.options_schema), schema)
    return pb.VariantInfo(
        variant=offer.variant,
        title=offer.title,
        summary=offer.summary,
        rules_versions=offer.rules_versions,
        options_schema=schema,
        seat_counts=offer.seat_counts,
        samples=offer.samples,
    )


def decode_offer(message: pb.VariantInfo) -> Offer:
    """A variant that can be refereed, from the wire.

    Raises:
        InvalidMessage: it has no name, no version of its rules, or is played by nobody.
    """
    if not message.variant:
        raise InvalidMessage("a variant has a name")
    versions, counts = tuple(message.rules_versions), tuple(message.seat_counts)
    _check_ascending(versions, f"the rules_versions of {message.variant}")
    _check_ascending(counts, f"the seat_counts of {message.variant}")
    if counts[-1] > SEATS_MAX:
        raise InvalidMessage(f"{message.variant} is played by {SEATS_MAX} at most")
    return Offer(
        variant=message.variant,
        title=message.title,
        summary=message.summary,
        rules_versions=versions,
        options_schema=_schema(message.options_schema),
        seat_counts=counts,
        samples=message.samples,
    )


def encode_configuration(configuration: Configuration) -> pb.ConfigureResponse:
    """A checked configuration for the wire."""
    return pb.ConfigureResponse(
        options_json=encode_options(configuration.options),
        seat_counts=configuration.seat_counts,
        actions=encode_actions(configuration.actions),
        teams=configuration.teams,
    )


def decode_configuration(message: pb.ConfigureResponse) -> Configuration:
    """A checked configuration from the wire.

    Raises:
        InvalidMessage: it has no actions, or nobody plays with it.
    """
    counts = tuple(message.seat_counts)
    _check_ascending(counts, "the seat_counts")
    if not message.actions.moves:
        raise InvalidMessage("a configuration has a table of actions")
    return Configuration(
        options=decode_options(message.options_json),
        seat_counts=counts,
        actions=decode_actions(message.actions),
        teams=tuple(message.teams),
    )


def encode_step(step: Step) -> pb.Step:
    """What came of an entry, for the wire."""
    return pb.Step(
        events=[
            encode_event(ordinal, 0 if audience == EVERYBODY else audience, payload)
            for ordinal, event in enumerate(step.events)
            for audience, payload in event.faces
        ],
        decisions=[encode_decision(decision) for decision in step.pending.values()],
        deck=step.deck,
        scores=step.scores,
        outcome=None if step.outcome is None else encode_outcome(step.outcome),
    )


def decode_step(message: pb.Step) -> Step:
    """What came of an entry, from the wire; it keeps the contract only as far as types go.

    Raises:
        InvalidMessage: it is no step.
    """
    decisions = [decode_decision(decision) for decision in message.decisions]
    pending = {decision.seat: decision for decision in decisions}
    if len(pending) != len(decisions):
        raise InvalidMessage("a seat has one decision at a time")
    outcome = decode_outcome(message.outcome) if message.HasField("outcome") else None
    return Step(
        events=_decode_events(message),
        pending={Seat(seat): pending[seat] for seat in sorted(pending)},
        deck=decode_cards(message.deck),
        scores=tuple(message.scores),
        outcome=outcome,
    )


def _decode_events(message: pb.Step) -> Sequence[Event]:
    events: list[Event] = []
    faces: list[tuple[int, Any]] = []
    for face in message.events:
        if face.ordinal == len(events) + 1 and faces:
            events.append(Event(tuple(faces)))
            faces = []
        if face.ordinal != len(events):
            raise InvalidMessage("the ordinals of a step's events count from 0, without a gap")
        faces.append((face.audience or EVERYBODY, decode_payload(face.payload)))
    return [*events, Event(tuple(faces))] if faces else events


def _check_ascending(numbers: Sequence[int], what: str) -> None:
    if not numbers or numbers[0] < 1 or any(a >= b for a, b in pairwise(numbers)):
        raise InvalidMessage(f"{what} are one or more numbers from 1, ascending")


def _schema(message: struct_pb2.Struct) -> dict[str, Any]:
    try:
        plain = json_format.MessageToDict(message)
    except (json_format.Error, ValueError, RecursionError) as error:
        raise InvalidMessage(f"the schema of the options is no JSON: {error}") from error
    return {key: _whole(value) for key, value in plain.items()}


def _whole(value: Any) -> Any:
    """JSON whose whole numbers are whole again: a Struct knows floating ones only."""
    match value:
        case dict():
            return {key: _whole(each) for key, each in value.items()}
        case list():
            return [_whole(each) for each in value]
        case float() if value.is_integer():
            return int(value)
    return value
