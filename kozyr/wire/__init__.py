"""Domain objects to protobuf and back; nothing else knows both.

``encode_…`` makes a message, ``decode_…`` reads one that anybody may have sent and raises
`kozyr.errors.InvalidMessage` when it makes no sense.
"""

from kozyr.wire.events import (
    Face,
    decode_event,
    encode_event,
    event_bytes,
    payload_bytes,
    varint,
)
from kozyr.wire.moves import (
    decode_actions,
    decode_choice,
    decode_move,
    encode_actions,
    encode_move,
)
from kozyr.wire.observations import (
    decision_bytes,
    decode_decision,
    decode_observation,
    encode_decision,
    encode_observation,
)
from kozyr.wire.payloads import decode_outcome, decode_payload, encode_outcome, encode_payload
from kozyr.wire.records import (
    decode_entry,
    decode_header,
    decode_record,
    encode_entry,
    encode_header,
    encode_record,
)
from kozyr.wire.refusals import (
    decode_call_error,
    decode_refusal,
    encode_refusal,
    error_status,
)
from kozyr.wire.rules import (
    decode_configuration,
    decode_offer,
    decode_step,
    encode_configuration,
    encode_offer,
    encode_step,
)
from kozyr.wire.values import decode_options, encode_options, parse

__all__ = [
    "Face",
    "decision_bytes",
    "decode_actions",
    "decode_call_error",
    "decode_choice",
    "decode_configuration",
    "decode_decision",
    "decode_entry",
    "decode_event",
    "decode_header",
    "decode_move",
    "decode_observation",
    "decode_offer",
    "decode_options",
    "decode_outcome",
    "decode_payload",
    "decode_record",
    "decode_refusal",
    "decode_step",
    "encode_actions",
    "encode_configuration",
    "encode_decision",
    "encode_entry",
    "encode_event",
    "encode_header",
    "encode_move",
    "encode_observation",
    "encode_offer",
    "encode_options",
    "encode_outcome",
    "encode_payload",
    "encode_record",
    "encode_refusal",
    "encode_step",
    "error_status",
    "event_bytes",
    "parse",
    "payload_bytes",
    "varint",
]
