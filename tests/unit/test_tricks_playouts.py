"""Playouts play by the rules: decision for decision what a match would play, step by step."""

import random
from typing import Any

import pytest

from kozyr.cards import Card, parse_cards
from kozyr.conformance import Exam
from kozyr.conformance.copies import answers
from kozyr.events import Seat
from kozyr.game import CHANCE_BIT
from kozyr.moves import Bet
from kozyr.plugins import load_variant
from kozyr.referee import LocalReferee
from kozyr.tricks import PLAYING, SPECIALS, Playouts, TrickGame, count_of, play_card
from kozyr.tricks.masks import card_list, count, nth
from kozyr.tricks.playouts import (
    advance,
    below,
    finish_deal,
    finish_match,
    play_aware,
    play_out,
    play_random,
)
from kozyr.variant import seat_list
from kozyr_maverick import state as maverick_state
from tests.native.differential import SHORT

CASES: list[tuple[str, int, dict[str, Any]]] = [
    ("odessa", 4, {"max_hand": 4}),
    ("odessa", 3, {"max_hand": 12, "full_deal_trump": "eldest_names", "blind_deals": 2}),
    ("odessa", 5, {"max_hand": 5, "joker": True, "no_trump_deals": 2, "dealer_restriction": False}),
    ("odessa", 3, {"max_hand": 4, "deck": 52, "joker": True, "joker_demand": False}),
    ("odessa", 2, {"max_hand": 3, "joker": True, "revoke": "penalty"}),
    ("georgian", 6, {"peak_deals": 1}),
    ("georgian", 4, {"peak_deals": 1, "joker": True, "deck": 52}),
    ("child", 4, {}),
    ("child", 5, {"circular_trumps": True, "dealer_restriction": True}),
    ("child", 3, {"silent_poker_lead": "spades", "revoke": "penalty"}),
    ("maverick", 4, {"max_deals": 4}),
    ("maverick", 4, {"max_deals": 4, "bets": True, "trumps_beat": False}),
    ("maverick", 4, {"max_deals": 3, "bets": True, "revoke": "penalty"}),
]


def new_game(variant: str, seats: int, options: dict[str, Any]) -> TrickGame:
    rules = load_variant(variant)
    game = rules.start(rules.parse_options(options), seats)
    assert isinstance(game, TrickGame)
    return game


def lawful(game: TrickGame, seat: Seat) -> list[int]:
    """What a seat may do without a revoke."""
    actions = game.legal(seat)
    if game.phase != PLAYING:
        return actions
    return [action for action in actions if game.lawful(seat, action)]


def made(game: TrickGame, seed: int, *, aware: bool) -> int:
    """The lawful action that the kernel makes of a state of its generator."""
    work = game.clone()
    play = play_aware if aware else play_random
    play(work.state, work.rules, work.state.hands, seed)
    [seat] = seat_list(game.waiting())
    [action] = [each for each in lawful(game, seat) if after(game, each) == state_of(work)]
    return action


def after(game: TrickGame, action: int) -> dict[str, object]:
    """The deal after an action."""
    twin = game.clone()
    play_card(twin.state, twin.rules, action)
    return state_of(twin)


def state_of(game: TrickGame) -> dict[str, object]:
    """Everything that is known of the deal under way."""
    return game.state.__getstate__()


def step_by_step(game: TrickGame, seed: int, *, aware: bool = False) -> int:
    """Play a match to its end through the contract of every game; the generator's state."""
    while game.waiting():
        if game.waiting() & CHANCE_BIT:
            deck = list(game.deck())
            for place in range(len(deck) - 1, 0, -1):
                seed = advance(seed)
                other = below(seed, place + 1)
                deck[place], deck[other] = deck[other], deck[place]
            game.deal(tuple(deck))
            continue
        [seat, *_] = seat_list(game.waiting())
        actions = lawful(game, seat)
        seed = advance(seed)
        if aware and game.phase == PLAYING:
            action = made(game, seed, aware=True)
        else:
            action = actions[below(seed, len(actions))]
        game.apply(seat, action)
    return seed


def somewhere(case: tuple[str, int, dict[str, Any]], seed: int) -> TrickGame:
    """A position in the middle of a random match."""
    rng = random.Random(seed)
    game = new_game(*case)
    for _ in range(rng.randrange(1, 60)):
        if not game.waiting():
            break
        if game.waiting() & CHANCE_BIT:
            game.deal(tuple(rng.sample(game.deck(), len(game.deck()))))
        else:
            seat = rng.choice(seat_list(game.waiting()))
            game.apply(seat, rng.choice(lawful(game, seat)))
    return game


@pytest.mark.parametrize("aware", [False, True])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_match_is_played_out_decision_for_decision_as_step_by_step(
    case: tuple[str, int, dict[str, Any]],
    aware: bool,  # noqa: FBT001
) -> None:
    for seed in range(4):
        game = somewhere(case, seed)
        one, other = game.clone(), game.clone()
        assert finish_match(one, seed, aware=aware) == step_by_step(other, seed, aware=aware)
        assert answers(one) == answers(other)


