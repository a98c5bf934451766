"""Endings are solved exactly: what a search without any shortcut finds."""

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from kozyr.cards import NO_SUIT, SUITS, Card, card_set, parse_card, parse_cards
from kozyr.plugins import load_variant
from kozyr.tricks import (
    PLAYING,
    DealState,
    EndingSolver,
    Objective,
    TrickGame,
    TrickRules,
    bit_of,
    count_of,
    play_card,
)
from kozyr.tricks.endings import distinct, lawful_actions
from kozyr.variant import seat_list
from kozyr_maverick import state as maverick
from kozyr_maverick.state import MaverickState

CASES: list[tuple[str, int, dict[str, Any]]] = [
    ("odessa", 4, {"max_hand": 6}),
    ("odessa", 3, {"max_hand": 6, "joker": True}),
    ("odessa", 3, {"max_hand": 6, "joker": True, "joker_demand": False}),
    ("georgian", 2, {}),
    ("child", 4, {}),
    ("child", 3, {"circular_trumps": True}),
    ("child", 3, {"silent_poker_lead": "spades"}),
    ("maverick", 4, {}),
    ("maverick", 4, {"trumps_beat": False, "bets": True}),
]

SIZES = {2: 5, 3: 3, 4: 3}
"""Cards in each hand that a search without shortcuts can manage, by the number of players."""


def rules_of(variant_id: str, seats: int, options: dict[str, Any]) -> TrickRules:
    variant = load_variant(variant_id)
    game = variant.start(variant.parse_options(options), seats)
    assert isinstance(game, TrickGame)
    return game.rules


def ending(
    case: tuple[str, int, dict[str, Any]], rng: random.Random
) -> tuple[TrickRules, DealState]:
    """A deal of a few cards, with bids, bets and a trump, perhaps in the middle of a trick."""
    variant, seats, options = case
    rules, size = rules_of(*case), SIZES[seats]
    state = rules.new_state()
    state.begin(rules.plan(0)._replace(hand_size=size), dealer=rng.randrange(seats))
    deck = rng.sample(rules.pack, size * seats)
    if rules.special and rng.random() < 0.7:
        special = Card(int(rules.special).bit_length() - 1)
        deck = [special, *(card for card in deck if card != special)][: size * seats]
        rng.shuffle(deck)
    for seat in range(seats):
        state.hands[seat] = card_set(deck[seat * size : (seat + 1) * size])
        state.bids |= rng.randrange(size + 1) << 5 * seat
    state.left = size
    trumps = [2] if variant == "child" else [*SUITS, NO_SUIT]
    state.set_trump(NO_SUIT if options.get("circular_trumps") else rng.choice(trumps))
    if isinstance(state, MaverickState):
        state.set_summator(rng.choice(SUITS))
        state.bet[0], state.bettor[0] = rng.randrange(4), rng.choice((0, 2))
        state.points[0], state.books[0] = rng.randrange(-5, 9), rng.randrange(4)
    for _ in range(rng.randrange(seats + 2)):
        play_card(state, rules, rng.choice(lawful_actions(state, rules)))
    return rules, state


def plainly(
    state: DealState, rules: TrickRules, *, seat: int, side: int, objective: Objective
) -> int:
    """The value of a position, by looking at everything."""
    if not state.left:
        if objective is Objective.SCORE:
            return int(rules.score(state, seat))
        ours = [each for each in range(state.seats) if side >> each & 1]
        return sum(int(count_of(state.tricks, seat=each)) for each in ours)
    best = max if side >> state.turn & 1 else min
    return best(
        plainly(each, rules, seat=seat, side=side, objective=objective)
        for _, each in after(state, rules)
    )


def after(state: DealState, rules: TrickRules) -> Iterator[tuple[int, DealState]]:
    """Every lawful action and the position after it."""
    for action in lawful_actions(state, rules):
        child = rules.new_state()
        child.copy_from(state)
        play_card(child, rules, action)
        yield action, child


@pytest.mark.parametrize("objective", Objective)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_value_is_that_of_a_search_without_shortcuts(
    case: tuple[str, int, dict[str, Any]], objective: Objective
) -> None:
    rng = random.Random(8)
    for _ in range(6):
        rules, state = ending(case, rng)
        if not state.left:
            continue
        seat = rng.randrange(state.seats)
        allies = bit_of(seat ^ 2) if case[0] == "maverick" else rng.choice((0, 0, bit_of(0)))
        side = bit_of(seat) | allies
        solver = EndingSolver(rules, seat=seat, allies=allies, objective=objective)
        exact = partial(plainly, rules=rules, seat=seat, side=side, objective=objective)
        for _ in range(2):  # the second time from a table that is filled
            assert solver.value(state) == exact(state)
        assert solver.action_values(state) == {
            action: exact(child) for action, child in after(state, rules)
        }


