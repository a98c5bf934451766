"""``python -m tests.native``: the tests of the rules, on compiled rules.

They run in a copy of the tree, below ``build/native``, so that the tree itself stays interpreted.
What is compiled there is compiled again only when a source has changed.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tests.native.unit import ROOT, compiled_files, why_not

COPY: Final = ROOT / "build" / "native"
STAMP: Final = COPY / ".compiled"
FOLDERS: Final = ("docs", "kozyr", "plugins", "protos", "services", "tests")
FILES: Final = ("README.md", "pyproject.toml", "setup.py")
ROOTS: Final = (".", "services", "plugins")

TESTS: Final = (
    "tests/native",
    "tests/golden",
    "tests/perft",
    "tests/property",
    "tests/unit/child",
    "tests/unit/georgian",
    "tests/unit/maverick",
    "tests/unit/odessa",
    "tests/unit/test_cards.py",
    "tests/unit/test_conformance.py",
    "tests/unit/test_match.py",
    "tests/unit/test_maverick_match.py",
    "tests/unit/test_maverick_told.py",
    "tests/unit/test_referee.py",
    "tests/unit/test_tricks_actions.py",
    "tests/unit/test_tricks_game.py",
    "tests/unit/test_tricks_masks.py",
    "tests/unit/test_tricks_play.py",
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
    return subprocess.run(command, cwd=COPY, env=environment(), check=False).returncode


def copy_tree() -> None:
    """Bring the copy up to date; what is compiled stays."""
    kept = {*COPY.rglob("*.so"), STAMP}
    fresh = {COPY / path.relative_to(ROOT): path for path in sources()}
    for path in COPY.rglob("*"):
        if path.is_file() and path not in fresh and path not in kept:
            path.unlink()
    for target, source in fresh.items():
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


def sources() -> Iterable[Path]:
    """What is copied."""
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.suffix != ".so" and "__pycache__" not in path.parts:
                yield path
    yield from (ROOT / name for name in FILES)


def compile_copy() -> None:
    """Compile the rules of the copy, unless that is done.

    Raises:
        CalledProcessError: they cannot be compiled; the reason was printed.
    """
    digest = hashlib.sha256()
    for path in [COPY / "setup.py", *compiled_files(COPY)]:
        digest.update(path.read_bytes())
    if STAMP.exists() and STAMP.read_text() == digest.hexdigest():
        return
    for path in COPY.rglob("*.so"):
        path.unlink()
    sys.stdout.write("Compiling the rules\n")
    sys.stdout.flush()
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=COPY, check=True
    )
    STAMP.write_text(digest.hexdigest())


def environment() -> dict[str, str]:
    """The variables of the tests: the copy comes before what is installed."""
    paths = os.pathsep.join(str(COPY / root) for root in ROOTS)
    return {**os.environ, "PYTHONPATH": paths, "KOZYR_TEST_NATIVE": "1"}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
