"""Finding out whether a record tells the truth.

The seed must be the one that was committed to, and give every deck; the rules must allow every
action and make every digest and the result of them; and nothing that is sealed may have changed.
"""

import os
from dataclasses import replace
from typing import Any

from kozyr.errors import InvalidRecord, MatchError
from kozyr.log import Cause, Entry, is_chance
from kozyr.match import Match
from kozyr.moves import ActionTable, InvalidMove
from kozyr.record import FIRST_ENTRY_LINE, Record, parse_record, record_bytes
from kozyr.referee import Referee
from kozyr.shuffle import Shuffler, commitment_of


def verify_record(
    source: Record | str | os.PathLike[str], *, referee: Referee | None = None
) -> Match:
    """Check everything that a record, or the file of one, tells; give the match that it makes.

    Args:
        referee: where the rules run; by default in this process.

    Raises:
        InvalidRecord: something in it is not true; names the line and says what.
        UnknownVariant, UnsupportedRules, InvalidOptions, InvalidSeatCount: nobody can referee.
        OSError: the file cannot be read.
    """
    record = source if isinstance(source, Record) else parse_record(record_bytes(source))
    header = record.header
    if commitment_of(record.seed) != header.commitment:
        raise InvalidRecord(
            "the seed is not the one that the header commits to", line=record.result_line
        )
    match = Match.open(header, referee=referee, seed=record.seed)
    actions = match.setup.actions
    shuffler = Shuffler(record.seed, header.match_id, header.nonces)
    log = zip(record.entries, record.moves, strict=True)
    for line, (entry, move) in enumerate(log, FIRST_ENTRY_LINE):
        problem = (
            _order_problem(match, entry)
            or _deck_problem(match, entry, shuffler)
            or _move_problem(match, entry, move, actions)
            or _rules_problem(match, entry)
        )
        if problem:
            raise InvalidRecord(problem, line=line)
    _check_result(record, match)
    record.check_seal()
    return match


def _order_problem(match: Match, entry: Entry) -> str | None:
    if entry.version != match.version + 1:
        return (
            f"entry {entry.version} stands where entry {match.version + 1} must: "
            "entries are missing, repeated or out of order"
        )
    if match.entries and entry.at_ms < match.entries[-1].at_ms:
        return f"the time goes back, from {match.entries[-1].at_ms} to {entry.at_ms}"
    if is_chance(entry) != (entry.cause is Cause.CHANCE):
        return f"the cause cannot be {entry.cause.name.lower()}"
    return None


def _deck_problem(match: Match, entry: Entry, shuffler: Shuffler) -> str | None:
    if not is_chance(entry):
        return None
    if not match.step.deck:
        return "there is nothing to shuffle here"
    if entry.deck != shuffler.deck(match.shuffles, match.step.deck):
        return "the deck is not the one that the seed, the match id and the nonces give"
    return None


def _move_problem(match: Match, entry: Entry, move: str, actions: ActionTable) -> str | None:
    if is_chance(entry):
        return None
    try:
        meaning = actions[entry.action].text
    except InvalidMove as error:
        return str(error)
    if meaning != move:
        return f"action {entry.action} is {meaning!r}, but the record calls it {move!r}"
    decision = match.pending.get(entry.actor)
    if entry.cause is Cause.TIMEOUT and decision and decision.default != entry.action:
        default = actions[decision.default].text
        return f"when the time is up the move is {default!r}, not {move!r}"
    return None


def _rules_problem(match: Match, entry: Entry) -> str | None:
    """Take the entry; say what is wrong with it if it cannot be taken."""
    own = replace(entry, digest=b"")
    try:
        match.append(own)
    except MatchError as error:
        return str(error)
    if own.digest != entry.digest:
        return "the digest is another one: the header, this entry or one before it was changed"
    return None


def _check_result(record: Record, match: Match) -> None:
    outcome = match.outcome
    if outcome is None:
        raise InvalidRecord("the log ends before the match does", line=record.result_line)
    for name in ("scores", "places", "notes"):
        told, made = getattr(record.outcome, name), getattr(outcome, name)
        if told != made:
            raise InvalidRecord(
                f"the {name} are {_words(told)}, but the log makes {_words(made)}",
                line=record.result_line,
            )


def _words(by_seat: tuple[Any, ...]) -> str:
    return " ".join(str(each) for each in by_seat)
