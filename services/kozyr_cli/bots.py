"""``kozyr bots``: a worker that plays for bots."""

import typer

from kozyr_bots.settings import BotsSettings
from kozyr_cli.flags import from_flags
from kozyr_cli.serving import serve_until_signal

app = typer.Typer()


@app.callback()
def bots() -> None:
    """Run a bot worker by itself: [cyan]kozyr bots serve[/cyan]."""


@app.command()
@from_flags(BotsSettings)
def serve(settings: BotsSettings) -> None:
    """Play the bots' seats of a table service until Ctrl-C: [cyan]kozyr bots serve[/cyan].

    Any number of workers may serve one table service, which shares the seats out among them.
    """
    from kozyr_bots.main import serve as serve_bots  # noqa: PLC0415 (not for the help's sake)

    serve_until_signal(settings, lambda report: serve_bots(settings, ready=lambda: report({})))
