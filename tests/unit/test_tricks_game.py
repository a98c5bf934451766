"""The toolkit's seams: small variants of another kind are made by overriding a method or two."""

import random
from collections.abc import Sequence

import pytest

from kozyr.cards import CLUBS, NO_SUIT, SPADES, Card, next_suit, pack, parse_card, parse_cards
from kozyr.errors import IllegalMove, NotYourTurn
from kozyr.events import (
    CardsDealt,
    DealBegan,
    DealerDrawn,
    DealScored,
    Event,
    MatchEnded,
    Payload,
    Seat,
    TrickTaken,
    TrumpSet,
)
from kozyr.game import CHANCE_BIT
from kozyr.tricks import (
    BIDS,
    NAMES,
    BiddingGame,
    DealPlan,
    DealState,
    TrickGame,
    TrickRules,
    TrumpSource,
    bit_of,
    count,
    only_suit,
    suit_cards,
)

SMALL_PACK = pack(lowest_rank=9)


def payloads(events: Sequence[Event], viewer: int = 0) -> list[Payload]:
    faces = [event.seen_by(Seat(viewer)) for event in events]
    return [face for face in faces if face is not None]


def rules_of(
    *sizes: int, seats: int = 3, kind: type[TrickRules] = TrickRules, revoke_allowed: bool = False
) -> TrickRules:
    return kind(
        seats=seats,
        pack=SMALL_PACK,
        schedule=tuple(DealPlan(size) for size in sizes),
        revoke_allowed=revoke_allowed,
        revoke_penalty=-7,
    )


def stacked(*cards: str) -> tuple[Card, ...]:
    """The small pack with these cards on top."""
    top = parse_cards(" ".join(cards))
    return top + tuple(card for card in SMALL_PACK if card not in top)


def begun(game: TrickGame, *cards: str) -> list[Event]:
    """Let the last seat deal, from a pack with these cards on top."""
    lot = stacked(*("9S", "TS", "JS", "QS")[: game.rules.seats - 1], "AH")
    return game.deal(lot) + game.deal(stacked(*cards))


def finish(game: TrickGame, rng: random.Random) -> list[Event]:
    events: list[Event] = []
    while waiting := game.waiting():
        if waiting == CHANCE_BIT:
            deck = list(game.deck())
            rng.shuffle(deck)
            events += game.deal(tuple(deck))
        else:
            seat = Seat(waiting.bit_length() - 1)
            action = rng.choice(game.legal(seat))
            game.check(seat, action)
            events += game.apply(seat, action)
    return events


def test_without_bids_the_play_begins_at_once() -> None:
    game = TrickGame(rules_of(1, 2))
    told = payloads(begun(game, "9S", "TS", "AS", "9C"))
    assert [type(each) for each in told[:2]] == [DealerDrawn, DealBegan]
    assert told[-1] == TrumpSet(CLUBS)
    assert game.waiting() == 1
    told = payloads(finish(game, random.Random(1)))
    assert [type(each) for each in told].count(TrickTaken) == 3
    last = told[-1]
    assert isinstance(last, MatchEnded)
    assert sum(last.outcome.scores) == 3  # a trick is a point


def test_the_highest_card_of_the_lot_deals_and_of_equals_the_later_suit() -> None:
    """C1"""
    game = TrickGame(rules_of(1))
    [drawn, *_] = payloads(game.deal(stacked("KS", "KD", "KC")))
    assert drawn == DealerDrawn(parse_cards("KS KD KC"), Seat(1))
    game.deal(SMALL_PACK)
    assert game.waiting() == bit_of(2)


class CircularRules(TrickRules):
    """Each trick's trump is the suit after the one led."""

    def trump_source(self, plan: DealPlan) -> TrumpSource:
        return TrumpSource.NONE

    def open(self, state: DealState, bit: int) -> None:
        state.set_trump(next_suit(only_suit(bit)))
        super().open(state, bit)


def test_a_trump_that_changes_with_the_lead_is_told_and_counts() -> None:
    game = TrickGame(rules_of(2, kind=CircularRules))
    begun(game, "9S", "KS", "9C", "AS", "TD", "TC")
    told = payloads(game.apply(Seat(0), parse_card("9S")))
    assert told[1:] == [TrumpSet(CLUBS)]
    game.apply(Seat(1), parse_card("KS"))
    told = payloads(game.apply(Seat(2), parse_card("9C")))
    assert told[1:] == [TrickTaken(Seat(2))]


class OvertakingRules(TrickRules):
    """Who can beat the best card must."""

    def follow(self, state: DealState, hand: int) -> int:
        lawful = super().follow(state, hand)
        return lawful & state.over or lawful


def test_a_stricter_follow_rule_is_one_method() -> None:
    game = TrickGame(rules_of(2, seats=2, kind=OvertakingRules))
    begun(game, "TS", "9S", "9D", "KS", "9H")
    game.apply(Seat(0), parse_card("TS"))
    assert game.legal(Seat(1)) == [parse_card("KS")]


