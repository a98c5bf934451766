"""Checks of what a variant says before the first card: names, seats, options, moves."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from kozyr.conformance.exam import Exam
from kozyr.conformance.playthrough import complaint
from kozyr.conformance.schema import (
    Schema,
    allows,
    problems,
    whole_bounds,
)
from kozyr.conformance.verdicts import Violated, require
from kozyr.errors import InvalidMessage, InvalidOptions, InvalidSeatCount
from kozyr.events import SEATS_MAX
from kozyr.moves import UNUSED, ActionTable, InvalidMove, Move, parse_move
from kozyr.wire import decode_move, encode_move

ID: Final = re.compile(r"[a-z][a-z0-9_-]*")

STRANGE_VALUES: Final[tuple[Any, ...]] = (None, True, -1, 2**70, 1.5, "", "strange", [], {})
"""Values of all kinds, to try where a schema does not allow them."""

STRANGE_NAMES: Final = ("", "no_such_option", "Deck ", "__class__", "ünknown")


def names(exam: Exam) -> None:
    """A variant has an id, a title and versions, the same wherever it says them."""
    referee, offer = exam.referee, exam.referee.describe()
    require(bool(ID.fullmatch(offer.variant)), f"{offer.variant!r} is no id: {ID.pattern}")
    require(
        referee.variant_id == offer.variant,
        f"it is called {referee.variant_id!r} and {offer.variant!r}",
    )
    require(bool(offer.title.strip()), "it has no title")
    versions = offer.rules_versions
    require(
        bool(versions) and versions[0] >= 1 and _ascending(versions),
        f"its rules_versions are not numbers from 1, ascending: {versions}",
    )
    require(
        referee.rules_version in versions,
        f"it plays by rules_version {referee.rules_version}, but offers {versions}",
    )


def seats(exam: Exam) -> None:
    """Seat counts are ascending from 1, teams are told for each seat, other counts are refused."""
    referee = exam.referee
    offered, default = referee.describe().seat_counts, referee.configure({}).seat_counts
    require(offered == default, f"it offers {offered} seats, but its defaults give {default}")
    for case in exam.cases:
        counts, teams = case.configuration.seat_counts, case.configuration.teams
        sound = bool(counts) and counts[0] >= 1 and counts[-1] <= SEATS_MAX and _ascending(counts)
        require(sound, f"{case}: seat counts are 1 to {SEATS_MAX}, ascending, not {counts}")
        require(len(teams) == case.seats, f"{case}: there are {len(teams)} teams of seats: {teams}")
        for wrong in {0, counts[0] - 1, counts[-1] + 1, 10**6} - set(counts):
            try:
                referee.configure(case.configuration.options, wrong)
            except InvalidSeatCount:
                continue
            raise Violated(f"{case}: {wrong} seats are not refused")


def schema(exam: Exam) -> None:
    """The schema of the options is JSON Schema, closed, and allows its own defaults."""
    for problem in problems(exam.referee.describe().options_schema):
        raise Violated(f"the schema of the options: {problem}")


def defaults(exam: Exam) -> None:
    """Options that are not given take their defaults, and all options together come back whole."""
    referee = exam.referee
    expected = {name: option.get("default") for name, option in exam.options.items()}
    got = dict(referee.configure({}).options)
    require(got == expected, f"no options come to {got}, but the defaults are {expected}")
    for case in exam.cases:
        whole = case.configuration.options
        again = referee.configure(whole).options
        require(again == whole, f"{case}: the options {whole} come back as {again}")
        for name, value in case.given.items():
            require(whole[name] == value, f"{case}: {name} comes back as {whole[name]!r}")


def refused_options(exam: Exam) -> None:
    """Options with an unknown name, or a value that the schema does not allow, are refused."""
    for name in STRANGE_NAMES:
        if name not in exam.options:
            _refused(exam, {name: 1})
    for name, option in exam.options.items():
        for value in _strange_values(option):
            _refused(exam, {name: value})


def moves(exam: Exam) -> None:
    """Every action is written as a text and as a message that are read as the same action."""
    for case in exam.cases:
        table = case.configuration.actions
        require(len(table) > 0, f"{case}: there are no actions")
        for action, move in enumerate(table):
            if move != UNUSED:
                _check_move(table, action, move)


def _check_move(table: ActionTable, action: int, move: Move) -> None:
    try:
        text = move.text
        for way, again in (
            (f"{text!r}", parse_move(text)),
            ("the message", decode_move(encode_move(move))),
        ):
            require(again == move, f"action {action} is {move}, but {way} is read as {again}")
            number = table.number(again)
            require(number == action, f"actions {action} and {number} both mean {text!r}")
    except (InvalidMove, InvalidMessage, TypeError, ValueError) as error:
        raise Violated(f"action {action}, {move!r}, cannot be told: {complaint(error)}") from error


def _strange_values(option: Schema) -> Iterator[Any]:
    low, high = whole_bounds(option)
    beyond = (None if low is None else low - 1, None if high is None else high + 1)
    for value in (*STRANGE_VALUES, *beyond):
        if not allows(option, value):
            yield value


def _refused(exam: Exam, options: dict[str, Any]) -> None:
    try:
        exam.referee.configure(options)
    except InvalidOptions as error:
        require(bool(str(error)), f"{options} is refused without a word")
    else:
        raise Violated(f"the options {options} are not refused")


def _ascending(numbers: tuple[int, ...]) -> bool:
    return all(one < other for one, other in pairwise(numbers))
