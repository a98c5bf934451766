"""The log of a match: what is fixed before it, and one entry for every step.

A position is its header and its log. Its digest chains over both, so ``(version, digest)`` names
a position everywhere: in compare-and-append, in caches, in a client's place in a match.

The bytes under the digest, version 1, where ``be32`` and ``be64`` are big-endian numbers:

- digest 0 = SHA-256("kozyr/log/1" || the header as canonical JSON in UTF-8: keys sorted, no
  spaces, bytes in lower-case hex);
- digest v = SHA-256(digest v-1 || be64(v) || actor (1 byte) || cause (1 byte) || be32(action)
  || the deck, 1 byte a card).

The time and the request id of an entry are not under the digest: two positions that differ in
nothing else are the same position. Records seal them (see `kozyr.record`).
"""

import hashlib
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from kozyr.cards import Card
from kozyr.events import Seat
from kozyr.game import CHANCE

_ENTRY: Final = struct.Struct(">QBBI")


class Cause(IntEnum):
    """Who caused an entry."""

    PLAYER = 1
    BOT = 2
    TIMEOUT = 3
    CHANCE = 4


@dataclass(frozen=True, slots=True)
class Header:
    """What is fixed before the first entry.

    Attributes:
        options: all options of the variant, as plain JSON values.
        players: the name of each player, by seat.
        commitment: the SHA-256 of the server's seed.
        nonces: what each seat added to the shuffles, by seat; empty for none.
    """

    match_id: str
    variant: str
    rules_version: int
    options: Mapping[str, Any]
    players: tuple[str, ...]
    commitment: bytes
    nonces: tuple[bytes, ...]

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.players)

    def plain(self) -> dict[str, Any]:
        """The header as JSON values, bytes in hex."""
        return {
            "match_id": self.match_id,
            "variant": self.variant,
            "rules_version": self.rules_version,
            "options": dict(self.options),
            "players": list(self.players),
            "commitment": self.commitment.hex(),
            "nonces": [nonce.hex() for nonce in self.nonces],
        }

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> "Header":
        """The header that `plain` writes.

        Raises:
            KeyError, TypeError, ValueError: it is no such header.
        """
        return cls(
            match_id=str(plain["match_id"]),
            variant=str(plain["variant"]),
            rules_version=int(plain["rules_version"]),
            options=dict(plain["options"]),
            players=tuple(str(player) for player in plain["players"]),
            commitment=bytes.fromhex(plain["commitment"]),
            nonces=tuple(bytes.fromhex(nonce) for nonce in plain["nonces"]),
        )

    def digest(self) -> bytes:
        """The digest of the position before the first entry."""
        text = json.dumps(self.plain(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(b"kozyr/log/1" + text.encode()).digest()


@dataclass(slots=True)
class Entry:
    """One step of a match.

    Attributes:
        version: the version of the position after it, from 1.
        actor: the seat that acted, or `CHANCE`.
        action: what the seat did; 0 for chance.
        deck: the shuffled deck for chance; empty for a seat.
        digest: the digest of the position after it.
        request_id: the client's name of the request that caused it.
        at_ms: when it was committed, in milliseconds since 1970; 0 until then.
    """

    version: int
    actor: Seat
    action: int
    deck: tuple[Card, ...]
    cause: Cause
    digest: bytes
    request_id: str = ""
    at_ms: int = 0


def entry_digest(before: bytes, entry: Entry) -> bytes:
    """The digest after an entry, from the digest before it."""
    head = _ENTRY.pack(entry.version, entry.actor, entry.cause, entry.action)
    return hashlib.sha256(before + head + bytes(entry.deck)).digest()


def is_chance(entry: Entry) -> bool:
    """Whether the entry is a shuffle."""
    return entry.actor == CHANCE
