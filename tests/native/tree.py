"""A copy of the tree in which the rules are compiled, so that the tree itself stays interpreted."""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tests.native.unit import ROOT, compiled_files

COPY: Final = ROOT / "build" / "native"
STAMP: Final = COPY / ".compiled"
FOLDERS: Final = ("benchmarks", "docs", "kozyr", "plugins", "protos", "services", "tests")
FILES: Final = ("README.md", "pyproject.toml", "setup.py")
ROOTS: Final = (".", "services", "plugins")


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


def environment(tree: Path) -> dict[str, str]:
    """Our variables, with a tree before what is installed."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(str(tree / root) for root in ROOTS)}
