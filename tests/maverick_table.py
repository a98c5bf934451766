"""A table for tests of Maverick: stacked decks, the exchange, and whole deals written as tricks.

What serves any game of tricks is Odessa's table. Hands are given by seat, seat 0 first; seat 3
deals unless a test says otherwise, so that seat 0 is the eldest.

A whole deal is written as *rows*: a trick each, the cards of the seats 0 to 3 in that order,
whoever leads. The columns of the rows are the hands with which the deal is played, so the hands
that are dealt are these with the exchange undone.
"""

from collections.abc import Sequence
from typing import Any, Final

import pytest

from kozyr.cards import card_text, parse_cards
from kozyr.errors import IllegalMove, NotYourTurn
from kozyr.events import Seat, TrickTaken
from kozyr.moves import parse_move
from kozyr.variant import seat_list
from kozyr_maverick import MaverickVariant
from tests.odessa_table import OdessaTable

VARIANT = MaverickVariant()

SEATS: Final = 4
HAND_SIZE: Final = 13
GIFT_SIZE: Final = 2
"""How many cards each seat gives away."""

OPEN: Final = "KH 4S"
"""Hearts are trump and spades the summator, where a test does not say otherwise."""

FAMILIES: Final = (
    "AS 2S 3S 5S",  # books
    "KS 6S 7S 8S",
    "QS 9S TS JS",
    "AH 2H 3H 4H",  # four trumps each
    "QH 5H 6H 7H",
    "JH 8H 9H TH",
    "AC 2C 3C 4C",  # neither trump nor summator
    "KC 5C 6C 7C",
    "QC 8C 9C TC",
    "AD 2D 3D 4D",
    "KD 5D 6D 7D",
    "QD 8D 9D TD",
    "BJ SJ JC JD",  # what is left; nobody has another card, so nobody can follow
)
"""All cards but the open ones, as thirteen tricks of which the first card takes each.

They are worth +4, −4 and +1: books, tricks of trumps, and the seven others. So the two teams
always share 12 − 12 + 7 = 7 points.
"""


class MaverickTable(OdessaTable):
    """One match under test, with all that has happened in it.

    Attributes:
        gifts: what each seat is to give away in this deal, so that the hands become those wanted.
    """

    def __init__(self, *, dealer: int = 3, **options: Any) -> None:
        super().__init__(SEATS, variant=VARIANT, **options)
        self.gifts: list[tuple[str, ...]] = []
        self.draw_lot(dealer=dealer)

    @property
    def deciding(self) -> tuple[int, ...]:
        """The seats that have something to decide now."""
        return seat_list(self.game.waiting())

    def deal_out(self, *hands: str, open_cards: str = OPEN, dealer: int = 3) -> None:
        """Deal these hands and lay these two cards open; a short hand gets of what is left."""
        given = [hand.split() for hand in hands] + [[] for _ in range(SEATS - len(hands))]
        taken = {each for hand in given for each in hand} | set(open_cards.split())
        rest = [each for each in deck_texts(self) if each not in taken]
        fill(given, rest)
        assert not rest, "a card was given twice"
        eldest = dealer + 1
        deck = [
            given[(eldest + place) % SEATS][turn]
            for turn in range(HAND_SIZE)
            for place in range(SEATS)
        ]
        self.hand_out(parse_cards(f"{' '.join(deck)} {open_cards}"))

    def deal_for(self, rows: Sequence[str], *, open_cards: str = OPEN, dealer: int = 3) -> None:
        """Deal so that these rows can be played once everybody has given away the `gifts`."""
        wanted = [[row.split()[seat] for row in rows] for seat in range(SEATS)]
        kept = HAND_SIZE - GIFT_SIZE
        self.gifts = [tuple(wanted[(seat + 1) % SEATS][kept:]) for seat in range(SEATS)]
        hands = [" ".join([*wanted[seat][:kept], *self.gifts[seat]]) for seat in range(SEATS)]
        self.deal_out(*hands, open_cards=open_cards, dealer=dealer)

    def exchange(self) -> None:
        """Everybody gives away what `deal_for` meant them to."""
        for seat, gift in enumerate(self.gifts):
            self.give(seat, *gift)

    def give(self, seat: int, *cards: str) -> None:
        """A seat chooses these cards for its left neighbour."""
        for each in cards:
            self.act_by(seat, f"give {each}")

    def act_by(self, seat: int, text: str) -> None:
        """This seat makes this move."""
        action = self.actions.number(parse_move(text))
        self.game.check(Seat(seat), action)
        self.events += self.game.apply(Seat(seat), action)

    def play_rows(self, rows: Sequence[str]) -> None:
        """Play these tricks; who leads is the game's affair."""
        for row in rows:
            cards = row.split()
            for _ in range(SEATS):
                self.play(cards[self.turn])

    def play_deal(
        self, rows: Sequence[str], *bets: str, open_cards: str = OPEN, dealer: int = 3
    ) -> None:
        """A whole deal: bets by whoever is asked, the exchange, and these rows."""
        self.deal_for(rows, open_cards=open_cards, dealer=dealer)
        self.act(*bets)
        self.exchange()
        self.play_rows(rows)

    def taken(self) -> list[tuple[int, int]]:
        """Who took the tricks of the whole match, and what each was worth."""
        return [(trick.seat, trick.points) for trick in self.said(TrickTaken)]

    def moves_of(self, seat: int) -> set[str]:
        """The legal moves of a seat."""
        return {self.actions[action].text for action in self.game.legal(Seat(seat))}

    def refusal_of(self, seat: int, text: str) -> str:
        """The clause by which a seat that may decide is refused this move."""
        with pytest.raises(IllegalMove) as refused:
            self.game.check(Seat(seat), self.actions.number(parse_move(text)))
        return refused.value.clause

    def is_not_asked(self, seat: int, text: str) -> bool:
        """Whether a seat is refused this move because it has nothing to decide."""
        with pytest.raises(NotYourTurn):
            self.game.check(Seat(seat), self.actions.number(parse_move(text)))
        return True


