"""``kozyr new-variant``: a package for a variant of one's own, which plays as it stands."""

import re
import shlex
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Final

import typer

from kozyr.plugins import variant_names
from kozyr_cli.console import say

SKELETON: Final = Path(__file__).parent / "skeleton"
"""A package like any other, but for three words that stand for names."""

NAME_LENGTH_MAX: Final = 40
"""In characters."""

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_PLACEHOLDERS: Final = re.compile("A skeleton|Skeleton|skeleton")


def new_variant(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The variant's id, like high_card.")],
    *,
    into: Annotated[
        Path,
        typer.Option(
            metavar="PATH",
            exists=True,
            file_okay=False,
            help="The directory to write the package's folder to.",
        ),
    ] = Path(),
) -> None:
    """Write a package for a new game, to begin with: [cyan]kozyr new-variant high_card[/cyan].

    It holds a small complete game on the toolkit, with its options, its rules in words, and tests
    that pass. Installed beside kozyr it is a variant like all others.
    """
    check_name(name)
    folder = into / name
    if folder.exists():
        raise typer.BadParameter(f"{folder} is there already; take another NAME or --into")
    write_package(name, folder)
    place = folder if folder.is_absolute() else f"./{folder}"  # or pip would take it for a name
    say(f"{folder} is a package that plays as it stands; in kozyr's environment:")
    for command in (
        ["pip", "install", "-e", f"{place}[test]"],
        ["pytest", str(place)],
        ["kozyr", "conformance", name],
        ["kozyr", "demo", name],
    ):
        say(f"  {shlex.join(command)}")


def check_name(name: str) -> None:
    """Refuse what can be no new variant's id and package.

    Raises:
        BadParameter: it is taken or no name; says what is allowed.
    """
    if not _NAME.fullmatch(name) or iskeyword(name) or len(name) > NAME_LENGTH_MAX:
        raise typer.BadParameter(
            f"{name!r} cannot name a variant and its package: begin with a small letter a-z, go on "
            f"with those, digits and single underscores, up to {NAME_LENGTH_MAX} characters, and "
            "take no word of Python"
        )
    if name in variant_names():
        raise typer.BadParameter(f"the variant {name!r} is installed already; take another name")
    if find_spec(name) is not None:
        raise typer.BadParameter(f"there is a module {name!r} here already; take another name")


def write_package(name: str, folder: Path) -> None:
    """Write the skeleton under that name; nothing is left of it if that fails."""
    words = name.split("_")
    names = {
        "A skeleton": " ".join(words).capitalize(),
        "Skeleton": "".join(word.capitalize() for word in words),
        "skeleton": name,
    }

    def named(text: str) -> str:
        return _PLACEHOLDERS.sub(lambda found: names[found[0]], text)

    with TemporaryDirectory(dir=folder.parent, prefix=".new-variant-") as scratch:
        tree = Path(scratch) / name
        for source in skeleton_files():
            target = tree / named(str(source.relative_to(SKELETON)))
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(named(source.read_text(encoding="utf-8")), encoding="utf-8")
        tree.rename(folder)


def skeleton_files() -> list[Path]:
    """The files of the skeleton; an installation may have compiled them, which is not meant."""
    return [each for each in SKELETON.rglob("*") if each.is_file() and each.suffix != ".pyc"]
