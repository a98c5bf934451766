"""The digests against their own description, with bytes put together by hand."""

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest

from kozyr.cards import parse_cards
from kozyr.events import Seat
from kozyr.game import CHANCE
from kozyr.log import Cause, Entry, Header, entry_digest, is_chance

HEADER = Header(
    match_id="m1",
    variant="odessa",
    rules_version=2,
    options={"deck": 36, "joker": False, "revoke": "forbid"},
    players=("Ольга", "b"),
    commitment=bytes(32),
    nonces=(b"\x01\xff", b""),
)
BEFORE = HEADER.digest()
MOVE = Entry(7, Seat(3), 300, (), Cause.BOT, b"")
SHUFFLE = Entry(8, CHANCE, 0, parse_cards("AS BJ 2S"), Cause.CHANCE, b"")


def test_the_first_digest_is_that_of_the_header_as_canonical_json() -> None:
    text = (
        '{"commitment":"' + 64 * "0" + '","match_id":"m1","nonces":["01ff",""],'
        '"options":{"deck":36,"joker":false,"revoke":"forbid"},"players":["Ольга","b"],'
        '"rules_version":2,"variant":"odessa"}'
    )
    assert HEADER.digest() == hashlib.sha256(b"kozyr/log/1" + text.encode()).digest()


def test_the_digest_of_a_move_is_that_of_the_bytes_described() -> None:
    described = BEFORE + b"\0\0\0\0\0\0\0\x07" + b"\x03" + b"\x02" + b"\0\0\x01\x2c"
    assert entry_digest(BEFORE, MOVE) == hashlib.sha256(described).digest()


def test_the_digest_of_a_shuffle_is_that_of_the_bytes_described() -> None:
    described = BEFORE + b"\0\0\0\0\0\0\0\x08" + b"\x11" + b"\x04" + b"\0\0\0\0" + b"\x0d\x3c\x01"
    assert entry_digest(BEFORE, SHUFFLE) == hashlib.sha256(described).digest()


@pytest.mark.parametrize(
    "change",
    [
        {"match_id": "m2"},
        {"variant": "georgian"},
        {"rules_version": 3},
        {"options": {"deck": 52, "joker": False, "revoke": "forbid"}},
        {"players": ("b", "Ольга")},
        {"commitment": bytes(31) + b"\1"},
        {"nonces": (b"", b"\x01\xff")},
    ],
)
def test_everything_in_the_header_is_under_its_digest(change: dict[str, Any]) -> None:
    assert replace(HEADER, **change).digest() != BEFORE


def test_the_order_of_options_is_not_under_the_digest() -> None:
    turned = dict(reversed([*HEADER.options.items()]))
    assert replace(HEADER, options=turned).digest() == BEFORE


@pytest.mark.parametrize(
    "change",
    [
        {"version": 9},
        {"actor": Seat(0)},
        {"action": 1},
        {"deck": parse_cards("BJ AS 2S")},
        {"cause": Cause.PLAYER},
    ],
)
def test_what_an_entry_does_is_under_its_digest(change: dict[str, Any]) -> None:
    assert entry_digest(BEFORE, replace(SHUFFLE, **change)) != entry_digest(BEFORE, SHUFFLE)


@pytest.mark.parametrize("change", [{"at_ms": 5}, {"request_id": "r1"}, {"digest": bytes(32)}])
def test_when_and_for_which_request_is_not_under_the_digest(change: dict[str, Any]) -> None:
    assert entry_digest(BEFORE, replace(MOVE, **change)) == entry_digest(BEFORE, MOVE)


def test_a_digest_depends_on_all_that_was_before() -> None:
    assert entry_digest(bytes(32), MOVE) != entry_digest(BEFORE, MOVE)


def test_a_header_is_read_back_from_its_json() -> None:
    assert Header.from_plain(json.loads(json.dumps(HEADER.plain()))) == HEADER
    assert HEADER.seats == 2


@pytest.mark.parametrize("missing", HEADER.plain())
def test_a_header_without_one_of_its_parts_is_refused(missing: str) -> None:
    plain = HEADER.plain()
    del plain[missing]
    with pytest.raises(KeyError, match=missing):
        Header.from_plain(plain)


def test_only_the_shuffles_are_by_chance() -> None:
    assert is_chance(SHUFFLE)
    assert not is_chance(MOVE)
