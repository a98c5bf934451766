"""The rules do the same compiled and interpreted: events, decisions, scores and observations."""

import subprocess
import sys
from pathlib import Path

import pytest

from kozyr.plugins import variant_names
from tests.native.differential import digests
from tests.native.tree import environment
from tests.native.unit import COMPILED

INTERPRETED_TREE = Path(__file__).parents[4]
"""Of the copy that `tests.native` runs in: the tree it was copied from."""

MATCHES = 20
SOAK_MATCHES = 25_000
"""For each variant."""

needs_both = pytest.mark.skipif(
    not COMPILED, reason="here the rules are interpreted; make test-native compares both"
)


def compare(variant: str, count: int) -> None:
    """Play so many matches both ways side by side and compare them."""
    interpreted = subprocess.Popen(
        [sys.executable, "-m", "tests.native.differential", variant, "0", str(count)],
        cwd=INTERPRETED_TREE,
        env=environment(INTERPRETED_TREE),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert interpreted.stdout is not None
    with interpreted:
        for number, digest in digests(variant, range(count)):
            assert interpreted.stdout.readline() == f"{variant} {number} {digest}\n"
    assert interpreted.returncode == 0


@needs_both
@pytest.mark.parametrize("variant", variant_names())
def test_matches_are_the_same_compiled_and_interpreted(variant: str) -> None:
    compare(variant, MATCHES)


@needs_both
@pytest.mark.soak
@pytest.mark.parametrize("variant", variant_names())
def test_many_matches_are_the_same_compiled_and_interpreted(variant: str) -> None:
    compare(variant, SOAK_MATCHES)
