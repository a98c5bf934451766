"""All rules that one host can serve: several plugins, and who of them serves what."""

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType
from typing import Self, final

import structlog

from kozyr.errors import KozyrError, UnknownVariant, UnsupportedRules
from kozyr.plugins.errors import PluginUnavailable
from kozyr.plugins.plugin import (
    CALL_TIMEOUT_S,
    START_TIMEOUT_S,
    OnChange,
    Plugin,
    start_plugin,
)
from kozyr.plugins.source import Source
from kozyr.referee import Offer, Referee

log = structlog.get_logger()

Rules = tuple[str, int]
"""A variant and a version of its rules."""


@final
class Rulebook:
    """Plugins, the preferred first. It owns them: closing it closes them.

    Where several serve the same rules, the first that can be asked now referees.
    """

    def __init__(self, plugins: Iterable[Plugin]) -> None:
        self.plugins = tuple(plugins)
        self._doubles: set[Rules] = set()
        self._look_for_doubles()

    @classmethod
    def open(
        cls,
        sources: Iterable[Source | str],
        *,
        call_timeout_s: float = CALL_TIMEOUT_S,
        start_timeout_s: float = START_TIMEOUT_S,
        on_change: OnChange | None = None,
    ) -> Self:
        """Open plugins side by side; wait until each can be asked, or has failed once.

        A plugin in another process that fails is logged and tried again, for as long as the
        rulebook is open.

        Args:
            on_change: told that a plugin went down or came back, on a thread of its own.

        Raises:
            InvalidSource, UnknownVariant, PluginBroken: a source will never serve anything.
        """
        book: Self | None = None

        def changed(plugin: Plugin) -> None:
            if book is not None:
                book._look_for_doubles()
            if on_change is not None:
                on_change(plugin)

        with ExitStack() as opened:
            plugins = [
                opened.enter_context(
                    start_plugin(
                        source,
                        call_timeout_s=call_timeout_s,
                        start_timeout_s=start_timeout_s,
                        on_change=changed,
                    )
                )
                for source in sources
            ]
            for plugin in plugins:
                try:
                    plugin.await_start()
                except KozyrError as error:
                    log.warning("plugin_not_started", plugin=plugin.name, error=str(error))
            book = cls(plugins)
            opened.pop_all()
        return book

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def offers(self) -> Mapping[str, Offer]:
        """What can be served now, by variant, as who serves its newest rules describes it."""
        offers: dict[str, Offer] = {}
        for plugin in self.plugins:
            for offer in plugin.offers().values() if plugin.healthy else ():
                offers[offer.variant] = _merged(offers.get(offer.variant), offer)
        return offers

    def plugin(self, variant_id: str, rules_version: int) -> Plugin:
        """Who serves these rules.

        Raises:
            PluginUnavailable: who serves them cannot be asked now.
            UnknownVariant, UnsupportedRules: nobody serves them.
        """
        serving = [plugin for plugin in self.plugins if plugin.serves(variant_id, rules_version)]
        for plugin in serving:
            if plugin.healthy:
                return plugin
        if serving:
            raise PluginUnavailable(f"the plugin {serving[0].name} does not answer now")
        offers = [offer for plugin in self.plugins for offer in plugin.offers().values()]
        served = {
            version
            for offer in offers
            if offer.variant == variant_id
            for version in offer.rules_versions
        }
        if not served:
            raise UnknownVariant(variant_id, known=sorted({offer.variant for offer in offers}))
        raise UnsupportedRules(variant_id, wanted=rules_version, served=sorted(served))

    def referee(self, variant_id: str, rules_version: int) -> Referee:
        """Who referees matches under these rules.

        Raises:
            PluginUnavailable: who serves them cannot be asked now.
            UnknownVariant, UnsupportedRules: nobody serves them.
        """
        return self.plugin(variant_id, rules_version).referee(variant_id, rules_version)

    def newest(self, variant_id: str) -> Referee:
        """Who referees matches under the newest rules of a variant.

        Raises:
            PluginUnavailable: who serves them cannot be asked now.
            UnknownVariant: nobody serves the variant.
        """
        offer = self.offers().get(variant_id)
        return self.referee(variant_id, 0 if offer is None else offer.newest)

    def close(self) -> None:
        """Close all plugins."""
        with ExitStack() as stack:
            for plugin in self.plugins:
                stack.callback(plugin.close)

    def _look_for_doubles(self) -> None:
        """Log rules that several plugins serve, once."""
        seen: dict[Rules, str] = {}
        for plugin in self.plugins:
            for offer in plugin.offers().values():
                for version in offer.rules_versions:
                    rules = offer.variant, version
                    first = seen.setdefault(rules, plugin.name)
                    if first != plugin.name and rules not in self._doubles:
                        self._doubles.add(rules)
                        log.warning(
                            "rules_served_twice",
                            variant=offer.variant,
                            rules_version=version,
                            preferred=first,
                            other=plugin.name,
                        )


def _merged(old: Offer | None, new: Offer) -> Offer:
    """One offer of all rules_versions; of two with the same newest one the older describes it."""
    if old is None:
        return new
    versions = tuple(sorted({*old.rules_versions, *new.rules_versions}))
    return replace(new if new.newest > old.newest else old, rules_versions=versions)
