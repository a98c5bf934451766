"""A match: header and log, and the position they make.

A match advances in two halves. `prepare` works out everything a move leads to, the shuffles that
follow it included, and changes nothing; `commit` takes it over. A host that keeps its log
elsewhere appends there in between; `play` does both at once.
"""

import hashlib
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kozyr.brain import Decision, Setup
from kozyr.cards import Card
from kozyr.errors import InvalidDeck, MatchOver, NotYourTurn, StaleDecision
from kozyr.events import Event, Outcome, Seat
from kozyr.game import CHANCE
from kozyr.log import Cause, Entry, Header, entry_digest
from kozyr.observation import Observation
from kozyr.plugins import load_variant
from kozyr.referee import LocalReferee, Position, Referee, Step
from kozyr.shuffle import Shuffler, commitment_of, new_seed
from kozyr.variant import Variant


@dataclass(slots=True)
class Advance:
    """What a move leads to: its entry and those of the shuffles that follow it.

    Attributes:
        entries: what to append to the log, in order.
        positions: what each entry leads to.
    """

    entries: tuple[Entry, ...]
    positions: tuple[Position, ...]

    @property
    def pending(self) -> Mapping[Seat, Decision]:
        """The decisions open after the last."""
        return self.positions[-1].step.pending

    @property
    def last(self) -> Step:
        """What came of the last entry."""
        return self.positions[-1].step


