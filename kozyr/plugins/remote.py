"""A referee whose rules run in another process.

A position is named by its match, version and digest; the plugin remembers what it likes. When it
does not know a position any more, because it was started anew or had too many, it is sent the log
that led there and asked again. Every step that comes back is looked at (`kozyr.plugins.scrutiny`).
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from threading import Lock
from typing import Any, Final, Protocol, TypeVar, final

from kozyr import wire
from kozyr.brain import Decision
from kozyr.errors import (
    IllegalMove,
    InvalidOptions,
    InvalidSeatCount,
    MatchError,
    UnknownVariant,
    UnsupportedRules,
)
from kozyr.game import CHANCE
from kozyr.log import Entry, Header, entry_digest
from kozyr.plugins.calls import RulesCalls
from kozyr.plugins.plugin import check_offered
from kozyr.plugins.scrutiny import Fault, Ledger
from kozyr.referee import (
    Configuration,
    Offer,
    Position,
    Referee,
    Step,
    check_entry,
    decision_id,
)
from kozyr.v1 import record_pb2
from kozyr.v1 import rules_pb2 as pb

ENTRIES_PER_CALL_MAX: Final = 256
"""Entries of a log that travel in one call; their steps must fit into one answer."""

STEP_BYTES_MAX: Final = 65_536
"""What came of one entry, as it travels: it is kept, and told to everybody at the table."""

CONFIGURATIONS_KEPT_MAX: Final = 256
"""Sets of options whose configuration is not asked for again."""


class _Answer(Protocol):
    @property
    def need_log(self) -> bool: ...


AnswerT = TypeVar("AnswerT", bound=_Answer)


class Link(Protocol):
    """Who has the connection to a plugin."""

    def calls(self) -> RulesCalls:
        """The connection.

        Raises:
            PluginUnavailable: there is none now.
        """

    def offers(self) -> Mapping[str, Offer]:
        """What the plugin serves."""


@final
class RemoteReferee(Referee):
    """The rules of a plugin. Its calls are safe from any thread."""

    def __init__(self, link: Link, variant_id: str, rules_version: int) -> None:
        self._link = link
        self._variant_id = variant_id
        self._rules_version = rules_version
        self._configurations: OrderedDict[tuple[str, int | None], Configuration] = OrderedDict()
        self._lock = Lock()

    @property
    def variant_id(self) -> str:
        return self._variant_id

    @property
    def rules_version(self) -> int:
        return self._rules_version

    @property
    def remote(self) -> bool:
        return True

    def describe(self) -> Offer:
        offer = check_offered(self._link.offers(), self._variant_id, self._rules_version)
        return replace(offer, rules_versions=(self._rules_version,))

    def configure(self, options: Mapping[str, Any], seats: int | None = None) -> Configuration:
        """Complete some options and say what follows from them.

        Raises:
            InvalidOptions, InvalidSeatCount: they are not possible.
            PluginUnavailable, PluginMisbehaved: the plugin does not say.
        """
        key = wire.encode_options(options), seats
        with self._lock:
            known = self._configurations.get(key)
        if known is not None:
            return known
        configuration = self._calls().configure(
            self._variant_id, self._rules_version, key[0], seats=seats
        )
        with self._lock:
            self._configurations[key] = configuration
            if len(self._configurations) > CONFIGURATIONS_KEPT_MAX:
                self._configurations.popitem(last=False)
        return configuration

    def begin(self, header: Header) -> Position:
        """Open a match.

        Raises:
            UnknownVariant, UnsupportedRules: the header is for other rules.
            InvalidOptions, InvalidSeatCount: such a match cannot be played.
            PluginUnavailable, PluginMisbehaved: the plugin does not open it.
        """
        if header.variant != self._variant_id:
            raise UnknownVariant(header.variant, known=(self._variant_id,))
        if header.rules_version != self._rules_version:
            raise UnsupportedRules(
                header.variant, wanted=header.rules_version, served=(self._rules_version,)
            )
        actions = self.configure(header.options, header.seats).actions
        calls = self._calls()
        answer = calls.begin(pb.BeginRequest(header=wire.encode_header(header)))
        step = calls.decoded(wire.decode_step, answer.step)
        try:
            ledger = Ledger(header.seats, actions).opening(step)
        except Fault as fault:
            raise calls.misbehaved(str(fault)) from fault
        return _RemotePosition(step, header, _Place(None, None, 0, header.digest()), ledger)

    def act(self, position: Position, entry: Entry) -> Position:
        """Take an entry; the position given is left as it was.

        Raises:
            MatchOver, NotYourTurn, IllegalMove, InvalidDeck: the entry is not possible here.
            PluginUnavailable, PluginMisbehaved: the plugin does not take it.
        """
        assert isinstance(position, _RemotePosition), "this referee did not make the position"
        check_entry(position.step, entry)
        calls = self._calls()
        if not _is_legal(position.step, entry):
            raise self._explanation(calls, position, entry)
        try:
            [after] = self._take(calls, position, [entry])
        except MatchError as error:
            raise calls.misbehaved(f"refuses what it lists as legal: {error}") from error
        return after

    def follow(self, position: Position, entries: Sequence[Entry]) -> list[Position]:
        """Take entries one after the other, many in one call: the position after each.

        Raises:
            MatchOver, NotYourTurn, IllegalMove, InvalidDeck: one of them is not possible there.
            PluginUnavailable, PluginMisbehaved: the plugin does not take them.
        """
        assert isinstance(position, _RemotePosition), "this referee did not make the position"
        positions: list[Position] = []
        last: Position = position
        for start in range(0, len(entries), ENTRIES_PER_CALL_MAX):
            part = entries[start : start + ENTRIES_PER_CALL_MAX]
            positions += self._follow(last, part)
            last = positions[-1]
        return positions

    def _follow(self, position: Position, entries: Sequence[Entry]) -> Sequence[Position]:
        assert isinstance(position, _RemotePosition)
        if len(entries) > 1:
            try:
                return self._take(self._calls(), position, entries)
            except MatchError:
                pass  # one of them is not possible: find out which, and why
        return super().follow(position, entries)

    def _calls(self) -> RulesCalls:
        """The connection to the plugin, which may offer other rules than when we were made.

        Raises:
            PluginUnavailable: there is none now.
            UnknownVariant, UnsupportedRules: the plugin does not serve ours any more.
        """
        calls = self._link.calls()
        check_offered(self._link.offers(), self._variant_id, self._rules_version)
        return calls

    def _take(
        self, calls: RulesCalls, position: "_RemotePosition", entries: Sequence[Entry]
    ) -> "list[_RemotePosition]":
        """Have the plugin take entries.

        Raises:
            MatchError: the plugin refuses one of them.
        """
        places = position.place.followed_by(entries)
        request = pb.ActRequest(head=position.head, entries=map(_Place.encoded, places))
        answer = _asked(calls, position, lambda: calls.act(request))
        if len(answer.steps) != len(entries):
            raise calls.misbehaved(f"gives {len(answer.steps)} steps for {len(entries)} entries")
        positions: list[_RemotePosition] = []
        for place, message in zip(places, answer.steps, strict=True):
            position = _next_position(calls, position, place, message)
            positions.append(position)
        return positions

    def _explanation(
        self, calls: RulesCalls, position: "_RemotePosition", entry: Entry
    ) -> IllegalMove:
        """What the rules say against an action that is not legal."""
        request = pb.CheckRequest(head=position.head, seat=entry.actor, action=entry.action)
        answer = _asked(calls, position, lambda: calls.check(request))
        if not answer.clause and not answer.explanation:
            raise calls.misbehaved(f"does not list action {entry.action} and does not refuse it")
        legal = position.step.pending[entry.actor].legal
        return IllegalMove(answer.explanation, clause=answer.clause, legal=legal)


@final
class _Place:
    """Where a position is in its match: the end of a chain of entries, not of positions."""

    __slots__ = ("before", "digest", "entry", "version")

    def __init__(
        self, before: "_Place | None", entry: Entry | None, version: int, digest: bytes
    ) -> None:
        self.before = before
        self.entry = entry
        self.version = version
        self.digest = digest

    def followed_by(self, entries: Sequence[Entry]) -> "list[_Place]":
        """The places after each of some entries."""
        places = []
        place = self
        for entry in entries:
            digest = entry_digest(place.digest, entry)
            place = _Place(place, entry, entry.version, digest)
            places.append(place)
        return places

    def log(self) -> "list[_Place]":
        """The places from the first entry to this one."""
        places = []
        place = self
        while place.before is not None:
            places.append(place)
            place = place.before
        return places[::-1]

    def encoded(self) -> record_pb2.Entry:
        """The entry that led here, for the wire."""
        assert self.entry is not None, "nothing led to the opening"
        message = wire.encode_entry(self.entry)
        message.digest = self.digest
        return message

    def head(self, match_id: str) -> pb.Head:
        """The name of the position here."""
        return pb.Head(match_id=match_id, version=self.version, digest=self.digest)


@final
class _RemotePosition(Position):
    """A position that a plugin has, or had."""

    __slots__ = ("header", "ledger", "place")

    def __init__(self, step: Step, header: Header, place: _Place, ledger: Ledger) -> None:
        super().__init__(step)
        self.header = header
        self.place = place
        self.ledger = ledger

    @property
    def head(self) -> pb.Head:
        """Its name."""
        return self.place.head(self.header.match_id)


def _next_position(
    calls: RulesCalls, before: _RemotePosition, place: _Place, message: pb.Step
) -> _RemotePosition:
    """The position after an entry, from what the plugin says came of it."""
    entry = place.entry
    assert entry is not None
    try:
        check_entry(before.step, entry)
    except MatchError as error:
        raise calls.misbehaved(f"takes what is not possible: {error}") from error
    if not _is_legal(before.step, entry):
        raise calls.misbehaved(f"takes action {entry.action}, which it does not list as legal")
    if message.ByteSize() > STEP_BYTES_MAX:
        raise calls.misbehaved(f"gives a step of {message.ByteSize()} bytes")
    step = calls.decoded(wire.decode_step, message)
    step.pending = {
        seat: Decision(decision_id(seat, before.step, entry), seat, told.legal, told.default)
        for seat, told in step.pending.items()
    }
    try:
        ledger = before.ledger.after(step)
    except Fault as fault:
        raise calls.misbehaved(str(fault)) from fault
    return _RemotePosition(step, before.header, place, ledger)


def _asked(calls: RulesCalls, position: _RemotePosition, ask: Callable[[], AnswerT]) -> AnswerT:
    """The answer about a position, which the plugin is told anew when it does not have it."""
    answer = ask()
    if not answer.need_log:
        return answer
    _restore(calls, position)
    answer = ask()
    if answer.need_log:
        raise calls.misbehaved("does not know a match that it has just been told")
    return answer


def _restore(calls: RulesCalls, position: _RemotePosition) -> None:
    """Tell the plugin the log of a position."""
    places = position.place.log()
    parts = [
        places[start : start + ENTRIES_PER_CALL_MAX]
        for start in range(0, len(places), ENTRIES_PER_CALL_MAX)
    ]
    header = position.header
    try:
        request = pb.BeginRequest(header=wire.encode_header(header))
        if parts:
            request.log.extend(map(_Place.encoded, parts[0]))
        message = calls.begin(request).step
        for before, part in pairwise(parts):
            head = before[-1].head(header.match_id)
            answer = calls.act(pb.ActRequest(head=head, entries=map(_Place.encoded, part)))
            if len(answer.steps) != len(part):
                raise calls.misbehaved("does not know a match that it has just been told")
            message = answer.steps[-1]
    except (InvalidOptions, InvalidSeatCount, MatchError) as error:
        raise calls.misbehaved(f"refuses a match that it has played: {error}") from error
    step = calls.decoded(wire.decode_step, message)
    if step.left_to_do() != position.step.left_to_do():
        raise calls.misbehaved("plays a match again and comes to another position")


def _is_legal(step: Step, entry: Entry) -> bool:
    """Whether the action of an entry, if it is a seat's, is among those listed."""
    return entry.actor == CHANCE or entry.action in step.pending[entry.actor].legal
