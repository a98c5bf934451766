"""Decisions and observations on the wire."""

from collections.abc import Iterable, Sequence

from kozyr.brain import Decision
from kozyr.cards import Suit, cards_in
from kozyr.errors import InvalidMessage
from kozyr.events import SEATS_MAX, WATCHER, BidMade, DealScored, Payload
from kozyr.moves import Bet
from kozyr.observation import Observation, SheetRow
from kozyr.v1 import cards_pb2, events_pb2
from kozyr.v1 import observations_pb2 as pb
from kozyr.wire.events import decode_event, encode_event, varint
from kozyr.wire.payloads import (
    encode_card_played,
    encode_card_shown,
    encode_custom,
    encode_deal_began,
    encode_deal_scored,
    encode_outcome,
)
from kozyr.wire.values import ENCODED_BET, ENCODED_TRUMP, decode_seat


def encode_decision(decision: Decision) -> pb.Decision:
    """A decision for the wire."""
    return pb.Decision(
        decision_id=decision.id,
        seat=decision.seat,
        legal_actions=decision.legal,
        default_action=decision.default,
    )


def decision_bytes(decision: Decision) -> bytes:
    """The bytes of `encode_decision`, which a host sends for every move."""
    legal = decision.legal
    packed = bytes(legal) if legal[-1] < 0x80 else b"".join(map(varint, legal))
    parts = [b"\x1a", varint(len(packed)), packed]
    if decision.seat:
        parts[:0] = (b"\x10", varint(decision.seat))
    if decision.id:
        parts[:0] = (b"\x08", varint(decision.id))
    if decision.default:
        parts += (b"\x20", varint(decision.default))
    return b"".join(parts)


def decode_decision(message: pb.Decision) -> Decision:
    """A decision from the wire.

    Raises:
        InvalidMessage: it leaves nothing to choose, or its default is not among what it leaves.
    """
    legal = tuple(message.legal_actions)
    if message.default_action not in legal:
        raise InvalidMessage("the default of a decision must be one of its legal actions")
    return Decision(message.decision_id, decode_seat(message.seat), legal, message.default_action)


def encode_observation(
    observation: Observation, ordinals: Iterable[int] | None = None
) -> pb.Observation:
    """An observation for the wire.

    Args:
        ordinals: the ordinal of each event heard; by default they count what was heard.
    """
    heard = observation.heard
    places = range(len(heard)) if ordinals is None else ordinals
    message = pb.Observation(
        seat=None if observation.watcher else observation.viewer,
        seats=observation.seats,
        heard=[encode_event(at, 0, payload) for at, payload in zip(places, heard, strict=True)],
        hand=cards_pb2.Cards(cards=cards_in(observation.hand)),
        counts=observation.counts,
        trump=_encode_decided(observation.trump),
        summator=_encode_decided(observation.summator),
        shown=[encode_card_shown(shown) for shown in observation.shown],
        bids=[_encode_bid(bid) for bid in observation.bids],
        bets=_encode_bets(observation.bets),
        trick=[encode_card_played(played) for played in observation.trick],
        last_trick=[encode_card_played(played) for played in observation.last_trick],
        tricks=observation.tricks,
        points=observation.points,
        totals=observation.totals,
        sheet=[_encode_row(row) for row in observation.sheet],
        facts=[encode_custom(fact) for fact in observation.facts.values()],
    )
    if observation.deal is not None:
        message.deal.CopyFrom(encode_deal_began(observation.deal))
    if observation.outcome is not None:
        message.outcome.CopyFrom(encode_outcome(observation.outcome))
    return message


def decode_observation(message: pb.Observation) -> Observation:
    """An observation from the wire: the fold of what its viewer heard.

    Raises:
        InvalidMessage: what was heard makes no observation.
    """
    if not 1 <= message.seats <= SEATS_MAX:
        raise InvalidMessage(f"a match has 1 to {SEATS_MAX} seats, not {message.seats}")
    viewer = decode_seat(message.seat) if message.HasField("seat") else WATCHER
    if message.seats <= viewer < WATCHER:
        raise InvalidMessage(f"there is no seat {viewer} among {message.seats}")
    observation = Observation.empty(viewer, message.seats)
    for event in message.heard:
        payload = decode_event(event).payload
        _check_heard(observation, payload)
        try:
            observation.hear(payload)
        except IndexError as error:
            raise InvalidMessage(f"event {event.ordinal} names a seat that is not there") from error
    return observation


def _check_heard(observation: Observation, payload: Payload) -> None:
    if not isinstance(payload, DealScored):
        return
    if observation.deal is None:
        raise InvalidMessage("a deal was scored that never began")
    if not len(payload.scores) == len(payload.totals) == observation.seats:
        raise InvalidMessage("a deal is scored for each seat")


def _encode_decided(suit: Suit | None) -> cards_pb2.Suit.ValueType:
    return cards_pb2.SUIT_UNSPECIFIED if suit is None else ENCODED_TRUMP[suit]


def _encode_bid(bid: BidMade | None) -> pb.SeatBid:
    return pb.SeatBid() if bid is None else pb.SeatBid(made=True, count=bid.count, dark=bid.dark)


def _encode_bets(bets: Sequence[Bet | None]) -> list[events_pb2.BetMade]:
    return [
        events_pb2.BetMade(seat=seat, bet=ENCODED_BET[bet])
        for seat, bet in enumerate(bets)
        if bet is not None
    ]


def _encode_row(row: SheetRow) -> pb.SheetRow:
    return pb.SheetRow(
        deal=encode_deal_began(row.deal),
        bids=[
            pb.SeatBid() if count is None else pb.SeatBid(made=True, count=count)
            for count in row.bids
        ],
        tricks=row.tricks,
        scored=encode_deal_scored(row.scored),
    )
