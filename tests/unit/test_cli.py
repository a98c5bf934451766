"""The `kozyr` command: its help, its lists, its records, and its words when something is wrong."""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kozyr.match import Match
from kozyr.plugins import load_variant
from kozyr.record import write_record
from kozyr.settings import Settings, flag_of
from kozyr_bots.settings import BotsSettings
from kozyr_cli.app import app
from kozyr_cli.demo import parse_options
from kozyr_cli.main import main
from kozyr_cli.variants import allowed
from kozyr_table.settings import TableSettings

COMMANDS = (
    "demo",
    "up",
    "table",
    "bots",
    "plugin",
    "variants",
    "doctor",
    "conformance",
    "new-variant",
    "replay",
    "verify",
)


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty directory, with no variable of ours set, on a screen of 100 columns."""
    for variable in [name for name in os.environ if name.startswith("KOZYR_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a match in which everybody takes the first legal action."""
    match = Match("odessa", seats=3, options={"max_hand": 2}, seed=7, players=["Ann", "Bo", "Cy"])
    while not match.over:
        for seat, decision in match.pending.items():
            match.play(seat, decision.legal[0])
    path = tmp_path_factory.mktemp("records") / "match.jsonl"
    write_record(match, path)
    return path


def help_of(*words: str) -> str:
    result = CliRunner().invoke(app, [*words, "--help"])
    assert result.exit_code == 0
    return " ".join(re.sub(r"[│╭╰─╮╯]", "", result.stdout).split())


def test_help_tells_each_command_in_a_sentence_with_an_example() -> None:
    text = help_of()
    for command in COMMANDS:
        assert re.search(rf" {command} [A-Z][^.]+: kozyr {command}[^.]*\.", text), command


def test_without_a_command_the_help_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "Usage: kozyr [OPTIONS] COMMAND" in capsys.readouterr().out


def test_version_is_that_of_the_distribution(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"kozyr {version('kozyr')}\n"


@pytest.mark.parametrize(
    ("command", "settings"), [("table", TableSettings), ("bots", BotsSettings)]
)
def test_service_has_a_flag_for_each_setting_with_its_description(
    command: str, settings: type[Settings]
) -> None:
    text = help_of(command, "serve")
    for name, field in settings.model_fields.items():
        assert f"{flag_of(name)} " in text
        assert (field.description or "?") in text


def test_wrong_flag_variable_and_file_value_of_a_service_are_told_in_one_line_each(
    directory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (directory / "kozyr.toml").write_text('log_level = "loud"\n')
    monkeypatch.setenv("KOZYR_TABLE_DRAIN_MS", "-1")
    assert main(["table", "serve", "--listen", "nowhere"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert sorted(": ".join(line.split(": ")[:2]) for line in lines) == [
        "kozyr: --listen = nowhere",
        "kozyr: KOZYR_TABLE_DRAIN_MS = -1",
        "kozyr: log_level in kozyr.toml = loud",
    ]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["demo", "whist"], "no variant 'whist' is installed; there are "),
        (["demo", "--brain", "genius"], "no brain 'genius' is installed; there are greedy"),
        (["demo", "--option", "hands=2"], "unknown option 'hands'; there are: deck, "),
        (["demo", "--option", "deck=32"], "option 'deck': Input should be 36 or 52 (got 32)"),
        (["demo", "--option", "deck"], "--option is KEY=VALUE, like max_hand=4, not 'deck'"),
        (["demo", "--seats", "7"], "7 seats are not possible here; allowed: 2, 3, 4, 5, 6"),
        (["demo", "--seats", "0"], "0 seats are not possible here; allowed: 2, 3, 4, 5, 6"),
        (["demo", "--colour"], "No such option: --colour"),
        (["variants", "whist"], "no variant 'whist' is installed; there are "),
        (["verify"], "Missing argument 'RECORD…'"),
        (["shuffle"], "No such command 'shuffle'"),
    ],
)
def test_mistake_is_told_in_one_line_with_what_is_allowed_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str
) -> None:
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    [line] = told.err.splitlines()
    assert line.startswith("kozyr: ")
    assert complaint in line


