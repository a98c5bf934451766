"""The commands, and what they answer when they cannot do what was asked."""

from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Annotated, Final

import typer

from kozyr.errors import Code, KozyrError
from kozyr.settings import InvalidSettings
from kozyr_cli import (
    bots,
    conformance,
    demo,
    doctor,
    new_variant,
    plugin,
    records,
    table,
    up,
    variants,
)
from kozyr_cli.console import complain, out
from kozyr_cli.flags import unwrapped
from kozyr_cli.main import FAILED, MISTAKEN
from kozyr_cli.running import Interrupted
from kozyr_cli.stack import StackError

MISTAKES: Final = (Code.INVALID_ARGUMENT, Code.NOT_FOUND)
"""What the user can mend by asking differently."""

app = typer.Typer(
    help="Tables, clocks, bots and records for trick-taking card games.",
    epilog="Every command says more with --help. Settings come from flags, from KOZYR_… variables "
    "and from kozyr.toml, in this order.",
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
_COMMANDS: Final[tuple[Callable[..., None], ...]] = (
    demo.demo,
    up.up,
    variants.variants,
    doctor.doctor,
    conformance.conformance,
    new_variant.new_variant,
    records.replay,
    records.verify,
)
for command in _COMMANDS:
    app.command(help=unwrapped(command.__doc__))(command)
app.add_typer(table.app, name="table")
app.add_typer(bots.app, name="bots")
app.add_typer(plugin.app, name="plugin")


def _print_version(wanted: bool) -> None:  # noqa: FBT001 (typer calls it so)
    if wanted:
        out.print(f"kozyr {version('kozyr')}", highlight=False)
        raise typer.Exit


@app.callback(invoke_without_command=True)
def kozyr(
    context: typer.Context,
    *,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Show the help where no command is given."""
    if context.invoked_subcommand is None:
        out.print(context.get_help())


def run_app(arguments: Sequence[str]) -> int:
    """Run one command; returns the exit code."""
    try:
        return app(list(arguments), prog_name="kozyr", standalone_mode=False) or 0
    except Interrupted as interrupt:
        return interrupt.exit_code
    except typer.TyperException as error:
        complain(f"{error.format_message()} (see kozyr --help)")
        return error.exit_code
    except typer.Abort:
        return FAILED
    except InvalidSettings as error:
        for problem in error.problems:
            complain(problem)
        return MISTAKEN
    except KozyrError as error:
        complain(str(error))
        return MISTAKEN if error.code in MISTAKES else FAILED
    except BrokenPipeError:
        raise
    except StackError as error:
        complain(str(error))
        return FAILED
    except OSError as error:
        complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        return FAILED
