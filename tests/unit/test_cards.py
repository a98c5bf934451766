import pytest
from hypothesis import given
from hypothesis import strategies as st

from kozyr.cards import (
    BIG_JOKER,
    CARD_COUNT,
    CLUBS,
    DIAMONDS,
    HEARTS,
    JOKERS,
    NO_SUIT,
    SMALL_JOKER,
    SPADES,
    SUIT_SETS,
    SUITS,
    Card,
    InvalidCard,
    card,
    card_set,
    card_sign,
    card_text,
    cards_in,
    cards_text,
    is_card,
    next_suit,
    pack,
    parse_card,
    parse_cards,
    parse_suit,
    rank_of,
    suit_of,
    suit_text,
)

ALL_CARDS = pack(lowest_rank=2, jokers=2)
CARDS = st.sampled_from(ALL_CARDS)


def test_cards_have_the_numbers_that_the_protos_promise() -> None:
    named = {"2S": 1, "AS": 13, "2C": 16, "TD": 39, "AH": 58, "SJ": 59, "BJ": 60}
    assert {text: parse_card(text) for text in named} == named


def test_every_card_is_read_back_from_its_text_in_any_case() -> None:
    for each in ALL_CARDS:
        assert parse_card(card_text(each)) == each
        assert parse_card(f" {card_text(each).lower()} ") == each


def test_suit_and_rank_make_the_card_again() -> None:
    for each in pack(lowest_rank=2):
        assert card(suit_of(each), rank_of(each)) == each


def test_jokers_have_no_suit_and_rank_above_the_ace_big_over_small() -> None:
    assert suit_of(SMALL_JOKER) == suit_of(BIG_JOKER) == NO_SUIT
    assert rank_of(parse_card("AS")) < rank_of(SMALL_JOKER) < rank_of(BIG_JOKER)
    assert card_set([SMALL_JOKER, BIG_JOKER]) == JOKERS


@pytest.mark.parametrize(
    ("lowest_rank", "jokers", "size"), [(6, 0, 36), (6, 1, 37), (2, 0, 52), (2, 1, 53), (2, 2, 54)]
)
def test_a_pack_holds_each_of_its_cards_once(lowest_rank: int, jokers: int, size: int) -> None:
    cards = pack(lowest_rank=lowest_rank, jokers=jokers)
    assert len(set(cards)) == len(cards) == size
    assert all(is_card(each) for each in cards)


def test_the_only_joker_of_a_pack_is_the_big_one() -> None:
    assert pack(lowest_rank=6, jokers=1)[-1] == BIG_JOKER


def test_the_spares_of_a_lane_are_no_cards() -> None:
    spares = [number for number in range(CARD_COUNT) if not is_card(number)]
    assert spares == [0, 14, 15, 29, 30, 44, 45]
    assert not is_card(-1)
    assert not is_card(CARD_COUNT)
    with pytest.raises(InvalidCard, match="14"):
        card_text(Card(14))


def test_the_suits_share_no_card_and_leave_only_the_jokers() -> None:
    assert sum(SUIT_SETS) | JOKERS == card_set(ALL_CARDS)
    assert [cards.bit_count() for cards in SUIT_SETS] == [13] * 4
    assert all(suit_of(each) == suit for suit in SUITS for each in cards_in(SUIT_SETS[suit]))


def test_every_set_of_cards_stays_below_two_to_the_62() -> None:
    assert card_set(ALL_CARDS) < 1 << 62


@given(st.sets(CARDS))
def test_a_set_gives_its_cards_back_lowest_first(cards: set[Card]) -> None:
    assert list(cards_in(card_set(cards))) == sorted(cards)


@given(st.lists(CARDS))
def test_cards_are_read_back_from_their_text_in_order(cards: list[Card]) -> None:
    assert parse_cards(cards_text(cards)) == tuple(cards)


def test_people_see_suits_as_signs_ten_as_10_and_jokers_as_stars() -> None:
    signs = [card_sign(each) for each in parse_cards("AS TD 7C KH BJ SJ")]
    assert signs == ["A♠", "10♦", "7♣", "K♥", "★", "☆"]


@pytest.mark.parametrize("text", ["", "A", "1S", "10S", "AX", "SA", "AS KS", "JB", "ß"])
def test_a_text_that_names_no_card_is_refused(text: str) -> None:
    with pytest.raises(InvalidCard, match="names no card"):
        parse_card(text)


def test_the_circle_of_suits_closes() -> None:
    assert [next_suit(suit) for suit in SUITS] == [CLUBS, DIAMONDS, HEARTS, SPADES]


def test_every_suit_is_read_back_from_its_text() -> None:
    for suit in (*SUITS, NO_SUIT):
        assert parse_suit(suit_text(suit).upper()) == suit
    with pytest.raises(InvalidCard, match="names no suit"):
        parse_suit("trumps")
