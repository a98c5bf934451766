"""What a service is told: by flags, by the environment, by a TOML file, else by defaults.

A service's settings are one class. The earlier source wins, each setting by itself::

    class ProbeSettings(Settings):
        service = "probe"

        interval_s: Annotated[PositiveFloat, Field(description="Seconds between probes.")] = 5.0
        redis_url: RedisUrl = None

    ProbeSettings(interval_s=1.0)

================  ===================  ========================  ===============================
setting           flag                 variable                  key in the file
================  ===================  ========================  ===============================
``interval_s``    ``--interval-s``     KOZYR_PROBE_INTERVAL_S    ``interval_s`` under ``[probe]``
``redis_url``     ``--redis-url``      KOZYR_REDIS_URL           ``redis_url`` above all sections
================  ===================  ========================  ===============================

``redis_url`` is one of the `SHARED` names, which mean the same for all services. A variable that
is empty counts as absent. Where a setting is a tuple, text holds its items with commas between.
"""

import difflib
import json
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal, get_args, get_origin
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, ValidationError, field_validator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ValidationInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from kozyr import addresses
from kozyr.errors import Code, KozyrError
from kozyr.tokens import KEY_BYTES_MIN

DEFAULT_FILE: Final = Path("kozyr.toml")
"""Read from the working directory where no other file is named."""

SERVICES: Final = ("table", "bots", "plugin")
"""The sections that a file may have."""

SHARED: Final = ("config", "data_dir", "log_format", "log_level", "redis_url", "token_key")
"""The settings that have one value for all services."""

NO_SETTINGS: Final = ("KOZYR_PLUGIN_FD", "KOZYR_PLUGIN_PROTOCOLS")
"""Variables that look like settings and are a host's words to its child (see kozyr.plugins)."""

NEAR: Final = 0.85
"""How alike an unknown name and a known one are, from 0 to 1, for a hint."""

_REDIS_SCHEMES: Final = ("redis", "rediss", "unix")


class InvalidSettings(KozyrError):
    """Settings are unknown or have a wrong value.

    Attributes:
        problems: a sentence for each: which setting, where it came from, what is allowed.
    """

    reason = "INVALID_SETTINGS"
    code = Code.INVALID_ARGUMENT

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


def _redis_url(url: SecretStr | None) -> SecretStr | None:
    if url is not None and urlsplit(url.get_secret_value()).scheme not in _REDIS_SCHEMES:
        allowed = ", ".join(f"{scheme}://" for scheme in _REDIS_SCHEMES)
        raise ValueError(f"the URL must begin with one of {allowed}")
    return url


def _token_key(key: SecretStr | None) -> SecretStr | None:
    if key is not None and len(key.get_secret_value().encode()) < KEY_BYTES_MIN:
        raise ValueError(f"the key must have at least {KEY_BYTES_MIN} bytes")
    return key


