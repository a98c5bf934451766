"""Records are written once and read back whole, and nothing else is taken for one."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kozyr.cards import parse_cards
from kozyr.errors import InvalidRecord, KozyrError
from kozyr.match import Match
from kozyr.record import (
    RECORD_BYTES_MAX,
    Record,
    parse_record,
    read_record,
    write_record,
)
from kozyr.record_lines import LINE_BYTES_MAX
from kozyr.shuffle import commitment_of
from kozyr.verify import verify_record
from tests.toy import REFEREE, play_out, toy_match

MATCH = play_out(toy_match(deals=3), seed=4)
RECORD = Record.of(MATCH)
DATA = RECORD.to_bytes()
LINES = DATA.splitlines(keepends=True)
RESULT_LINE = len(LINES) - 1
SEAL_LINE = len(LINES)


def with_line(number: int, line: bytes) -> bytes:
    """The record with another line in the place of one."""
    return b"".join([*LINES[: number - 1], line, *LINES[number:]])


def with_value(number: int, change: dict[str, Any]) -> bytes:
    """The record with other values in a line, written as records are."""
    plain = json.loads(LINES[number - 1]) | change
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return with_line(number, text.encode() + b"\n")


def names_in(folder: Path) -> list[str]:
    """The files of a folder, hidden ones too."""
    return [path.name for path in folder.iterdir()]


def test_a_record_that_is_read_back_is_the_record_that_was_written(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    assert write_record(MATCH, path) == RECORD
    assert read_record(path) == RECORD
    assert path.read_bytes() == DATA


def test_a_record_gives_the_match_again(tmp_path: Path) -> None:
    write_record(MATCH, tmp_path / "match.jsonl")
    again = read_record(tmp_path / "match.jsonl").match(referee=REFEREE)
    assert again.entries == MATCH.entries
    assert again.history == MATCH.history
    assert (again.digest, again.outcome, again.seed) == (MATCH.digest, MATCH.outcome, MATCH.seed)


@given(st.integers(0, 2**32), st.integers(2, 6), st.integers(1, 4), st.integers(1, 5))
def test_every_match_has_a_record_that_verifies(
    seed: int, seats: int, deals: int, hand: int
) -> None:
    match = play_out(toy_match(seed=seed, seats=seats, deals=deals, hand=hand), seed=seed)
    record = parse_record(Record.of(match).to_bytes())
    assert verify_record(record, referee=REFEREE).outcome == match.outcome


def test_each_line_says_what_the_format_says() -> None:
    header, deck, move = (json.loads(line) for line in LINES[:3])
    assert header["format_version"] == 1
    assert header["header"]["commitment"] == commitment_of(RECORD.seed).hex()
    assert (deck["version"], deck["seat"], deck["cause"]) == (1, "chance", "chance")
    assert parse_cards(deck["deck"]) == RECORD.entries[0].deck
    assert set(move) == {
        *("version", "seat", "action", "move", "cause", "request_id", "at_ms", "digest"),
    }
    assert MATCH.setup.actions[move["action"]].text == move["move"]
    assert json.loads(LINES[-2])["seed"] == RECORD.seed.hex()
    assert json.loads(LINES[-1]) == {"seal": RECORD.seal.hex()}


def test_players_keep_their_names_in_any_script(tmp_path: Path) -> None:
    names = ("Ольга", "佳", 'say "\\', "a\nb")
    match = play_out(Match(REFEREE.variant, seed=1, players=names))
    write_record(match, tmp_path / "match.jsonl")
    assert read_record(tmp_path / "match.jsonl").header.players == names


def test_writing_a_match_twice_is_writing_it_once(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    write_record(MATCH, path)
    before = path.stat()
    write_record(RECORD, path)
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert names_in(tmp_path) == ["match.jsonl"]


def test_a_record_never_replaces_another(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    write_record(MATCH, path)
    with pytest.raises(InvalidRecord, match="holds another record"):
        write_record(play_out(toy_match(seed=2)), path)
    assert path.read_bytes() == DATA


def test_a_record_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="absent"):
        write_record(MATCH, tmp_path / "absent" / "match.jsonl")
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError, match="taken"):
        write_record(MATCH, tmp_path / "taken")
    assert names_in(tmp_path) == ["taken"]


def test_a_match_that_goes_on_has_no_record() -> None:
    with pytest.raises(InvalidRecord, match="goes on"):
        Record.of(toy_match())


def test_a_match_opened_without_its_seed_has_no_record() -> None:
    log = [replace(entry) for entry in MATCH.entries]
    with pytest.raises(InvalidRecord, match="without the seed"):
        Record.of(Match.open(MATCH.header, referee=REFEREE, log=log))


@pytest.mark.parametrize("size", [0, 1, len(DATA) // 2, len(DATA) - 1])
def test_a_record_that_was_cut_off_is_refused(size: int) -> None:
    with pytest.raises(InvalidRecord, match="line"):
        parse_record(DATA[:size])


@pytest.mark.parametrize("lines", range(len(LINES)))
def test_a_record_that_lost_its_last_lines_is_refused(lines: int) -> None:
    with pytest.raises(InvalidRecord):
        parse_record(b"".join(LINES[:lines]))


@pytest.mark.parametrize(
    ("number", "line", "words"),
    [
        (2, b"\n", "line 2: this is no JSON"),
        (2, b"[]\n", "line 2: this is no JSON object"),
        (2, b"\xff\n", "line 2: this is no JSON"),
        (2, b"[" * 60_000 + b"\n", "line 2: this is no JSON"),
        (3, b"{}\n", "line 3: 'cause' is missing"),
        (3, LINES[2].replace(b'","', b'", "', 1), "line 3: this is not how a record writes"),
        (3, LINES[2].replace(b"{", b'{"z":1,', 1), "line 3: this is not how a record writes"),
        (3, LINES[2].replace(b"\n", b"\r\n"), "line 3: this is not how a record writes"),
        (3, LINES[2].upper(), "line 3: 'cause' is missing"),
        (SEAL_LINE, b'{"seal":"00"}\n', f"line {SEAL_LINE}: 'seal' has 1 bytes, not 32"),
        (SEAL_LINE, b'{"seal":"0g"}\n', f"line {SEAL_LINE}: 'seal' is not in hex"),
    ],
)
def test_a_line_that_is_written_otherwise_is_refused_by_its_number(
    number: int, line: bytes, words: str
) -> None:
    with pytest.raises(InvalidRecord, match=f"^{words}") as refused:
        parse_record(with_line(number, line))
    assert refused.value.line == number


@pytest.mark.parametrize(
    ("number", "change", "words"),
    [
        (1, {"format_version": 2}, "format_version 2 is not known here"),
        (1, {"format_version": True}, "'format_version' is no whole number"),
        (1, {"header": 5}, "this is no header"),
        (1, {"header": {}}, "'match_id' is missing in the header"),
        (2, {"deck": "AS XX"}, "this is no deck: 'XX' names no card"),
        (2, {"deck": 5}, "'deck' is no text"),
        (2, {"cause": "fate"}, "'fate' is no cause"),
        (2, {"at_ms": -1}, "'at_ms' is no whole number"),
        (2, {"version": 1.0}, "'version' is no whole number"),
        (3, {"seat": 16}, "'seat' is no whole number of 4 bits"),
        (3, {"seat": "0"}, "'seat' is no whole number"),
        (3, {"action": 1 << 32}, "'action' is no whole number of 32 bits"),
        (3, {"digest": "AB" * 32}, "this is not how a record writes"),
        (3, {"request_id": "\ud800"}, "this cannot be in a record"),
        (RESULT_LINE, {"scores": [0]}, "'scores' is no list of 4"),
        (RESULT_LINE, {"scores": [0, 0, 0, 0.5]}, "'scores' holds something that is no int"),
        (RESULT_LINE, {"places": [1, 2, 3, None]}, "'places' holds something that is no int"),
        (RESULT_LINE, {"notes": [[], [], [], [1]]}, "'notes' holds something that is no text"),
        (RESULT_LINE, {"seed": ""}, "'seed' has 0 bytes, not 32"),
    ],
)
def test_a_value_that_cannot_be_is_refused_by_its_name(
    number: int, change: dict[str, Any], words: str
) -> None:
    text = json.dumps(json.loads(LINES[number - 1]) | change, sort_keys=True, separators=(",", ":"))
    with pytest.raises(InvalidRecord, match=f"^line {number}: {words}"):
        parse_record(with_line(number, text.encode() + b"\n"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"players": []}, "has 1 to 16 players, not 0"),
        ({"nonces": [""]}, "1 nonces for 4 players"),
        ({"nonces": ["", "", "", "00" * 33]}, "a nonce has at most 32 bytes"),
        ({"commitment": "00"}, "a commitment has 32 bytes, not 1"),
        ({"rules_version": 0}, "rules have no version 0"),
        ({"rules_version": "3"}, "this is not how a record writes"),
        ({"options": None}, "this is no header"),
        ({"options": {"x": float("nan")}}, "this cannot be in a record"),
        ({"secret": 1}, "this is not how a record writes"),
    ],
)
def test_a_header_that_cannot_be_is_refused(change: dict[str, Any], words: str) -> None:
    header = RECORD.header.plain() | change
    with pytest.raises(InvalidRecord, match=f"line 1: .*{words}"):
        parse_record(with_value(1, {"header": header}))


def test_a_line_that_is_too_long_is_refused() -> None:
    with pytest.raises(InvalidRecord, match="line 3: a line has at most"):
        parse_record(with_value(3, {"request_id": "x" * LINE_BYTES_MAX}))


def test_a_record_that_is_too_long_is_refused_without_reading_all_of_it(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    with path.open("wb") as file:
        file.truncate(RECORD_BYTES_MAX * 100)
    with pytest.raises(InvalidRecord, match="at most"):
        read_record(path)


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    last = replace(RECORD.entries[-1], request_id="x" * LINE_BYTES_MAX)
    long = replace(RECORD, entries=(*RECORD.entries[:-1], last)).sealed()
    with pytest.raises(InvalidRecord, match="a line has at most"):
        write_record(long, tmp_path / "match.jsonl")
    assert names_in(tmp_path) == []


@given(st.integers(0, len(DATA) - 1), st.integers(1, 255))
def test_whatever_byte_of_a_record_is_changed_somebody_notices(at: int, flip: int) -> None:
    data = bytearray(DATA)
    data[at] ^= flip
    with pytest.raises(KozyrError):
        verify_record(parse_record(bytes(data)), referee=REFEREE)


@given(st.binary(max_size=300))
def test_bytes_from_anywhere_are_no_record(data: bytes) -> None:
    with pytest.raises(InvalidRecord):
        parse_record(data)
