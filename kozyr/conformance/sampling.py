"""Checks of worlds that are drawn to fit what a seat knows, where that is offered.

A variant in this process offers it by a method of this form::

    def sample(
        self, header: Header, observation: Observation, rng: random.Random
    ) -> Sequence[Entry]: ...

It gives a log that leads to a full position which the observer cannot tell from the real one, drawn
uniformly among all such positions. A plugin elsewhere offers the same by `Sample`.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from math import cbrt, sqrt
from typing import Final

from kozyr import wire
from kozyr.cards import Card, cards_in
from kozyr.conformance.exam import Exam
from kozyr.conformance.playthrough import Playthrough, complaint, faces
from kozyr.conformance.secrecy import named_set
from kozyr.conformance.verdicts import NotApplicable, NotOffered, Unproven, Violated, require
from kozyr.events import Seat
from kozyr.game import CHANCE
from kozyr.log import Entry
from kozyr.plugins.calls import RULES
from kozyr.referee import LocalReferee
from kozyr.v1 import rules_pb2 as pb

MOMENTS: Final = 5
"""At how many decisions of each match worlds are drawn."""
WORLDS: Final = 4
"""How many are drawn at each."""

COUNTED_MOMENTS: Final = 3
"""At how many decisions of the whole exam worlds are counted."""
COUNTED_WORLDS: Final = 1_000
"""How many are counted at each."""
REJECTED_MAX: Final = 20
"""How many deals may be rejected for each that fits."""
SIGMAS_MAX: Final = 5.0
"""How unlikely counts may be, in standard deviations."""
COUNT_MIN: Final = 10
"""Cards that are met less often are counted together."""

CALL_TIMEOUT_S: Final = 30.0

Draw = Callable[[Playthrough, Seat, int, random.Random], Sequence[Entry]]
"""Draws a log for what a seat knows at a version."""


def worlds(exam: Exam) -> None:
    """A world that is drawn for a seat replays legally, and the seat sees the same in it."""
    draw, rng = sampler(exam), exam.rng("worlds")
    for match in exam.matches:
        versions = [at for at, step in enumerate(match.steps) if step.pending]
        for version in rng.sample(versions, min(MOMENTS, len(versions))):
            viewer = rng.choice(sorted(match.steps[version].pending))
            for _ in range(WORLDS):
                world(match, viewer, version, draw(match, viewer, version, rng))


def uniform(exam: Exam) -> None:
    """Worlds are drawn uniformly, as far as they can be counted (chi-square)."""
    draw, rng = sampler(exam), exam.rng("uniform")
    moments = [
        (match, viewer, version) for match in exam.matches for version, viewer in _countable(match)
    ]
    counted = 0
    for match, viewer, version in rng.sample(moments, len(moments)):
        expected = _fitting_deals(match, viewer, version, rng)
        if expected is None:
            continue
        drawn: Counter[Card] = Counter()
        for _ in range(COUNTED_WORLDS):
            fitting = world(match, viewer, version, draw(match, viewer, version, rng))
            drawn[_some_card(fitting, viewer, rng)] += 1
        sigmas = _sigmas(drawn, expected)
        require(
            sigmas <= SIGMAS_MAX,
            f"{match.where(version)}: the worlds drawn for seat {viewer} are not uniform: cards of "
            f"others come up {sigmas:.1f} standard deviations from what dealing at random gives",
        )
        counted += 1
        if counted == COUNTED_MOMENTS:
            return
    if not counted:
        raise NotApplicable("worlds cannot be counted here")


def sampler(exam: Exam) -> Draw:
    """How worlds are drawn.

    Raises:
        NotOffered: they are not.
    """
    if isinstance(exam.referee, LocalReferee):
        sample = getattr(exam.variant, "sample", None)
        if sample is None:
            raise NotOffered("the variant has no method sample")
        return lambda match, viewer, version, rng: sample(
            match.header, match.observation(viewer, version), rng
        )
    if exam.channel is None or not exam.referee.describe().samples:
        raise NotOffered("the plugin does not say that it samples")
    channel = exam.channel

    def ask(match: Playthrough, viewer: Seat, version: int, rng: random.Random) -> list[Entry]:
        request = pb.SampleRequest(
            header=wire.encode_header(match.header),
            observation=wire.encode_observation(match.observation(viewer, version)),
            seed=rng.getrandbits(63),
        )
        call = channel().unary_unary(
            f"/{RULES}/Sample",
            request_serializer=pb.SampleRequest.SerializeToString,
            response_deserializer=pb.SampleResponse.FromString,
        )
        return [wire.decode_entry(entry) for entry in call(request, timeout=CALL_TIMEOUT_S).log]

    return ask


def world(match: Playthrough, viewer: Seat, version: int, log: Sequence[Entry]) -> Playthrough:
    """The world of a log, after a check that the seat cannot tell it from the real one.

    Raises:
        Violated: it can, or the log does not follow the rules.
    """
    where = f"{match.where(version)}: a world drawn for seat {viewer}"
    drawn = match.fork(0)
    try:
        for entry in log:
            drawn.repeat(entry)
    except Unproven:
        raise
    except Exception as error:
        raise Violated(f"{where} does not replay: {complaint(error)}") from error
    same = drawn.observation(viewer).heard == match.observation(viewer, version).heard
    require(same, f"{where} tells it something else than it has heard")
    mine, real = drawn.step.pending.get(viewer), match.steps[version].pending.get(viewer)
    same = (mine and (mine.legal, mine.default)) == (real and (real.legal, real.default))
    require(same, f"{where} lets it choose from {mine} instead of {real}")
    return drawn


def _countable(match: Playthrough) -> list[tuple[int, Seat]]:
    """Decisions before which all that was decided since the shuffle was decided openly."""
    found = []
    open_so_far = False
    for version, step in enumerate(match.steps):
        if version and match.entries[version - 1].actor == CHANCE:
            open_so_far = True
        if open_so_far:
            found += [(version, seat) for seat in step.pending]
        open_so_far = open_so_far and len(step.pending) == 1
    return found


def _fitting_deals(
    match: Playthrough, viewer: Seat, version: int, rng: random.Random
) -> Counter[Card] | None:
    """Cards of others in deals that fit what the seat knows, by dealing and rejecting.

    None when too few fit, or nobody's cards are known to their owner.
    """
    shuffle = max(at for at in range(version) if match.entries[at].actor == CHANCE)
    real = [faces(step.events, viewer) for step in match.steps[shuffle + 1 : version + 1]]
    seen = 0
    for payload in (payload for told in real for payload in told):
        seen |= named_set(payload)
    found: Counter[Card] = Counter()
    for tried in range(COUNTED_WORLDS * REJECTED_MAX):
        deck = _redealt(match.entries[shuffle].deck, seen, rng)
        twin = _follow(match, shuffle, deck, viewer, real)
        if twin is not None:
            if not _hands(twin, viewer):
                return None
            found[_some_card(twin, viewer, rng)] += 1
            if found.total() == COUNTED_WORLDS:
                return found
        if tried > COUNTED_WORLDS and found.total() * REJECTED_MAX < tried:
            return None
    return None


def _redealt(deck: Sequence[Card], seen: int, rng: random.Random) -> list[Card]:
    """A deck whose cards that were not seen are shuffled among their places."""
    unseen = [card for card in deck if not seen >> card & 1]
    rng.shuffle(unseen)
    return [card if seen >> card & 1 else unseen.pop() for card in deck]


def _follow(
    match: Playthrough,
    shuffle: int,
    deck: Sequence[Card],
    viewer: Seat,
    real: Sequence[Sequence[object]],
) -> Playthrough | None:
    """The match with another deck, None when the seat could tell it from the real one."""
    twin = match.fork(shuffle)
    twin.take(CHANCE, deck=deck)
    for at, told in enumerate(real):
        if at:
            entry = match.entries[shuffle + at]
            decision = twin.step.pending.get(entry.actor)
            if decision is None or entry.action not in decision.legal:
                return None
            twin.repeat(entry)
        if faces(twin.step.events, viewer) != told:
            return None
    return twin


def _hands(match: Playthrough, viewer: Seat) -> list[list[Card]]:
    """What the other seats hold, as far as they know themselves."""
    others = [Seat(seat) for seat in range(match.case.seats) if seat != viewer]
    hands = [list(cards_in(match.observation(seat).hand)) for seat in others]
    return [hand for hand in hands if hand]


def _some_card(match: Playthrough, viewer: Seat, rng: random.Random) -> Card:
    """A card of somebody else: under uniform worlds all that are possible come up alike."""
    hands = _hands(match, viewer)
    return rng.choice(rng.choice(hands)) if hands else Card(0)


def _sigmas(drawn: Counter[Card], expected: Counter[Card]) -> float:
    """How far two counts are apart (chi-square of two samples, Wilson and Hilferty's normal)."""
    rows = [(drawn[card], expected[card]) for card in {*drawn, *expected}]
    rare = [row for row in rows if sum(row) < COUNT_MIN]
    rows = [row for row in rows if sum(row) >= COUNT_MIN]
    rows += [(sum(one for one, _ in rare), sum(other for _, other in rare))] if rare else []
    chi_square = sum((one - other) ** 2 / (one + other) for one, other in rows)
    degrees = len(rows) - 1
    if degrees < 1:
        return 0.0
    spread = 2 / (9 * degrees)
    return (cbrt(chi_square / degrees) - (1 - spread)) / sqrt(spread)
