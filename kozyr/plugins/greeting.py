"""What a host tells a child that is to serve rules, and what the child says when it does.

The child finds in its environment `LISTEN`, the address to serve on (a unix socket); `PROTOCOLS`,
the versions of the protocol that the host speaks, with commas between; and `DESCRIPTOR`, the
number of a descriptor. There it writes one line of JSON when it serves::

    {"protocol_version": 1, "address": "unix:/tmp/…"}
"""

import json
import os
from typing import Any, Final, Self, final

from kozyr.addresses import UNIX, check_address
from kozyr.plugins.errors import UnsupportedProtocol

PROTOCOLS_SPOKEN: Final = (1,)
"""The versions of the protocol that are spoken here, ascending."""

DESCRIPTOR: Final = "KOZYR_PLUGIN_FD"
PROTOCOLS: Final = "KOZYR_PLUGIN_PROTOCOLS"
LISTEN: Final = "KOZYR_PLUGIN_LISTEN"

GREETING_BYTES_MAX: Final = 4_096
"""What a greeting may hold."""

_HERE: Final = (UNIX, "127.0.0.1:", "localhost:", "[::1]:")
"""How addresses on the same machine begin."""


def read_greeting(said: bytes) -> str:
    """The address in a greeting.

    Raises:
        ValueError: it is none that can be used, in words that go on after the plugin's name.
    """
    try:
        greeting: Any = json.loads(said)
        version, address = greeting["protocol_version"], check_address(greeting["address"])
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(
            f'greets with {said[:80]!r}, not with {{"protocol_version": …, "address": …}}'
        ) from error
    if version not in PROTOCOLS_SPOKEN:
        raise ValueError(f"speaks protocol version {version!r}, which was not offered")
    if not address.startswith(_HERE):
        raise ValueError(f"serves on {address}, which is another machine's")
    return address


@final
class Host:
    """Who has started this process to serve rules."""

    def __init__(self, descriptor: int, version: int) -> None:
        self._descriptor = descriptor
        self._version = version

    @classmethod
    def of_this_process(cls) -> Self | None:
        """The host; None where this process was not started by one.

        Raises:
            UnsupportedProtocol: the host speaks none of our versions.
        """
        descriptor = os.environ.pop(DESCRIPTOR, None)  # it is not for our own children
        if descriptor is None:
            return None
        os.set_inheritable(int(descriptor), False)  # noqa: FBT003 (os has no other form)
        offered = [int(version) for version in os.environ.pop(PROTOCOLS, "").split(",") if version]
        return cls(int(descriptor), choose_protocol(offered))

    def greet(self, address: str) -> None:
        """Say that this process serves, and where."""
        greeting = {"protocol_version": self._version, "address": address}
        with os.fdopen(self._descriptor, "wb") as line:
            line.write(json.dumps(greeting).encode() + b"\n")


def choose_protocol(offered: list[int]) -> int:
    """The newest version of the protocol that both sides speak.

    Raises:
        UnsupportedProtocol: there is none.
    """
    common = set(offered).intersection(PROTOCOLS_SPOKEN)
    if not common:
        raise UnsupportedProtocol(offered, served=PROTOCOLS_SPOKEN)
    return max(common)
