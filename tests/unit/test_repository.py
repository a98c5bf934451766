"""The rules of the repository itself."""

import ast
import re
import subprocess
import tomllib
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PACKAGE_ROOTS = (ROOT, ROOT / "services", ROOT / "plugins")
PYTHON_LINES_MAX = 500
"""Lines in a Python file; about 400 is the aim."""

BUILT_OR_GENERATED = re.compile(
    r"""_pb2(_grpc)?\.pyi?$ | ^kozyr/v1/ | \.(so|pyc|whl|egg|tar\.gz)$
    | (^|/)(build|dist|node_modules|__pycache__|\.venv|[^/]+\.egg-info)/
    | (^|/)(uv|poetry|package-lock|pnpm-lock|yarn)\.(lock|json|yaml)$""",
    re.VERBOSE,
)
# Written so that the patterns do not find themselves.
REGISTRY_ADDRESS = re.compile(
    r"""[-]-(extra-)?index[-]url | [-]-find[-]links | registry\s*=\s*["']?https?:
    | https?://[^\s"']*(/simple/|/packages/|pythonhosted|pypi[.]org|npmjs[.](com|org))""",
    re.VERBOSE,
)


def tracked(pattern: str = "*") -> list[Path]:
    """The files git tracks here, and those it would track if they were added."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", pattern],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode != 0:
        pytest.skip(f"not a git checkout: {listing.stderr.strip()}")
    paths = (ROOT / name for name in listing.stdout.split("\0") if name)
    return sorted(path for path in paths if path.is_file())


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def packages() -> list[Path]:
    """The directories of the packages of the distribution, found as the build finds them."""
    return sorted(init.parent for root in PACKAGE_ROOTS for init in root.glob("kozyr*/__init__.py"))


def project() -> dict[str, Any]:
    """What pyproject.toml says."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def requirements(*names: str) -> list[Requirement]:
    """The requirements of those extras, and of the distribution itself for ``""``."""
    said = project()["project"]
    lists = [
        said["optional-dependencies"][name] if name else said["dependencies"] for name in names
    ]
    return [Requirement(line) for lines in lists for line in lines]


def test_nothing_built_or_generated_is_tracked() -> None:
    assert [name for name in map(relative, tracked()) if BUILT_OR_GENERATED.search(name)] == []


def test_no_file_names_the_address_of_a_package_registry() -> None:
    found = []
    for path in tracked():
        text = path.read_text(encoding="utf-8", errors="replace")
        found += [f"{relative(path)}: {hit[0]}" for hit in REGISTRY_ADDRESS.finditer(text)]
    assert found == []


def test_packages_are_imported_by_their_own_names_not_through_their_folders() -> None:
    found = []
    for path in tracked("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes(), path)):
            match node:
                case ast.Import(names=aliases):
                    modules = [alias.name for alias in aliases]
                case ast.ImportFrom(module=str(module), level=0):
                    modules = [module]
                case _:
                    continue
            found += [
                f"{relative(path)}:{node.lineno}"
                for module in modules
                if module.split(".")[0] in {"plugins", "services"}
            ]
    assert found == []


def test_python_files_fit_one_idea() -> None:
    lengths = {relative(path): len(path.read_bytes().splitlines()) for path in tracked("*.py")}
    assert {name: n for name, n in lengths.items() if n > PYTHON_LINES_MAX} == {}


@pytest.mark.parametrize("package", packages(), ids=lambda package: package.name)
def test_package_declares_that_it_is_typed(package: Path) -> None:
    assert (package / "py.typed").is_file()


def test_import_contracts_know_every_package() -> None:
    linter = project()["tool"]["importlinter"]
    names = {package.name for package in packages()}
    assert set(linter["root_packages"]) == names
    layers = next(rule["layers"] for rule in linter["contracts"] if rule["type"] == "layers")
    assert {name for layer in layers for name in re.findall(r"\w+", layer)} == names


def exporting_modules() -> list[str]:
    """The packages and subpackages whose ``__init__`` says what it exports."""
    return [
        ".".join(init.parent.relative_to(package.parent).parts)
        for package in packages()
        for init in sorted(package.rglob("__init__.py"))
        if "__all__" in init.read_text(encoding="utf-8")
    ]


@pytest.mark.parametrize("name", exporting_modules())
def test_every_name_in_all_exists_once(name: str) -> None:
    module = import_module(name)
    exported: list[str] = module.__all__
    assert [item for item in exported if not hasattr(module, item)] == []
    assert len(exported) == len(set(exported))


def test_make_help_tells_of_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    phony = re.search(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    assert phony is not None
    help_text = subprocess.run(
        ["make", "--no-print-directory", "help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    told = {line.split()[0] for line in help_text.splitlines() if len(line.split()) > 1}
    assert told == set(phony[1].split())


def pinned() -> dict[str, tuple[Requirement, int]]:
    """The pin of each distribution in constraints.txt and the number of its hashes."""
    pins: dict[str, tuple[Requirement, int]] = {}
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    for at, line in enumerate(lines):
        if "==" not in line:
            continue
        pin = Requirement(line.rstrip(" \\"))
        hashes = takewhile(lambda line: "--hash=sha256:" in line, lines[at + 1 :])
        pins[canonicalize_name(pin.name)] = (pin, len(list(hashes)))
    return pins


def test_every_dependency_is_pinned_with_hashes() -> None:
    pins = pinned()
    assert {name for name, (_, hashes) in pins.items() if hashes == 0} == set()
    for requirement in requirements("", "dev"):
        pin, _ = pins[canonicalize_name(requirement.name)]
        (version,) = (specifier.version for specifier in pin.specifier)
        assert requirement.specifier.contains(version, prereleases=True), requirement


def test_building_without_isolation_has_what_an_isolated_build_would_get() -> None:
    dev = {requirement.name: requirement for requirement in requirements("dev")}
    for line in project()["build-system"]["requires"]:
        needed = Requirement(line)
        assert needed.name in dev
        if "==" in line:
            assert dev[needed.name].specifier == needed.specifier


def test_runtime_is_never_older_than_the_generated_code() -> None:
    (tools,) = (r for r in requirements("dev") if r.name == "grpcio-tools")
    (runtime,) = (r for r in requirements("") if r.name == "grpcio")
    assert str(runtime.specifier) == str(tools.specifier).replace("==", ">=")
