"""How hard the property tests try: ``HYPOTHESIS_PROFILE=ci`` or ``--hypothesis-profile=ci``.

No profile has a deadline: a busy machine is no fault of the code under test. Under ``soak`` the
property tests are part of the soak.
"""

import os

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

EXAMPLES = {"dev": 20, "ci": 100, "soak": 1_000}

for name, count in EXAMPLES.items():
    settings.register_profile(
        name,
        deadline=None,
        max_examples=count,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the property tests for ``-m soak`` when they try that hard."""
    if settings.get_current_profile_name() == "soak":
        for item in items:
            if is_hypothesis_test(getattr(item, "obj", None)):
                item.add_marker(pytest.mark.soak)
