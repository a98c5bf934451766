"""``kozyr doctor``: what is installed here, and whether it works."""

import json
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module, resources
from importlib.machinery import ExtensionFileLoader
from importlib.metadata import entry_points, version
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.markup import escape
from rich.table import Table

from kozyr.errors import KozyrError
from kozyr.plugins import (
    BRAINS_GROUP,
    VARIANTS_GROUP,
    brain_names,
    load_brain,
    load_variant,
    variant_names,
)
from kozyr.settings import InvalidSettings
from kozyr_bots.settings import BotsSettings
from kozyr_cli.console import out
from kozyr_cli.main import FAILED
from kozyr_table.embedded_redis import NoServerInstalled, find_server
from kozyr_table.settings import TableSettings

KERNEL: Final = "kozyr.tricks.play"
"""The module that tells for all that are compiled with it."""
BUILD_NOTE: Final = "build.json"

_STYLES: Final = {True: "green", False: "bold red"}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was looked at, and what was found.

    Attributes:
        well: whether it works.
    """

    what: str
    found: str
    well: bool = True


def doctor(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say what is installed and how fast the rules run, and why: [cyan]kozyr doctor[/cyan].

    The exit code is 1 when something that kozyr needs does not work.
    """
    found = list(diagnoses())
    if as_json:
        out.print_json(json.dumps([asdict(each) for each in found]))
    else:
        table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
        for each in found:
            table.add_row(each.what, f"[{_STYLES[each.well]}]{escape(each.found)}[/]")
        out.print(table, highlight=False)
    if not all(each.well for each in found):
        raise typer.Exit(FAILED)


def diagnoses() -> Iterator[Diagnosis]:
    """Everything that is looked at."""
    yield Diagnosis("kozyr", version("kozyr"))
    yield Diagnosis("Python", f"{platform.python_version()} at {sys.executable}")
    for name in ("grpcio", "protobuf", "redis", "pydantic"):
        yield Diagnosis(name, version(name))
    yield rules_speed()
    yield redis_server()
    yield settings()
    yield from plugins("variant", VARIANTS_GROUP, variant_names, load_variant)
    yield from plugins("brain", BRAINS_GROUP, brain_names, load_brain)


def rules_speed() -> Diagnosis:
    """Whether the rules run compiled, and if not, why."""
    spec = import_module(KERNEL).__spec__
    assert spec is not None
    if not isinstance(spec.loader, ExtensionFileLoader):
        return Diagnosis("rules", f"interpreted: {why_interpreted()}")
    folder = Path(str(resources.files("kozyr.tricks")))
    if not build_note().is_file() and is_stale(folder):
        return Diagnosis("rules", "compiled from older sources: call make native", well=False)
    return Diagnosis("rules", "compiled")


def is_stale(folder: Path) -> bool:
    """Whether a source is newer than what was compiled of it beside it."""
    built = {each.name.partition(".")[0]: each for each in folder.glob("*.so")}
    return any(
        path.stem in built and built[path.stem].stat().st_mtime < path.stat().st_mtime
        for path in folder.glob("*.py")
    )


def build_note() -> Traversable:
    """What the build has noted; a source tree has none."""
    return resources.files("kozyr").joinpath(BUILD_NOTE)


def why_interpreted() -> str:
    """Why the rules are not compiled, as the build has noted it."""
    note = build_note()
    if not note.is_file():
        return "this is a source tree in which nobody has called make native"
    reason = json.loads(note.read_text(encoding="utf-8"))["pure_because"]
    return str(reason or "they were compiled for another Python")


def redis_server() -> Diagnosis:
    """What would keep the state where no KOZYR_REDIS_URL is set."""
    try:
        return Diagnosis("private Redis", str(find_server()))
    except NoServerInstalled as error:
        return Diagnosis("private Redis", str(error), well=False)


def settings() -> Diagnosis:
    """Whether the variables and the file that services would read make sense."""
    try:
        TableSettings()
        BotsSettings()
    except InvalidSettings as error:
        return Diagnosis("settings", str(error), well=False)
    return Diagnosis("settings", "sound")


def plugins(
    what: str, group: str, names: Callable[[], Sequence[str]], load: Callable[[str], object]
) -> Iterator[Diagnosis]:
    """What entry points bring in, each with the distribution that it comes from."""
    origins = {
        each.name: f"{each.dist.name} {each.dist.version}" if each.dist else "nowhere"
        for each in entry_points(group=group)
    }
    for name in names():
        try:
            load(name)
        except KozyrError as error:
            yield Diagnosis(f"{what} {name}", str(error), well=False)
        else:
            yield Diagnosis(f"{what} {name}", f"from {origins[name]}")
