"""Committed, checkable shuffles.

The server draws a seed of 32 bytes and publishes its SHA-256, the commitment, when a table is
made. Each seat may then add a nonce. Every deck of the match is drawn from all of these, so
neither side alone chooses the cards, and anyone can draw them again once the seed is revealed.

The algorithm, version 1, where ``||`` joins bytes and ``be32`` is a 4-byte big-endian number:

1. key = SHA-256("kozyr/shuffle/1" || be32(len(id)) || id || seed || for each seat in order:
   be32(len(nonce)) || nonce), with the match id in UTF-8.
2. The numbers of deck ``k`` (the k-th chance step, from 0) are the 4-byte big-endian words of
   SHA-256(key || be32(k) || be32(0)), SHA-256(key || be32(k) || be32(1)), …
3. Fisher-Yates from the end: for i = n-1 … 1, draw j from 0..i and swap cards i and j. To draw
   from 0..i, take the next word w; skip it while w >= 2^32 - (2^32 mod (i+1)); j = w mod (i+1).
"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from typing import Final

from kozyr.cards import Card

SEED_BYTES: Final = 32
NONCE_BYTES_MAX: Final = 32

_WORDS: Final = 1 << 32


def new_seed() -> bytes:
    """A seed of 32 bytes from the operating system."""
    return os.urandom(SEED_BYTES)


def commitment_of(seed: bytes) -> bytes:
    """What is published of a seed before anybody adds to it: its SHA-256."""
    return hashlib.sha256(seed).digest()


class Shuffler:
    """Draws the decks of one match."""

    def __init__(self, seed: bytes, match_id: str, nonces: Sequence[bytes]) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, this one has {len(seed)}")
        self.seed: Final = seed
        name = match_id.encode()
        material = [b"kozyr/shuffle/1", _be32(len(name)), name, seed]
        for nonce in nonces:
            if len(nonce) > NONCE_BYTES_MAX:
                raise ValueError(f"a nonce has at most {NONCE_BYTES_MAX} bytes")
            material += [_be32(len(nonce)), nonce]
        self._key: Final = hashlib.sha256(b"".join(material)).digest()

    def deck(self, index: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        """The cards in the order of the match's deck ``index`` (from 0)."""
        deck = list(cards)
        words = self._numbers(index)
        for last in range(len(deck) - 1, 0, -1):
            choices = last + 1
            limit = _WORDS - _WORDS % choices
            word = next(words)
            while word >= limit:
                word = next(words)
            other = word % choices
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck)

    def _numbers(self, index: int) -> Iterator[int]:
        prefix = self._key + _be32(index)
        block = 0
        while True:
            digest = hashlib.sha256(prefix + _be32(block)).digest()
            for at in range(0, len(digest), 4):
                yield int.from_bytes(digest[at : at + 4], "big")
            block += 1


def _be32(number: int) -> bytes:
    return number.to_bytes(4, "big")
