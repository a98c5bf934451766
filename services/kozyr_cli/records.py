"""``kozyr replay`` and ``kozyr verify``: finished matches told again, and checked."""

from pathlib import Path
from typing import Annotated

import typer

from kozyr.errors import KozyrError
from kozyr.events import Event, Payload, Seat
from kozyr.match import Match
from kozyr.record import read_record
from kozyr.verify import verify_record
from kozyr_cli.console import complain, say
from kozyr_cli.telling import Narrator

RecordFile = Annotated[Path, typer.Argument(metavar="RECORD", help="File of a record.")]


def replay(
    record: RecordFile,
    *,
    seat: Annotated[
        int | None, typer.Option(metavar="SEAT", help="Tell only what this seat knew, from 0.")
    ] = None,
) -> None:
    """Tell a recorded match deal by deal: [cyan]kozyr replay match.jsonl --seat 0[/cyan].

    Without --seat all cards lie open.
    """
    match = read_record(record).match()
    header = match.header
    if seat is not None and not 0 <= seat < header.seats:
        raise typer.BadParameter(f"--seat is 0 to {header.seats - 1} here, not {seat}")
    say(f"{header.variant}, rules version {header.rules_version}, match {header.match_id}")
    say(", ".join(f"{number} {player}" for number, player in enumerate(header.players)))
    narrator = Narrator(header.players)
    for event in match.history:
        payload = all_of(event) if seat is None else event.seen_by(Seat(seat))
        if payload is not None:
            for line in narrator.hear(payload):
                say(line)


def verify(
    records: Annotated[list[Path], typer.Argument(metavar="RECORD…", help="Files of records.")],
) -> None:
    """Check that records tell the truth, cards and scores: [cyan]kozyr verify *.jsonl[/cyan].

    The exit code is 0 when all of them do. What is wrong is printed, with its line.
    """
    damaged = 0
    for record in records:
        try:
            match = verify_record(record)
        except KozyrError as error:
            damaged += 1
            complain(f"{record}: {error}")
        except OSError as error:
            damaged += 1
            complain(f"{record}: {error.strerror}")
        else:
            say(f"{record}: true, {summary(match)}")
    if damaged:
        raise typer.Exit(1)


def summary(match: Match) -> str:
    """What was checked of a record, in a few words."""
    moves = match.version - match.shuffles
    return f"{moves} moves and {match.shuffles} shuffles follow from the rules and the seed"


def all_of(event: Event) -> Payload:
    """What those see of an event who see most of it: the fewest."""
    _, payload = min(event.faces, key=lambda face: face[0].bit_count())
    return payload