@pytest.mark.parametrize("variant", SHORT)
def test_every_two_values_of_options_are_played_out_as_step_by_step(variant: str) -> None:
    exam = Exam(LocalReferee(load_variant(variant)), values=SHORT[variant])
    for seed, case in enumerate(exam.cases):
        game = new_game(variant, case.seats, dict(case.configuration.options))
        other = game.clone()
        assert finish_match(game, seed, aware=False) == step_by_step(other, seed)
        assert answers(game) == answers(other)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_deal_is_played_out_to_its_score_and_no_further(
    case: tuple[str, int, dict[str, Any]],
) -> None:
    for seed in range(6):
        game = somewhere(case, seed)
        if not game.waiting():
            continue
        place = game.deal_index, game.replay
        finish_deal(game, seed, aware=False)
        assert game.ended is not None or (game.deal_index, game.replay) != place
        assert game.ended is not None or game.waiting()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_many_deals_sum_up_what_each_of_them_scores(
    case: tuple[str, int, dict[str, Any]],
) -> None:
    game = somewhere(case, 11)
    before = answers(game)
    playouts = Playouts(game, seed=3)
    sums = playouts.deals(5)
    seed = advance(3)
    expected = [0] * game.rules.seats
    for _ in range(5):
        work = game.clone()
        if work.phase == PLAYING:
            seed = play_out(work.state, work.rules, seed, aware=False)
            scores = work.deal_scores()
        else:
            seed = finish_deal(work, seed, aware=False)
            scores = [now - was for now, was in zip(work.totals, game.totals, strict=True)]
        expected = [one + other for one, other in zip(expected, scores, strict=True)]
    assert sums == expected
    assert answers(game) == before, "the position stays as it was"


def test_many_matches_sum_up_their_totals() -> None:
    game = somewhere(CASES[0], 2)
    seed, expected = advance(9), [0] * 4
    for _ in range(3):
        work = game.clone()
        seed = finish_match(work, seed, aware=True)
        expected = [one + other for one, other in zip(expected, work.totals, strict=True)]
    assert Playouts(game, seed=9, aware=True).matches(3) == expected


def test_the_same_seed_gives_the_same_playouts_and_another_others() -> None:
    game = new_game(*CASES[6])
    first = Playouts(game, seed=1).matches(3)
    assert Playouts(game, seed=1).matches(3) == first
    assert Playouts(game, seed=2).matches(3) != first


def dealt(variant: str, *hands: str, bids: list[int], **options: Any) -> TrickGame:
    """A deal about to be played, with these hands and bids; the last seat deals."""
    game = new_game(variant, len(hands), options)
    state = game.state
    size = len(hands[0].split())
    state.begin(game.rules.plan(0)._replace(hand_size=size), dealer=len(hands) - 1)
    for seat, hand in enumerate(hands):
        for card in parse_cards(hand):
            state.hands[seat] |= 1 << card
    for seat, bid in enumerate(bids):
        state.bids |= bid << 5 * seat
    state.left = size
    game.phase = PLAYING
    return game


def plays(game: TrickGame) -> set[int]:
    """All that an aware seat on turn may play."""
    seeds = range(1 << 16, 1 << 40, 1 << 31)
    return {made(game, advance(seed), aware=True) for seed in seeds}


def test_who_wants_the_trick_takes_it_and_who_does_not_leaves_it() -> None:
    [ace, king, six] = parse_cards("AS KS 6S")
    for bid, expected in ((1, {ace, king}), (0, {six})):
        game = dealt("odessa", "TS 7S 8S", "AS KS 6S", bids=[0, bid])
        game.apply(Seat(0), parse_cards("TS")[0])
        assert plays(game) == expected


def test_the_special_card_is_kept_for_a_trick_that_is_wanted_and_cannot_be_had_otherwise() -> None:
    [seven, eight] = parse_cards("7S 8S")
    for bid, expected in ((1, {SPECIALS, SPECIALS + 1}), (0, {seven, eight})):
        game = dealt("odessa", "TS 9S 6S", "BJ 7S 8S", bids=[0, bid], joker=True)
        game.apply(Seat(0), parse_cards("TS")[0])
        assert plays(game) == expected


def test_random_plays_are_uniform() -> None:
    game = dealt("odessa", "AS KS QS JS", "6C 7C 8C 9C", bids=[0, 0])
    seed, counts = 1, dict.fromkeys(parse_cards("AS KS QS JS"), 0)
    for _ in range(4_000):
        seed = advance(seed)
        counts[Card(made(game, seed, aware=False))] += 1
    assert all(900 < number < 1_100 for number in counts.values())


def test_sets_of_cards_are_counted_and_searched_alike_compiled_and_interpreted() -> None:
    rng = random.Random(6)
    for _ in range(500):
        cards = rng.getrandbits(61)
        assert count(cards) == cards.bit_count()
        assert [nth(cards, place) for place in range(count(cards))] == card_list(cards)


def test_bets_have_the_numbers_that_compiled_code_knows() -> None:
    numbers = [getattr(maverick_state, name) for name in ("NO_BET", "BLIND", "ZERO", "SMART")]
    assert numbers == [Bet.NONE, Bet.BLIND, Bet.ZERO, Bet.SMART]


def test_tricks_of_a_deal_that_was_played_out_are_all_taken() -> None:
    game = dealt("odessa", "AS KS", "6C 7C", "9D TD", bids=[0, 0, 0])
    play_out(game.state, game.rules, 5, aware=False)
    assert sum(count_of(game.state.tricks, seat=seat) for seat in range(3)) == 2
    assert list(game.state.hands) == [0, 0, 0]
