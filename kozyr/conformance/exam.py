"""Who is examined, with what seed, and the matches that all checks look at."""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import grpc

from kozyr.conformance.pairwise import Row, pairwise
from kozyr.conformance.playthrough import Case, Playthrough
from kozyr.conformance.random_play import random_match
from kozyr.conformance.schema import Schema, properties, telling_values
from kozyr.conformance.verdicts import NotApplicable, Violated
from kozyr.errors import InvalidOptions, InvalidSeatCount
from kozyr.events import SEATS_MAX
from kozyr.referee import LocalReferee, Referee
from kozyr.variant import Variant

ENTRIES_MAX: Final = 500_000
"""How many entries a match may have before it is taken to be endless."""

SEATS: Final = "seats"
"""The factor of the pairwise cover that is no option."""


class Exam:
    """One variant under examination.

    Attributes:
        referee: who is examined.
        seed: of everything that is random here.
        values: what is tried of an option, where it is not what its schema suggests.
        matches: how many random matches are played, at least one for each case.
        channel: gives the channel to the plugin, where it is served by gRPC.
    """

    def __init__(
        self,
        referee: Referee,
        *,
        seed: int = 0,
        matches: int = 0,
        values: Mapping[str, Sequence[Any]] | None = None,
        channel: Callable[[], grpc.Channel] | None = None,
        entries_max: int = ENTRIES_MAX,
    ) -> None:
        """Prepare an examination.

        Raises:
            InvalidOptions: a value is to be tried of an option that there is not.
        """
        self.referee = referee
        self.seed = seed
        self.values = dict(values or {})
        self.channel = channel
        self.entries_max = entries_max
        self._matches_min = matches
        unknown = sorted(self.values.keys() - self.options.keys())
        if unknown:
            known = ", ".join(self.options) or "none"
            raise InvalidOptions(
                [f"there is no option {name!r}; there are: {known}" for name in unknown]
            )

    @property
    def variant(self) -> Variant[Any]:
        """The variant itself.

        Raises:
            NotApplicable: it runs in another process.
        """
        if isinstance(self.referee, LocalReferee):
            return self.referee.variant
        raise NotApplicable("only where the rules run in this process")

    def rng(self, purpose: str) -> random.Random:
        """Random numbers of their own for each purpose, the same for the same seed."""
        return random.Random(f"{self.seed}/{purpose}")

    @cached_property
    def options(self) -> Mapping[str, Schema]:
        """The schema of each option."""
        return properties(self.referee.describe().options_schema)

    @cached_property
    def cases(self) -> list[Case]:
        """Options and seats, so chosen that every two telling values meet where they can.

        Raises:
            Violated: there is no way to play.
        """
        factors = {
            name: list(self.values.get(name) or telling_values(option))
            for name, option in self.options.items()
        }
        counts = self._seat_counts(factors)
        rows = pairwise({SEATS: counts, **factors}, accepts=lambda row: self._case(row) is not None)
        cases = [case for row in rows if (case := self._case(row))]
        if not cases:
            raise Violated("no combination of options and seats can be played")
        return cases

    @cached_property
    def matches(self) -> list[Playthrough]:
        """Random matches: one of each case, and again from the first if more are wanted."""
        return [self.match(number) for number in range(max(len(self.cases), self._matches_min))]

    def match(self, number: int) -> Playthrough:
        """The random match of that number."""
        case = self.cases[number % len(self.cases)]
        seed = f"{self.seed}/match/{number}"
        return random_match(self.referee, case, seed=seed, entries_max=self.entries_max)

    def _seat_counts(self, factors: Mapping[str, list[Any]]) -> list[int]:
        """How many play with some value of some option beside the first of all others."""
        first = {name: values[0] for name, values in factors.items()}
        varied = ({**first, name: value} for name, values in factors.items() for value in values)
        found: dict[int, None] = {}
        for options in (first, *varied):
            try:
                configuration = self.referee.configure(options)
            except InvalidOptions:
                continue  # it takes other values of others
            found.update(dict.fromkeys(configuration.seat_counts))
        return [count for count in found if 1 <= count <= SEATS_MAX]

    def _case(self, row: Row) -> Case | None:
        """The case of a row of the cover, None where the variant refuses it."""
        options = {name: value for name, value in row.items() if name != SEATS}
        try:
            configuration = self.referee.configure(options, row[SEATS])
        except (InvalidOptions, InvalidSeatCount):
            return None
        given = {
            name: value
            for name, value in options.items()
            if value != self.options[name].get("default")
        }
        return Case(given, row[SEATS], configuration)
