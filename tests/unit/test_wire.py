"""Every domain object goes onto the wire and comes back the same; nonsense is refused by name."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from google.protobuf.message import Message
from hypothesis import example, given
from hypothesis import strategies as st

from kozyr import wire
from kozyr.brain import Decision
from kozyr.cards import NO_SUIT, SPADES, parse_card
from kozyr.errors import InvalidMessage
from kozyr.events import (
    WATCHER,
    CardPlayed,
    CardShown,
    Payload,
    Seat,
    TrickTaken,
    TrumpSet,
)
from kozyr.log import Header
from kozyr.moves import Announcement, Bid, CustomMove, Move, Play
from kozyr.record import Record
from kozyr.v1 import (
    cards_pb2,
    events_pb2,
    moves_pb2,
    observations_pb2,
    record_pb2,
    session_pb2,
)
from tests.toy import TOY, ToyOptions, play_out, toy_match
from tests.vocabulary import PAYLOAD_KINDS, SEATS, kinds_of, moves, payloads

ORDINALS = st.integers(0, 2**32 - 1)
AUDIENCES = st.integers(0, 2**17 - 1)
ACTIONS = TOY.actions(ToyOptions())


@st.composite
def decisions(draw: st.DrawFn) -> Decision:
    """Any decision."""
    legal = tuple(sorted(draw(st.sets(st.integers(0, 300), min_size=1))))
    return Decision(draw(st.integers(0, 2**40)), draw(SEATS), legal, draw(st.sampled_from(legal)))


# Events.


def test_the_vocabulary_of_the_tests_has_all_payloads() -> None:
    assert set(PAYLOAD_KINDS) == kinds_of(Payload)


@given(payloads())
def test_every_payload_comes_back_the_same(payload: Payload) -> None:
    message = wire.parse(events_pb2.Payload, wire.encode_payload(payload).SerializeToString())
    assert wire.decode_payload(message) == payload


@given(ORDINALS, AUDIENCES, payloads())
@example(0, 0, TrickTaken(Seat(0)))
def test_the_quick_bytes_of_an_event_are_those_of_its_message(
    ordinal: int, audience: int, payload: Payload
) -> None:
    slow = wire.encode_event(ordinal, audience, payload).SerializeToString()
    assert wire.event_bytes(ordinal, audience, payload) == slow
    assert wire.event_bytes(ordinal, audience, payload) == slow  # remembered by now
    assert wire.payload_bytes(payload) == wire.encode_payload(payload).SerializeToString()


@given(ORDINALS, AUDIENCES, payloads())
def test_a_face_comes_back_with_its_place_and_audience(
    ordinal: int, audience: int, payload: Payload
) -> None:
    message = wire.parse(events_pb2.Event, wire.event_bytes(ordinal, audience, payload))
    assert wire.decode_event(message) == (ordinal, audience, payload)


def test_an_audience_of_none_stands_for_all_on_the_stream() -> None:
    for_all = wire.Face(0, 0, TrumpSet(SPADES))
    for_seat_2 = wire.Face(0, 0b100, TrumpSet(SPADES))
    assert for_all.seen_by(Seat(2))
    assert for_all.seen_by(WATCHER)
    assert for_seat_2.seen_by(Seat(2))
    assert not for_seat_2.seen_by(Seat(0))


def test_no_trump_is_told_apart_from_no_suit_named() -> None:
    trump = wire.encode_payload(TrumpSet(NO_SUIT)).trump_set
    played = wire.encode_payload(CardPlayed(Seat(1), parse_card("AS"))).card_played
    assert trump.suit == cards_pb2.SUIT_NONE
    assert played.suit == cards_pb2.SUIT_UNSPECIFIED


def test_a_card_turned_up_is_told_apart_from_one_shown_by_seat_0() -> None:
    card = parse_card("AS")
    assert not wire.encode_payload(CardShown(card)).card_shown.HasField("seat")
    assert wire.encode_payload(CardShown(card, Seat(0))).card_shown.HasField("seat")


@pytest.mark.parametrize("number", [0, 1, 127, 128, 300, 2**14 - 1, 2**14, 2**32 - 1, 2**63])
def test_numbers_are_written_as_protobuf_writes_them(number: int) -> None:
    written = observations_pb2.Decision(decision_id=number).SerializeToString()
    assert (b"\x08" + wire.varint(number) if number else b"") == written


# Moves.


@given(moves())
def test_every_move_comes_back_the_same(move: Move) -> None:
    message = wire.parse(moves_pb2.Move, wire.encode_move(move).SerializeToString())
    assert wire.decode_move(message) == move


def test_the_meaning_of_all_actions_comes_back_the_same() -> None:
    assert list(wire.decode_actions(wire.encode_actions(ACTIONS))) == list(ACTIONS)


LAY_2 = CustomMove("lay", (("place", "2"),))


@pytest.mark.parametrize(
    "act",
    [
        session_pb2.Act(action=2),
        session_pb2.Act(move=wire.encode_move(LAY_2)),
        session_pb2.Act(text=" lay  place=2 "),
    ],
)
def test_a_player_names_a_move_by_number_as_message_or_as_text(act: session_pb2.Act) -> None:
    assert wire.decode_choice(act, ACTIONS) == ACTIONS.number(LAY_2) == 2


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (session_pb2.Act(), "give its action, move or text"),
        (session_pb2.Act(action=6), "action 6 is none of 0 to 5"),
        (session_pb2.Act(move=moves_pb2.Move()), "the move is empty"),
        (session_pb2.Act(move=wire.encode_move(Bid(2))), "no move 'bid 2' in this game"),
        (session_pb2.Act(text="lay place=9"), "no move 'lay place=9' in this game"),
        (session_pb2.Act(text="play 1S"), "'play 1S' is no move"),
        (session_pb2.Act(text=""), "an empty text is no move"),
    ],
)
def test_what_names_no_move_of_the_game_is_refused(act: session_pb2.Act, words: str) -> None:
    with pytest.raises(InvalidMessage, match=words):
        wire.decode_choice(act, ACTIONS)


# Decisions and observations.


@given(decisions())
def test_every_decision_comes_back_the_same_and_its_quick_bytes_are_right(
    decision: Decision,
) -> None:
    data = wire.decision_bytes(decision)
    assert data == wire.encode_decision(decision).SerializeToString()
    assert wire.decode_decision(wire.parse(observations_pb2.Decision, data)) == decision


@pytest.mark.parametrize("viewer", [0, 3, WATCHER])
def test_an_observation_comes_back_the_same_at_every_step(viewer: int) -> None:
    match = toy_match()
    while not match.over:
        message = wire.encode_observation(match.observe(viewer))
        again = wire.decode_observation(message)
        assert again == match.observe(viewer)
        assert wire.encode_observation(again) == message
        seat, decision = next(iter(match.pending.items()))
        match.play(seat, decision.legal[0])


def test_an_observation_shows_its_zones_to_whoever_does_not_fold() -> None:
    match = play_out(toy_match())
    message = wire.encode_observation(match.observe(1), range(5, 1000, 3)[: len(match.history)])
    assert message.seat == 1
    assert list(message.totals) == list(match.scores)
    assert len(message.sheet) == 2
    assert wire.decode_outcome(message.outcome) == match.outcome
    assert [event.ordinal for event in message.heard[:3]] == [5, 8, 11]
    assert not wire.encode_observation(match.observe(WATCHER)).HasField("seat")


# Records.


def test_a_header_comes_back_the_same() -> None:
    header = toy_match().header
    again = wire.decode_header(wire.encode_header(header))
    assert again == header
    assert again.digest() == header.digest()


def test_every_entry_comes_back_the_same() -> None:
    for entry in play_out(toy_match()).entries:
        assert wire.decode_entry(wire.encode_entry(entry)) == entry


def test_a_record_comes_back_the_same_with_its_texts_and_seal() -> None:
    match = play_out(toy_match())
    record = Record.of(match)
    message = wire.parse(record_pb2.Record, wire.encode_record(record).SerializeToString())
    assert wire.decode_record(message, match.setup.actions) == record


# Nonsense.


def with_header(**change: Any) -> Callable[[], object]:
    """Decodes a header with a change."""
    header: Header = replace(toy_match().header, **change)
    return lambda: wire.decode_header(wire.encode_header(header))


def with_entry(**change: Any) -> Callable[[], object]:
    """Decodes the entry of a move with a change."""
    message = wire.encode_entry(play_out(toy_match()).entries[1])
    for name, value in change.items():
        if isinstance(value, list):
            getattr(message, name).extend(value)
        else:
            setattr(message, name, value)
    return lambda: wire.decode_entry(message)


def with_record(change: Callable[[record_pb2.Record], object]) -> Callable[[], object]:
    """Decodes a record after a change."""
    match = play_out(toy_match())
    message = wire.encode_record(Record.of(match))
    change(message)
    return lambda: wire.decode_record(message, match.setup.actions)


def event(payload: events_pb2.Payload) -> events_pb2.Event:
    """A face with that payload."""
    return events_pb2.Event(payload=payload)


def observation(**parts: Any) -> Callable[[], object]:
    """Decodes an observation of these parts."""
    return lambda: wire.decode_observation(observations_pb2.Observation(**parts))


E = events_pb2
NONSENSE: dict[str, Callable[[], object]] = {
    "these bytes are no kozyr.v1.Event": lambda: wire.parse(E.Event, b"\x08"),
    "the event is empty": lambda: wire.decode_event(E.Event()),
    "no card has the number 0": lambda: wire.decode_payload(
        E.Payload(card_played=E.CardPlayed(seat=1))
    ),
    "no card has the number 14": lambda: wire.decode_payload(
        E.Payload(cards_dealt=E.CardsDealt(cards=cards_pb2.Cards(cards=[1, 14])))
    ),
    "no card has the number 61": lambda: wire.decode_payload(
        E.Payload(custom=E.CustomEvent(cards=[61]))
    ),
    "no seat has the number 16": lambda: wire.decode_payload(
        E.Payload(hand_looked=E.HandLooked(seat=16))
    ),
    "no trump has the number 0": lambda: wire.decode_payload(E.Payload(trump_set=E.TrumpSet())),
    "no suit of a card has the number 5": lambda: wire.decode_move(
        moves_pb2.Move(play=moves_pb2.Move.Play(card=1, suit=cards_pb2.SUIT_NONE))
    ),
    "an outcome has a score, a place and notes": lambda: wire.decode_outcome(E.Outcome(scores=[1])),
    "the move is empty": lambda: wire.decode_move(moves_pb2.Move()),
    "the default of a decision must be one": lambda: wire.decode_decision(
        observations_pb2.Decision(legal_actions=[1, 2])
    ),
    "a match has 1 to 16 seats, not 0": observation(),
    "there is no seat 4 among 4": observation(seats=4, seat=4),
    "event 0 names a seat that is not there": observation(
        seats=4, heard=[event(E.Payload(trick_taken=E.TrickTaken(seat=4)))]
    ),
    "a deal was scored that never began": observation(
        seats=4, heard=[event(E.Payload(deal_scored=E.DealScored()))]
    ),
    "a deal is scored for each seat": observation(
        seats=4,
        heard=[
            event(E.Payload(deal_began=E.DealBegan())),
            event(E.Payload(deal_scored=E.DealScored(scores=[1], totals=[1]))),
        ],
    ),
    "has 1 to 16 players, not 0": with_header(players=(), nonces=()),
    "a commitment has 32 bytes": with_header(commitment=b""),
    "a nonce has at most 32 bytes": with_header(nonces=(bytes(33),) * 4),
    "the options are no JSON:": lambda: wire.decode_options("{"),
    "the options are no JSON object": lambda: wire.decode_options("[]"),
    "no JSON: maximum recursion": lambda: wire.decode_options("[" * 100_000),
    "no cause has the number 0": with_entry(cause=record_pb2.CAUSE_UNSPECIFIED),
    "a digest has 32 bytes, not 1": with_entry(digest=b"x"),
    "chance has a deck and no action": with_entry(deck=[1]),
    "no seat has the number 18": with_entry(actor=18),
    "format_version 2 is not known": with_record(lambda m: setattr(m, "format_version", 2)),
    "a record has an outcome": with_record(lambda m: m.ClearField("outcome")),
    "and the seed": with_record(lambda m: m.ClearField("seed")),
    "another number of seats": with_record(lambda m: m.outcome.CopyFrom(E.Outcome())),
    "action 99 is none": with_record(lambda m: setattr(m.entries[1], "action", 99)),
}


@pytest.mark.parametrize("words", NONSENSE)
def test_nonsense_is_refused_in_words(words: str) -> None:
    with pytest.raises(InvalidMessage, match=words):
        NONSENSE[words]()


@pytest.mark.parametrize(
    "data",
    [b"\x22\x04\x08\x01\x10\x63", b"\x22\x04\x08\x01\x18\x63", b"\x32\x02\x08\x63"],
    ids=["announcement", "suit", "bet"],
)
def test_a_word_that_a_newer_program_may_know_is_refused_by_its_number(data: bytes) -> None:
    with pytest.raises(InvalidMessage, match="has the number 99"):
        wire.decode_move(wire.parse(moves_pb2.Move, data))


DECODERS: list[tuple[type[Message], Callable[[Any], object]]] = [
    (events_pb2.Event, wire.decode_event),
    (moves_pb2.Move, wire.decode_move),
    (session_pb2.Act, lambda act: wire.decode_choice(act, ACTIONS)),
    (observations_pb2.Decision, wire.decode_decision),
    (observations_pb2.Observation, wire.decode_observation),
    (record_pb2.Entry, wire.decode_entry),
    (record_pb2.Header, wire.decode_header),
    (record_pb2.Record, lambda record: wire.decode_record(record, ACTIONS)),
]
GENUINE = [
    wire.event_bytes(700, 3, CardPlayed(Seat(1), parse_card("BJ"), Announcement.HIGH, SPADES)),
    wire.encode_move(Play(parse_card("7S"), Announcement.SIMPLE)).SerializeToString(),
    session_pb2.Act(text="lay place=1").SerializeToString(),
    wire.encode_observation(toy_match().observe(0)).SerializeToString(),
    wire.encode_record(Record.of(play_out(toy_match(deals=1, hand=1)))).SerializeToString(),
]


@given(st.data())
def test_bytes_from_anywhere_are_understood_or_refused_but_never_crash(data: st.DataObject) -> None:
    kind, decode = data.draw(st.sampled_from(DECODERS))
    text = bytearray(data.draw(st.binary(max_size=60) | st.sampled_from(GENUINE)))
    for at, byte in data.draw(st.dictionaries(st.integers(0, 400), st.integers(0, 255))).items():
        if at < len(text):
            text[at] = byte
    with suppress(InvalidMessage):
        decode(wire.parse(kind, bytes(text)))