class CountingState(DealState):
    """Counts the spades that each seat took."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self.spades = [0] * seats

    def begin(self, plan: DealPlan, *, dealer: int) -> None:
        super().begin(plan, dealer=dealer)
        self.spades = [0] * len(self.spades)

    def copy_from(self, other: DealState) -> None:
        super().copy_from(other)
        assert isinstance(other, CountingState)
        self.spades = list(other.spades)


class CountingRules(TrickRules):
    """A point for each spade taken."""

    def new_state(self) -> DealState:
        return CountingState(self.seats)

    def close(self, state: DealState) -> None:
        assert isinstance(state, CountingState)
        state.spades[state.best] += count(state.table & suit_cards(SPADES))

    def score(self, state: DealState, seat: int) -> int:
        assert isinstance(state, CountingState)
        return state.spades[seat]


def test_a_state_of_its_own_counts_what_the_variant_counts() -> None:
    game = TrickGame(rules_of(6, seats=4, kind=CountingRules))
    copy = game.clone()
    told = payloads(finish(game, random.Random(2)))
    scores = [each.scores for each in told if isinstance(each, DealScored)]
    assert [sum(each) for each in scores] == [6]
    assert payloads(finish(copy, random.Random(2))) == told


def test_a_copy_of_a_match_goes_its_own_way_and_keeps_its_kind() -> None:
    game = BiddingGame(rules_of(2, 1, kind=CountingRules))
    rng = random.Random(3)
    for _ in range(12):
        copy = game.clone()
        assert type(copy) is BiddingGame
        before = (game.waiting(), game.scores(), list(game.state.hands))
        finish(copy, rng)
        assert (game.waiting(), game.scores(), list(game.state.hands)) == before
        if game.waiting() == CHANCE_BIT:
            game.deal(game.deck())
        elif waiting := game.waiting():
            seat = Seat(waiting.bit_length() - 1)
            game.apply(seat, game.legal(seat)[0])


class NamingRules(TrickRules):
    """The dealer's left always names the trump."""

    def trump_source(self, plan: DealPlan) -> TrumpSource:
        return TrumpSource.NAMED


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_hand_of_at_most_three_cards_is_seen_whole_before_the_trump_is_named(size: int) -> None:
    """C7"""
    game = BiddingGame(rules_of(size, kind=NamingRules))
    told = payloads(begun(game))
    assert [each.count for each in told if isinstance(each, CardsDealt)] == [size] * 3
    assert payloads(game.apply(Seat(0), NAMES + SPADES)) == [TrumpSet(SPADES)]
    assert game.legal(Seat(0)) == [BIDS + bid for bid in range(size + 1)]


def test_of_a_larger_hand_three_cards_are_seen_before_the_trump_is_named() -> None:
    """C7"""
    game = BiddingGame(rules_of(5, kind=NamingRules))
    told = payloads(begun(game))
    assert [each.count for each in told if isinstance(each, CardsDealt)] == [3, 3, 3]
    told = payloads(game.apply(Seat(0), NAMES + 4))
    assert told[0] == TrumpSet(NO_SUIT)
    assert [each.count for each in told if isinstance(each, CardsDealt)] == [2, 2, 2]


def test_a_revoke_costs_its_price_and_the_deal_is_dealt_anew() -> None:
    """C6"""
    game = TrickGame(rules_of(2, seats=2, revoke_allowed=True))
    begun(game, "9S", "TS", "9C", "TC", "9H")
    game.apply(Seat(0), parse_card("9S"))
    assert game.legal(Seat(1)) == list(parse_cards("TS TC"))
    told = payloads(game.apply(Seat(1), parse_card("TC")))
    assert told[2] == DealScored((0, -7), (0, -7), "revoked")
    assert told[3] == DealBegan(0, 1, "regular", Seat(1), 2, replay=1)


def test_a_refusal_says_why() -> None:
    """C5"""
    game = TrickGame(rules_of(2, seats=2))
    begun(game, "9S", "TS", "9C", "TC", "9H")
    with pytest.raises(NotYourTurn):
        game.check(Seat(1), parse_card("TS"))
    with pytest.raises(NotYourTurn):
        game.check(Seat(-1), parse_card("TS"))
    game.apply(Seat(0), parse_card("9S"))
    reasons = {
        parse_card("TC"): "you hold a spade and must follow suit [C5]",
        parse_card("AD"): "you do not hold A♦ [C5]",
        BIDS: "it is time to play a card [C5]",
        0: "there is no such card [C5]",
        10**9: "it is time to play a card [C5]",
        -1: "it is time to play a card [C5]",
    }
    for action, reason in reasons.items():
        with pytest.raises(IllegalMove) as refused:
            game.check(Seat(1), action)
        assert str(refused.value) == reason


def test_who_cannot_follow_must_trump() -> None:
    """C5"""
    game = TrickGame(rules_of(2, seats=2))
    begun(game, "9S", "TH", "9C", "TC", "9H")
    game.apply(Seat(0), parse_card("9S"))
    with pytest.raises(IllegalMove, match="cannot follow suit but hold a heart"):
        game.check(Seat(1), parse_card("TC"))


def test_equals_share_a_place() -> None:
    """C8"""
    game = TrickGame(rules_of(1))
    game.totals[:] = [9, 9, 5]
    events: list[Event] = []
    game.end(events)
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.places == (1, 1, 3)
    assert payloads(events) == [MatchEnded(outcome)]
    assert game.waiting() == 0
