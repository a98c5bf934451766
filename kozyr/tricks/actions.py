"""One numbering of actions for every trick-taking variant, whatever the position.

======= ==================================================================================
numbers meaning
======= ==================================================================================
0-60    play the card of that number, with no word said
61-79   bid 0 (a pass) to 18
80-83   play the variant's special card, calling it high, low, simple or a demand
84-95   the same, naming ♠ ♣ ♦ ♥ as well: four times high, four times low, four times demand
96-100  name ♠ ♣ ♦ ♥ or no-trump
101     look at one's cards
102-119 bid 1 to 18 in the dark
120-122 bet blind, zero or smart
123-183 give the card of number 0 to 60 away
======= ==================================================================================

A variant has one special card at most: its joker, or the Poker of the Child game.
"""

from collections.abc import Collection
from typing import Final

from mypy_extensions import i64

from kozyr.cards import CARD_COUNT, NO_SUIT, SUITS, Card, Suit, is_card
from kozyr.moves import (
    UNUSED,
    ActionTable,
    Announcement,
    Bet,
    Bid,
    GiveCard,
    Look,
    MakeBet,
    Move,
    NameSuit,
    Pass,
    Play,
)

BIDS: Final = 61
"""The bid of 0, which is the pass; the others follow."""
BID_MAX: Final = 18

SPECIALS: Final = 80
"""The first of the sixteen ways to play the special card."""
HIGH: Final = 80
LOW: Final = 81
SIMPLE: Final = 82
DEMAND: Final = 83
HIGH_NAMING: Final = 84
"""The first of four, which names spades; likewise the next two."""
LOW_NAMING: Final = 88
DEMAND_NAMING: Final = 92

NAMES: Final = 96
"""Name spades; the other suits and no-trump follow."""
LOOK: Final = 101
DARK_BIDS: Final = 101
"""Where a dark bid of 0 would be; there is none."""
BETS: Final = 119
"""Where a bet of none would be; a pass says that."""
GIVES: Final = 123
"""Give away the card of number 0, if there were one."""
ACTION_COUNT: Final = 184


def announcement_of(action: i64) -> Announcement:
    """What is called with a play, `Announcement.NONE` if nothing is."""
    if action < SPECIALS:
        return Announcement.NONE
    if action < HIGH_NAMING:
        return Announcement(action - SPECIALS + 1)
    if action < LOW_NAMING:
        return Announcement.HIGH
    return Announcement.LOW if action < DEMAND_NAMING else Announcement.DEMAND


def suit_named(action: i64) -> Suit:
    """The suit that is named with a play, `NO_SUIT` if none is."""
    return NO_SUIT if action < HIGH_NAMING else Suit(action & 3)


def is_play(action: int) -> bool:
    """Whether the number plays a card, in whatever way."""
    return 0 <= action < CARD_COUNT or SPECIALS <= action < NAMES


def action_table(
    used: Collection[int], *, special: Card | None = None, silent: int | None = None
) -> ActionTable:
    """The meanings of the ``used`` numbers of a variant; all others are `UNUSED`.

    Args:
        silent: what playing the special card with no word means, if that is allowed.
    """
    moves = _moves(special)
    return ActionTable(
        [moves[action] if action in used else UNUSED for action in range(max(used) + 1)],
        aliases=None if special is None or silent is None else {Play(special): silent},
    )


def _moves(special: Card | None) -> list[Move]:
    moves: list[Move] = [UNUSED] * ACTION_COUNT
    for number in filter(is_card, range(CARD_COUNT)):
        moves[number] = Play(Card(number))
        moves[GIVES + number] = GiveCard(Card(number))
    moves[BIDS] = Pass()
    for count in range(1, BID_MAX + 1):
        moves[BIDS + count] = Bid(count)
        moves[DARK_BIDS + count] = Bid(count, dark=True)
    for place, suit in enumerate((*SUITS, NO_SUIT)):
        moves[NAMES + place] = NameSuit(suit)
    moves[LOOK] = Look()
    for bet in (Bet.BLIND, Bet.ZERO, Bet.SMART):
        moves[BETS + bet] = MakeBet(bet)
    if special is not None:
        for action in range(SPECIALS, NAMES):
            moves[action] = Play(special, announcement_of(action), suit_named(action))
    return moves
