"""What clients may send: bounds that are named, and what lies just within and without."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kozyr.events import Seat
from kozyr.log import Cause, Entry
from kozyr.shuffle import NONCE_BYTES_MAX
from kozyr.tokens import NAME_CHARS_MAX
from kozyr_table.errors import InvalidRequest
from kozyr_table.requests import (
    OPTIONS_CHARS_MAX,
    PAGE_SIZE_DEFAULT,
    PAGE_SIZE_MAX,
    REQUEST_ID_CHARS_MAX,
    check_nonce,
    check_request_id,
    check_text,
    page_size,
    parse_options,
)
from kozyr_table.stored import entry_text, parse_entry


@pytest.mark.parametrize("request_id", ["a", "0", "r-1_2.3:4", "x" * REQUEST_ID_CHARS_MAX])
def test_usual_request_ids_are_taken(request_id: str) -> None:
    assert check_request_id(request_id) == request_id


@pytest.mark.parametrize(
    "request_id",
    ["", "x" * (REQUEST_ID_CHARS_MAX + 1), "a b", "a\n", "-", "-a", "ä", "٣", "a/b", "a\x00"],
)
def test_other_request_ids_are_refused(request_id: str) -> None:
    with pytest.raises(InvalidRequest, match="request_id"):
        check_request_id(request_id)


def test_refusal_names_the_field_that_was_checked() -> None:
    with pytest.raises(InvalidRequest, match="worker_id"):
        check_request_id("", "worker_id")


@given(st.text())
def test_request_id_that_is_taken_comes_back_from_the_log(text: str) -> None:
    try:
        request_id = check_request_id(text)
    except InvalidRequest:
        return
    entry = Entry(1, Seat(0), 5, (), Cause.PLAYER, b"", request_id)
    assert parse_entry(1, f"7 {entry_text(entry)}").request_id == request_id


def test_text_is_trimmed_and_may_be_empty() -> None:
    assert check_text("title", "  Пятница  ", 7) == "Пятница"
    assert check_text("title", "   ", 5) == ""


@pytest.mark.parametrize("text", ["x" * (NAME_CHARS_MAX + 1), "a\nb", "a\x1bb", "a\u202eb"])
def test_text_that_is_too_long_or_not_printable_is_refused_by_its_name(text: str) -> None:
    with pytest.raises(InvalidRequest, match="display_name"):
        check_text("display_name", text, NAME_CHARS_MAX)


def test_nonce_has_a_size() -> None:
    assert check_nonce(bytes(NONCE_BYTES_MAX)) == bytes(NONCE_BYTES_MAX)
    with pytest.raises(InvalidRequest, match=str(NONCE_BYTES_MAX)):
        check_nonce(bytes(NONCE_BYTES_MAX + 1))


def test_options_are_a_json_object_or_nothing() -> None:
    assert parse_options("") == {}
    assert parse_options('{"deck": 52}') == {"deck": 52}


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "null",
        "[]",
        "7",
        '"text"',
        "{'deck': 52}",
        "[" * OPTIONS_CHARS_MAX,
        '{"deck": ' + "9" * 5_000 + "}",
        " " * (OPTIONS_CHARS_MAX + 1),
    ],
)
def test_other_options_are_refused(text: str) -> None:
    with pytest.raises(InvalidRequest, match="options_json"):
        parse_options(text)


@given(st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text()))
def test_any_object_that_is_not_too_long_is_parsed(options: dict[str, object]) -> None:
    text = json.dumps(options)
    if len(text) <= OPTIONS_CHARS_MAX:
        assert parse_options(text) == options


def test_page_has_a_default_and_a_largest_size() -> None:
    assert page_size(0) == PAGE_SIZE_DEFAULT
    assert page_size(PAGE_SIZE_MAX) == PAGE_SIZE_MAX
    with pytest.raises(InvalidRequest, match=str(PAGE_SIZE_MAX)):
        page_size(PAGE_SIZE_MAX + 1)


@pytest.mark.parametrize("check", [check_request_id, parse_options])
def test_refusals_stay_short_however_long_what_came(check: Callable[[str], object]) -> None:
    with pytest.raises(InvalidRequest) as caught:
        check("?" * 1_000_000)
    assert len(str(caught.value)) < 500