def _expanded(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError as error:
        raise ValueError(f"there is no home directory here to find {path} in") from error


def default_data_dir() -> Path:
    """``kozyr`` in the user's directory for data (XDG), perhaps with a leading ``~``."""
    home = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (home if home.is_absolute() else Path("~/.local/share")) / "kozyr"


Address = addresses.Address
"""Where a service listens or is found: ``HOST:PORT`` or ``unix:PATH``."""

DataDir = Annotated[
    Path,
    AfterValidator(_expanded),
    Field(
        validate_default=True,
        description="Directory of the embedded Redis, the records and the logs.",
    ),
]
"""Type of the shared ``data_dir``, with ``= Field(default_factory=default_data_dir)``."""

RedisUrl = Annotated[
    SecretStr | None,
    AfterValidator(_redis_url),
    Field(description="Redis server to use; without one, a private server is started."),
]
"""Type of the shared ``redis_url``, with None for none."""

TokenKey = Annotated[
    SecretStr | None,
    AfterValidator(_token_key),
    Field(description=f"Secret that signs the accounts' tokens, {KEY_BYTES_MIN} bytes or more."),
]
"""Type of the shared ``token_key``, with None for none."""

LogLevel = Literal["debug", "info", "warning", "error"]
LogFormat = Literal["auto", "json", "console"]


class Settings(BaseSettings):
    """The base of every service's settings.

    Raises:
        InvalidSettings: lists all that is wrong in any of the sources.
    """

    model_config = SettingsConfigDict(
        extra="forbid", frozen=True, hide_input_in_errors=True, case_sensitive=True
    )

    service: ClassVar[str]
    """The service's name, in lower case: its section in the file and part of its variables."""

    config: Annotated[
        Path | None,
        Field(description=f"TOML file; by default {DEFAULT_FILE} of the working directory."),
    ] = None
    log_level: Annotated[LogLevel, Field(description="Least severe messages to log.")] = "info"
    log_format: Annotated[
        LogFormat, Field(description="Form of the log: auto is console on a terminal, else json.")
    ] = "auto"

    def __init__(self, **flags: Any) -> None:
        try:
            super().__init__(**flags)
        except ValidationError as error:
            problems = [_problem(type(self), detail, flags) for detail in error.errors()]
            raise InvalidSettings(problems) from None  # its cause would show what is secret

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The sources, the one that wins first."""
        del env_settings, dotenv_settings, file_secret_settings  # ours name what they refuse
        return init_settings, _Environment(settings_cls), _File(settings_cls)

    @field_validator("*", mode="before")
    @classmethod
    def _split_text(cls, value: object, info: ValidationInfo) -> object:
        assert info.field_name is not None
        annotation = cls.model_fields[info.field_name].annotation
        if isinstance(value, str) and get_origin(annotation) is tuple:
            return _items(value)
        return value


def _items(text: str) -> object:
    """The items of a list that is written with commas between, or as JSON."""
    if text.lstrip().startswith("["):
        try:
            return json.loads(text)
        except ValueError as error:
            raise ValueError(f"this is no list in JSON: {error}") from error
    return tuple(item.strip() for item in text.split(",") if item.strip())


def is_secret(field: FieldInfo) -> bool:
    """Whether a setting's value may never be shown."""
    return SecretStr in (field.annotation, *get_args(field.annotation))


def flag_of(name: str) -> str:
    """The flag that gives a setting: ``--redis-url``."""
    return "--" + name.replace("_", "-")


def variable_of(settings: type[Settings], name: str) -> str:
    """The environment variable that gives a setting: ``KOZYR_REDIS_URL``."""
    return f"KOZYR_{name.upper()}" if name in SHARED else f"{_prefix(settings)}{name.upper()}"


def key_of(settings: type[Settings], name: str) -> str:
    """The key that gives a setting in the file, dotted: ``redis_url``, ``probe.interval_s``."""
    return name if name in SHARED else f"{settings.service}.{name}"


def _prefix(settings: type[Settings]) -> str:
    return f"KOZYR_{settings.service.upper()}_"


class _Environment(PydanticBaseSettingsSource):
    """Variables. One that names no setting is handed on as it is called, to be refused."""

    settings_cls: type[Settings]

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        return os.environ.get(variable_of(self.settings_cls, field_name)), field_name, False

    def __call__(self) -> dict[str, Any]:
        settings = self.settings_cls
        names = {variable_of(settings, name): name for name in settings.model_fields}
        return {
            names.get(variable, variable): value
            for variable, value in os.environ.items()
            if value
            and variable not in NO_SETTINGS
            and (variable in names or variable.startswith(_prefix(settings)))
        }


class _File(PydanticBaseSettingsSource):
    """The TOML file. A key that names no setting is handed on with its place, to be refused."""

    settings_cls: type[Settings]

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        return self().get(field_name), field_name, False

    def __call__(self) -> dict[str, Any]:
        file = _file_to_read(self.current_state)
        if file is None:
            return {}
        names = {key: name for name, key in _keys(self.settings_cls).items()}
        given: dict[str, Any] = {"config": file}
        for key, value in _dotted(_read(file), self.settings_cls.service):
            if key in names:
                given[names[key]] = value
            elif key not in SHARED or key == "config":  # what others share is theirs to check
                given[_place(key, file)] = value
        return given


def _keys(settings: type[Settings]) -> dict[str, str]:
    """Which key of a file gives which setting."""
    return {name: key_of(settings, name) for name in settings.model_fields if name != "config"}


def _place(key: str, file: Path) -> str:
    return f"{key} in {file}"


def _file_to_read(given: Mapping[str, Any]) -> Path | None:
    """The file that a source before it names, else the default one if it is there."""
    if given.get("config") is not None:
        return Path(given["config"])
    return DEFAULT_FILE if DEFAULT_FILE.exists() else None


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.expanduser().read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidSettings([f"{file} cannot be read: {error.strerror}"]) from error
    except ValueError as error:  # no TOML, or no UTF-8
        raise InvalidSettings([f"{file} is no TOML file: {error}"]) from error


def _dotted(document: Mapping[str, Any], service: str) -> Iterator[tuple[str, Any]]:
    """The keys and values that concern a service: above all sections, and in its own."""
    for key, value in document.items():
        if not isinstance(value, dict):
            yield key, value
        elif key == service:
            yield from ((f"{service}.{name}", inner) for name, inner in value.items())
        elif key not in SERVICES:
            yield key, value


def _problem(settings: type[Settings], detail: ErrorDetails, flags: Mapping[str, Any]) -> str:
    """One sentence: which setting, where it came from, what is wrong, what is allowed."""
    if not detail["loc"]:
        return f"{settings.service}: {_reason(detail)}"
    name = str(detail["loc"][0])
    if detail["type"] == "extra_forbidden":
        return _unknown(settings, name, flags)
    if detail["type"] == "missing":
        return (
            f"{name} is missing: set {flag_of(name)}, {variable_of(settings, name)} "
            f"or {key_of(settings, name)} in a file"
        )
    value = "" if is_secret(settings.model_fields[name]) else f" = {detail['input']!s}"
    return f"{_origin(settings, name, flags)}{value}: {_reason(detail)}"


def _origin(settings: type[Settings], name: str, flags: Mapping[str, Any]) -> str:
    """Where a setting's value came from."""
    if name in flags:
        return flag_of(name)
    variable = variable_of(settings, name)
    if os.environ.get(variable):
        return variable
    file = _file_to_read({**_Environment(settings)(), **flags})
    key = key_of(settings, name)
    if file is not None and key in dict(_dotted(_read(file), settings.service)):
        return _place(key, file)
    return f"the default of {flag_of(name)} ({variable})"


def _unknown(settings: type[Settings], name: str, flags: Mapping[str, Any]) -> str:
    if name in flags:
        name, known = flag_of(name), [flag_of(field) for field in settings.model_fields]
    elif name in os.environ:
        known = [variable_of(settings, field) for field in settings.model_fields]
    else:
        known = list(_keys(settings).values())
    [*near] = difflib.get_close_matches(name.split()[0], known, n=1, cutoff=NEAR)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
    return f"{name} is no setting; {hint}"


def _reason(detail: ErrorDetails) -> str:
    message = detail["msg"].removeprefix("Value error, ")
    return message[0].lower() + message[1:]
