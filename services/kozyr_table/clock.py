"""Turn clocks as pure values: what a clock is, and what a log of times does to it.

The script ``lua/append.lua`` keeps the clocks that count; this module says the same in Python, for
clients, for replays and for the test that holds the two against each other. Times are in
milliseconds of the server's clock.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from kozyr_table.errors import InvalidRequest

LIMIT_MS_MIN: Final = 100
LIMIT_MS_MAX: Final = 30 * 24 * 3600 * 1000


class ClockKind(StrEnum):
    """How time is counted; the value is the letter that Redis keeps."""

    PER_MOVE = "P"
    """Each decision has its own limit."""
    INCREMENT = "I"
    """A bank is drawn on by each decision and then added to."""
    DELAY = "D"
    """A bank is drawn on only after a delay at each decision."""
    UNTIMED = "U"
    """There is no limit."""


@dataclass(frozen=True, slots=True)
class ClockRule:
    """The clock of a table.

    Attributes:
        bank_ms: each seat's bank at the start (0 for clocks without one).
        extra_ms: the limit of a decision, the increment after it, or the delay before it.
    """

    kind: ClockKind
    bank_ms: int = 0
    extra_ms: int = 0

    def __post_init__(self) -> None:
        if self.kind is ClockKind.UNTIMED:
            return
        if self.kind is ClockKind.PER_MOVE:
            _check_limit("limit_ms", self.extra_ms)
        else:
            _check_limit("bank_ms", self.bank_ms)
            if not 0 <= self.extra_ms <= LIMIT_MS_MAX:
                raise InvalidRequest(
                    f"the clock's increment or delay must be 0 to {LIMIT_MS_MAX} ms, "
                    f"not {self.extra_ms}"
                )

    @property
    def letter(self) -> str:
        """The kind as the script knows it."""
        return self.kind.value

    @property
    def text(self) -> str:
        """The rule as Redis keeps it."""
        return f"{self.kind} {self.bank_ms} {self.extra_ms}"

    @classmethod
    def parse(cls, text: str) -> "ClockRule":
        """The rule that `text` writes."""
        kind, bank, extra = text.split()
        return cls(ClockKind(kind), int(bank), int(extra))


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of one seat.

    Attributes:
        decision_id: the decision it runs for, 0 when it stands still.
        deadline_ms: when it runs out, 0 for never.
        bank_ms: what was left of the bank when it last stood still.
        since_ms: when it was started, 0 when it stands still.
    """

    decision_id: int = 0
    deadline_ms: int = 0
    bank_ms: int = 0
    since_ms: int = 0

    @property
    def text(self) -> str:
        """The clock as Redis keeps it."""
        return f"{self.decision_id} {self.deadline_ms} {self.bank_ms} {self.since_ms}"

    @classmethod
    def parse(cls, text: str) -> "SeatClock":
        """The clock that `text` writes."""
        return cls(*(int(word) for word in text.split()))

    def start(self, rule: ClockRule, *, decision_id: int, now_ms: int) -> "SeatClock":
        """The clock once a decision has opened."""
        match rule.kind:
            case ClockKind.PER_MOVE:
                deadline = now_ms + rule.extra_ms
            case ClockKind.INCREMENT:
                deadline = now_ms + self.bank_ms
            case ClockKind.DELAY:
                deadline = now_ms + rule.extra_ms + self.bank_ms
            case ClockKind.UNTIMED:
                deadline = 0
        return replace(self, decision_id=decision_id, deadline_ms=deadline, since_ms=now_ms)

    def stop(self, rule: ClockRule, *, now_ms: int) -> "SeatClock":
        """The clock once the decision is taken; the bank is charged."""
        spent = now_ms - self.since_ms
        bank = self.bank_ms
        if rule.kind is ClockKind.INCREMENT:
            bank = max(0, bank - spent) + rule.extra_ms
        elif rule.kind is ClockKind.DELAY:
            bank = max(0, bank - max(0, spent - rule.extra_ms))
        return SeatClock(bank_ms=bank)


def _check_limit(name: str, limit_ms: int) -> None:
    if not LIMIT_MS_MIN <= limit_ms <= LIMIT_MS_MAX:
        raise InvalidRequest(
            f"the clock's {name} must be {LIMIT_MS_MIN} to {LIMIT_MS_MAX} ms, not {limit_ms}"
        )
