"""What is compiled, as setup.py has it."""

import os
import runpy
from functools import cache
from pathlib import Path
from typing import Any, Final
from unittest import mock

ROOT: Final = Path(__file__).parents[2]

COMPILED: Final = bool(os.environ.get("KOZYR_TEST_NATIVE"))
"""Whether the tests run on compiled rules."""


def compiled_files(root: Path = ROOT) -> list[Path]:
    """The sources of the unit, in a fixed order."""
    patterns: tuple[str, ...] = _setup()["NATIVE_FILES"]
    return sorted(path for pattern in patterns for path in root.glob(pattern))


def compiled_modules() -> list[str]:
    """The names of the modules of the unit."""
    return [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removeprefix("plugins.")
        for path in compiled_files()
    ]


def why_not() -> str:
    """Why nothing can be compiled on this machine; empty when it can."""
    reason: str = _setup()["why_pure"]()
    return reason


@cache
def _setup() -> dict[str, Any]:
    """What setup.py defines, without its doing anything."""
    with mock.patch("setuptools.setup"), mock.patch("sys.argv", ["setup.py"]):
        return runpy.run_path(str(ROOT / "setup.py"))
