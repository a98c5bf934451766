"""``python -m tests.native``: the tests of the rules, on compiled rules.

They run in a copy of the tree, below ``build/native``, so that the tree itself stays interpreted.
What is compiled there is compiled again only when a source has changed.
"""

import os
import subprocess
import sys
from typing import Final

from tests.native.tree import COPY, compile_copy, copy_tree, environment
from tests.native.unit import why_not

TESTS: Final = (
    "tests/native",
    "tests/golden",
    "tests/perft",
    "tests/property",
    "tests/unit/child",
    "tests/unit/georgian",
    "tests/unit/maverick",
    "tests/unit/odessa",
    "tests/unit/test_batch.py",
    "tests/unit/test_cards.py",
    "tests/unit/test_conformance.py",
    "tests/unit/test_match.py",
    "tests/unit/test_maverick_match.py",
    "tests/unit/test_maverick_told.py",
    "tests/unit/test_referee.py",
    "tests/unit/test_tricks_actions.py",
    "tests/unit/test_tricks_endings.py",
    "tests/unit/test_tricks_game.py",
    "tests/unit/test_tricks_masks.py",
    "tests/unit/test_tricks_play.py",
    "tests/unit/test_tricks_playouts.py",
    "tests/unit/test_tricks_schedule.py",
    "tests/unit/test_variant.py",
)
"""What depends on how fast the rules run, or rather must not."""

SKIPPED: Final = 0
FAILED: Final = 1


def main(arguments: list[str]) -> int:
    """Copy, compile, test; the exit status."""
    reason = why_not()
    if reason:
        sys.stdout.write(f"The rules are not tested compiled: {reason}\n")
        return FAILED if os.environ.get("CI") else SKIPPED
    copy_tree()
    compile_copy()
    wanted = [test for test in TESTS if (COPY / test).exists()]
    command = [sys.executable, "-m", "pytest", "--numprocesses", "auto", "--dist", "loadfile"]
    command += arguments or wanted
    variables = {**environment(COPY), "KOZYR_TEST_NATIVE": "1"}
    return subprocess.run(command, cwd=COPY, env=variables, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