def test_variants_are_listed_with_seats_options_defaults_and_ranges(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["variants"]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "odessa Odessa poker, rules version 1, for 2, 3, 4, 5, 6 players" in words
    assert "deck 36 36 | 52 The pack" in words
    assert "max_hand 6 1 … 12 The cards of the largest hand." in words
    assert "joker off on | off Add a joker" in words
    assert "revoke forbid forbid | penalty" in words


def test_variants_as_json_hold_the_schema_of_the_options(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["variants", "--json"]) == 0
    [odessa] = [each for each in json.loads(capsys.readouterr().out) if each["id"] == "odessa"]
    assert odessa["options"] == load_variant("odessa").options_schema()
    assert odessa["seat_counts"] == [2, 3, 4, 5, 6]
    assert odessa["rules_version"] == 1


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"enum": [36, "all"]}, "36 | all"),
        ({"const": 4}, "4"),
        ({"type": "boolean"}, "on | off"),
        ({"type": "integer", "minimum": 1}, "1 …"),
        ({"type": "integer", "minimum": 1, "maximum": 3}, "1 … 3"),
        ({"type": "integer"}, "integer"),
        ({}, "any value"),
    ],
)
def test_what_a_schema_allows_is_told_in_words(schema: dict[str, object], words: str) -> None:
    assert allowed(schema) == words


def test_options_on_the_command_line_are_typed_by_their_form() -> None:
    given = parse_options(["max_hand=4", "joker=on", "joker_demand=false", "revoke=penalty"])
    assert given == {"max_hand": 4, "joker": True, "joker_demand": False, "revoke": "penalty"}


def test_replay_tells_every_deal_trick_and_score(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(record)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("odessa, rules version 1, match ")
    assert "0 Ann, 1 Bo, 2 Cy\n" in text
    assert text.count("\nDeal ") == len(re.findall(r"\n  scores: ", text)) == 6
    hands = re.findall(r"  hands: (.*)", text)
    assert all(hand.count(",") == 2 for hand in hands), "all hands lie open"
    assert re.search(r"\n1\. \w+ +-?\d+", text)


def test_replay_for_a_seat_tells_only_what_that_seat_knew(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(record), "--seat", "1"]) == 0
    hands = re.findall(r"  hands: (.*)", capsys.readouterr().out)
    assert len(hands) == 6
    assert all(hand.startswith("Bo ") and "," not in hand for hand in hands)


def test_replay_for_a_seat_that_is_not_there_is_refused(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(record), "--seat", "3"]) == 2
    assert "--seat is 0 to 2 here, not 3" in capsys.readouterr().err


def test_verify_confirms_true_records_and_says_what_is_wrong_with_others(
    record: Path, directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = directory / "damaged.jsonl"
    damaged.write_text(record.read_text().replace('"Ann"', '"Eve"'))
    assert main(["verify", str(record)]) == 0
    assert f"{record}: true, " in capsys.readouterr().out
    assert main(["verify", str(damaged), str(record), str(directory / "absent")]) == 1
    told = capsys.readouterr()
    assert f"{record}: true, " in told.out
    first, second = told.err.splitlines()
    assert first.startswith(f"kozyr: {damaged}: line ")
    assert second == f"kozyr: {directory / 'absent'}: No such file or directory"


def test_file_that_cannot_be_read_is_told_in_one_line(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", "absent"]) == 1
    assert capsys.readouterr().err == "kozyr: absent: No such file or directory\n"
    assert main(["replay", str(directory)]) == 1
    assert capsys.readouterr().err == f"kozyr: {directory}: Is a directory\n"


def test_reader_that_has_had_enough_gets_no_traceback(record: Path) -> None:
    command = [sys.executable, "-m", "kozyr_cli", "replay", str(record)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
