"""Sets of cards as one integer, and small counts packed by seat: the toolkit's arithmetic.

Compiled, an `i64` is a machine word: it must stay below 2^62, and a literal must never be shifted
left by a variable (that is a 32-bit shift). So single bits are made by shifting the highest down.
"""

from typing import Final

from mypy_extensions import i64

from kozyr.cards import CARD_COUNT, LANE_WIDTH, Card, Suit

SEATS_MAX: Final = 12
"""How many seats fit into counts packed by seat."""

COUNT_MAX: Final = 31
"""The highest count that fits into counts packed by seat."""

_SPADES: Final = 0x3FFE
_CLUBS: Final = 0x1FFF0000
_DIAMONDS: Final = 0xFFF80000000
_HEARTS: Final = 0x7FFC00000000000


def _probe() -> None:
    pass


COMPILED: Final = not hasattr(_probe, "__code__")
"""Whether this module runs compiled: there bits are counted otherwise than here."""

_NUMBERS: Final = tuple(
    next((number for number in range(CARD_COUNT) if pow(2, number, 67) == remainder), 0)
    for remainder in range(67)
)
"""The number of a bit by its remainder modulo 67, which no two bits share."""


# Sets of cards.


def bit_of(number: i64) -> i64:
    """The set of one card, or of one count."""
    return 0x1000000000000000 >> (60 - number)


def suit_cards(suit: i64) -> i64:
    """The thirteen cards of a suit, none of `NO_SUIT`."""
    if suit < 0:
        return 0
    return 0x7FFC00000000000 >> (45 - 15 * suit)


def suit_cards_of(bit: i64) -> i64:
    """The thirteen cards of the suit that a single suit card has."""
    if bit <= _SPADES:
        return _SPADES
    if bit <= _CLUBS:
        return _CLUBS
    if bit <= _DIAMONDS:
        return _DIAMONDS
    return _HEARTS


def above(bit: i64) -> i64:
    """Every number above that of a single card; cut down to a suit, its higher cards."""
    return -(bit + bit)


def highest(cards: i64) -> i64:
    """The card of the highest number, as a set; empty of an empty one."""
    cards |= cards >> 1
    cards |= cards >> 2
    cards |= cards >> 4
    cards |= cards >> 8
    cards |= cards >> 16
    cards |= cards >> 32
    return cards ^ (cards >> 1)


def lowest_ranked(cards: i64) -> i64:
    """The card of the lowest rank of a non-empty set, as a set; of equals the first suit's."""
    ranks = (cards | cards >> 15 | cards >> 30 | cards >> 45) & 0xFFFF
    bit = ranks & -ranks
    while not cards & bit:
        bit <<= 15
    return bit


def count(cards: i64) -> i64:
    """How many cards are in a set; the one place where bits are counted."""
    if not COMPILED:
        return int(cards).bit_count()
    cards -= cards >> 1 & 0x1555555555555555
    cards = (cards & 0x3333333333333333) + (cards >> 2 & 0x3333333333333333)
    cards = cards + (cards >> 4) & 0x0F0F0F0F0F0F0F0F
    return cards * 0x0101010101010101 >> 56


def nth_bit(cards: i64, place: i64) -> i64:
    """The card that has so many lower ones in its set, as a set."""
    while place:
        cards &= cards - 1
        place -= 1
    return cards & -cards


def number_of(bit: i64) -> i64:
    """The number of the card of a set of one."""
    return count(bit - 1)


def nth(cards: i64, place: i64) -> i64:
    """The number of the card that has so many lower ones in its set."""
    return number_of(nth_bit(cards, place))


def only_card(cards: int) -> Card:
    """The card of a set of one."""
    return Card(cards.bit_length() - 1)


def only_suit(cards: int) -> Suit:
    """The suit of a non-empty set of cards of one suit."""
    return Suit((cards.bit_length() - 1) // LANE_WIDTH)


def card_list(cards: i64) -> list[int]:
    """The numbers of a set, ascending."""
    numbers: list[int] = []
    while cards:
        rest = cards & (cards - 1)
        numbers.append(_NUMBERS[(cards ^ rest) % 67])
        cards = rest
    return numbers


# Counts packed by seat, five bits each, seat 0 lowest.


def one_for(seat: i64) -> i64:
    """A count of one for a seat, to be added."""
    return 0x80000000000000 >> (55 - 5 * seat)


def count_of(counts: i64, *, seat: i64) -> i64:
    """The count of a seat."""
    return counts >> (5 * seat) & 31


def counts_upto(largest: i64) -> i64:
    """The set of the counts 0 … ``largest``, as bits."""
    return 0xFFFFFFFF >> (31 - largest)
