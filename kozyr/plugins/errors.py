"""What goes wrong with plugins.

::

    KozyrError
    ├── InvalidSource           a text or a table of the settings names no source of rules
    ├── PluginBroken            an installed plugin cannot be loaded
    ├── PluginUnavailable       a plugin in another process does not answer now
    ├── PluginMisbehaved        a plugin in another process breaks the contract
    ├── UnsupportedProtocol     host and plugin have no version of the protocol in common
    └── CannotServe             rules cannot be served on an address
"""

from collections.abc import Sequence

from kozyr.errors import Code, KozyrError


class InvalidSource(KozyrError, ValueError):
    """It names no place where rules could come from."""

    reason = "INVALID_SOURCE"
    code = Code.INVALID_ARGUMENT


class PluginBroken(KozyrError):
    """An installed plugin cannot be loaded, or is not what its entry point promises."""

    reason = "PLUGIN_BROKEN"
    code = Code.INTERNAL


class PluginUnavailable(KozyrError):
    """A plugin in another process does not answer now: it crashed, hangs or is starting."""

    reason = "PLUGIN_UNAVAILABLE"
    code = Code.UNAVAILABLE
    retryable = True


class PluginMisbehaved(KozyrError):
    """A plugin in another process did what the contract forbids; the message says what."""

    reason = "PLUGIN_MISBEHAVED"
    code = Code.INTERNAL


class UnsupportedProtocol(KozyrError):
    """Host and plugin have no version of the protocol in common."""

    reason = "UNSUPPORTED_PROTOCOL"
    facts = ("wanted", "served")

    def __init__(self, wanted: Sequence[int], *, served: Sequence[int]) -> None:
        offered = ", ".join(map(str, wanted)) or "none"
        spoken = ", ".join(map(str, served))
        super().__init__(f"protocol versions {offered} are offered; spoken here: {spoken}")
        self.wanted = tuple(wanted)
        self.served = tuple(served)


class CannotServe(KozyrError):
    """Rules cannot be served there: the address is taken, or a certificate cannot be used."""

    reason = "CANNOT_SERVE"
    code = Code.UNAVAILABLE

    def __init__(self, address: str, *, why: str) -> None:
        super().__init__(f"cannot serve rules on {address!r}: {why}")
