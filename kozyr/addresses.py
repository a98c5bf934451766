"""Addresses of services: ``HOST:PORT`` or ``unix:PATH``."""

from typing import Annotated, Final

from pydantic import AfterValidator

UNIX: Final = "unix:"
_PORT_MAX: Final = 65_535


def check_address(text: str) -> str:
    """The address itself.

    Raises:
        ValueError: it is none.
    """
    return text if is_unix(text) else check_tcp_address(text, "or unix:PATH")


def check_tcp_address(text: str, others: str = "") -> str:
    """The address itself.

    Args:
        others: what else would be allowed, for the error.

    Raises:
        ValueError: it is none.
    """
    host, colon, port = text.rpartition(":")
    if not (host and colon and port.isascii() and port.isdigit() and int(port) <= _PORT_MAX):
        form = f"HOST:PORT with a port of 0 (any free one) to {_PORT_MAX}"
        raise ValueError(f"an address is {form}{others and f', {others}'}")
    return text


def is_unix(text: str) -> bool:
    """Whether an address is a unix socket's."""
    return text.startswith(UNIX) and len(text) > len(UNIX)


Address = Annotated[str, AfterValidator(check_address)]
"""Where a service listens or is found: ``HOST:PORT`` or ``unix:PATH``."""

TcpAddress = Annotated[str, AfterValidator(check_tcp_address)]
"""Where a service listens or is found: ``HOST:PORT``."""
