"""``kozyr table``: the table service by itself."""

import typer

from kozyr_cli.flags import from_flags
from kozyr_cli.serving import serve_until_signal
from kozyr_cli.stack import StackError
from kozyr_table.settings import TableSettings

app = typer.Typer()


@app.callback()
def table() -> None:
    """Run the table service by itself: [cyan]kozyr table serve[/cyan]."""


@app.command()
@from_flags(TableSettings)
def serve(settings: TableSettings) -> None:
    """Serve tables over gRPC until Ctrl-C: [cyan]kozyr table serve --listen 0.0.0.0:7450[/cyan].

    Its state lives in the Redis server of --redis-url, else in a private one that is started on
    the data directory.
    """
    # Not for the help's sake:
    from kozyr_table.embedded_redis import EmbeddedRedisError  # noqa: PLC0415
    from kozyr_table.main import serve as serve_tables  # noqa: PLC0415

    try:
        serve_until_signal(
            settings,
            lambda report: serve_tables(
                settings, ready=lambda address: report({"address": address})
            ),
        )
    except EmbeddedRedisError as error:
        raise StackError(str(error)) from error
