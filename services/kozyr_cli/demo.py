"""``kozyr demo``: one match of bots through the real services, to look at."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from kozyr import logs
from kozyr.plugins import Rulebook, Source, load_brain, open_plugin
from kozyr_bots.settings import BotsSettings
from kozyr_cli.flags import given
from kozyr_cli.running import run
from kozyr_table.settings import TableSettings

SEATS: Final = 4
"""The number of players where nobody asks for another and the variant can be played so."""

WORDS: Final = {"on": True, "off": False}


def demo(
    variant: Annotated[str, typer.Argument(metavar="VARIANT", help="The game.")] = "odessa",
    *,
    seats: Annotated[
        int | None,
        typer.Option(metavar="N", help=f"Players; by default {SEATS}, where the game allows it."),
    ] = None,
    brain: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BRAIN",
            help="Who plays, by default greedy; several take turns around the table.",
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="An option of the game, see kozyr variants."),
    ] = None,
    plugin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SOURCE",
            help="Where rules come from, if not from here: isolated:VARIANT, command:PROGRAM, "
            "HOST:PORT or unix:PATH.",
        ),
    ] = None,
    pace: Annotated[
        float,
        typer.Option(metavar="SECONDS", min=0, help="How long a terminal shows each trick."),
    ] = 0.04,
    data_dir: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Directory of records and logs.")
    ] = None,
) -> None:
    """Play one match of bots and show it: [cyan]kozyr demo odessa --option max_hand=4[/cyan].

    Redis, the table service and a bot worker run as processes of their own, and end with the
    match. With KOZYR_REDIS_URL that server is used instead of a private one.
    """
    settings = TableSettings(**given(data_dir=data_dir))
    BotsSettings()  # what is wrong there is told at once
    sources = tuple(map(Source.parse, plugin or ())) or settings.plugins
    options = parse_options(option or ())
    brains = brain or ["greedy"]
    for name in brains:
        load_brain(name)

    from kozyr_cli.exhibition import Exhibition, show  # noqa: PLC0415 (not for the help's sake)

    logs.configure(level="error", form="auto")
    with rulebook(sources or [Source(variant=variant)]) as book:
        referee = book.newest(variant)
        if seats is None:
            seats = default_seats(referee.configure(options).seat_counts)
        match = Exhibition(
            referee=referee,
            options=referee.configure(options, seats).options,
            brains=[brains[seat % len(brains)] for seat in range(seats)],
            plugins=sources,
        )
        run(show(match, settings, pace_s=pace))


@contextmanager
def rulebook(sources: Iterable[Source]) -> Iterator[Rulebook]:
    """The rules of these sources, each of which must be there."""
    with ExitStack() as opened:
        yield Rulebook([opened.enter_context(open_plugin(source)) for source in sources])


def default_seats(allowed: Sequence[int]) -> int:
    """How many play where nobody says it."""
    return SEATS if SEATS in allowed else max(allowed)


def parse_options(pairs: Iterable[str]) -> dict[str, Any]:
    """Options from texts like ``max_hand=4``, ``joker=on``, ``revoke=penalty``.

    Raises:
        BadParameter: a text is no such pair.
    """
    options = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not (key and equals):
            raise typer.BadParameter(f"--option is KEY=VALUE, like max_hand=4, not {pair!r}")
        try:
            options[key] = WORDS[text] if text in WORDS else json.loads(text)
        except ValueError:
            options[key] = text
    return options