class Match:
    """One match, played in this process.

    >>> match = Match("odessa", seats=3, options={"max_hand": 2}, seed=1)
    >>> while not match.over:
    ...     for seat, decision in match.pending.items():
    ...         _ = match.play(seat, decision.legal[0])
    >>> len(match.outcome.scores)
    3
    """

    def __init__(
        self,
        variant: str | Variant[Any],
        *,
        seats: int = 4,
        options: Mapping[str, Any] | None = None,
        seed: int | bytes | None = None,
        players: Sequence[str] | None = None,
        nonces: Sequence[bytes] | None = None,
    ) -> None:
        """Begin a match and shuffle its first decks.

        Args:
            variant: a variant, or the id of an installed one.
            seed: 32 bytes, or any number to make them from; by default the operating system's.
            nonces: what each seat adds to the shuffles.

        Raises:
            UnknownVariant, InvalidOptions, InvalidSeatCount: there is no such match.
        """
        rules = load_variant(variant) if isinstance(variant, str) else variant
        secret = _seed_bytes(seed)
        match_id = (
            secrets.token_hex(8)
            if seed is None
            else hashlib.sha256(b"id" + secret).hexdigest()[:16]
        )
        header = Header(
            match_id=match_id,
            variant=rules.id,
            rules_version=rules.rules_version,
            options=rules.parse_options(options or {}).model_dump(mode="json"),
            players=tuple(players or (f"player {seat}" for seat in range(seats))),
            commitment=commitment_of(secret),
            nonces=tuple(nonces or (b"" for _ in range(seats))),
        )
        self._open(header, LocalReferee(rules), secret)
        self.commit(self.prepare_opening(), at_ms=now_ms())

    @classmethod
    def open(
        cls,
        header: Header,
        *,
        referee: Referee | None = None,
        seed: bytes | None = None,
        log: Iterable[Entry] = (),
    ) -> "Match":
        """The match of a header and a log; nothing is shuffled that the log does not hold.

        Args:
            referee: where its rules run; by default in this process.
            seed: needed to shuffle further decks.

        Raises:
            MatchError: the log does not follow the rules.
            UnknownVariant, UnsupportedRules, InvalidOptions, InvalidSeatCount: nobody can referee.
        """
        match = cls.__new__(cls)
        match._open(  # noqa: SLF001 (an alternative constructor)
            header, referee or LocalReferee(load_variant(header.variant)), seed
        )
        match.extend(match.replay(list(log)))
        return match

    def _open(self, header: Header, referee: Referee, seed: bytes | None) -> None:
        self.header = header
        self.referee = referee
        self.shuffler = None if seed is None else Shuffler(seed, header.match_id, header.nonces)
        self.entries: list[Entry] = []
        self.shuffles = 0
        """Chance entries in the log."""
        self.digest = header.digest()
        self._position = referee.begin(header)
        self.history: list[Event] = list(self.step.events)
        self.marks = [len(self.history)]
        """marks[v] is the length of `history` at version v."""
        self._observations: dict[Seat, tuple[Observation, int]] = {}

    @property
    def version(self) -> int:
        """The number of entries in the log."""
        return len(self.entries)

    @cached_property
    def setup(self) -> Setup:
        """What everybody at the table knows before the first card."""
        return self.referee.setup(self.header)

    @property
    def step(self) -> Step:
        """What came of the last entry."""
        return self._position.step

    @property
    def pending(self) -> Mapping[Seat, Decision]:
        """What the seats must decide now, by seat."""
        return self._position.step.pending

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.step.outcome is not None

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, None while it goes on."""
        return self.step.outcome

    @property
    def scores(self) -> tuple[int, ...]:
        """Totals, by seat, without the deal under way."""
        return self.step.scores

    @property
    def seed(self) -> bytes | None:
        """The seed of the shuffles, where this side has it; publish it when the match is over."""
        return None if self.shuffler is None else self.shuffler.seed

    def prepare(
        self,
        seat: Seat,
        action: int,
        *,
        decision_id: int | None = None,
        cause: Cause = Cause.PLAYER,
        request_id: str = "",
    ) -> Advance:
        """What an action leads to; nothing changes.

        Args:
            decision_id: the decision it answers, if the caller wants that checked.

        Raises:
            MatchOver: the match has ended.
            NotYourTurn: the seat has nothing to decide.
            StaleDecision: another decision of the seat is pending.
            IllegalMove: the rules forbid it.
        """
        if self.over:
            raise MatchOver
        decision = self.pending.get(seat)
        if decision is None:
            raise NotYourTurn(seat, waiting=sorted(self.pending))
        if decision_id is not None and decision_id != decision.id:
            raise StaleDecision(decision_id, pending=decision.id)
        return self._advance(Seat(seat), action, (), cause, request_id)

    def prepare_opening(self) -> Advance:
        """What the first shuffles lead to; nothing changes."""
        return self._advance(CHANCE, 0, self._next_deck(self.step, 0), Cause.CHANCE, "")

    def commit(self, advance: Advance, *, at_ms: int) -> list[Event]:
        """Take over what `prepare` worked out, as having happened at ``at_ms``."""
        assert advance.entries[0].version == self.version + 1, "the match has moved on"
        events: list[Event] = []
        for entry, position in zip(advance.entries, advance.positions, strict=True):
            entry.at_ms = at_ms
            self._keep(entry, position)
            events += position.step.events
        return events

    def play(self, seat: int, action: int, *, cause: Cause = Cause.PLAYER) -> list[Event]:
        """Take an action and say what happened, the shuffles that follow included.

        Raises:
            MatchOver, NotYourTurn, IllegalMove: it is not possible; nothing has changed.
        """
        return self.commit(self.prepare(Seat(seat), action, cause=cause), at_ms=now_ms())

    def append(self, entry: Entry) -> None:
        """Take over an entry of a log kept elsewhere.

        Raises:
            MatchError: it does not follow the rules here.
            InvalidDeck: its digest is not the one that the entry has here.
        """
        self.extend(self.replay([entry]))

    def replay(self, entries: Sequence[Entry]) -> Advance:
        """What further entries of a log kept elsewhere lead to; nothing changes here.

        Raises:
            MatchError: they do not follow the rules here.
            InvalidDeck: a digest is not the one that its entry has here.
        """
        digests = []
        digest = self.digest
        for version, entry in enumerate(entries, self.version + 1):
            digest = entry_digest(digest, entry)
            if entry.version != version or (entry.digest and entry.digest != digest):
                raise InvalidDeck(f"entry {entry.version} is not the one that follows here")
            digests.append(digest)
        positions = self.referee.follow(self._position, entries)
        for entry, digest in zip(entries, digests, strict=True):
            entry.digest = digest
        return Advance(tuple(entries), tuple(positions))

    def extend(self, advance: Advance) -> None:
        """Take over what `replay` worked out."""
        for entry, position in zip(advance.entries, advance.positions, strict=True):
            self._keep(entry, position)

    def observe(self, viewer: int) -> Observation:
        """What a seat, or `WATCHER`, knows now.

        It is the match's own object, which goes on hearing; change nothing in it.
        """
        seat = Seat(viewer)
        observation, heard = self._observations.get(seat) or (
            Observation.empty(seat, self.header.seats),
            0,
        )
        for event in self.history[heard:]:
            payload = event.seen_by(seat)
            if payload is not None:
                observation.hear(payload)
        self._observations[seat] = observation, len(self.history)
        return observation

    def _advance(
        self, actor: Seat, action: int, deck: tuple[Card, ...], cause: Cause, request_id: str
    ) -> Advance:
        entries: list[Entry] = []
        positions: list[Position] = []
        position, digest = self._position, self.digest
        version, shuffles = self.version, self.shuffles
        while True:
            version += 1
            entry = Entry(version, actor, action, deck, cause, b"", request_id)
            digest = entry.digest = entry_digest(digest, entry)
            position = self.referee.act(position, entry)
            step = position.step
            entries.append(entry)
            positions.append(position)
            if not step.deck:
                return Advance(tuple(entries), tuple(positions))
            if actor == CHANCE:
                shuffles += 1
            actor, action, cause, request_id = CHANCE, 0, Cause.CHANCE, ""
            deck = self._next_deck(step, shuffles)

    def _next_deck(self, step: Step, index: int) -> tuple[Card, ...]:
        assert self.shuffler is not None, "this match was opened without its seed"
        return self.shuffler.deck(index, step.deck)

    def _keep(self, entry: Entry, position: Position) -> None:
        self._position = position
        if self.entries:  # a clock may step back; time in a match does not
            entry.at_ms = max(entry.at_ms, self.entries[-1].at_ms)
        self.entries.append(entry)
        self.digest = entry.digest
        self.history += position.step.events
        self.marks.append(len(self.history))
        if entry.actor == CHANCE:
            self.shuffles += 1


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def _seed_bytes(seed: int | bytes | None) -> bytes:
    if seed is None:
        return new_seed()
    if isinstance(seed, bytes):
        return seed
    return hashlib.sha256(b"kozyr/seed/" + str(seed).encode()).digest()
