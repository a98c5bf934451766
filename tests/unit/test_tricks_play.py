"""The steps of a deal, against the same rules written out card by card."""

import random

from hypothesis import given
from hypothesis import strategies as st

from kozyr.cards import (
    HEARTS,
    NO_SUIT,
    SPADES,
    SUITS,
    Card,
    Suit,
    card_set,
    cards_in,
    pack,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
)
from kozyr.tricks import (
    DealPlan,
    DealState,
    TrickRules,
    bit_of,
    card_list,
    count_of,
    make_bid,
    play_card,
    playable,
)

PACK = pack(lowest_rank=2)


def rules_for(seats: int, *, dealer_restriction: bool = False) -> TrickRules:
    return TrickRules(
        seats=seats, pack=PACK, schedule=(DealPlan(3),), dealer_restriction=dealer_restriction
    )


def state_of(hands: list[tuple[Card, ...]], trump: Suit) -> DealState:
    """A deal about to be played; seat 0 leads."""
    state = DealState(len(hands))
    state.begin(DealPlan(len(hands[0])), dealer=len(hands) - 1)
    for seat, hand in enumerate(hands):
        state.hands[seat] = card_set(hand)
    state.left = len(hands[0])
    state.set_trump(trump)
    return state


def hands_of(*texts: str) -> list[tuple[Card, ...]]:
    return [parse_cards(text) for text in texts]


def playable_by_the_book(hand: int, trick: list[Card], trump: Suit) -> list[Card]:
    """C5 for a seat that holds ``hand`` when ``trick`` lies on the table."""
    cards = list(cards_in(hand))
    if not trick:
        return cards
    for wanted in (suit_of(trick[0]), trump):
        found = [card for card in cards if suit_of(card) == wanted]
        if found:
            return found
    return cards


def winner_by_the_book(trick: list[Card], trump: Suit) -> int:
    """The place in the trick of the card that takes it (C5)."""
    trumps = [card for card in trick if suit_of(card) == trump]
    best = max(trumps or [card for card in trick if suit_of(card) == suit_of(trick[0])])
    return trick.index(best)


@given(st.integers(2, 6), st.integers(1, 8), st.sampled_from([*SUITS, NO_SUIT]), st.randoms())
def test_a_random_deal_goes_as_by_the_book(
    seats: int, hand_size: int, trump: Suit, rng: random.Random
) -> None:
    """C4, C5"""
    deck = rng.sample(PACK, seats * hand_size)
    state = state_of([tuple(deck[seat::seats]) for seat in range(seats)], trump)
    rules = rules_for(seats)
    tricks = [0] * seats
    leader = 0
    for _ in range(hand_size):
        trick: list[Card] = []
        for place in range(seats):
            assert state.turn == (leader + place) % seats
            allowed = playable_by_the_book(state.hands[state.turn], trick, trump)
            assert list(cards_in(playable(state, rules))) == allowed
            trick.append(rng.choice(allowed))
            play_card(state, rules, trick[-1])
        leader = (leader + winner_by_the_book(trick, trump)) % seats
        tricks[leader] += 1
        assert state.turn == leader
    assert [count_of(state.tricks, seat=seat) for seat in range(seats)] == tricks
    assert list(state.hands) == [0] * seats
    assert state.left == 0


def test_what_beats_a_plain_card_is_higher_or_a_trump() -> None:
    state = state_of(hands_of("9S", "6S"), HEARTS)
    rules = rules_for(2)
    play_card(state, rules, parse_card("9S"))
    assert set(cards_in(state.over)) == {
        card
        for card in PACK
        if suit_of(card) == HEARTS or (suit_of(card) == SPADES and rank_of(card) > 9)
    }


def test_what_beats_a_trump_is_a_higher_trump() -> None:
    state = state_of(hands_of("9S", "TH", "6S"), HEARTS)
    rules = rules_for(3)
    play_card(state, rules, parse_card("9S"))
    play_card(state, rules, parse_card("TH"))
    assert set(cards_in(state.over)) == set(parse_cards("JH QH KH AH"))


def test_a_discard_beats_nothing_and_leaves_the_best_card_as_it_was() -> None:
    state = state_of(hands_of("9S", "AC"), NO_SUIT)
    rules = rules_for(2)
    play_card(state, rules, parse_card("9S"))
    play_card(state, rules, parse_card("AC"))
    assert state.turn == 0


def test_on_a_demand_those_who_can_follow_play_their_highest() -> None:
    """O11, H9"""
    state = state_of(hands_of("AS 2S", "9S KS"), NO_SUIT)
    rules = rules_for(2)
    play_card(state, rules, parse_card("2S"))
    state.demanded = True
    assert playable(state, rules) == bit_of(parse_card("KS"))


def test_bids_go_round_from_the_dealers_left_and_add_up() -> None:
    """C2"""
    state = DealState(3)
    state.begin(DealPlan(3), dealer=0)
    for seat, bid in ((1, 2), (2, 0), (0, 3)):
        assert state.turn == seat
        make_bid(state, bid)
    assert [count_of(state.bids, seat=seat) for seat in range(3)] == [3, 2, 0]
    assert (state.bid_total, state.bid_count) == (5, 3)


def test_only_the_dealer_is_kept_from_making_the_bids_add_up() -> None:
    """C3"""
    rules = rules_for(2, dealer_restriction=True)
    state = DealState(2)
    state.begin(DealPlan(3), dealer=1)
    assert card_list(rules.bids(state)) == [0, 1, 2, 3]
    make_bid(state, 1)
    assert card_list(rules.bids(state)) == [0, 1, 3]
    assert card_list(rules_for(2).bids(state)) == [0, 1, 2, 3]


def test_the_dealer_is_free_when_the_others_have_bid_too_much_already() -> None:
    """C3"""
    rules = rules_for(3, dealer_restriction=True)
    state = DealState(3)
    state.begin(DealPlan(3), dealer=2)
    make_bid(state, 2)
    make_bid(state, 2)
    assert card_list(rules.bids(state)) == [0, 1, 2, 3]


def test_a_copied_state_goes_its_own_way() -> None:
    state = state_of(hands_of("AS 2S", "9S KS"), HEARTS)
    rules = rules_for(2)
    copy = DealState(2)
    copy.copy_from(state)
    play_card(state, rules, parse_card("AS"))
    assert card_list(copy.hands[0]) == sorted(parse_cards("AS 2S"))
    assert copy.laid == 0
    again = DealState(2)
    again.copy_from(state)
    assert vars_of(again) == vars_of(state) != vars_of(copy)


def vars_of(state: DealState) -> dict[str, object]:
    """All that a state holds, by name; compiled, it has no ``__dict__``."""
    values = {name: getattr(state, name) for name in dir(state) if not name.startswith("_")}
    return {name: value for name, value in values.items() if not callable(value)}
