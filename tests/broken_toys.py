"""Toys with one defect each, and the checks of the conformance kit that must find it."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from kozyr.cards import Card, card_text, pack
from kozyr.errors import IllegalMove
from kozyr.events import (
    EVERYBODY,
    CardChosen,
    Custom,
    Event,
    MatchEnded,
    Outcome,
    Seat,
    private,
    public,
)
from kozyr.game import CHANCE, Game
from kozyr.log import Cause, Entry, Header
from kozyr.moves import ActionTable, CustomMove
from kozyr.observation import Observation
from kozyr.referee import LocalReferee, Position, Referee
from tests.toy import SIT_OUT, ToyGame, ToyOptions, ToyVariant


@dataclass(frozen=True)
class Defect:
    """A toy that is broken.

    Attributes:
        found_by: the checks that fail, and no other does.
        words: what one of them says.
    """

    name: str
    referee: Referee
    found_by: frozenset[str]
    words: str


DEFECTS: list[Defect] = []


def defect(
    *found_by: str, words: str
) -> Callable[[type[ToyVariant] | type[ToyGame] | type[LocalReferee]], None]:
    """Add a broken variant, game or referee to the list."""

    def add(broken: type[ToyVariant] | type[ToyGame] | type[LocalReferee]) -> None:
        if issubclass(broken, LocalReferee):
            referee = broken(ToyVariant())
        elif issubclass(broken, ToyVariant):
            referee = LocalReferee(broken())
        else:
            referee = LocalReferee(with_game(broken))
        DEFECTS.append(Defect(broken.__name__, referee, frozenset(found_by), words))

    return add


def with_game(game: type[ToyGame]) -> ToyVariant:
    """A toy that plays this game."""

    class Variant(ToyVariant):
        def new_game(self, options: ToyOptions, seats: int) -> Game:
            return game(options, seats)

    return Variant()


class Broken(ToyGame):
    """A game whose copies are of its own kind."""

    def clone(self) -> "ToyGame":
        copy = super().clone()
        copy.__class__ = type(self)
        return copy


# What a variant says before the first card.


@defect("names", words="are not numbers from 1")
class VersionZero(ToyVariant):
    @property
    def rules_version(self) -> int:
        return 0


@defect("names", words="no title")
class Nameless(ToyVariant):
    @property
    def title(self) -> str:
        return " "


@defect("seats", words="ascending")
class SeatsBackwards(ToyVariant):
    def seat_counts(self, options: ToyOptions) -> Sequence[int]:
        return range(6, 1, -1)


@defect("seats", words="1 teams of seats")
class OneTeam(ToyVariant):
    def teams(self, options: ToyOptions, seats: int) -> tuple[int, ...]:
        return (0,)


@defect("schema", words="allows unknown names")
class OpenSchema(ToyVariant):
    def options_schema(self) -> dict[str, Any]:
        return super().options_schema() | {"additionalProperties": True}


@defect("defaults", words="the defaults are")
class AnotherDefault(ToyVariant):
    def options_schema(self) -> dict[str, Any]:
        schema = super().options_schema()
        hand = schema["properties"]["hand"] | {"default": 3}
        return schema | {"properties": schema["properties"] | {"hand": hand}}


@defect("refused options", words="not refused")
class Lenient(ToyVariant):
    def parse_options(self, given: Mapping[str, Any]) -> ToyOptions:
        known = {name: value for name, value in given.items() if name in {"deals", "hand"}}
        return super().parse_options(known)


@defect("moves", words="cannot be told")
class MoveWithASpace(ToyVariant):
    def actions(self, options: ToyOptions) -> ActionTable:
        return ActionTable(CustomMove("lay", (("place", f"{place} of 6"),)) for place in range(6))


@defect("moves", words="both mean")
class MovesAlike(ToyVariant):
    def actions(self, options: ToyOptions) -> ActionTable:
        return ActionTable(
            [*[*super().actions(options)][:-1], CustomMove("lay", (("place", "1"),))]
        )


# Matches.


@defect("ending", words="has not ended")
class Endless(Broken):
    def _score(self) -> list[Event]:
        events = super()._score()
        self.deal_index = 0
        return [event for event in events if not isinstance(event.seen_by(Seat(0)), MatchEnded)]


@defect("ending", "invariants", words="no outcome|exactly one of")
class Abandoned(Broken):
    def outcome(self) -> Outcome | None:
        return None


@defect("invariants", words="two faces")
class AudiencesOverlap(Broken):
    def deal(self, deck: tuple[Card, ...]) -> list[Event]:
        return [
            Event((event.faces[0], *((EVERYBODY, face) for _, face in event.faces[1:])))
            for event in super().deal(deck)
        ]


@defect("invariants", words="may not know")
class OpenHands(Broken):
    def deal(self, deck: tuple[Card, ...]) -> list[Event]:
        return [public(event.faces[0][1]) for event in super().deal(deck)]


@defect("ending", "invariants", words="default that is not legal")
class IllegalDefault(Broken):
    def default(self, seat: Seat) -> int:
        return 99


@defect("invariants", words="not ascending")
class LegalBackwards(Broken):
    def legal(self, seat: Seat) -> list[int]:
        return super().legal(seat)[::-1]


@defect("invariants", words="scores")
class Generous(Broken):
    def scores(self) -> tuple[int, ...]:
        return tuple(total + 1 for total in super().scores())


@defect("invariants", words="give the places")
class LastIsFirst(Broken):
    def outcome(self) -> Outcome | None:
        outcome = super().outcome()
        if outcome is None:
            return None
        return replace(outcome, places=tuple(len(outcome.places) + 1 - p for p in outcome.places))


@defect("invariants", words="twice")
class TwoAces(Broken):
    def deck(self) -> tuple[Card, ...]:
        cards = pack(lowest_rank=6)
        return (*cards[:-1], cards[0])


# A position is its log.

GAMES = count()


@defect("determinism", "replay", words="played again|told at once")
class EveryMatchAnother(Broken):
    def __init__(self, options: ToyOptions, seats: int) -> None:
        super().__init__(options, seats)
        self.number = next(GAMES)

    def clone(self) -> "ToyGame":
        copy = super().clone()
        vars(copy)["number"] = self.number
        return copy

    def deal(self, deck: tuple[Card, ...]) -> list[Event]:
        return [*super().deal(deck), public(Custom("match", (("number", str(self.number)),)))]


@defect("replay", words="told at once")
class Forgetful(LocalReferee):
    def follow(self, position: Position, entries: Sequence[Entry]) -> list[Position]:
        positions = super().follow(position, entries)
        return positions[-1:] * len(positions)


@defect("clones", words="a copy")
class CopyForgetsTricks(Broken):
    def clone(self) -> "ToyGame":
        copy = super().clone()
        copy.taken = [0] * self.seats
        return copy


# What is not allowed.


@defect("illegal moves", "check", words="without a clause")
class NoClause(Broken):
    def check(self, seat: Seat, action: int) -> None:
        try:
            super().check(seat, action)
        except IllegalMove as error:
            raise IllegalMove(error.message, clause="") from None


@defect("check", words="check refuses it")
class RefusesWhatIsLegal(Broken):
    def check(self, seat: Seat, action: int) -> None:
        super().check(seat, action)
        if action == SIT_OUT:
            raise IllegalMove("nobody sits out", clause="T1")


@defect("refused logs", words="not refused")
class TakesAnyLog(LocalReferee):
    def follow(self, position: Position, entries: Sequence[Entry]) -> list[Position]:
        try:
            return super().follow(position, entries)
        except IllegalMove:
            return [position] * len(entries)


@defect("check", "fuzzed entries", "illegal moves", "refused logs", words="do not refuse it")
class RefusesNothing(Broken):
    def check(self, seat: Seat, action: int) -> None:
        if action in self.legal(seat) or not self.waiting() >> seat & 1:
            super().check(seat, action)


@defect("illegal moves", "turns", words="has changed the position")
class RemembersRefusals(Broken):
    def check(self, seat: Seat, action: int) -> None:
        try:
            super().check(seat, action)
        except IllegalMove:
            self.totals[seat] -= 1
            raise


@defect("turns", words="not refused")
class AnybodyMayMove(LocalReferee):
    def act(self, position: Position, entry: Entry) -> Position:
        if entry.actor != CHANCE and entry.actor not in position.step.pending:
            return position
        return super().act(position, entry)


@defect("turns", words="InvalidDeck")
class AnyDeckWillDo(LocalReferee):
    def act(self, position: Position, entry: Entry) -> Position:
        if entry.actor == CHANCE and position.step.deck:
            entry = replace(
                entry, deck=(*entry.deck, *position.step.deck)[: len(position.step.deck)]
            )
            if sorted(entry.deck) != sorted(position.step.deck):
                return position
        return super().act(position, entry)


@defect(
    "branches",
    "clones",
    "hidden cards",
    "hidden choices",
    "illegal moves",
    "order",
    "turns",
    words="played after another way was tried",
)
class CopyIsItself(Broken):
    def clone(self) -> "ToyGame":
        return self


# Secrets.


@defect("hidden cards", words="were cards that it has not seen dealt otherwise")
class Hint(Broken):
    def deal(self, deck: tuple[Card, ...]) -> list[Event]:
        events = super().deal(deck)
        return [*events, public(Custom("hint", (("first", card_text(self.hands[0][0])),)))]


@defect("hidden cards", words="were cards that it has not seen dealt otherwise")
class GapForAces(Broken):
    """Who holds an ace hears of it, and the others miss an ordinal."""

    def deal(self, deck: tuple[Card, ...]) -> list[Event]:
        events = super().deal(deck)
        for seat, hand in enumerate(self.hands):
            if any(card_text(card)[0] == "A" for card in hand):
                events.append(private(Seat(seat), Custom("ace")))
        return events


@defect("hidden cards", "hidden choices", words="decision")
class KnowingDefault(Broken):
    def default(self, seat: Seat) -> int:
        legal = self.legal(seat)
        return legal[sum(self.hands[seat - 1]) % len(legal)]


@defect("hidden choices", words="before all have chosen")
class TellsWhoSitsOut(Broken):
    def apply(self, seat: Seat, action: int) -> list[Event]:
        events = super().apply(seat, action)
        if action == SIT_OUT:
            events[0] = public(Custom("sat_out", (("seat", str(seat)),)))
        return events


@defect("order", words="in another order")
class FirstComeFirstServed(Broken):
    def _reveal(self) -> list[Event]:
        first = next(iter(self.chosen))
        events = [public(Custom("first", (("seat", str(first)),)))]
        return events + super()._reveal()


# Nonsense.


@defect("fuzzed options", words="RuntimeError")
class CrashesOnManyOptions(ToyVariant):
    def parse_options(self, given: Mapping[str, Any]) -> ToyOptions:
        if len(given) > 2:
            raise RuntimeError("too many")
        return super().parse_options(given)


@defect("check", "fuzzed entries", "illegal moves", "refused logs", words="OverflowError")
class CrashesOnLargeActions(Broken):
    def check(self, seat: Seat, action: int) -> None:
        if action > 1000:
            raise OverflowError
        super().check(seat, action)


# Worlds.


class Sampling(ToyVariant):
    """Draws worlds for the first trick of the first deal, whatever has been chosen in it."""

    def sample(
        self, header: Header, observation: Observation, rng: random.Random
    ) -> Sequence[Entry]:
        hand = header.options["hand"]
        own = [Card(bit) for bit in range(61) if observation.hand >> bit & 1]
        others = [card for card in pack(lowest_rank=6) if card not in own]
        self.shuffle(others, rng)
        place = observation.viewer * hand
        deck = (*others[:place], *sorted(own), *others[place:])
        chosen = [each.seat for each in observation.heard if isinstance(each, CardChosen)]
        return [
            Entry(1, CHANCE, 0, tuple(deck), Cause.CHANCE, b""),
            *(Entry(2 + at, seat, 1, (), Cause.PLAYER, b"") for at, seat in enumerate(chosen)),
        ]

    def shuffle(self, cards: list[Card], rng: random.Random) -> None:
        rng.shuffle(cards)


@defect("uniform", words="not uniform")
class Biased(Sampling):
    def shuffle(self, cards: list[Card], rng: random.Random) -> None:
        rng.shuffle(cards)
        cards.sort(key=lambda card: rng.random() + (card < 20) / 3)


@defect("worlds", "uniform", words="tells it something else")
class Mistaken(Sampling):
    def sample(
        self, header: Header, observation: Observation, rng: random.Random
    ) -> Sequence[Entry]:
        deal, *choices = super().sample(header, observation, rng)
        return [replace(deal, deck=deal.deck[::-1]), *choices]


@defect("worlds", "uniform", words="does not replay")
class Impossible(Sampling):
    def sample(
        self, header: Header, observation: Observation, rng: random.Random
    ) -> Sequence[Entry]:
        deal, *choices = super().sample(header, observation, rng)
        return [replace(deal, deck=deal.deck[1:]), *choices]
