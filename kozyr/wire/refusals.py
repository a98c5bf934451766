"""Refusals on the wire: as a message on a stream, as the status of a unary call.

Both carry the same: reason, code, message, the clause and the legal moves of a rule, and the facts
of the exception as JSON by name. A client gets an exception of the same class back where it has
the class, whoever defined it, else a `Refused`. Errors echo what callers send, so what travels is
kept to a size that fits into the trailers of a call.
"""

import json
from typing import Any, Final, cast

import grpc
import grpc.aio
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import ErrorInfo  # type: ignore[import-untyped] # not marked
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped] # not marked
from grpc_status import rpc_status

from kozyr.errors import Code, IllegalMove, KozyrError, Refused
from kozyr.v1.errors_pb2 import Refusal

DOMAIN: Final = "kozyr"
"""The domain of our ErrorInfo."""

MESSAGE_BYTES_MAX: Final = 1024
FACTS_BYTES_MAX: Final = 1024
"""For all facts together; when they are more, none travels and the client gets a `Refused`."""
LEGAL_BYTES_MAX: Final = 1024
"""For the legal actions as text in a status; when they are more, they do not travel there."""

_CLAUSE: Final = "clause"
_LEGAL: Final = "legal_actions"
_RETRYABLE: Final = "retryable"


def encode_refusal(error: KozyrError) -> Refusal:
    """A refusal for a stream."""
    refusal = Refusal(
        reason=error.reason,
        message=_cut(error.message if isinstance(error, IllegalMove) else str(error)),
        code=error.code,
        metadata=_facts(error),
        retryable=error.retryable,
    )
    if isinstance(error, IllegalMove | Refused):
        refusal.clause = error.clause
        refusal.legal_actions.extend(error.legal)
    return refusal


def decode_refusal(refusal: Refusal) -> KozyrError:
    """The exception to raise for a refusal: of the class that has its reason, else a `Refused`."""
    legal = tuple(refusal.legal_actions)
    if refusal.reason == IllegalMove.reason:
        return IllegalMove(refusal.message, clause=refusal.clause, legal=legal)
    return _rebuilt(refusal) or Refused(
        refusal.message,
        reason=refusal.reason,
        code=_code(refusal.code),
        retryable=refusal.retryable,
        clause=refusal.clause,
        legal=legal,
        metadata=refusal.metadata,
    )


def error_status(error: KozyrError) -> grpc.Status:
    """A refusal as the status to abort a unary call with."""
    refusal = encode_refusal(error)
    metadata = dict(refusal.metadata)
    if refusal.clause:
        metadata[_CLAUSE] = json.dumps(refusal.clause)
    if refusal.retryable:
        metadata[_RETRYABLE] = json.dumps(refusal.retryable)
    legal = json.dumps(list(refusal.legal_actions))
    if refusal.legal_actions and len(legal) <= LEGAL_BYTES_MAX:
        metadata[_LEGAL] = legal
    status = Status(code=refusal.code, message=refusal.message)
    status.details.add().Pack(ErrorInfo(reason=refusal.reason, domain=DOMAIN, metadata=metadata))
    return rpc_status.to_status(status)


def decode_call_error(error: grpc.aio.AioRpcError | grpc.Call) -> KozyrError:
    """The exception to raise for a call that failed.

    When the failure is not one of ours (nobody answers, the deadline passed), it is a `Refused`
    whose reason is the name of the status code.
    """
    try:
        status = rpc_status.from_call(cast("grpc.Call", error))
    except (ValueError, DecodeError):
        status = None
    for detail in status.details if status else ():
        info = ErrorInfo()
        if detail.Unpack(info) and info.domain == DOMAIN:
            return _decode_info(info, status)
    code = error.code()
    return Refused(
        error.details() or code.name,
        reason=code.name,
        code=_code(code.value[0]),
        retryable=code is grpc.StatusCode.UNAVAILABLE,
    )


def _decode_info(info: Any, status: Any) -> KozyrError:
    metadata = dict(info.metadata)
    refusal = Refusal(reason=info.reason, message=status.message, code=status.code)
    try:
        refusal.clause = json.loads(metadata.pop(_CLAUSE, '""'))
        refusal.retryable = json.loads(metadata.pop(_RETRYABLE, "false"))
        refusal.legal_actions.extend(json.loads(metadata.pop(_LEGAL, "[]")))
    except (TypeError, ValueError):  # somebody else's idea of our domain
        return Refused(status.message, reason=info.reason, code=_code(status.code))
    refusal.metadata.update(metadata)
    return decode_refusal(refusal)


def _facts(error: KozyrError) -> dict[str, str]:
    if isinstance(error, Refused):
        return error.metadata
    facts = {name: json.dumps(getattr(error, name)) for name in error.facts}
    return facts if sum(map(len, facts.values())) <= FACTS_BYTES_MAX else {}


def _rebuilt(refusal: Refusal) -> KozyrError | None:
    """The exception of the refusal's own class, if it and all its facts are known here."""
    kind = _kinds().get(refusal.reason)
    if kind is None:
        return None
    error = kind.__new__(kind, refusal.message)
    try:
        for name in kind.facts:
            setattr(error, name, _frozen(json.loads(refusal.metadata[name])))
    except (KeyError, ValueError):
        return None
    return error


def _kinds() -> dict[str, type[KozyrError]]:
    """Every class of the tree by its reason; of those that share one, the topmost."""
    kinds: dict[str, type[KozyrError]] = {}
    queue: list[type[KozyrError]] = [KozyrError]
    for kind in queue:
        if kind is Refused:  # stands for the reasons that have no class
            continue
        kinds.setdefault(kind.reason, kind)
        queue += kind.__subclasses__()
    return kinds


def _frozen(value: Any) -> Any:
    return tuple(_frozen(each) for each in value) if isinstance(value, list) else value


def _code(number: int) -> Code:
    return Code(number) if number in Code.__members__.values() else Code.UNKNOWN


def _cut(message: str) -> str:
    data = message.encode(errors="replace")
    if len(data) <= MESSAGE_BYTES_MAX:
        return data.decode()
    return data[: MESSAGE_BYTES_MAX - len("…".encode())].decode(errors="ignore") + "…"
