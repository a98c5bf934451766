"""Maverick at first sight: whole matches, the exchange in any order, bets and revokes.

Clause by clause it is tested in `tests/unit/maverick`.
"""

import random
from typing import Any

import pytest

from kozyr import Match, load_brain
from kozyr.cards import Card, card_set
from kozyr.events import (
    EVERYBODY,
    BetMade,
    CardChosen,
    CardReturned,
    CardsGiven,
    DealScored,
    Event,
    HandLooked,
    Revoked,
    Seat,
    TrickTaken,
)
from kozyr.game import CHANCE_BIT
from kozyr.moves import Bet
from kozyr.tricks import BETS, BIDS, GIVES, LOOK
from kozyr.variant import seat_list
from kozyr_maverick import BETTING, EXCHANGING, MaverickGame, MaverickRules, MaverickVariant

VARIANT = MaverickVariant()


def dealt(seed: int = 1, **options: Any) -> MaverickGame:
    """A game whose first deal has just been dealt."""
    game = VARIANT.start(VARIANT.parse_options(options), 4)
    assert isinstance(game, MaverickGame)
    rng = random.Random(seed)
    while game.waiting() == CHANCE_BIT:
        deck = list(game.deck())
        rng.shuffle(deck)
        game.deal(tuple(deck))
    return game


def payloads(events: list[Event], viewer: int = 16) -> list[object]:
    return [event.seen_by(Seat(viewer)) for event in events]


@pytest.mark.parametrize("revoke", ["forbid", "penalty"])
@pytest.mark.parametrize("bets", [False, True])
def test_random_match_ends_and_everybody_knows_their_own_cards(*, bets: bool, revoke: str) -> None:
    options = {"bets": bets, "revoke": revoke, "max_deals": 3, "trumps_beat": not bets}
    match = Match(VARIANT, seed=5, options=options)
    rng = random.Random(5)
    while not match.over:
        seat = rng.choice(sorted(match.pending))
        legal = match.pending[seat].legal
        plays = [Card(action) for action in legal if action < BIDS]
        assert card_set(plays) & ~match.observe(seat).hand == 0
        match.play(seat, rng.choice(legal))
    deals = [each for each in match.observe(16).heard if isinstance(each, DealScored)]
    assert deals[-1].totals == match.scores
    assert match.outcome
    assert match.outcome.places in {(1, 3, 1, 3), (3, 1, 3, 1), (1, 1, 1, 1)}


def test_deal_without_bets_or_revokes_scores_its_tricks() -> None:
    """M6"""
    match = Match(VARIANT, seed=2, options={"max_deals": 1})
    while not match.over:
        for seat, decision in list(match.pending.items()):
            match.play(seat, decision.default)
    tricks = [each for each in match.observe(16).heard if isinstance(each, TrickTaken)]
    assert len(tricks) == 13
    assert match.scores == tuple(
        sum(trick.points for trick in tricks if trick.seat & 1 == seat & 1) for seat in range(4)
    )


def test_order_in_which_seats_choose_changes_nothing() -> None:
    """M2"""
    game = dealt()
    given = {seat: game.legal(Seat(seat))[3:5] for seat in range(4)}
    after = []
    for seed in range(30):
        rng = random.Random(seed)
        twin = game.clone()
        left = {seat: rng.sample(cards, 2) for seat, cards in given.items()}
        events: list[Event] = []
        while twin.phase == EXCHANGING:
            seat = rng.choice(seat_list(twin.waiting()))
            events = twin.apply(seat, left[seat].pop())
        after.append((twin.state.hands[:], twin.state.turn, events[1:]))
    assert after.count(after[0]) == 30
    assert [each.cards for each in payloads(after[0][2]) if isinstance(each, CardsGiven)] == [
        None
    ] * 4


def test_seat_that_has_chosen_two_cards_waits_no_more_and_its_choice_is_its_secret() -> None:
    """M2"""
    game = dealt()
    assert game.waiting() == 0b1111
    first, second, *_ = game.legal(Seat(2))
    game.apply(Seat(2), first)
    assert first not in game.legal(Seat(2))
    [event] = game.apply(Seat(2), second)
    assert game.waiting() == 0b1011
    assert event.faces == (
        (1 << 2, CardChosen(Seat(2), Card(second - GIVES))),
        (EVERYBODY & ~(1 << 2), CardChosen(Seat(2))),
    )


