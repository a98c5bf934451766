"""A match of bots on services that are started for it, shown while it goes on."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from rich.live import Live

from kozyr.client import Client, TableView
from kozyr.events import WATCHER, DealScored, Payload, TrickTaken
from kozyr.plugins import Source
from kozyr.referee import Referee
from kozyr.tokens import Identity, mint
from kozyr.v1.table_pb2 import VISIBILITY_UNLISTED
from kozyr.verify import verify_record
from kozyr_cli.console import out, say
from kozyr_cli.local import Plan, new_token_key, start_services
from kozyr_cli.records import summary
from kozyr_cli.sheet import ScoreSheet
from kozyr_cli.stack import Stack, StackError
from kozyr_cli.telling import result_lines
from kozyr_table.settings import TableSettings

BEHIND_MAX: Final = 1_000
"""How many payloads a drawing may be behind the match before it hurries to catch up."""


@dataclass(frozen=True, slots=True)
class Exhibition:
    """What to play.

    Attributes:
        referee: of the variant, to verify the record with.
        options: all options of the variant.
        brains: of the bots, by seat.
        plugins: where the table service has the rules from, if not as it is told otherwise.
    """

    referee: Referee
    options: Mapping[str, Any]
    brains: Sequence[str]
    plugins: Sequence[Source] = ()


async def show(match: Exhibition, settings: TableSettings, *, pace_s: float) -> None:
    """Start services, play, show the result and the verified record, stop the services.

    Args:
        pace_s: how long each trick stays on a terminal, in seconds.

    Raises:
        StackError: a service did not start, or ended.
        KozyrError: the table service refused something, or the record does not verify.
    """
    with TemporaryDirectory(prefix="kozyr-") as directory:
        plan = Plan(
            listen="127.0.0.1:0",
            data_dir=Path(directory),
            archive_dir=settings.records_dir,
            token_key=new_token_key(),
            brains=sorted({brain.partition(":")[0] for brain in match.brains}),
            plugins=match.plugins,
        )
        async with Stack(settings.data_dir / "logs") as stack:
            address = await start_services(stack, plan)
            token = mint(plan.token_key, Identity("demo"))
            async with Client.connect(address, token=token) as client:
                match_id = await stack.guard(_play(client, match, pace_s=pace_s))
    record = next(settings.records_dir.rglob(f"{match_id}.jsonl"), None)
    if record is None:
        raise StackError(f"another table service has kept the record of match {match_id}")
    say(f"record:   {record}")
    say(f"verified: {summary(verify_record(record, referee=match.referee))}")


async def _play(client: Client, match: Exhibition, *, pace_s: float) -> str:
    """Play and show the match; returns its id when its record is kept."""
    async with client.session() as session:
        table = await client.create_table(
            match.referee.variant_id,
            seats=len(match.brains),
            options=match.options,
            plan=dict(enumerate(match.brains)),
            visibility=VISIBILITY_UNLISTED,
        )
        view = await session.attach(table.table_id)
        players = [seat.display_name for seat in table.seats]
        sheet = ScoreSheet(match.referee.describe().title, players)
        if out.is_terminal:
            await _draw(sheet, view, pace_s=pace_s)
        else:
            await _list(sheet, view)
        outcome = sheet.observation.outcome
        assert outcome is not None, "a record is kept of finished matches only"
        say("")
        for line in result_lines(outcome, players):
            say(line)
        return view.match_id


async def _draw(sheet: ScoreSheet, view: TableView, *, pace_s: float) -> None:
    """Keep the sheet on the screen up to date, trick by trick."""
    with Live(console=out, auto_refresh=False) as screen:
        async for payload, behind in _heard(view):
            sheet.hear(payload)
            if isinstance(payload, TrickTaken) and behind < BEHIND_MAX:
                screen.update(sheet.draw(out), refresh=True)
                await asyncio.sleep(pace_s)
        screen.update(sheet.draw(out), refresh=True)


async def _list(sheet: ScoreSheet, view: TableView) -> None:
    """Print a line for each deal."""
    async for payload, _ in _heard(view):
        sheet.hear(payload)
        if isinstance(payload, DealScored):
            say(sheet.last_deal)


async def _heard(view: TableView) -> AsyncIterator[tuple[Payload, int]]:
    """What a spectator hears, from the beginning until the record is kept.

    With each payload comes the number of those that wait behind it.
    """
    count = 0
    async for _ in view.updates():
        heard = view.observations[WATCHER].heard if WATCHER in view.observations else []
        while count < len(heard):
            count += 1
            yield heard[count - 1], len(heard) - count
