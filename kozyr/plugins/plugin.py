"""An opened plugin: somebody who referees one variant or several."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Final, Self, final

from kozyr.errors import UnknownVariant, UnsupportedRules
from kozyr.plugins.installed import load_variant
from kozyr.plugins.source import Source
from kozyr.referee import LocalReferee, Offer, Referee

CALL_TIMEOUT_S: Final = 2.0
"""How long a call to a plugin in another process may take by default."""

START_TIMEOUT_S: Final = 20.0
"""How long a plugin in another process may take to begin to serve by default."""

OnOutput = Callable[[str, str], None]
"""Told each line that a child prints: ``stdout`` or ``stderr``, and the line."""

OnChange = Callable[["Plugin"], None]
"""Told that a plugin can be asked now, or not any more (see `Plugin.healthy`)."""


class Plugin(ABC):
    """Rules that are served, wherever they run. All calls are safe from any thread."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    @abstractmethod
    def name(self) -> str:
        """The text of its source, for logs and metrics."""

    @property
    @abstractmethod
    def remote(self) -> bool:
        """Whether its referees' calls may block and fail."""

    @property
    @abstractmethod
    def healthy(self) -> bool:
        """Whether it can be asked now."""

    @abstractmethod
    def offers(self) -> Mapping[str, Offer]:
        """What it serves, by variant; of a plugin that is down, what it served last."""

    @abstractmethod
    def referee(self, variant_id: str, rules_version: int) -> Referee:
        """Who referees matches under these rules.

        A referee goes on to be good when its plugin goes down and comes back.

        Raises:
            UnknownVariant, UnsupportedRules: the plugin does not serve them.
        """

    @abstractmethod
    def await_start(self) -> None:
        """Wait until it can be asked, or has failed for the first time.

        Raises:
            PluginUnavailable: it could not be started or reached in time.
            PluginMisbehaved, UnsupportedProtocol: it is no plugin that could be used.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of it; a child ends. Harmless when repeated."""

    def serves(self, variant_id: str, rules_version: int) -> bool:
        """Whether these rules are among its offers."""
        offer = self.offers().get(variant_id)
        return offer is not None and rules_version in offer.rules_versions


@final
class InstalledPlugin(Plugin):
    """An installed variant, in this process."""

    def __init__(self, variant_id: str) -> None:
        """Load the variant.

        Raises:
            UnknownVariant: no such variant is installed.
            PluginBroken: it cannot be loaded.
        """
        self._referee = LocalReferee(load_variant(variant_id))
        self._offers = {variant_id: self._referee.describe()}

    @property
    def name(self) -> str:
        return self._referee.variant_id

    @property
    def remote(self) -> bool:
        return False

    @property
    def healthy(self) -> bool:
        return True

    def offers(self) -> Mapping[str, Offer]:
        return self._offers

    def referee(self, variant_id: str, rules_version: int) -> Referee:
        check_offered(self._offers, variant_id, rules_version)
        return self._referee

    def await_start(self) -> None:
        pass

    def close(self) -> None:
        pass


def open_plugin(
    source: Source | str,
    *,
    call_timeout_s: float = CALL_TIMEOUT_S,
    start_timeout_s: float = START_TIMEOUT_S,
    on_output: OnOutput | None = None,
    on_change: OnChange | None = None,
) -> Plugin:
    """Open a plugin and wait until it can be asked.

    Args:
        source: where it is, or the text of that.
        on_output: told what a child prints, on a thread of its own; by default it is logged.
        on_change: told that the plugin went down or came back, on a thread of its own.

    Raises:
        InvalidSource: the text names no source.
        UnknownVariant, PluginBroken: there is no such variant here.
        PluginUnavailable: it could not be started or reached in time.
        PluginMisbehaved, UnsupportedProtocol: it is no plugin that could be used.
    """
    plugin = start_plugin(
        source,
        call_timeout_s=call_timeout_s,
        start_timeout_s=start_timeout_s,
        on_output=on_output,
        on_change=on_change,
    )
    try:
        plugin.await_start()
    except BaseException:
        plugin.close()
        raise
    return plugin


def start_plugin(
    source: Source | str,
    *,
    call_timeout_s: float = CALL_TIMEOUT_S,
    start_timeout_s: float = START_TIMEOUT_S,
    on_output: OnOutput | None = None,
    on_change: OnChange | None = None,
) -> Plugin:
    """Begin to open a plugin (see `open_plugin`); one in another process is tried until closed.

    Raises:
        InvalidSource: the text names no source.
        UnknownVariant, PluginBroken: there is no such variant here.
    """
    if isinstance(source, str):
        source = Source.parse(source)
    if not source.remote:
        assert source.variant is not None
        return InstalledPlugin(source.variant)
    from kozyr.plugins.keeper import RemotePlugin  # noqa: PLC0415 (gRPC, for who needs it)

    return RemotePlugin(
        source,
        call_timeout_s=call_timeout_s,
        start_timeout_s=start_timeout_s,
        on_output=on_output,
        on_change=on_change,
    )


def check_offered(offers: Mapping[str, Offer], variant_id: str, rules_version: int) -> Offer:
    """The offer that has these rules.

    Raises:
        UnknownVariant, UnsupportedRules: there is none.
    """
    offer = offers.get(variant_id)
    if offer is None:
        raise UnknownVariant(variant_id, known=sorted(offers))
    if rules_version not in offer.rules_versions:
        raise UnsupportedRules(variant_id, wanted=rules_version, served=offer.rules_versions)
    return offer