def fill(hands: list[list[str]], rest: list[str]) -> None:
    """Make every hand one of thirteen cards with the first of the rest."""
    for hand in hands:
        missing = HAND_SIZE - len(hand)
        hand.extend(rest[:missing])
        del rest[:missing]


def deck_texts(table: OdessaTable) -> list[str]:
    """The cards that must be shuffled now, as text."""
    return [card_text(each) for each in table.game.deck()]


def rows_taken_by(takers: str, families: Sequence[str] = FAMILIES) -> list[str]:
    """The rows of a deal in which these seats take the tricks of the `FAMILIES`, in that order.

    ``"000 222 0000000"``: seat 0 takes the three books, seat 2 the trumps, seat 0 all others.
    """
    seats = [int(each) for each in takers.replace(" ", "")]
    rows = []
    for taker, family in zip(seats, families, strict=True):
        cards = family.split()
        rows.append(" ".join(cards[(seat - taker) % SEATS] for seat in range(SEATS)))
    return rows


def one_trick(*cards: str, open_cards: str = OPEN, **options: Any) -> MaverickTable:
    """A table at which seats 0 to 3 have played one trick of these cards, seat 0 leading.

    Seat 0 holds every card of the suit it leads that nobody else plays, so that the others can
    follow with the card they play or not at all. A joker lead leaves the hands to chance.
    """
    table = before_the_trick(*cards, open_cards=open_cards, **options)
    table.play(*cards)
    return table


def before_the_trick(*cards: str, open_cards: str = OPEN, **options: Any) -> MaverickTable:
    """A table at which seat 0 is to lead to the trick of `one_trick`."""
    table = MaverickTable(**options)
    away = set(cards) | set(open_cards.split())
    leftover = [each for each in deck_texts(table) if each not in away]
    led = [each for each in leftover if each[1] == cards[0][1] and cards[0][1] != "J"]
    hands = [[cards[0], *led][:HAND_SIZE], *([each] for each in cards[1:])]
    others = [each for each in leftover if each not in led]
    fill(hands, others)
    rows = [" ".join(row) for row in zip(*hands, strict=True)]
    table.deal_for(rows, open_cards=open_cards)
    table.exchange()
    return table
