"""Everything that kozyr refuses, as one tree.

::

    KozyrError
    ├── UnknownVariant          no such variant is installed
    ├── UnknownBrain            no such brain is installed, or it takes no such budget
    ├── PluginBroken …          what goes wrong with plugins (in kozyr.plugins.errors)
    ├── InvalidOptions          an option is unknown or out of range
    ├── InvalidSeatCount        the variant is not played by so many
    ├── MatchError              a step that the position does not allow
    │   ├── NotYourTurn         the seat has nothing to decide now
    │   ├── StaleDecision       the move answers a decision that is no longer pending
    │   ├── IllegalMove         the rules forbid the move; names the clause and the legal moves
    │   ├── InvalidDeck         the deck is not a permutation of what must be shuffled
    │   └── MatchOver           the match has ended
    ├── InvalidRecord           a record is damaged or does not verify
    ├── InvalidMessage          what came from outside makes no sense
    ├── UnsupportedRules        nobody here serves these rules_version
    └── Refused                 another program refused, for a reason that has no class here

Each class has a stable `reason`, which travels to clients unchanged, and the canonical gRPC
status `code` that goes with it. Whoever adds a class says both, and which of its attributes
travel too.
"""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import ClassVar


class Code(IntEnum):
    """The canonical gRPC status codes."""

    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16


class KozyrError(Exception):
    """The base of every refusal.

    Attributes:
        reason: the stable name of the kind of refusal.
        code: the canonical status of a call that ends with it.
        retryable: whether the same request can succeed later without a change.
        facts: the names of the attributes that a client gets too; their values are strings,
            numbers, None, or tuples of these.
    """

    reason: str = "KOZYR_ERROR"
    code: Code = Code.FAILED_PRECONDITION
    retryable: bool = False
    facts: ClassVar[tuple[str, ...]] = ()


class UnknownVariant(KozyrError):
    """No such variant is installed."""

    reason = "UNKNOWN_VARIANT"
    code = Code.NOT_FOUND
    facts = ("variant", "known")

    def __init__(self, variant: str, *, known: Sequence[str]) -> None:
        super().__init__(f"no variant {variant!r} is installed; there are {', '.join(known)}")
        self.variant = variant
        self.known = tuple(known)


class UnknownBrain(KozyrError):
    """No such brain is installed, or it takes no such budget."""

    reason = "UNKNOWN_BRAIN"
    code = Code.NOT_FOUND


class InvalidOptions(KozyrError):
    """An option is unknown or out of range; the message lists what is allowed."""

    reason = "INVALID_OPTIONS"
    code = Code.INVALID_ARGUMENT
    facts = ("problems",)

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class InvalidSeatCount(KozyrError):
    """The variant is not played by so many."""

    reason = "INVALID_SEAT_COUNT"
    code = Code.INVALID_ARGUMENT
    facts = ("seats", "allowed")

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
    facts = ("seat", "waiting")

    def __init__(self, seat: int, *, waiting: Sequence[int]) -> None:
        whose = ", ".join(str(each) for each in waiting) or "nobody"
        super().__init__(f"seat {seat} has nothing to decide now; the game waits for {whose}")
        self.seat = seat
        self.waiting = tuple(waiting)


class StaleDecision(MatchError):
    """The move answers a decision that is no longer pending."""

    reason = "STALE_DECISION"
    facts = ("answered", "pending")

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
    code = Code.INVALID_ARGUMENT


class MatchOver(MatchError):
    """The match has ended."""

    reason = "MATCH_OVER"

    def __init__(self) -> None:
        super().__init__("the match has ended")


class InvalidRecord(KozyrError):
    """A record is damaged or does not verify."""

    reason = "INVALID_RECORD"
    code = Code.DATA_LOSS
    facts = ("line",)

    def __init__(self, message: str, *, line: int | None = None) -> None:
        super().__init__(message if line is None else f"line {line}: {message}")
        self.line = line


class InvalidMessage(KozyrError):
    """What came from outside, bytes or a message, makes no sense."""

    reason = "INVALID_MESSAGE"
    code = Code.INVALID_ARGUMENT


class UnsupportedRules(KozyrError):
    """Nobody here serves this rules_version of a variant."""

    reason = "UNSUPPORTED_RULES"
    code = Code.UNIMPLEMENTED
    facts = ("variant", "wanted", "served")

    def __init__(self, variant: str, *, wanted: int, served: Sequence[int]) -> None:
        versions = ", ".join(str(version) for version in served)
        super().__init__(
            f"rules_version {wanted} of {variant} is not served here; served: {versions}"
        )
        self.variant = variant
        self.wanted = wanted
        self.served = tuple(served)


class Refused(KozyrError):
    """Another program refused, for a reason that has no class here.

    Attributes:
        clause: the id of the clause of the rules, where it is a rule.
        legal: the actions that are legal instead, where it is a rule.
        metadata: further facts by name, each as JSON.
    """

    reason = "REFUSED"
    code = Code.UNKNOWN

    def __init__(
        self,
        message: str,
        *,
        reason: str,
        code: Code,
        retryable: bool = False,
        clause: str = "",
        legal: Sequence[int] = (),
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.code = code
        self.retryable = retryable
        self.clause = clause
        self.legal = tuple(legal)
        self.metadata = dict(metadata or {})
