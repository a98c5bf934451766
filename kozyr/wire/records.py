"""Headers, entries and records on the wire."""

from typing import Final

from kozyr.errors import InvalidMessage
from kozyr.game import CHANCE
from kozyr.log import Cause, Entry, Header, is_chance
from kozyr.moves import ActionTable, InvalidMove
from kozyr.record import Record
from kozyr.record_lines import DIGEST_BYTES, FORMAT_VERSION, check_header
from kozyr.shuffle import SEED_BYTES
from kozyr.v1 import record_pb2 as pb
from kozyr.wire.payloads import decode_outcome, encode_outcome
from kozyr.wire.values import decode_cards, decode_options, decode_seat, encode_options, inverse

_ENCODED_CAUSE: Final = {
    Cause.PLAYER: pb.CAUSE_PLAYER,
    Cause.BOT: pb.CAUSE_BOT,
    Cause.TIMEOUT: pb.CAUSE_TIMEOUT,
    Cause.CHANCE: pb.CAUSE_CHANCE,
}
_CAUSES: Final = inverse(_ENCODED_CAUSE)


def encode_header(header: Header) -> pb.Header:
    """A header for the wire."""
    return pb.Header(
        match_id=header.match_id,
        variant=header.variant,
        rules_version=header.rules_version,
        options_json=encode_options(header.options),
        players=header.players,
        commitment=header.commitment,
        nonces=header.nonces,
    )


def decode_header(message: pb.Header) -> Header:
    """A header from the wire.

    Raises:
        InvalidMessage: no match has such a header.
    """
    header = Header(
        match_id=message.match_id,
        variant=message.variant,
        rules_version=message.rules_version,
        options=decode_options(message.options_json),
        players=tuple(message.players),
        commitment=message.commitment,
        nonces=tuple(message.nonces),
    )
    try:
        check_header(header)
    except ValueError as error:
        raise InvalidMessage(str(error)) from error
    return header


def encode_entry(entry: Entry) -> pb.Entry:
    """An entry for the wire."""
    return pb.Entry(
        version=entry.version,
        actor=entry.actor,
        action=entry.action,
        deck=entry.deck,
        cause=_ENCODED_CAUSE[entry.cause],
        request_id=entry.request_id,
        at_ms=entry.at_ms,
        digest=entry.digest,
    )


def decode_entry(message: pb.Entry) -> Entry:
    """An entry from the wire; whoever sends no digest leaves it to the receiver.

    Raises:
        InvalidMessage: no log has such an entry.
    """
    chance = message.actor == CHANCE
    if bool(message.deck) != chance or (chance and message.action):
        raise InvalidMessage("chance has a deck and no action, a seat an action and no deck")
    cause = _CAUSES.get(message.cause)
    if cause is None:
        raise InvalidMessage(f"no cause has the number {message.cause}")
    if len(message.digest) not in (0, DIGEST_BYTES):
        raise InvalidMessage(f"a digest has {DIGEST_BYTES} bytes, not {len(message.digest)}")
    return Entry(
        version=message.version,
        actor=CHANCE if chance else decode_seat(message.actor),
        action=message.action,
        deck=decode_cards(message.deck),
        cause=cause,
        digest=message.digest,
        request_id=message.request_id,
        at_ms=message.at_ms,
    )


def encode_record(record: Record) -> pb.Record:
    """A record for the wire."""
    return pb.Record(
        format_version=FORMAT_VERSION,
        header=encode_header(record.header),
        entries=[encode_entry(entry) for entry in record.entries],
        outcome=encode_outcome(record.outcome),
        seed=record.seed,
    )


def decode_record(message: pb.Record, actions: ActionTable) -> Record:
    """A record from the wire, sealed here; `kozyr.verify` says whether it is true.

    Args:
        actions: what the actions of its variant mean under its options.

    Raises:
        InvalidMessage: it is no whole record.
    """
    if message.format_version != FORMAT_VERSION:
        raise InvalidMessage(f"format_version {message.format_version} is not known here")
    if not message.HasField("outcome") or len(message.seed) != SEED_BYTES:
        raise InvalidMessage("a record has an outcome and the seed")
    header = decode_header(message.header)
    outcome = decode_outcome(message.outcome)
    if len(outcome.scores) != header.seats:
        raise InvalidMessage("the outcome is for another number of seats")
    entries = tuple(decode_entry(entry) for entry in message.entries)
    try:
        moves = tuple("" if is_chance(each) else actions[each.action].text for each in entries)
    except InvalidMove as error:
        raise InvalidMessage(str(error)) from error
    return Record(header, entries, moves, outcome, message.seed).sealed()
