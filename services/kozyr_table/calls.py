"""What all unary calls share: who calls, and how a refusal ends the call."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, NoReturn, TypeVar

import grpc

from kozyr import tokens, wire
from kozyr.errors import KozyrError
from kozyr.tokens import Identity
from kozyr_table.errors import StoreUnavailable, Unauthenticated

Context = grpc.aio.ServicerContext[Any, Any]
Servicer = TypeVar("Servicer")
Request = TypeVar("Request")
Response = TypeVar("Response")


class Doorkeeper:
    """Knows callers by their tokens."""

    def __init__(self) -> None:
        self._key = ""

    @property
    def key(self) -> str:
        """The key that signs tokens.

        Raises:
            StoreUnavailable: Redis has not told it yet.
        """
        if not self._key:
            raise StoreUnavailable("the key of the tokens is not known before Redis answers")
        return self._key

    @property
    def knows_key(self) -> bool:
        """Whether the key is known."""
        return bool(self._key)

    def learn(self, key: str) -> None:
        """Take the key that signs tokens."""
        self._key = key

    def identify(self, context: Context) -> Identity:
        """Who calls.

        Raises:
            Unauthenticated: no token came.
            InvalidToken: it is not valid.
            StoreUnavailable: tokens cannot be checked yet.
        """
        for name, value in context.invocation_metadata() or ():
            if name == "authorization" and isinstance(value, str):
                scheme, _, token = value.partition(" ")
                if scheme.lower() == "bearer":
                    return tokens.verify(self.key, token.strip())
        raise Unauthenticated('send a token as "authorization: Bearer …" metadata')


def refusing(
    handler: Callable[[Servicer, Request, Context], Awaitable[Response]],
) -> Callable[[Servicer, Request, Context], Awaitable[Response]]:
    """Turn what a handler refuses into the status of its call."""

    @wraps(handler)
    async def answer(servicer: Servicer, request: Request, context: Context) -> Response:
        try:
            return await handler(servicer, request, context)
        except KozyrError as error:
            await refuse(context, error)

    return answer


async def refuse(context: Context, error: KozyrError) -> NoReturn:
    """End a call with a refusal."""
    await context.abort_with_status(wire.error_status(error))
    raise AssertionError("abort_with_status always raises")
