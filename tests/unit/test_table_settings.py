"""Settings of the table service: each limit has a bound that keeps the service sane."""

from pathlib import Path
from typing import Any

import pytest

from kozyr.settings import InvalidSettings
from kozyr_table.deadlines import POLL_MS_MAX
from kozyr_table.settings import TableSettings


@pytest.fixture(autouse=True)
def nothing_around(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No file in the working directory."""
    monkeypatch.chdir(tmp_path)


def settings(**given: Any) -> TableSettings:
    return TableSettings(**given)


def test_records_go_to_the_archive_dir_else_into_the_data_dir(tmp_path: Path) -> None:
    assert settings(data_dir=tmp_path).records_dir == tmp_path / "records"
    given = settings(data_dir=tmp_path, archive_dir=tmp_path / "kept")
    assert given.records_dir == tmp_path / "kept"


@pytest.mark.parametrize(
    "name",
    [
        "default_move_limit_ms",
        "gathering_limit_ms",
        "outage_ms",
        "grace_ms",
        "idle_ms",
        "session_tables_max",
        "session_buffer_bytes_max",
        "table_queue_max",
        "message_bytes_max",
        "drain_ms",
    ],
)
def test_limit_of_nothing_is_refused_by_its_flag(name: str) -> None:
    with pytest.raises(InvalidSettings, match="--" + name.replace("_", "-")):
        settings(**{name: 0})


def test_service_that_polls_is_never_an_outage_to_itself() -> None:
    with pytest.raises(InvalidSettings, match="--outage-ms"):
        settings(outage_ms=POLL_MS_MAX)
    assert TableSettings.model_fields["outage_ms"].get_default() > 2 * POLL_MS_MAX


@pytest.mark.parametrize("limit_ms", [99, 31 * 24 * 3600 * 1000])
def test_default_move_limit_is_one_that_a_table_may_have(limit_ms: int) -> None:
    with pytest.raises(InvalidSettings, match="--default-move-limit-ms"):
        settings(default_move_limit_ms=limit_ms)


@pytest.mark.parametrize("address", ["7450", "localhost", "host:port", "host:70000", "unix:"])
def test_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(InvalidSettings, match="HOST:PORT"):
        settings(listen=address)


def test_variable_of_the_environment_gives_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOZYR_TABLE_GRACE_MS", "1234")
    assert settings().grace_ms == 1_234
