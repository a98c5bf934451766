"""``kozyr up``: the whole stack on this machine, until it is stopped."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from kozyr_bots.settings import BotsSettings
from kozyr_cli.console import say
from kozyr_cli.flags import given
from kozyr_cli.running import Interrupted, run
from kozyr_table.settings import TableSettings


def up(
    *,
    listen: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Address of the table service."),
    ] = None,
    data_dir: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Directory of Redis, records and logs."),
    ] = None,
    workers: Annotated[int, typer.Option(metavar="N", min=0, help="Number of bot workers.")] = 1,
    config: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="TOML file with the settings of all services."),
    ] = None,
) -> None:
    """Keep Redis, a table service and bot workers running: [cyan]kozyr up[/cyan].

    Ctrl-C stops them in order. More can be set by KOZYR_… variables and in the file: see
    kozyr table serve --help and kozyr bots serve --help.
    """
    from kozyr_cli.local import keep_up  # noqa: PLC0415 (not for the help's sake)

    settings = TableSettings(**given(listen=listen, data_dir=data_dir, config=config))
    BotsSettings(**given(config=config))  # what is wrong there is told at once
    with suppress(Interrupted):  # the regular end
        run(keep_up(settings, workers=workers))
    say("stopped")
