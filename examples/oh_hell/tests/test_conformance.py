"""Oh Hell keeps the contract of kozyr's plugins, in the host's process and in one of its own."""

from typing import ClassVar

from kozyr.conformance.pytest_plugin import ConformanceTests


class TestInProcess(ConformanceTests):
    """As a host loads it by its entry point."""

    target = "oh_hell"
    values: ClassVar = {"max_hand": [1, 3]}  # so that matches are short


class TestIsolated(ConformanceTests):
    """As a host starts it with ``isolate = true``."""

    target = "isolated:oh_hell"
    values: ClassVar = {"max_hand": [1, 3]}
