"""``kozyr doctor``: what is here, how fast the rules run and why, and what is wrong."""

import json
import os
from pathlib import Path

import pytest

from kozyr_cli import doctor
from kozyr_cli.doctor import Diagnosis
from kozyr_cli.main import main
from kozyr_table.embedded_redis import NoServerInstalled


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no file is that services would read."""
    monkeypatch.chdir(tmp_path)


def found(capsys: pytest.CaptureFixture[str], *, status: int = 0) -> dict[str, Diagnosis]:
    assert main(["doctor", "--json"]) == status
    return {each["what"]: Diagnosis(**each) for each in json.loads(capsys.readouterr().out)}


def test_it_tells_what_is_installed_and_that_it_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    told = found(capsys)
    assert {"kozyr", "Python", "grpcio", "protobuf", "rules", "private Redis"} <= told.keys()
    assert {f"variant {name}" for name in ("child", "georgian", "maverick", "odessa")} <= set(told)
    assert told["brain greedy"].found.startswith("from kozyr ")
    assert all(each.well for each in told.values())


def test_rules_of_a_source_tree_are_interpreted_until_they_are_compiled() -> None:
    assert doctor.rules_speed() in (
        Diagnosis("rules", "compiled"),
        Diagnosis(
            "rules",
            "interpreted: this is a source tree in which nobody has called make native",
        ),
    )


@pytest.mark.parametrize(
    ("noted", "told"),
    [
        ("there was no C compiler (cc) where kozyr was built", "there was no C compiler (cc)"),
        ("", "they were compiled for another Python"),
    ],
)
def test_an_installed_kozyr_says_why_its_rules_are_interpreted(
    noted: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / doctor.BUILD_NOTE).write_text(json.dumps({"pure_because": noted}))
    monkeypatch.setattr("kozyr_cli.doctor.resources.files", lambda _: tmp_path)
    assert doctor.why_interpreted().startswith(told)


def test_what_was_compiled_from_older_sources_is_stale(tmp_path: Path) -> None:
    source, built = tmp_path / "play.py", tmp_path / "play.cpython-311.so"
    for path in (source, built):
        path.touch()
    os.utime(source, (1_000, 1_000))
    assert not doctor.is_stale(tmp_path)
    os.utime(built, (999, 999))
    assert doctor.is_stale(tmp_path)


def test_what_does_not_work_is_told_and_fails(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_found() -> Path:
        raise NoServerInstalled

    monkeypatch.setattr(doctor, "find_server", none_found)
    monkeypatch.setenv("KOZYR_TABLE_LISTEN", "nowhere")
    told = found(capsys, status=1)
    assert not told["private Redis"].well
    assert "KOZYR_TABLE_LISTEN = nowhere: an address is HOST:PORT" in told["settings"].found


def test_it_prints_a_line_for_each_finding(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.split()[:2] == ["variant", "odessa"] for line in lines)
