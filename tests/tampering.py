"""Every way to change a true record, and what is said against each."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from kozyr.log import Cause, Entry, Header, entry_digest, is_chance
from kozyr.moves import ActionTable
from kozyr.record import FIRST_ENTRY_LINE, Record
from kozyr.shuffle import commitment_of

OTHER_SEED = bytes(range(32))

HEADER_COMMITS = "the seed is not the one that the header commits to"
OTHER_DECK = "the deck is not the one that the seed, the match id and the nonces give"
OTHER_DIGEST = "the digest is another one"
RULES = r"the digest is another one|\[\w+\]$|when the time is up|has nothing to decide"
"""What the rules say against another action, or the digest when they allow it."""

Make = Callable[[Record, int], Record]


@dataclass(frozen=True)
class Change:
    """One way to change a record.

    Attributes:
        make: the record with the change at the entry with that index, a move, not the last.
        line: the line at fault: ``first`` entry, the ``entry`` changed, or ``result``.
        words: a pattern of what is said.
        denied: whether it is found, with the same words, even when all digests are made anew.
    """

    make: Make
    line: str
    words: str
    denied: bool = False

    def line_number(self, record: Record, at: int) -> int:
        """The line at fault in that record."""
        lines = {
            "first": FIRST_ENTRY_LINE,
            "entry": FIRST_ENTRY_LINE + at,
            "result": record.result_line,
        }
        return lines[self.line]


def rechained(record: Record) -> Record:
    """The record with all digests and the seal made anew."""
    digest = record.header.digest()
    entries = []
    for entry in record.entries:
        digest = entry_digest(digest, entry)
        entries.append(replace(entry, digest=digest))
    return replace(record, entries=tuple(entries)).sealed()


def changes(actions: ActionTable) -> dict[str, Change]:
    """Every change, by its name; ``actions`` are those of the record's game."""

    def other_action(record: Record, at: int) -> Record:
        action = (record.entries[at].action + 1) % len(actions)
        moves = [*record.moves]
        moves[at] = actions[action].text
        return replace(_entry(record, at, action=action), moves=tuple(moves))

    return {
        "seed": Change(
            lambda record, _: replace(record, seed=OTHER_SEED),
            "result",
            HEADER_COMMITS,
            denied=True,
        ),
        "commitment": Change(
            lambda record, _: _header(record, commitment=bytes(32)),
            "result",
            HEADER_COMMITS,
            denied=True,
        ),
        "seed and commitment": Change(_other_seed, "first", OTHER_DECK, denied=True),
        "nonce": Change(
            lambda record, _: _header(record, nonces=(b"salt", *record.header.nonces[1:])),
            "first",
            OTHER_DECK,
            denied=True,
        ),
        "match id": Change(
            lambda record, _: _header(record, match_id="another"), "first", OTHER_DECK, denied=True
        ),
        "player": Change(
            lambda record, _: _header(record, players=("X", *record.header.players[1:])),
            "first",
            OTHER_DIGEST,
        ),
        "first deck": Change(_other_deck, "first", OTHER_DECK, denied=True),
        "action": Change(
            lambda record, at: _entry(record, at, action=record.entries[at].action + 1),
            "entry",
            r"action \d+ is .*(but the record calls it|none of)",
            denied=True,
        ),
        "no action": Change(
            lambda record, at: _entry(record, at, action=len(actions)),
            "entry",
            f"action {len(actions)} is none of 0 to {len(actions) - 1}",
            denied=True,
        ),
        "action and its text": Change(other_action, "entry", RULES),
        "text": Change(
            lambda record, at: replace(record, moves=other_action(record, at).moves),
            "entry",
            r"action \d+ is .*but the record calls it",
            denied=True,
        ),
        "seat": Change(
            lambda record, at: _entry(
                record, at, actor=(record.entries[at].actor + 1) % record.header.seats
            ),
            "entry",
            RULES,
        ),
        "cause": Change(
            lambda record, at: _entry(record, at, cause=Cause.CHANCE),
            "entry",
            "the cause cannot be chance",
            denied=True,
        ),
        "player's or bot's move": Change(
            lambda record, at: _entry(record, at, cause=Cause.BOT), "entry", OTHER_DIGEST
        ),
        "digest": Change(
            lambda record, at: _entry(record, at, digest=bytes(32)), "entry", OTHER_DIGEST
        ),
        "order": Change(_swapped, "entry", r"entry \d+ stands where entry \d+ must", denied=True),
        "missing entry": Change(
            lambda record, at: replace(
                record,
                entries=(*record.entries[:at], *record.entries[at + 1 :]),
                moves=(*record.moves[:at], *record.moves[at + 1 :]),
            ),
            "entry",
            r"entry \d+ stands where entry \d+ must",
            denied=True,
        ),
        "version": Change(
            lambda record, at: _entry(record, at, version=at + 2),
            "entry",
            r"entry \d+ stands where entry \d+ must",
            denied=True,
        ),
        "time": Change(
            lambda record, at: _entry(record, at, at_ms=record.entries[at - 1].at_ms - 1),
            "entry",
            "the time goes back",
            denied=True,
        ),
        "score": Change(_better, "result", "the scores are .* but the log makes", denied=True),
        "places": Change(
            lambda record, _: _outcome(record, places=(9,) * record.header.seats),
            "result",
            "the places are 9 9.* but the log makes",
            denied=True,
        ),
        "notes": Change(
            lambda record, _: _outcome(record, notes=(("x",),) * record.header.seats),
            "result",
            "the notes are .* but the log makes",
            denied=True,
        ),
    }


def _header(record: Record, **change: Any) -> Record:
    header: Header = replace(record.header, **change)
    return replace(record, header=header)


def _entry(record: Record, at: int, **change: Any) -> Record:
    entries: list[Entry] = [*record.entries]
    entries[at] = replace(entries[at], **change)
    return replace(record, entries=tuple(entries))


def _outcome(record: Record, **change: Any) -> Record:
    return replace(record, outcome=replace(record.outcome, **change))


def _other_seed(record: Record, _: int) -> Record:
    return replace(
        _header(record, commitment=commitment_of(OTHER_SEED)),
        seed=OTHER_SEED,
    )


def _other_deck(record: Record, _: int) -> Record:
    assert is_chance(record.entries[0])
    first, second, *rest = record.entries[0].deck
    return _entry(record, 0, deck=(second, first, *rest))


def _swapped(record: Record, at: int) -> Record:
    entries, moves = [*record.entries], [*record.moves]
    entries[at : at + 2] = reversed(entries[at : at + 2])
    moves[at : at + 2] = reversed(moves[at : at + 2])
    return replace(record, entries=tuple(entries), moves=tuple(moves))


def _better(record: Record, _: int) -> Record:
    first, *others = record.outcome.scores
    return _outcome(record, scores=(first + 1, *others))