def test_one_solver_solves_endings_of_different_trumps_one_after_the_other() -> None:
    rng = random.Random(5)
    rules = rules_of(*CASES[0])
    solver = EndingSolver(rules, seat=1)
    for _ in range(12):
        _, state = ending(CASES[0], rng)
        if state.left:
            alone = EndingSolver(rules, seat=1)
            assert solver.value(state) == alone.value(state)


def small(*hands: str, trump: int = 3, bids: tuple[int, ...] = ()) -> tuple[TrickRules, DealState]:
    """An ending of Odessa with these hands; seat 0 leads."""
    rules = rules_of("odessa", len(hands), {"max_hand": 6})
    state = rules.new_state()
    size = len(hands[0].split())
    state.begin(rules.plan(0)._replace(hand_size=size), dealer=len(hands) - 1)
    for seat, hand in enumerate(hands):
        state.hands[seat] = card_set(parse_cards(hand))
    for seat, bid in enumerate(bids):
        state.bids |= bid << 5 * seat
    state.left = size
    state.set_trump(trump)
    return rules, state


def test_who_leads_from_the_top_takes_both_tricks() -> None:
    """Ace and king of spades against queen and jack; hearts are trump, and nobody has any."""
    rules, state = small("AS KS", "QS JS")
    assert EndingSolver(rules, seat=0, objective=Objective.TRICKS).value(state) == 2


def test_who_bid_nothing_cannot_help_taking_both_and_scores_them() -> None:
    """Two tricks over a bid of 0 are two points (O4)."""
    rules, state = small("AS KS", "QS JS", bids=(0, 0))
    assert EndingSolver(rules, seat=0).value(state) == 2


def test_the_others_hold_against_it() -> None:
    """Seat 0 has bid 1, and whichever it leads is beaten: one trick is missing (O5)."""
    rules, state = small("KS 6C", "AS 7C", bids=(1, 0))
    values = EndingSolver(rules, seat=0).action_values(state)
    assert values == {parse_card("KS"): -10, parse_card("6C"): -10}


def test_the_better_lead_is_told_from_the_worse() -> None:
    """The king of spades loses both tricks (O5). To the six of clubs seat 1, which cannot follow,
    throws the ace away, so that seat 0 takes both tricks, one too many (O4).
    """
    rules, state = small("KS 6C", "AS QS", bids=(1, 0))
    values = EndingSolver(rules, seat=0).action_values(state)
    assert values == {parse_card("KS"): -10, parse_card("6C"): 2}


def test_cards_between_which_none_is_left_are_one() -> None:
    _, state = small("AS KS 9S", "TS 6S 6C")
    hand = state.hands[0]
    assert distinct(state, hand) == card_set(parse_cards("AS 9S"))
    state.hands[1] = card_set(parse_cards("6S 6C"))
    assert distinct(state, hand) == card_set(parse_cards("AS"))


def test_a_deal_without_a_trick_left_is_no_ending() -> None:
    rules, state = small("AS", "6S")
    play_card(state, rules, parse_card("AS"))
    play_card(state, rules, parse_card("6S"))
    with pytest.raises(ValueError, match="no trick of this deal is left"):
        EndingSolver(rules, seat=0).value(state)


def test_points_of_a_team_fit_into_its_standing() -> None:
    """Maverick: thirteen tricks of four points, one way or the other, thirteen books."""
    rules, state = rules_of(*CASES[7]), MaverickState()
    seen = set()
    for points in range(-52, 53):
        for books in (0, 1, 3):
            for broken in (0, 1):
                state.points[0], state.books[0] = points, books
                state.bet[0], state.bettor[0] = maverick.ZERO, 0
                state.tricks = broken
                seen.add(int(rules.standing(state, 0)))
    assert len(seen) == 105 * 3 * 2
    assert 0 <= min(seen) <= max(seen) < 1 << 30


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_is_lawful_in_an_ending_is_lawful_in_its_match(
    case: tuple[str, int, dict[str, Any]],
) -> None:
    rng = random.Random(4)
    variant = load_variant(case[0])
    game = variant.start(variant.parse_options(case[2]), case[1])
    assert isinstance(game, TrickGame)
    for _ in range(120):
        if game.waiting() >> 16:
            game.deal(tuple(rng.sample(game.deck(), len(game.deck()))))
            continue
        [seat, *_] = seat_list(game.waiting())
        if game.phase == PLAYING:
            assert lawful_actions(game.state, game.rules) == game.legal(seat)
        game.apply(seat, rng.choice(game.legal(seat)))
