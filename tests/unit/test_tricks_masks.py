"""The arithmetic of card sets agrees with what it says about cards."""

from hypothesis import given
from hypothesis import strategies as st

from kozyr.cards import (
    BIG_JOKER,
    CARD_COUNT,
    NO_SUIT,
    SUIT_SETS,
    SUITS,
    Card,
    card_set,
    cards_in,
    is_card,
    pack,
    rank_of,
    suit_of,
)
from kozyr.tricks import (
    above,
    bit_of,
    card_list,
    count,
    count_of,
    counts_upto,
    highest,
    lowest_ranked,
    one_for,
    only_card,
    only_suit,
    suit_cards,
    suit_cards_of,
)
from kozyr.tricks.masks import COUNT_MAX, SEATS_MAX

ALL_CARDS = pack(lowest_rank=2, jokers=2)
SUIT_CARDS = pack(lowest_rank=2)

hands = st.sets(st.sampled_from(ALL_CARDS)).map(card_set)


def test_every_card_has_its_own_bit_below_2_to_the_62() -> None:
    bits = [bit_of(card) for card in range(CARD_COUNT)]
    assert bits == [2**card for card in range(CARD_COUNT)]
    assert max(bits) < 2**62


def test_the_cards_of_a_suit_are_its_lane() -> None:
    assert tuple(suit_cards(suit) for suit in SUITS) == SUIT_SETS
    assert suit_cards(NO_SUIT) == 0
    for card in SUIT_CARDS:
        assert suit_cards_of(bit_of(card)) == SUIT_SETS[suit_of(card)]


def test_above_a_card_are_the_higher_cards_of_its_suit() -> None:
    for card in SUIT_CARDS:
        higher = above(bit_of(card)) & suit_cards(suit_of(card))
        same_suit = [each for each in SUIT_CARDS if suit_of(each) == suit_of(card)]
        assert higher == card_set(each for each in same_suit if rank_of(each) > rank_of(card))


@given(hands)
def test_a_set_is_listed_and_counted(hand: int) -> None:
    assert card_list(hand) == list(cards_in(hand))
    assert count(hand) == len(card_list(hand))


@given(hands)
def test_the_highest_card_is_the_last_of_the_list(hand: int) -> None:
    numbers = card_list(hand)
    assert highest(hand) == (bit_of(numbers[-1]) if numbers else 0)


@given(hands.filter(bool))
def test_the_lowest_rank_wins_and_of_equals_the_first_suit(hand: int) -> None:
    lowest = min(cards_in(hand), key=lambda card: (rank_of(card), card))
    assert only_card(lowest_ranked(hand)) == lowest


def test_the_only_card_and_the_only_suit_of_a_set() -> None:
    for number in filter(is_card, range(CARD_COUNT)):
        assert only_card(bit_of(number)) == number
    for suit in SUITS:
        assert only_suit(suit_cards(suit)) == suit
    assert only_card(bit_of(BIG_JOKER)) == Card(60)


@given(st.lists(st.integers(0, COUNT_MAX), min_size=SEATS_MAX, max_size=SEATS_MAX))
def test_counts_of_all_seats_fit_into_one_number(counts: list[int]) -> None:
    packed = 0
    for seat, each in enumerate(counts):
        for _ in range(each):
            packed += one_for(seat)
    assert [count_of(packed, seat=seat) for seat in range(SEATS_MAX)] == counts
    assert packed < 2**62


def test_counts_up_to_the_largest() -> None:
    for largest in range(COUNT_MAX + 1):
        assert card_list(counts_upto(largest)) == list(range(largest + 1))
