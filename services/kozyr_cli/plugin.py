"""``kozyr plugin``: installed variants served to hosts in other processes."""

import asyncio
from pathlib import Path
from typing import Annotated, ClassVar, Self

import structlog
import typer
from pydantic import Field, PositiveInt, model_validator

from kozyr.settings import Address, Settings
from kozyr_cli.flags import from_flags
from kozyr_cli.serving import Report, serve_until_signal

app = typer.Typer()
log = structlog.get_logger()


class PluginSettings(Settings):
    """Settings of ``kozyr plugin serve``."""

    service: ClassVar[str] = "plugin"

    listen: Annotated[Address, Field(description="Address to serve gRPC on.")] = "127.0.0.1:7460"
    tls_cert: Annotated[
        Path | None, Field(description="Certificate of the server (PEM); without one, no TLS.")
    ] = None
    tls_key: Annotated[Path | None, Field(description="Its key (PEM).")] = None
    tls_client_ca: Annotated[
        Path | None, Field(description="Certificates that sign the hosts that may call (PEM).")
    ] = None
    positions_max: Annotated[
        PositiveInt, Field(description="Positions to remember; of others the log is sent again.")
    ] = 4_096
    drain_ms: Annotated[
        PositiveInt, Field(description="Time for calls under way when the server stops.")
    ] = 2_000

    @model_validator(mode="after")
    def _check_tls(self) -> Self:
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ValueError("tls_cert and tls_key belong together")
        if self.tls_client_ca is not None and self.tls_cert is None:
            raise ValueError("tls_client_ca needs tls_cert and tls_key")
        return self


@app.callback()
def plugin() -> None:
    """Serve the rules of installed variants: [cyan]kozyr plugin serve odessa[/cyan]."""


@app.command()
@from_flags(PluginSettings, words="variant")
def serve(settings: PluginSettings, names: tuple[str, ...]) -> None:
    """Serve rules over gRPC until Ctrl-C: [cyan]kozyr plugin serve odessa georgian[/cyan].

    A table service uses them when it is told the address, or starts this command itself.
    """
    # Not for the help's sake:
    from kozyr.plugins import load_variant  # noqa: PLC0415
    from kozyr.plugins.greeting import Host  # noqa: PLC0415
    from kozyr.plugins.serving import RulesServer, Tls, serving  # noqa: PLC0415
    from kozyr.referee import LocalReferee  # noqa: PLC0415

    host = Host.of_this_process()
    referees = [LocalReferee(load_variant(name)) for name in names]
    rules = RulesServer(referees, positions_max=settings.positions_max)
    tls = None
    if settings.tls_cert is not None and settings.tls_key is not None:
        tls = Tls(settings.tls_cert, settings.tls_key, settings.tls_client_ca)

    async def serve_rules(report: Report) -> None:
        async with serving(
            rules, listen=settings.listen, tls=tls, drain_s=settings.drain_ms / 1000
        ) as address:
            log.info("plugin_serves", address=address, variants=names)
            report({"address": address})
            if host is not None:
                host.greet(address)
            await asyncio.Event().wait()

    serve_until_signal(settings, serve_rules)
