"""Settings come from flags, variables, a file and defaults, and what is wrong names itself."""

import os
from pathlib import Path
from typing import Annotated, ClassVar

import pytest
from pydantic import Field, PositiveFloat, SecretStr

from kozyr.settings import (
    Address,
    DataDir,
    InvalidSettings,
    RedisUrl,
    Settings,
    TokenKey,
    default_data_dir,
    flag_of,
    is_secret,
    key_of,
    variable_of,
)

KEY = "k" * 32


class ProbeSettings(Settings):
    service: ClassVar[str] = "probe"

    interval_s: Annotated[PositiveFloat, Field(description="Seconds between probes.")] = 5.0
    listen: Annotated[Address, Field(description="Where to answer.")] = "127.0.0.1:0"
    brains: Annotated[tuple[str, ...], Field(description="What to try.")] = ("greedy",)
    eager: Annotated[bool, Field(description="Do not wait for the first interval.")] = False
    redis_url: RedisUrl = None
    token_key: TokenKey = None
    data_dir: DataDir = Field(default_factory=default_data_dir)


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty directory, with no variable of ours set."""
    for variable in [name for name in os.environ if name.startswith("KOZYR_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def problems(**flags: object) -> tuple[str, ...]:
    with pytest.raises(InvalidSettings) as refusal:
        ProbeSettings(**flags)  # type: ignore[arg-type]
    return refusal.value.problems


def test_without_any_source_the_defaults_hold(directory: Path) -> None:
    settings = ProbeSettings()
    assert settings.interval_s == 5.0
    assert settings.brains == ("greedy",)
    assert settings.redis_url is None
    assert settings.config is None
    assert settings.data_dir == directory / "home/.local/share/kozyr"


def test_flag_wins_over_variable_over_file_over_default_each_setting_by_itself(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = directory / "kozyr.toml"
    file.write_text('[probe]\ninterval_s = 1.5\nlisten = "unix:/file"\nbrains = ["file"]\n')
    monkeypatch.setenv("KOZYR_PROBE_LISTEN", "unix:/variable")
    monkeypatch.setenv("KOZYR_PROBE_BRAINS", "variable")
    settings = ProbeSettings(brains=("flag",))
    assert settings.brains == ("flag",)
    assert settings.listen == "unix:/variable"
    assert settings.interval_s == 1.5
    assert settings.eager is False


def test_shared_setting_has_one_variable_for_all_services_and_stands_above_all_sections(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (directory / "kozyr.toml").write_text('data_dir = "~/games"\nlog_level = "error"\n')
    monkeypatch.setenv("KOZYR_REDIS_URL", "redis://elsewhere:6379/0")
    monkeypatch.setenv("KOZYR_LOG_LEVEL", "debug")
    settings = ProbeSettings()
    assert settings.redis_url is not None
    assert settings.redis_url.get_secret_value() == "redis://elsewhere:6379/0"
    assert settings.log_level == "debug"
    assert settings.data_dir == directory / "home/games"


def test_file_is_the_one_that_a_flag_or_else_a_variable_names(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, name in enumerate(("kozyr.toml", "variable.toml", "flag.toml"), 1):
        (directory / name).write_text(f"[probe]\ninterval_s = {number}\n")
    assert ProbeSettings().interval_s == 1
    assert ProbeSettings().config == Path("kozyr.toml")
    monkeypatch.setenv("KOZYR_CONFIG", "variable.toml")
    assert ProbeSettings().interval_s == 2
    assert ProbeSettings(config=Path("flag.toml")).interval_s == 3


def test_empty_variable_counts_as_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOZYR_REDIS_URL", "")
    monkeypatch.setenv("KOZYR_PROBE_INTERVAL_S", "")
    settings = ProbeSettings()
    assert settings.redis_url is None
    assert settings.interval_s == 5.0


def test_text_of_a_tuple_may_be_a_list_in_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOZYR_PROBE_BRAINS", '["greedy", "a, b"]')
    assert ProbeSettings().brains == ("greedy", "a, b")
    monkeypatch.setenv("KOZYR_PROBE_BRAINS", '["greedy"')
    assert "this is no list in JSON" in problems()[0]


def test_text_of_a_tuple_has_commas_between_its_items(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOZYR_PROBE_BRAINS", "greedy, random,")
    assert ProbeSettings().brains == ("greedy", "random")


def test_all_that_is_wrong_is_told_at_once_with_its_place_its_value_and_what_is_allowed(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (directory / "kozyr.toml").write_text('log_level = "loud"\n[probe]\ninterval_s = -1\n')
    monkeypatch.setenv("KOZYR_PROBE_EAGER", "perhaps")
    assert set(problems(listen="nowhere")) == {
        "log_level in kozyr.toml = loud: input should be 'debug', 'info', 'warning' or 'error'",
        "probe.interval_s in kozyr.toml = -1: input should be greater than 0",
        "KOZYR_PROBE_EAGER = perhaps: input should be a valid boolean, unable to interpret input",
        (
            "--listen = nowhere: an address is HOST:PORT with a port of 0 (any free one) to 65535, "
            "or unix:PATH"
        ),
    }


@pytest.mark.parametrize(
    "listen", ["0.0.0.0:0", "localhost:65535", "[::1]:7450", "unix:/run/kozyr.sock"]
)
def test_address_is_host_and_port_or_a_unix_socket(listen: str) -> None:
    assert ProbeSettings(listen=listen).listen == listen


@pytest.mark.parametrize("listen", ["localhost", ":7450", "host:65536", "host:-1", "unix:", "a:²"])
def test_anything_else_is_no_address(listen: str) -> None:
    [problem] = problems(listen=listen)
    assert problem.startswith(f"--listen = {listen}: an address is")


def test_unknown_variable_of_the_service_is_refused_with_the_nearest_that_exists(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KOZYR_PROBE_LISTN", "host:1")
    monkeypatch.setenv("KOZYR_TABLE_LISTN", "is no business of the probe")
    assert problems() == ("KOZYR_PROBE_LISTN is no setting; did you mean KOZYR_PROBE_LISTEN?",)


def test_unknown_name_without_a_near_one_is_refused_with_all_that_exist() -> None:
    [problem] = problems(colour="red")
    assert problem.startswith("--colour is no setting; there are --config, --log-level,")
    assert problem.endswith("--data-dir")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[probe]\nlistn = 1", "probe.listn in kozyr.toml is no setting; did you mean"),
        ("[prope]\nlisten = 1", "prope in kozyr.toml is no setting; there are"),
        ("redis_ulr = 1", "redis_ulr in kozyr.toml is no setting; did you mean redis_url?"),
        ("listen = 'host:1'", "listen in kozyr.toml is no setting; there are"),
        ("probe = 1", "probe in kozyr.toml is no setting; there are"),
        ("config = 'a'", "config in kozyr.toml is no setting; there are"),
        ("[probe]\nredis_url = 'redis://a'", "probe.redis_url in kozyr.toml is no setting"),
    ],
)
def test_unknown_key_of_the_file_is_refused(directory: Path, text: str, problem: str) -> None:
    (directory / "kozyr.toml").write_text(text)
    [told] = problems()
    assert told.startswith(problem)


def test_sections_and_shared_keys_of_other_services_are_left_to_them(directory: Path) -> None:
    class SmallSettings(Settings):
        service: ClassVar[str] = "small"

    (directory / "kozyr.toml").write_text('redis_url = "x"\n[table]\nanything = 1\n[bots]\n')
    assert SmallSettings().config == Path("kozyr.toml")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"[probe", "probe.toml is no TOML file: Expected ']'"),
        (b"a = '\xff'", "probe.toml is no TOML file: 'utf-8' codec"),
        (None, "probe.toml cannot be read: No such file or directory"),
    ],
)
def test_file_that_cannot_be_read_is_refused(
    directory: Path, content: bytes | None, problem: str
) -> None:
    if content is not None:
        (directory / "probe.toml").write_bytes(content)
    [told] = problems(config="probe.toml")
    assert told.startswith(problem)


def test_required_setting_that_nobody_gives_names_all_its_ways() -> None:
    class StrictSettings(Settings):
        service: ClassVar[str] = "strict"
        redis_url: SecretStr
        target: str

    with pytest.raises(InvalidSettings) as refusal:
        StrictSettings()  # type: ignore[call-arg]
    assert refusal.value.problems == (
        "redis_url is missing: set --redis-url, KOZYR_REDIS_URL or redis_url in a file",
        "target is missing: set --target, KOZYR_STRICT_TARGET or strict.target in a file",
    )


def test_secret_is_shown_neither_by_settings_nor_by_what_is_wrong_with_it(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = ProbeSettings(
        token_key=SecretStr(KEY), redis_url=SecretStr("redis://me:hidden@host")
    )
    assert KEY not in repr(settings)
    assert "hidden" not in repr(settings)
    (directory / "kozyr.toml").write_text('redis_url = "http://me:hidden@host"\n')
    monkeypatch.setenv("KOZYR_TOKEN_KEY", "hidden")
    monkeypatch.setenv("KOZYR_PROBE_TOKEN_KEI", "hidden")
    with pytest.raises(InvalidSettings) as refusal:
        ProbeSettings()
    assert str(refusal.value).splitlines() == [
        "redis_url in kozyr.toml: the URL must begin with one of redis://, rediss://, unix://",
        "KOZYR_TOKEN_KEY: the key must have at least 32 bytes",
        (
            "KOZYR_PROBE_TOKEN_KEI is no setting; there are KOZYR_CONFIG, KOZYR_LOG_LEVEL, "
            "KOZYR_LOG_FORMAT, KOZYR_PROBE_INTERVAL_S, KOZYR_PROBE_LISTEN, KOZYR_PROBE_BRAINS, "
            "KOZYR_PROBE_EAGER, KOZYR_REDIS_URL, KOZYR_TOKEN_KEY, KOZYR_DATA_DIR"
        ),
    ]
    assert refusal.value.__cause__ is None
    assert refusal.value.__suppress_context__


@pytest.mark.parametrize(
    ("home", "expected"), [("/data", "/data/kozyr"), ("relative", "~/.local/share/kozyr")]
)
def test_data_directory_follows_the_xdg_rules(
    monkeypatch: pytest.MonkeyPatch, home: str, expected: str
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", home)
    assert default_data_dir() == Path(expected)


def test_every_setting_knows_its_flag_its_variable_and_its_key() -> None:
    assert flag_of("interval_s") == "--interval-s"
    assert variable_of(ProbeSettings, "interval_s") == "KOZYR_PROBE_INTERVAL_S"
    assert variable_of(ProbeSettings, "redis_url") == "KOZYR_REDIS_URL"
    assert key_of(ProbeSettings, "interval_s") == "probe.interval_s"
    assert key_of(ProbeSettings, "redis_url") == "redis_url"
    secrets = {name for name, field in ProbeSettings.model_fields.items() if is_secret(field)}
    assert secrets == {"redis_url", "token_key"}
    assert all(field.description for field in ProbeSettings.model_fields.values())
