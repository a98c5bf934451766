"""Flags for every setting of a service, made from its settings class.

A flag hands its text on as it is: what it may be is checked in one place, with the other sources.
"""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar, get_args, get_origin

import typer
from pydantic.fields import FieldInfo
from rich.markup import escape

from kozyr.settings import DEFAULT_FILE, SHARED, Settings, flag_of, is_secret, variable_of

SettingsT = TypeVar("SettingsT", bound=Settings)

WORDS: Final = "words"
"""The parameter of a command for the words beside its flags."""


def from_flags(
    settings: type[SettingsT], *, words: str | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command with a flag for each setting from a function of the settings.

    Args:
        words: what the words beside the flags are, where the command takes such; the function
            gets them, one or more, after the settings.

    Raises, when the command runs:
        InvalidSettings: a flag, a variable or the file is wrong.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        def command(**flags: Any) -> None:
            more = [] if words is None else [tuple(flags.pop(WORDS))]
            function(settings(**given(**flags)), *more)

        command.__name__ = function.__name__
        command.__doc__ = f"{unwrapped(function.__doc__)}\n\n{_other_ways(settings)}"
        command.__annotations__ = {}
        vars(command)["__signature__"] = inspect.Signature(
            [
                *([] if words is None else [_words(words)]),
                *(
                    _parameter(settings, name, field)
                    for name, field in settings.model_fields.items()
                ),
            ]
        )
        return command

    return decorate


def given(**flags: Any) -> dict[str, Any]:
    """The flags that were given."""
    return {name: value for name, value in flags.items() if value is not None}


def unwrapped(doc: str | None) -> str:
    """A docstring with each paragraph on one line: the help wraps it to the screen itself."""
    paragraphs = inspect.cleandoc(doc or "").split("\n\n")
    return "\n\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs)


def _other_ways(settings: type[Settings]) -> str:
    """Where settings come from beside the flags, on an example that is the service's own."""
    name = next(name for name in settings.model_fields if name not in SHARED)
    return (
        f"{flag_of(name)} may also be given as the variable {variable_of(settings, name)}, or as "
        f"{name} under {escape(f'[{settings.service}]')} in the file {DEFAULT_FILE}; so may the "
        "others. Those that name their variable hold for all services; in the file they stand "
        "above all sections."
    )


def _parameter(settings: type[Settings], name: str, field: FieldInfo) -> inspect.Parameter:
    kind: Any = str
    declaration = flag_of(name)
    metavar: str | None = _metavar(field.annotation)
    if field.annotation is bool:
        kind, metavar = bool, None
        declaration = f"{declaration}/--no-{declaration.removeprefix('--')}"
    option = typer.Option(
        declaration, help=_help(settings, name, field), metavar=metavar, show_default=False
    )
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[kind | None, option],
    )


def _words(what: str) -> inspect.Parameter:
    argument = typer.Argument(metavar=what.upper(), help="One or more.")
    return inspect.Parameter(
        WORDS, inspect.Parameter.KEYWORD_ONLY, annotation=Annotated[list[str], argument]
    )


def _help(settings: type[Settings], name: str, field: FieldInfo) -> str:
    notes = []
    if get_origin(field.annotation) is Literal:
        notes.append(", ".join(map(str, get_args(field.annotation))))
    default = field.get_default(call_default_factory=True, validated_data={})
    if default is not None:
        text = ",".join(map(str, default)) if isinstance(default, tuple) else str(default)
        notes.append(f"default {text}")
    if name in SHARED:
        notes.append(variable_of(settings, name))
    if is_secret(field):
        notes.append("a flag can be seen by everybody on this machine")
    note = f" [dim]({escape('; '.join(notes))})[/dim]" if notes else ""
    return escape(field.description or "") + note


def _metavar(annotation: Any) -> str:
    """What stands for the value in the help."""
    kinds = {annotation, *get_args(annotation)}
    if kinds & {int, float}:
        return "NUMBER"
    return "PATH" if Path in kinds else "TEXT"
