"""What goes wrong between a client and its service.

::

    ClientError
    ├── ConnectionLost        the service cannot be reached, or it ended the stream
    └── BufferFull            more waits to be sent, or to be read, than a named limit allows
"""

import grpc
import grpc.aio

from kozyr import wire
from kozyr.errors import Code, KozyrError


class ClientError(KozyrError):
    """The base of these."""

    reason = "CLIENT_ERROR"


class ConnectionLost(ClientError):
    """The service cannot be reached, or it ended the stream; connect again.

    What was sent and not answered may have happened or not: the same request id asks again.

    Attributes:
        reconnect_in_ms: how long the service asks to wait, in milliseconds.
    """

    reason = "CONNECTION_LOST"
    code = Code.UNAVAILABLE
    retryable = True
    facts = ("reconnect_in_ms",)

    def __init__(self, message: str, *, reconnect_in_ms: int = 0) -> None:
        super().__init__(message)
        self.reconnect_in_ms = reconnect_in_ms


class BufferFull(ClientError):
    """More waits to be sent, or to be read, than a named limit allows."""

    reason = "BUFFER_FULL"
    code = Code.RESOURCE_EXHAUSTED
    retryable = True


_TRANSPORT = frozenset(
    {
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.UNKNOWN,
    }
)


def failure_of(error: grpc.aio.AioRpcError) -> KozyrError:
    """The exception for a call that failed: what the service refused, or `ConnectionLost`."""
    refusal = wire.decode_call_error(error)
    code = error.code()
    if code in _TRANSPORT and refusal.reason == code.name:  # not said by the service itself
        return ConnectionLost(f"the service cannot be reached: {error.details() or code.name}")
    return refusal
