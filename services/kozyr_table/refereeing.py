"""Who referees the matches here; calls to rules in other processes stay off the event loop.

Each plugin in another process has a desk: a few threads of its own, so that one that hangs keeps
nobody waiting but its own tables.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Final, ParamSpec, Self, TypeVar, final

import structlog

from kozyr.plugins import (
    Plugin,
    PluginBroken,
    PluginMisbehaved,
    PluginUnavailable,
    Rulebook,
    Source,
    load_variant,
    variant_names,
)
from kozyr.plugins.rulebook import Rules
from kozyr.referee import Configuration, Offer, Referee
from kozyr_table.errors import LimitExceeded
from kozyr_table.metrics import Metrics

log = structlog.get_logger()

ArgumentsT = ParamSpec("ArgumentsT")
ResultT = TypeVar("ResultT")

FAILURES: Final = (PluginUnavailable, PluginMisbehaved)
"""What rules raise that do not work, and not to somebody who asks wrongly."""

CALLS_AT_ONCE: Final = 4
"""Calls under way to one plugin."""
CALLS_WAITING_MAX: Final = 4_096
"""Calls that may wait for one plugin."""


@final
class Desk:
    """The way to one plugin in another process."""

    def __init__(self, plugin: Plugin, metrics: Metrics) -> None:
        self._plugin: Final = plugin
        self._metrics: Final = metrics
        self._threads: Final = ThreadPoolExecutor(
            CALLS_AT_ONCE, thread_name_prefix=f"desk {plugin.name}"
        )
        self._waiting = 0

    async def call(
        self,
        function: Callable[ArgumentsT, ResultT],
        *args: ArgumentsT.args,
        **kwargs: ArgumentsT.kwargs,
    ) -> ResultT:
        """Have a thread call something that asks the plugin.

        Raises:
            LimitExceeded: too many calls wait already.
            KozyrError: whatever the function raises.
        """
        if self._waiting >= CALLS_WAITING_MAX:
            raise LimitExceeded(f"{CALLS_WAITING_MAX} calls wait for {self._plugin.name} already")
        began = time.monotonic()
        self._waiting += 1
        try:
            return await asyncio.wrap_future(self._threads.submit(function, *args, **kwargs))
        except FAILURES as error:
            self._metrics.plugin_failures.labels(self._plugin.name, error.reason).inc()
            log.warning(
                "plugin_failed",
                plugin=self._plugin.name,
                reason=error.reason,
                error=str(error),
            )
            raise
        finally:
            self._waiting -= 1
            took_s = time.monotonic() - began
            self._metrics.plugin_call_s.labels(self._plugin.name).observe(took_s)

    def close(self) -> None:
        """End the threads; calls that have not begun are dropped."""
        self._threads.shutdown(wait=True, cancel_futures=True)


@final
class Refereeing:
    """All rules that this replica can serve, as a context that closes them at its end."""

    def __init__(self, book: Rulebook, metrics: Metrics) -> None:
        """Take over a rulebook."""
        self._book: Final = book
        self._metrics: Final = metrics
        self._desks: Final = {
            plugin.name: Desk(plugin, metrics) for plugin in book.plugins if plugin.remote
        }
        for plugin in book.plugins:
            self.note_change(plugin)

    @classmethod
    async def open(
        cls,
        sources: tuple[Source, ...],
        metrics: Metrics,
        *,
        call_timeout_s: float,
        on_change: Callable[[], None],
    ) -> Self:
        """Open plugins; without sources, every installed variant that can be loaded.

        Args:
            on_change: told, in the event loop, that a plugin went down or came back.

        Raises:
            UnknownVariant, PluginBroken: a source will never serve anything.
        """
        loop = asyncio.get_running_loop()
        refereeing: Self | None = None

        def noted(plugin: Plugin) -> None:
            if refereeing is not None:
                refereeing.note_change(plugin)
            on_change()

        def changed(plugin: Plugin) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(noted, plugin)

        chosen = sources or _installed()
        book = await asyncio.to_thread(
            Rulebook.open, chosen, call_timeout_s=call_timeout_s, on_change=changed
        )
        refereeing = cls(book, metrics)
        return refereeing

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with ExitStack() as stack:
            for desk in self._desks.values():
                stack.callback(desk.close)
            stack.callback(self._book.close)  # first, so that no call goes on for long

    def note_change(self, plugin: Plugin) -> None:
        """A plugin went down or came back."""
        self._metrics.plugin_up.labels(plugin.name).set(plugin.healthy)

    def offers(self) -> Mapping[str, Offer]:
        """What can be played now, by variant."""
        return self._book.offers()

    def served(self) -> frozenset[Rules]:
        """All rules that can be asked now, as variant and rules_version."""
        return frozenset(
            (offer.variant, version)
            for offer in self.offers().values()
            for version in offer.rules_versions
        )

    def serves(self, variant: str, rules_version: int) -> bool:
        """Whether these rules can be asked now."""
        return (variant, rules_version) in self.served()

    def referee(self, variant: str, rules_version: int) -> "Summoned":
        """Who referees matches under these rules.

        Raises:
            PluginUnavailable: who serves them cannot be asked now.
            UnknownVariant, UnsupportedRules: nobody serves them.
        """
        plugin = self._book.plugin(variant, rules_version)
        return Summoned(plugin.referee(variant, rules_version), self._desks.get(plugin.name))

    async def configure(
        self,
        variant: str,
        options: Mapping[str, Any],
        *,
        rules_version: int = 0,
        seats: int | None = None,
    ) -> tuple[int, Configuration]:
        """The rules_version and what some options of it come to; 0 stands for the newest.

        Raises:
            UnknownVariant, UnsupportedRules, InvalidOptions, InvalidSeatCount: there is none such.
            PluginUnavailable, PluginMisbehaved: who serves it does not say.
        """
        offer = self.offers().get(variant)
        version = rules_version or (offer.newest if offer is not None else 0)
        summoned = self.referee(variant, version)
        return version, await summoned.call(summoned.referee.configure, options, seats)


@final
class Summoned:
    """A referee, and the way to it."""

    def __init__(self, referee: Referee, desk: Desk | None) -> None:
        self.referee: Final = referee
        self._desk: Final = desk

    @property
    def remote(self) -> bool:
        """Whether calls are not for the event loop."""
        return self._desk is not None

    async def call(
        self,
        function: Callable[ArgumentsT, ResultT],
        *args: ArgumentsT.args,
        **kwargs: ArgumentsT.kwargs,
    ) -> ResultT:
        """Call something that asks the referee: here, or where its plugin's desk does that.

        Raises:
            KozyrError: whatever the function raises.
        """
        if self._desk is None:
            return function(*args, **kwargs)
        return await self._desk.call(function, *args, **kwargs)


def _installed() -> list[Source]:
    """Every installed variant that can be loaded."""
    sources = []
    for name in variant_names():
        try:
            load_variant(name)
        except PluginBroken:
            log.exception("variant_broken", variant=name)
        else:
            sources.append(Source(variant=name))
    return sources
