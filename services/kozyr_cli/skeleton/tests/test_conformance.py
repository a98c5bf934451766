"""The variant keeps the contract of kozyr's plugins."""

from kozyr.conformance.pytest_plugin import ConformanceTests


class TestConformance(ConformanceTests):
    """One test for each check of kozyr's kit."""

    target = "skeleton"  # or "isolated:skeleton", in a process of its own
