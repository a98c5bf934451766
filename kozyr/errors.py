"""Everything that kozyr refuses, as one tree.

::

    KozyrError
    ├── UnknownVariant          no such variant is installed
    ├── UnknownBrain            no such brain is installed, or it takes no such budget
    ├── PluginBroken            an installed plugin cannot be loaded (in kozyr.plugins)
    ├── InvalidOptions          an option is unknown or out of range
    ├── InvalidSeatCount        the variant is not played by so many
    ├── MatchError              a step that the position does not allow
    │   ├── NotYourTurn         the seat has nothing to decide now
    │   ├── StaleDecision       the move answers a decision that is no longer pending
    │   ├── IllegalMove         the rules forbid the move; names the clause and the legal moves
    │   ├── InvalidDeck         the deck is not a permutation of what must be shuffled
    │   └── MatchOver           the match has ended
    ├── InvalidRecord           a record is damaged or does not verify
    └── UnsupportedRules        nobody here serves these rules_version

Each class has a stable `reason`, which travels to clients unchanged.
"""

from collections.abc import Sequence
from typing import ClassVar


class KozyrError(Exception):
    """The base of every refusal."""

    reason: ClassVar[str] = "KOZYR_ERROR"


class UnknownVariant(KozyrError):
    """No such variant is installed."""

    reason = "UNKNOWN_VARIANT"

    def __init__(self, variant: str, *, known: Sequence[str]) -> None:
        super().__init__(f"no variant {variant!r} is installed; there are {', '.join(known)}")
        self.variant = variant
        self.known = tuple(known)


class UnknownBrain(KozyrError):
    """No such brain is installed, or it takes no such budget."""

    reason = "UNKNOWN_BRAIN"


class InvalidOptions(KozyrError):
    """An option is unknown or out of range; the message lists what is allowed."""

    reason = "INVALID_OPTIONS"

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class InvalidSeatCount(KozyrError):
    """The variant is not played by so many."""

    reason = "INVALID_SEAT_COUNT"

    def __init__(self, seats: int, *, allowed: Sequence[int]) -> None:
        counts = ", ".join(str(count) for count in allowed)
        super().__init__(f"{seats} seats are not possible here; allowed: {counts}")
        self.seats = seats
        self.allowed = tuple(allowed)


class MatchError(KozyrError):
    """A step that the position does not allow; nothing has changed."""

    reason = "MATCH_ERROR"


class NotYourTurn(MatchError):
    """The seat has nothing to decide now."""

    reason = "NOT_YOUR_TURN"

    def __init__(self, seat: int, *, waiting: Sequence[int]) -> None:
        whose = ", ".join(str(each) for each in waiting) or "nobody"
        super().__init__(f"seat {seat} has nothing to decide now; the game waits for {whose}")
        self.seat = seat
        self.waiting = tuple(waiting)


class StaleDecision(MatchError):
    """The move answers a decision that is no longer pending."""

    reason = "STALE_DECISION"

    def __init__(self, answered: int, *, pending: int) -> None:
        super().__init__(f"the move answers decision {answered}; decision {pending} is pending")
        self.answered = answered
        self.pending = pending


class IllegalMove(MatchError):
    """The rules forbid the move.

    Attributes:
        clause: the id of the clause that forbids it, like ``C5``.
        legal: the actions that are legal instead, when whoever raises knows them.
    """

    reason = "ILLEGAL_MOVE"

    def __init__(self, message: str, *, clause: str, legal: Sequence[int] = ()) -> None:
        super().__init__(f"{message} [{clause}]")
        self.message = message
        self.clause = clause
        self.legal = tuple(legal)


class InvalidDeck(MatchError):
    """The deck is not a permutation of what must be shuffled."""

    reason = "INVALID_DECK"


class MatchOver(MatchError):
    """The match has ended."""

    reason = "MATCH_OVER"

    def __init__(self) -> None:
        super().__init__("the match has ended")


class InvalidRecord(KozyrError):
    """A record is damaged or does not verify."""

    reason = "INVALID_RECORD"

    def __init__(self, message: str, *, line: int | None = None) -> None:
        super().__init__(message if line is None else f"line {line}: {message}")
        self.line = line


class UnsupportedRules(KozyrError):
    """Nobody here serves this rules_version of a variant."""

    reason = "UNSUPPORTED_RULES"

    def __init__(self, variant: str, *, wanted: int, served: Sequence[int]) -> None:
        versions = ", ".join(str(version) for version in served)
        super().__init__(
            f"rules_version {wanted} of {variant} is not served here; served: {versions}"
        )
        self.variant = variant
        self.wanted = wanted
        self.served = tuple(served)
