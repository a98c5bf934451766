"""Hypothesis strategies for everything that moves and events can say."""

import sys

from hypothesis import strategies as st

from kozyr.cards import NO_SUIT, SUITS, pack
from kozyr.events import (
    SEATS_MAX,
    BetMade,
    BidMade,
    CardChosen,
    CardPlayed,
    CardReturned,
    CardsDealt,
    CardsGiven,
    CardShown,
    Custom,
    DealBegan,
    DealerDrawn,
    DealScored,
    HandLooked,
    MatchEnded,
    Outcome,
    Payload,
    Revoked,
    Seat,
    SummatorSet,
    TrickTaken,
    TrumpSet,
)
from kozyr.moves import (
    Announcement,
    Bet,
    Bid,
    CustomMove,
    GiveCard,
    Look,
    MakeBet,
    Move,
    NameSuit,
    Pass,
    Play,
)

CARDS = st.sampled_from(pack(lowest_rank=2, jokers=2))
HANDS = st.lists(CARDS, max_size=14, unique=True).map(tuple)
SEATS = st.integers(0, SEATS_MAX - 1).map(Seat)
SUITS_OR_NONE = st.sampled_from((*SUITS, NO_SUIT))
COUNTS = st.integers(0, 300)
POINTS = st.integers(-100_000, 100_000)
TEXTS = st.text(max_size=12)
STANDARD = {"pass", "look", "bid", "play", "give", "bet", "name"}
WORDS = st.from_regex(r"[a-z_]{1,8}", fullmatch=True).filter(lambda word: word not in STANDARD)
VALUES = st.from_regex(r"[!-~]{0,8}", fullmatch=True)
ARGS = st.lists(st.tuples(WORDS, VALUES), max_size=3).map(tuple)
BY_SEAT = st.lists(POINTS, min_size=1, max_size=6).map(tuple)


@st.composite
def outcomes(draw: st.DrawFn) -> Outcome:
    """An outcome for some seats."""
    seats = draw(st.integers(1, 6))
    notes = st.lists(WORDS, max_size=2).map(tuple)
    return Outcome(
        scores=draw(st.tuples(*[POINTS] * seats)),
        places=draw(st.tuples(*[st.integers(1, 6)] * seats)),
        notes=draw(st.tuples(*[notes] * seats)),
    )


MOVE_KINDS: dict[type[Move], st.SearchStrategy[Move]] = {
    Pass: st.just(Pass()),
    Look: st.just(Look()),
    Bid: st.builds(Bid, st.integers(1, 20), dark=st.booleans()),
    Play: st.builds(Play, CARDS, st.sampled_from(Announcement), SUITS_OR_NONE),
    GiveCard: st.builds(GiveCard, CARDS),
    MakeBet: st.builds(MakeBet, st.sampled_from(Bet)),
    NameSuit: st.builds(NameSuit, SUITS_OR_NONE),
    CustomMove: st.builds(CustomMove, WORDS, ARGS),
}

PAYLOAD_KINDS: dict[type[Payload], st.SearchStrategy[Payload]] = {
    DealerDrawn: st.builds(DealerDrawn, HANDS, SEATS),
    DealBegan: st.builds(DealBegan, COUNTS, COUNTS, TEXTS, SEATS, COUNTS, COUNTS, COUNTS),
    CardsDealt: st.builds(CardsDealt, SEATS, COUNTS, st.none() | HANDS),
    CardShown: st.builds(CardShown, CARDS, st.none() | SEATS),
    TrumpSet: st.builds(TrumpSet, SUITS_OR_NONE),
    SummatorSet: st.builds(SummatorSet, SUITS_OR_NONE),
    HandLooked: st.builds(HandLooked, SEATS, st.none() | HANDS),
    BidMade: st.builds(BidMade, SEATS, COUNTS, st.booleans()),
    BetMade: st.builds(BetMade, SEATS, st.sampled_from(Bet)),
    CardChosen: st.builds(CardChosen, SEATS, st.none() | CARDS),
    CardsGiven: st.builds(CardsGiven, SEATS, SEATS, COUNTS, st.none() | HANDS),
    CardPlayed: st.builds(CardPlayed, SEATS, CARDS, st.sampled_from(Announcement), SUITS_OR_NONE),
    CardReturned: st.builds(CardReturned, SEATS, CARDS),
    TrickTaken: st.builds(TrickTaken, SEATS, POINTS),
    Revoked: st.builds(Revoked, SEATS, CARDS, TEXTS, POINTS),
    DealScored: st.builds(DealScored, BY_SEAT, BY_SEAT, TEXTS),
    MatchEnded: st.builds(MatchEnded, outcomes()),
    Custom: st.builds(Custom, WORDS, st.lists(st.tuples(WORDS, TEXTS)).map(tuple), HANDS),
}


def moves() -> st.SearchStrategy[Move]:
    """Any move."""
    return st.one_of(*MOVE_KINDS.values())


def payloads() -> st.SearchStrategy[Payload]:
    """Anything that a face of an event can say."""
    return st.one_of(*PAYLOAD_KINDS.values())


def kinds_of(base: type) -> set[type]:
    """All that the module of ``base`` derives from it."""
    named = vars(sys.modules[base.__module__]).values()
    return {kind for kind in named if isinstance(kind, type) and issubclass(kind, base)} - {base}
