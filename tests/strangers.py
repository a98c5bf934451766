"""A package of a stranger, installed beside kozyr, and programs that run where it is."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

END_LIMIT_S: Final = 100.0
"""Only so that a failing test ends: nothing here waits so long."""

NOT_THEIRS: Final = ("KOZYR_", "PYTEST_")
"""How variables begin that say how these tests themselves run."""


def install(source: Path, scratch: Path) -> dict[str, str]:
    """Install a source tree below ``scratch``; returns the environment that finds it there.

    The tree is copied first: a build leaves its traces in the tree that it builds.
    """
    copy = shutil.copytree(source, scratch / "source" / source.name)
    site = scratch / "site"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    offline = ["--no-deps", "--no-build-isolation", "--no-index"]
    run([*pip, *offline, "--target", str(site), str(copy)], os.environ, cwd=scratch)
    return {
        **{name: os.environ[name] for name in os.environ if not name.startswith(NOT_THEIRS)},
        "PYTHONPATH": os.pathsep.join([str(site), *sys.path]),
        "KOZYR_DATA_DIR": str(scratch / "data"),
        "COLUMNS": "100",
    }


def run(command: list[str], environment: Mapping[str, str], *, cwd: Path) -> str:
    """What a program prints that must succeed."""
    done = subprocess.run(
        command,
        env=environment,
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=END_LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def kozyr(environment: Mapping[str, str], *words: str, cwd: Path) -> str:
    """What the command prints to somebody who has the package."""
    return run([sys.executable, "-m", "kozyr_cli", *words], environment, cwd=cwd)


def own_tests(tree: Path, environment: Mapping[str, str]) -> str:
    """What the package's own tests print; they find nothing but what is installed."""
    pytest = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--strict-config"]
    return run(
        [*pytest, "--config-file", str(tree / "pyproject.toml"), str(tree)], environment, cwd=tree
    )
