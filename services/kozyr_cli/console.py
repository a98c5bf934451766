"""Where the commands print: standard output for what was asked, standard error for the rest."""

from typing import Final

from rich.console import Console

out: Final = Console()
err: Final = Console(stderr=True)


def say(line: str) -> None:
    """Print a line as it is."""
    out.print(line, highlight=False, markup=False, soft_wrap=True)


def complain(message: str) -> None:
    """Print what is wrong."""
    err.print(f"kozyr: {message}", highlight=False, markup=False, soft_wrap=True)
