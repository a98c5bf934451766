"""What the cards may do: which are likely to take a trick, the one on the table or a later one.

Everything is reckoned from what the seat can see. A card that it cannot see is taken to be as
likely in one opponent's hand as in another's.
"""

from math import exp
from typing import Final, NamedTuple

from kozyr.cards import (
    CARD_COUNT,
    JOKERS,
    SMALL_JOKER,
    SUIT_SETS,
    SUITS,
    Card,
    CardSet,
    Suit,
    cards_in,
    suit_of,
)
from kozyr.moves import Announcement, Play
from kozyr.observation import Observation

# How a card's prospects at the bidding turned into tricks, fitted to self-play of Odessa with 3 to
# 5 seats and hands of 1 to 9 cards.
_TRUMP_LOSS: Final = 0.06
_TRUMP_LOSS_DEALT: Final = 0.14
_SIDE_FLOOR: Final = 0.02
_SIDE_SHARE: Final = 0.62
_SIDE_DELAY: Final = 0.6
_LAST_SHARE: Final = 0.3
_LAST_CROWD: Final = 1.7
_LAST_DELAY: Final = 2.0

_ALL: Final[CardSet] = (1 << CARD_COUNT) - 1


def _higher(card: Card) -> CardSet:
    suit = suit_of(card)
    above = -(2 << card)
    return JOKERS & above if card >= SMALL_JOKER else SUIT_SETS[suit] & above | JOKERS


_HIGHER: Final[tuple[CardSet, ...]] = tuple(_higher(Card(card)) for card in range(CARD_COUNT))
"""The cards that beat each card without being trumps, by card."""


def suit_cards(suit: Suit | None) -> CardSet:
    """The cards of a suit; none where there is no suit, or where it is not known."""
    return SUIT_SETS[suit] if suit is not None and suit >= 0 else 0


class Table(NamedTuple):
    """What the cards on the table ask for.

    Attributes:
        asked: the suit that must be followed; empty when anything may be played.
        over: the cards that would beat what lies there.
        demanded: whether the highest card of the suit is asked for.
    """

    asked: CardSet
    over: CardSet
    demanded: bool


def table_of(observation: Observation) -> Table:
    """What the trick under way asks for."""
    trumps = suit_cards(observation.trump)
    asked, over, demanded = 0, _ALL, False
    for place, played in enumerate(observation.trick):
        card = played.card
        special = played.announcement
        if special in (Announcement.HIGH, Announcement.DEMAND):
            over = 0
        elif special is Announcement.LOW:
            if place == 0:
                over = suit_cards(played.suit) | trumps
        elif over >> card & 1:
            over = _beating(card, trumps)
        if place == 0:
            named = special in (Announcement.HIGH, Announcement.LOW, Announcement.DEMAND)
            asked = suit_cards(played.suit) or trumps if named else suit_cards(suit_of(card))
            demanded = named and special is not Announcement.LOW
    return Table(asked, over, demanded)


class Outlook:
    """What one seat may expect of its cards.

    Attributes:
        hand: its cards.
        spared: the chance that a given opponent does not hold a given unseen card.
    """

    def __init__(self, observation: Observation, pack: CardSet) -> None:
        self.hand = observation.hand
        self.opponents = observation.seats - 1
        self._trumps = suit_cards(observation.trump)
        known = self.hand | observation.played
        for shown in observation.shown:
            if shown.seat is None:
                known |= 1 << shown.card
        self._unseen = pack & ~known
        hidden = self._unseen.bit_count()
        held = sum(observation.counts) - observation.counts[observation.viewer]
        self.spared = max(0.0, 1 - held / (self.opponents * hidden)) if hidden else 1.0
        self._dealt = (1 - self.spared) * self.opponents
        self._trumpless = self.spared ** (self._unseen & self._trumps).bit_count()

    def later(self) -> dict[Card, float]:
        """The chance of each card of the hand to take some trick of the deal.

        A joker is not among them: it does as it is told.
        """
        chances = {}
        unseen = self._unseen
        size = self.hand.bit_count()
        share = _SIDE_SHARE * size / (size + _SIDE_DELAY)
        loss = _TRUMP_LOSS + _TRUMP_LOSS_DEALT * self._dealt
        for suit in SUITS:
            cards = self.hand & SUIT_SETS[suit]
            if not cards:
                continue
            if cards & self._trumps:
                for card in cards_in(cards):
                    chances[card] = exp(-loss * (unseen & _HIGHER[card]).bit_count())
                continue
            ruffed = self._ruffed(SUIT_SETS[suit])
            for card in cards_in(cards):
                stands = self.spared ** (unseen & _HIGHER[card]).bit_count() - ruffed
                held = stands**self.opponents if stands > 0 else 0.0
                chances[card] = _SIDE_FLOOR + share * held
        return chances

    def now(self, play: Play, table: Table, to_come: int) -> float:
        """The chance that a play takes the trick on the table when ``to_come`` seats follow."""
        card = play.card
        special = play.announcement
        if special in (Announcement.HIGH, Announcement.DEMAND):
            return 1.0 if table.over else 0.0
        if special is Announcement.LOW:
            # Led, it takes the trick if nobody has the suit it names, or a trump.
            beating = suit_cards(play.suit) | self._trumps
            return 0.0 if table.asked else self._nobody(beating, to_come)
        if not table.over >> card & 1:
            return 0.0
        if not to_come:
            return 1.0
        asked = table.asked or suit_cards(suit_of(card))
        safe = self.spared ** (self._unseen & _HIGHER[card]).bit_count()
        if not self._trumps >> card & 1:
            safe -= self._ruffed(asked)
        elif asked != self._trumps:
            void = self.spared ** (self._unseen & asked).bit_count()
            safe = 1 - void * (1 - safe)
        return safe**to_come if safe > 0 else 0.0

    def _nobody(self, cards: CardSet, to_come: int) -> float:
        return self.spared ** ((self._unseen & cards).bit_count() * to_come)

    def _ruffed(self, suit: CardSet) -> float:
        """The chance that a given opponent has a trump and none of the suit."""
        return self.spared ** (self._unseen & suit).bit_count() * (1 - self._trumpless)


def expected_tricks(observation: Observation, pack: CardSet) -> float:
    """How many tricks the hand is worth before its first trick; a fair share when it is unseen."""
    if not observation.hand:
        size = observation.deal.hand_size if observation.deal else 0
        return size / observation.seats
    outlook = Outlook(observation, pack)
    size = observation.hand.bit_count()
    worth = sum(outlook.later().values()) + (observation.hand & JOKERS).bit_count()
    # Low cards that are the last of their suit take tricks too, the more the fewer play.
    crowd: float = outlook.opponents**_LAST_CROWD
    last = _LAST_SHARE / crowd * size / (size + _LAST_DELAY)
    return worth + last * (size - worth)


def _beating(card: Card, trumps: CardSet) -> CardSet:
    """The cards that beat a card which is winning a trick."""
    plain = card < SMALL_JOKER and not trumps >> card & 1
    return _HIGHER[card] | trumps if plain else _HIGHER[card]
