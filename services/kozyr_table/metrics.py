"""What the service counts, for Prometheus."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

from kozyr_table.errors import CannotListen

CALL_S_BUCKETS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of the classes of calls to plugins, in seconds."""


@final
class Metrics:
    """The counters of one replica. A plugin is labelled with the text of its source."""

    def __init__(self) -> None:
        self.registry: Final = CollectorRegistry()
        self.plugin_up: Final = Gauge(
            "kozyr_plugin_up",
            "Whether a plugin can be asked now.",
            ["plugin"],
            registry=self.registry,
        )
        self.plugin_call_s: Final = Histogram(
            "kozyr_plugin_call_seconds",
            "How long calls to plugins in other processes take, the wait for their turn included.",
            ["plugin"],
            buckets=CALL_S_BUCKETS,
            registry=self.registry,
        )
        self.plugin_failures: Final = Counter(
            "kozyr_plugin_failures",
            "Calls that a plugin did not answer as the contract wants, by the error's reason.",
            ["plugin", "reason"],
            registry=self.registry,
        )
        self.suspensions: Final = Counter(
            "kozyr_table_suspensions",
            "Tables whose match this replica has stopped, by variant.",
            ["variant"],
            registry=self.registry,
        )
        self.resumptions: Final = Counter(
            "kozyr_table_resumptions",
            "Tables whose match this replica has let go on, by variant.",
            ["variant"],
            registry=self.registry,
        )

    @contextmanager
    def served(self, address: str | None) -> Iterator[None]:
        """Serve them over HTTP under ``/metrics``, unless the address is None.

        Raises:
            CannotListen: the address is taken, or none of this machine's.
        """
        if address is None:
            yield
            return
        host, _, port = address.rpartition(":")
        try:
            server, thread = start_http_server(int(port), host.strip("[]"), self.registry)
        except OSError as error:
            raise CannotListen(address, setting="metrics_listen") from error
        try:
            yield
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
