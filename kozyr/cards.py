"""Cards as small integers in four lanes, sets of cards as bit masks.

A card is a number from 0 to 60. Each suit owns a lane of 15 numbers: offset 0 is a spare below
every rank, offsets 1 to 13 are the ranks 2 … A, offset 14 is a spare above every rank. A set of
cards is an integer with bit ``card`` set for each member, so "the cards of this suit above this
one" is one mask, and every mask stays below 2^62, where compiled code keeps it unboxed.

The spares carry cards without a fixed rank: 60 is the big joker (the only joker of the games that
have one), 59 the small joker. The spare below the ranks is never a real card; a joker led *low*
stands there, beneath the lowest card of the suit it names.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NewType

Card = NewType("Card", int)
"""A card, 0..60; see the module's docstring for the layout."""

Suit = NewType("Suit", int)
"""A suit, 0..3 in the circle ♠ ♣ ♦ ♥ (the suit after ♥ is ♠), or ``NO_SUIT``."""

CardSet = int
"""A set of cards: bit ``card`` is set for each member."""

SPADES: Final = Suit(0)
CLUBS: Final = Suit(1)
DIAMONDS: Final = Suit(2)
HEARTS: Final = Suit(3)
NO_SUIT: Final = Suit(-1)
"""No suit at all: the trump of a no-trump deal, the suit of a joker."""

SUITS: Final = (SPADES, CLUBS, DIAMONDS, HEARTS)

LANE_WIDTH: Final = 15
CARD_COUNT: Final = 61

SMALL_JOKER: Final = Card(59)
BIG_JOKER: Final = Card(60)
JOKERS: Final[CardSet] = 1 << 59 | 1 << 60

TWO: Final = 2
JACK: Final = 11
QUEEN: Final = 12
KING: Final = 13
ACE: Final = 14

SUIT_SETS: Final[tuple[CardSet, ...]] = (0x3FFE, 0x1FFF0000, 0xFFF80000000, 0x7FFC00000000000)
"""The thirteen cards of each suit, by suit; no spares, no jokers."""

_SUIT_LETTERS: Final = "SCDH"
_SUIT_SIGNS: Final = "♠♣♦♥"
_RANK_LETTERS: Final = "23456789TJQKA"


class InvalidCard(ValueError):
    """A text or number that names no card."""


def card(suit: Suit, rank: int) -> Card:
    """The card of ``suit`` (0..3) with ``rank`` (2..14, ace high)."""
    assert 0 <= suit <= 3 and TWO <= rank <= ACE
    return Card(suit * LANE_WIDTH + rank - 1)


def suit_of(card: Card) -> Suit:
    """The suit of a card, ``NO_SUIT`` for a joker."""
    if card >= SMALL_JOKER:
        return NO_SUIT
    return Suit(card // LANE_WIDTH)


def rank_of(card: Card) -> int:
    """The rank of a suit card, 2..14 (ace high); the jokers are 15 (small) and 16 (big)."""
    if card >= SMALL_JOKER:
        return card - SMALL_JOKER + ACE + 1
    return card % LANE_WIDTH + 1


def next_suit(suit: Suit) -> Suit:
    """The suit after ``suit`` in the circle ♠ ♣ ♦ ♥ ♠."""
    return Suit((suit + 1) & 3)


def card_set(cards: Iterable[Card]) -> CardSet:
    """The set of the given cards."""
    result = 0
    for each in cards:
        result |= 0x1000000000000000 >> (BIG_JOKER - each)  # compiled, 1 << each could be wrong
    return result


def cards_in(cards: CardSet) -> Iterator[Card]:
    """The cards of a set, lowest number first."""
    while cards:
        lowest = cards & -cards
        yield Card(lowest.bit_length() - 1)
        cards ^= lowest


def pack(*, lowest_rank: int, jokers: int = 0) -> tuple[Card, ...]:
    """A whole pack in order: every rank from ``lowest_rank`` to the ace, then 0 to 2 jokers.

    One joker is the big one. ``lowest_rank=6`` is the pack of 36, ``2`` the pack of 52.
    """
    suited = tuple(card(suit, rank) for suit in SUITS for rank in range(lowest_rank, ACE + 1))
    return suited + (BIG_JOKER, SMALL_JOKER)[:jokers]


def card_text(card: Card) -> str:
    """The card as ASCII text: ``AS``, ``TD``, ``7C``; the jokers are ``BJ`` and ``SJ``."""
    if card == BIG_JOKER:
        return "BJ"
    if card == SMALL_JOKER:
        return "SJ"
    if not is_card(card):
        raise InvalidCard(f"no card has the number {card}")
    return _RANK_LETTERS[rank_of(card) - TWO] + _SUIT_LETTERS[suit_of(card)]


def card_sign(card: Card) -> str:
    """The card for people: ``A♠``, ``10♦``; the jokers are ``★`` (big) and ``☆`` (small)."""
    if card == BIG_JOKER:
        return "★"
    if card == SMALL_JOKER:
        return "☆"
    text = card_text(card)
    return text[0].replace("T", "10") + _SUIT_SIGNS[suit_of(card)]


def parse_card(text: str) -> Card:
    """The card that ``card_text`` writes as ``text`` (in any case).

    Raises:
        InvalidCard: the text names no card.
    """
    wanted = text.strip().upper()
    if wanted == "BJ":
        return BIG_JOKER
    if wanted == "SJ":
        return SMALL_JOKER
    if len(wanted) == 2 and wanted[0] in _RANK_LETTERS and wanted[1] in _SUIT_LETTERS:
        return card(Suit(_SUIT_LETTERS.index(wanted[1])), _RANK_LETTERS.index(wanted[0]) + TWO)
    raise InvalidCard(
        f"{text!r} names no card; a card is a rank of {_RANK_LETTERS} and a suit of "
        f"{_SUIT_LETTERS}, like AS or TD, or a joker, BJ or SJ"
    )


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards of a text like ``"AS TD 7C"``, in its order."""
    return tuple(parse_card(word) for word in text.split())


def cards_text(cards: Iterable[Card]) -> str:
    """Cards as text separated by spaces, in the given order."""
    return " ".join(card_text(each) for each in cards)


def is_card(number: int) -> bool:
    """Whether ``number`` is a real card: a rank of a suit, or a joker."""
    if number in (SMALL_JOKER, BIG_JOKER):
        return True
    return 0 <= number < SMALL_JOKER and 1 <= number % LANE_WIDTH <= 13


def suit_text(suit: Suit) -> str:
    """A suit in words: ``spades`` … ``hearts``, or ``no-trump`` for ``NO_SUIT``."""
    return "no-trump" if suit == NO_SUIT else ("spades", "clubs", "diamonds", "hearts")[suit]


def parse_suit(text: str) -> Suit:
    """The suit that ``suit_text`` writes as ``text``.

    Raises:
        InvalidCard: the text names no suit.
    """
    for suit in (*SUITS, NO_SUIT):
        if suit_text(suit) == text.strip().lower():
            return suit
    raise InvalidCard(f"{text!r} names no suit; a suit is spades, clubs, diamonds or hearts")
