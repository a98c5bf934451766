"""A second reading of docs/records.md: checks a record with nothing of ours but the page."""

import hashlib
import json
import struct
from collections.abc import Iterator
from typing import Any

CAUSES = {"player": 1, "bot": 2, "timeout": 3, "chance": 4}
RANKS = "23456789TJQKA"
SUITS = "SCDH"
JOKERS = {"SJ": 59, "BJ": 60}


def check_record(data: bytes) -> int:
    """Check form, seal, commitment, digests and decks; give the number of shuffles."""
    lines = data.splitlines(keepends=True)
    first, *entries, result, seal = (json.loads(line) for line in lines)
    for line, plain in zip(lines, [first, *entries, result, seal], strict=True):
        assert line == canonical(plain) + b"\n"
    assert seal["seal"] == hashlib.sha256(b"".join(lines[:-1])).hexdigest()

    header = first["header"]
    seed = bytes.fromhex(result["seed"])
    assert first["format_version"] == 1
    assert header["commitment"] == hashlib.sha256(seed).hexdigest()

    key = shuffle_key(header, seed)
    digest = hashlib.sha256(b"kozyr/log/1" + canonical(header)).digest()
    shuffles = 0
    for version, entry in enumerate(entries, 1):
        assert entry["version"] == version
        deck = bytes(number(text) for text in entry.get("deck", "").split())
        if entry["seat"] == "chance":
            assert list(deck) == shuffled(key, shuffles, deck)
            shuffles += 1
        digest = next_digest(digest, entry, deck)
        assert entry["digest"] == digest.hex()
    return shuffles


def canonical(plain: Any) -> bytes:
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def number(text: str) -> int:
    return JOKERS.get(text) or SUITS.index(text[1]) * 15 + RANKS.index(text[0]) + 1


def next_digest(before: bytes, entry: dict[str, Any], deck: bytes) -> bytes:
    chance = entry["seat"] == "chance"
    actor, action = (17, 0) if chance else (entry["seat"], entry["action"])
    cause = CAUSES[entry["cause"]]
    middle = struct.pack(">Q", entry["version"]) + bytes([actor, cause]) + struct.pack(">I", action)
    return hashlib.sha256(before + middle + deck).digest()


def shuffle_key(header: dict[str, Any], seed: bytes) -> bytes:
    name = header["match_id"].encode()
    text = b"kozyr/shuffle/1" + struct.pack(">I", len(name)) + name + seed
    for each in header["nonces"]:
        nonce = bytes.fromhex(each)
        text += struct.pack(">I", len(nonce)) + nonce
    return hashlib.sha256(text).digest()


def shuffled(key: bytes, index: int, cards: bytes) -> list[int]:
    """The deck with that index of these cards, whatever order they are in."""
    suited = sorted(card for card in cards if card < 59)
    deck = suited + sorted((card for card in cards if card >= 59), reverse=True)
    numbers = words(key, index)
    for i in range(len(deck) - 1, 0, -1):
        word = next(numbers)
        while word >= 2**32 - 2**32 % (i + 1):
            word = next(numbers)
        j = word % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def words(key: bytes, index: int) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(key + struct.pack(">II", index, block)).digest()
        yield from struct.unpack(">8I", digest)
        block += 1
