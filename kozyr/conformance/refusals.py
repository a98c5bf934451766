"""Checks of what is not allowed: it is refused with a reason, and nothing changes."""

import random
from collections.abc import Sequence
from typing import Final

from kozyr.cards import Card
from kozyr.conformance.exam import Exam
from kozyr.conformance.playthrough import Playthrough, complaint, redo, step_bytes
from kozyr.conformance.verdicts import NotApplicable, Violated, require
from kozyr.errors import IllegalMove, InvalidDeck, MatchError, MatchOver, NotYourTurn
from kozyr.events import Seat
from kozyr.game import CHANCE, CHANCE_BIT, Game

MOMENTS: Final = 12
"""At how many positions of each match something is tried."""

ACTIONS_TRIED: Final = 12
"""How many illegal actions are tried at each."""

LOGS: Final = 2
"""How many logs that go wrong are told of each match."""

BEYOND: Final = (1 << 16, (1 << 32) - 1)
"""Numbers that are no actions of any game."""


def illegal_moves(exam: Exam) -> None:
    """An illegal action is refused with the clause that forbids it, and nothing changes."""
    rng, tried = exam.rng("illegal moves"), 0
    for match in exam.matches:
        actions = range(len(match.case.configuration.actions))
        for version in _moments(match, rng):
            for seat, decision in match.steps[version].pending.items():
                illegal = sorted({*actions, *BEYOND} - {*decision.legal})
                for action in rng.sample(illegal, min(ACTIONS_TRIED, len(illegal))):
                    error = _refusal(match, version, seat, action)
                    _check_refusal(match, version, action, error, decision.legal)
                    tried += 1
            _still_there(match, version)
    if not tried:
        raise NotApplicable("every action is always legal")


def refused_logs(exam: Exam) -> None:
    """A log with an entry that is not possible is refused for it, when told at once too."""
    rng = exam.rng("refused logs")
    for match in exam.matches:
        versions = [at for at, step in enumerate(match.steps[: match.version]) if step.pending]
        for version in rng.sample(versions, min(LOGS, len(versions))):
            seat = rng.choice(sorted(match.steps[version].pending))
            wrong = match.fork(version).entry(seat, BEYOND[0])
            error = None
            try:
                opening = match.referee.begin(match.header)
                match.referee.follow(opening, [*match.entries[:version], wrong])
            except Exception as raised:  # noqa: BLE001 (whatever rules raise is a finding)
                error = raised
            _expect(IllegalMove, error, match, version, what=f"a log that ends with {wrong.action}")


def turns(exam: Exam) -> None:
    """Who is not asked, and a deck that is not wanted, are refused, after the end too."""
    rng = exam.rng("turns")
    for match in exam.matches:
        for version in (*_moments(match, rng), match.version):
            step = match.steps[version]
            expected = MatchOver if step.outcome is not None else NotYourTurn
            for seat in match.case.viewers:
                if seat not in step.pending:
                    _expect(expected, _refusal(match, version, seat, 0), match, version)
            if not step.deck:
                deck = match.entries[0].deck
                _expect(expected, _refusal(match, version, CHANCE, 0, deck), match, version)
            elif version < match.version:
                deck = match.entries[version].deck
                for wrong in (deck[:-1], (), (*deck[:-1], deck[0]), (*deck, deck[0])):
                    if len(deck) > 1:
                        error = _refusal(match, version, CHANCE, 0, wrong)
                        _expect(InvalidDeck, error, match, version)
            _still_there(match, version)


def check(exam: Exam) -> None:
    """`Game.check` passes what `Game.legal` lists, and refuses all else with a clause."""
    variant, rng = exam.variant, exam.rng("check")
    for match in exam.matches:
        options = variant.parse_options(match.case.configuration.options)
        game = variant.start(options, match.case.seats)
        moments = set(_moments(match, rng))
        actions = range(len(match.case.configuration.actions))
        for version, entry in enumerate(match.entries):
            if version in moments:
                for seat in map(Seat, range(match.case.seats)):
                    _check_seat(game, seat, actions, where=match.where(version))
            redo(game, entry)


def _check_seat(game: Game, seat: Seat, actions: Sequence[int], *, where: str) -> None:
    waiting = game.waiting()
    asked = waiting < CHANCE_BIT and waiting >> seat & 1
    legal = game.legal(seat) if asked else []
    for action in (*actions, *BEYOND, -1):
        passed, clause = True, "?"
        try:
            game.check(seat, action)
        except NotYourTurn:
            require(not asked, f"{where}: seat {seat} must decide, but is told that it need not")
            passed = False
        except IllegalMove as error:
            passed, clause = False, error.clause
        listed = action in legal
        words = "is legal" if listed else "is not legal"
        require(
            passed == listed,
            f"{where}: action {action} of seat {seat} {words}, but check "
            f"{'passes' if passed else 'refuses'} it",
        )
        require(bool(clause), f"{where}: action {action} is refused without a clause")


def _moments(match: Playthrough, rng: random.Random) -> list[int]:
    """Some versions of a match before its end."""
    return [rng.randrange(match.version) for _ in range(MOMENTS)] if match.version else []


def _refusal(
    match: Playthrough, version: int, seat: Seat, action: int, deck: Sequence[Card] = ()
) -> Exception | None:
    """What comes of an entry that is not allowed; None when it is taken."""
    fork = match.fork(version)
    try:
        fork.take(seat, action, deck)
    except Exception as error:  # noqa: BLE001 (whatever rules raise is a finding)
        return error
    return None


def _check_refusal(
    match: Playthrough,
    version: int,
    action: int,
    error: Exception | None,
    legal: Sequence[int],
) -> None:
    _expect(IllegalMove, error, match, version, what=f"action {action}")
    assert isinstance(error, IllegalMove)
    where = f"{match.where(version)}: action {action}"
    require(bool(error.clause.strip()), f"{where} is refused without a clause")
    require(bool(error.message.strip()), f"{where} is refused without a word")
    if error.legal:
        told = f"{where} is refused, and {error.legal} are said to be legal, not {legal}"
        require(tuple(error.legal) == tuple(legal), told)


def _expect(
    kind: type[MatchError],
    error: Exception | None,
    match: Playthrough,
    version: int,
    *,
    what: str = "it",
) -> None:
    where = match.where(version)
    if error is None:
        raise Violated(f"{where}: {what} is not refused ({kind.__name__})")
    if not isinstance(error, kind):
        told = f"{type(error).__name__} ({complaint(error)})"
        raise Violated(f"{where}: {what} is refused by {told} instead of {kind.__name__}")


def _still_there(match: Playthrough, version: int) -> None:
    """After refusals the match goes on as it went on."""
    if version == match.version:
        return
    step = match.fork(version).repeat(match.entries[version])
    same = step_bytes(step) == step_bytes(match.steps[version + 1])
    require(same, f"{match.where(version)}: a refused action has changed the position")