def test_blind_bet_shows_both_partners_their_cards_and_spares_the_partner_the_question() -> None:
    """M9"""
    game = dealt(bets=True)
    first = game.state.turn
    assert game.legal(Seat(first)) == [LOOK, BETS + Bet.BLIND]
    events = game.apply(Seat(first), BETS + Bet.BLIND)
    partner = (first + 2) % 4
    assert payloads(events) == [
        BetMade(Seat(first), Bet.BLIND),
        HandLooked(Seat(first)),
        HandLooked(Seat(partner)),
    ]
    own = events[2].seen_by(Seat(partner))
    assert isinstance(own, HandLooked)
    assert own.cards is not None
    assert card_set(own.cards) == game.state.hands[partner]
    for _ in range(2):  # the other team looks
        game.apply(Seat(game.state.turn), LOOK)
    assert game.phase == BETTING
    assert game.state.turn == (first + 1) % 4
    game.apply(Seat(game.state.turn), BETS + Bet.SMART)
    assert game.phase == EXCHANGING


@pytest.mark.parametrize(
    ("bet", "points", "books", "bettor_tricks", "result"),
    [
        (Bet.NONE, -4, 0, 3, -4),
        (Bet.ZERO, 5, 0, 0, 15),
        (Bet.ZERO, 0, 0, 0, 0),
        (Bet.ZERO, -7, 0, 0, 1),
        (Bet.ZERO, 9, 0, 1, -1),
        (Bet.BLIND, 3, 0, 1, 6),
        (Bet.BLIND, 2, 0, 1, -3),
        (Bet.BLIND, 1, 0, 1, -3),
        (Bet.SMART, 13, 3, 1, 26),
        (Bet.SMART, 13, 2, 1, 0),
    ],
)
def test_bet_makes_of_the_points_what_it_promised(
    *, bet: Bet, points: int, books: int, bettor_tricks: int, result: int
) -> None:
    """M10, M11, M12: seat 2 has bet, and the other team has 2 points."""
    game = dealt(bets=True)
    state, rules = game.maverick_state, game.rules
    assert isinstance(rules, MaverickRules)
    state.bet[0], state.bettor[0] = bet, 2
    state.points[0], state.points[1], state.books[0] = points, 2, books
    state.tricks = bettor_tricks << 10
    state.penalties[0] = -8
    assert rules.bet_result(state, 0) == result
    assert rules.score(state, 0) == rules.score(state, 2) == result - 8
    assert rules.score(state, 1) == 2


def test_card_of_a_revoke_goes_back_and_one_that_follows_must_be_played() -> None:
    """M7"""
    game = dealt(revoke="penalty")
    while game.phase == EXCHANGING:
        seat = seat_list(game.waiting())[0]
        game.apply(seat, game.default(seat))
    while True:
        seat = Seat(game.state.turn)
        offences = [action for action in game.legal(seat) if not game.lawful(seat, action)]
        if offences:
            break
        game.apply(seat, game.default(seat))
    hand = game.state.hands[seat]
    told = payloads(game.apply(seat, offences[0]))
    card = Card(offences[0])
    assert told[1:] == [Revoked(seat, card, "M3", -4), CardReturned(seat, card)]
    assert game.state.hands[seat] == hand
    assert game.waiting() == 1 << seat
    assert all(game.lawful(seat, action) for action in game.legal(seat))
    assert game.maverick_state.penalties[seat & 1] == -4


# Bots


def played(names: list[str], *, seed: int, **options: Any) -> Match:
    """A whole match of these brains, by seat."""
    match = Match(VARIANT, seed=seed, options=options)
    brains = [load_brain(name) for name in names]
    for seat, brain in enumerate(brains):
        brain.begin(match.setup, Seat(seat), random.Random(100 * seed + seat))
    while not match.over:
        for seat, decision in list(match.pending.items()):
            match.play(seat, brains[seat].decide(match.observe(seat), decision))
    return match


def test_bots_play_maverick_to_its_end_and_never_revoke() -> None:
    """M7, M9"""
    for seed in range(5):
        match = played(["greedy", "random"] * 2, seed=seed, bets=True, revoke="penalty")
        assert match.over
        assert not any(isinstance(each, Revoked) for each in match.observe(16).heard)


def test_greedy_team_beats_random_team() -> None:
    """On the same deals with the seats exchanged."""
    lead = 0
    for seed in range(20):
        first = played(["greedy", "random"] * 2, seed=seed, max_deals=3).scores
        second = played(["random", "greedy"] * 2, seed=seed, max_deals=3).scores
        lead += first[0] - first[1] + second[1] - second[0]
    assert lead > 0
