"""A plugin in another process: started, met, watched, and started anew when it goes down."""

import math
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, final

import structlog

from kozyr.errors import InvalidOptions, KozyrError
from kozyr.plugins.calls import RulesCalls
from kozyr.plugins.child import Child
from kozyr.plugins.errors import PluginUnavailable
from kozyr.plugins.plugin import OnChange, OnOutput, Plugin, check_offered
from kozyr.plugins.remote import RemoteReferee
from kozyr.plugins.source import Source
from kozyr.referee import Offer, Referee

log = structlog.get_logger()

HEALTH_INTERVAL_S: Final = 1.0
"""How often a plugin is asked whether it serves."""
HEALTH_FAILURES_MAX: Final = 3
"""How often in a row it may fail to answer; then it is down, and a child is started anew."""
RESTART_S_MIN: Final = 0.1
RESTART_S_MAX: Final = 30.0
"""The wait before a plugin is tried again: doubling from the first to the second."""
STEADY_S: Final = 10.0
"""After so long without going down, the wait is the first again."""


@final
class RemotePlugin(Plugin):
    """A plugin in a child of its own, or at an address, with a thread that looks after it."""

    def __init__(
        self,
        source: Source,
        *,
        call_timeout_s: float,
        start_timeout_s: float,
        on_output: OnOutput | None,
        on_change: OnChange | None,
    ) -> None:
        """Begin to start or to reach it."""
        self._source = source
        self._call_timeout_s = call_timeout_s
        self._start_timeout_s = start_timeout_s
        self._on_output = on_output
        self._on_change = on_change
        self._lock = threading.Lock()
        self._connection: RulesCalls | None = None
        """There from the first attempt to connect on."""
        self._calls: RulesCalls | None = None
        """There for as long as the plugin is up."""
        self._offers: Mapping[str, Offer] = {}
        self._referees: dict[tuple[str, int], RemoteReferee] = {}
        self._failure: KozyrError | None = None
        self._child: Child | None = None
        self._closed = threading.Event()
        self._tried = threading.Event()
        self._stirred = threading.Event()
        """Something has happened that the thread should look at."""
        self._thread = threading.Thread(target=self._keep, name=f"plugin {self.name}", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        return str(self._source)

    @property
    def remote(self) -> bool:
        return True

    @property
    def healthy(self) -> bool:
        return self._calls is not None

    def offers(self) -> Mapping[str, Offer]:
        return self._offers

    def referee(self, variant_id: str, rules_version: int) -> Referee:
        check_offered(self._offers, variant_id, rules_version)
        with self._lock:
            rules = variant_id, rules_version
            if rules not in self._referees:
                self._referees[rules] = RemoteReferee(self, variant_id, rules_version)
            return self._referees[rules]

    def calls(self) -> RulesCalls:
        """The connection.

        Raises:
            PluginUnavailable: there is none now.
        """
        calls = self._calls
        if calls is None:
            raise self._unavailable(f"is down: {self._failure}" if self._failure else "is starting")
        return calls

    def await_start(self) -> None:
        self._tried.wait()
        if not self.healthy and self._failure is not None:
            raise self._failure

    def close(self) -> None:
        with self._lock:
            self._closed.set()
            child = self._child
        self._stirred.set()
        self._disconnect()
        if child is not None:
            child.stop()
        self._thread.join()

    # What the thread does.

    def _keep(self) -> None:
        wait_s = RESTART_S_MIN
        while not self._closed.is_set():
            if self._run() >= STEADY_S:
                wait_s = RESTART_S_MIN
            self._closed.wait(wait_s)
            wait_s = min(2 * wait_s, RESTART_S_MAX)

    def _run(self) -> float:
        """Start or reach the plugin once and stay until it goes down; how long it was up."""
        up_at = math.inf
        try:
            with self._reached() as calls:
                offers = self._meet(calls)
                up_at = time.monotonic()
                self._come_up(calls, offers)
                self._go_down(self._watch(calls))
        except KozyrError as error:
            self._go_down(error)
        return max(time.monotonic() - up_at, 0.0)

    @contextmanager
    def _reached(self) -> Iterator[RulesCalls]:
        """A connection to the plugin, in a new child if it is to have one."""
        program = self._source.program
        if program is None:
            assert self._source.address is not None
            with self._connected(self._source.address) as calls:
                yield calls
            return
        child = self._started(program)
        try:
            if self._closed.is_set():
                raise self._unavailable("is closed")
            with self._connected(child.address(timeout_s=self._start_timeout_s)) as calls:
                if not child.running:  # it ended before there was a connection to end
                    raise self._unavailable("ended")
                yield calls
        except PluginUnavailable as error:
            if child.running:
                raise
            raise self._unavailable(child.end_in_words()) from error
        finally:
            child.stop()

    def _started(self, program: Sequence[str]) -> Child:
        try:
            child = Child(
                program, name=self.name, on_output=self._on_output, on_end=self._child_ended
            )
        except OSError as error:  # no memory, no descriptors, no processes left
            raise self._unavailable(f"cannot be started: {error}") from error
        with self._lock:
            self._child = child
        return child

    def _child_ended(self) -> None:
        self._disconnect()
        self._stirred.set()

    @contextmanager
    def _connected(self, address: str) -> Iterator[RulesCalls]:
        try:
            calls = RulesCalls(
                self._source, address=address, name=self.name, timeout_s=self._call_timeout_s
            )
        except OSError as error:
            raise self._unavailable(f"has certificates that cannot be read: {error}") from error
        with self._lock:
            self._connection = calls
        try:
            yield calls
        finally:
            self._disconnect()

    def _disconnect(self) -> None:
        """End all calls under way: nobody is there to answer them, or nobody waits for answers."""
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _meet(self, calls: RulesCalls) -> Mapping[str, Offer]:
        """What the plugin serves, after a look at whether it does."""
        calls.check_health(wait_s=None if self._source.program is None else self._start_timeout_s)
        offers = calls.describe()
        for offer in offers.values():
            for version in offer.rules_versions:
                try:
                    calls.configure(offer.variant, version, "{}", seats=None)
                except InvalidOptions as error:
                    raise calls.misbehaved(
                        f"refuses the default options of {offer.variant}: {error}"
                    ) from error
        return offers

    def _watch(self, calls: RulesCalls) -> KozyrError:
        """Stay until the plugin goes down; why it did."""
        failures = 0
        while True:
            self._stirred.wait(HEALTH_INTERVAL_S)
            self._stirred.clear()
            if self._closed.is_set():
                return self._unavailable("is closed")
            if self._child is not None and not self._child.running:
                return self._unavailable(self._child.end_in_words())
            try:
                calls.check_health()
                failures = 0
            except KozyrError as error:
                failures += 1
                if self._child is None or failures == HEALTH_FAILURES_MAX:
                    return error

    def _come_up(self, calls: RulesCalls, offers: Mapping[str, Offer]) -> None:
        self._offers = offers
        self._failure = None
        self._calls = calls
        self._tried.set()
        log.info("plugin_up", plugin=self.name, variants=sorted(offers))
        self._tell()

    def _go_down(self, why: KozyrError) -> None:
        was_up = self._calls is not None
        self._failure = why
        self._calls = None
        self._tried.set()
        if not self._closed.is_set():
            log.warning("plugin_down", plugin=self.name, reason=why.reason, error=str(why))
            if was_up:
                self._tell()

    def _tell(self) -> None:
        if self._on_change is not None:
            self._on_change(self)

    def _unavailable(self, why: str) -> PluginUnavailable:
        return PluginUnavailable(f"the plugin {self.name} {why}")
