"""Playouts: a deal or a match played on to its end by random moves, many times over.

They go through the very rules and steps that a match goes through, but make no events while cards
are played. Never is a revoke among the moves.

Random numbers come from a small generator of our own: its whole state is one number of 48 bits, so
that it costs a nanosecond and gives the same playouts compiled and interpreted. It is good enough
to play cards, and for nothing else.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from kozyr.cards import Card
from kozyr.events import Event, Seat
from kozyr.game import CHANCE_BIT
from kozyr.tricks.actions import SPECIALS
from kozyr.tricks.game import PLAYING, TrickGame
from kozyr.tricks.masks import count, nth, nth_bit
from kozyr.tricks.play import lay_card, lay_special, playable_of
from kozyr.tricks.rules import TrickRules
from kozyr.tricks.state import DealState

MULTIPLIER: Final = 0x5DEECE66D
INCREMENT: Final = 11
STATE_MASK: Final = 0xFFFFFFFFFFFF
"""The linear congruential generator of POSIX's drand48; of its 48 bits the upper 32 are used."""


def advance(random: i64) -> i64:
    """The next state of the generator; any number below 2^48 begins a sequence."""
    return (random * MULTIPLIER + INCREMENT) & STATE_MASK


def below(random: i64, limit: i64) -> i64:
    """A number from 0 to ``limit`` − 1, of a state of the generator."""
    return (random >> 16) * limit >> 32


def some_bit(cards: i64, random: i64) -> i64:
    """One card of a set that is not empty, each as likely as the others."""
    if not cards & (cards - 1):
        return cards
    return nth_bit(cards, below(random, count(cards)))


# One play. Each of these takes it from the hand of the seat on turn, which the caller has at hand.


def play_random(state: DealState, rules: TrickRules, hands: vec[i64], random: i64) -> None:
    """Make one of the lawful plays of the seat on turn, each as likely as the others."""
    seat = state.turn
    hand = hands[seat]
    cards = playable_of(state, rules, hand)
    special = cards & rules.special
    if special:
        cards ^= special
        words = rules.lawful_words(state, hand)
        plain = count(cards)
        place = below(random, plain + count(words))
        if place >= plain:
            hands[seat] = hand ^ special
            lay_special(state, rules, SPECIALS + nth(words, place - plain))
            return
        bit = nth_bit(cards, place)
    else:
        bit = some_bit(cards, random)
    hands[seat] = hand ^ bit
    lay_card(state, rules, bit)


def play_aware(state: DealState, rules: TrickRules, hands: vec[i64], random: i64) -> None:
    """Make one of the lawful plays that suit the bid of the seat on turn.

    Who follows and wants the trick plays a card that would take it as it lies, and who does not
    plays one that would not, where there is such a card; the special card is kept for those who
    want the trick and cannot take it otherwise. Who leads plays anything. Among what is left each
    play is as likely as the others.
    """
    if not state.laid:
        play_random(state, rules, hands, random)
        return
    seat = state.turn
    hand = hands[seat]
    cards = playable_of(state, rules, hand)
    special = cards & rules.special
    cards ^= special
    wants = rules.wants_trick(state, seat)
    suiting = cards & state.over if wants else cards & ~state.over
    if not suiting:
        if special and (wants or not cards):
            hands[seat] = hand ^ special
            words = rules.lawful_words(state, hand)
            lay_special(state, rules, SPECIALS + nth(words, below(random, count(words))))
            return
        suiting = cards
    bit = some_bit(suiting, random)
    hands[seat] = hand ^ bit
    lay_card(state, rules, bit)


# One deal, one match.


def play_out(state: DealState, rules: TrickRules, random: i64, *, aware: bool) -> i64:
    """Play the tricks of a deal to the last; the generator's state after it."""
    hands = state.hands  # in a local: reading it from the state costs more than a play
    if aware:
        while state.left:
            random = advance(random)
            play_aware(state, rules, hands, random)
    else:
        while state.left:
            random = advance(random)
            play_random(state, rules, hands, random)
    return random


def finish_deal(game: TrickGame, random: i64, *, aware: bool) -> i64:
    """Play on until the deal under way, or the one that is due, is scored."""
    deal, replay = game.deal_index, game.replay
    unheard: list[Event] = []
    while game.ended is None and game.deal_index == deal and game.replay == replay:
        if game.phase == PLAYING:
            random = play_out(game.state, game.rules, random, aware=aware)
            game.score_deal(game.deal_scores(), unheard)
        elif game.waiting() & CHANCE_BIT:
            random = shuffle(game, random)
        else:
            random = _choose(game, random, unheard)
        unheard.clear()
    return random


def finish_match(game: TrickGame, random: i64, *, aware: bool) -> i64:
    """Play on to the end of the match."""
    while game.ended is None:
        random = finish_deal(game, random, aware=aware)
    return random


def shuffle(game: TrickGame, random: i64) -> i64:
    """Give the game the deck that it awaits."""
    deck: list[Card] = [*game.deck()]
    for place in range(len(deck) - 1, 0, -1):
        random = advance(random)
        other = below(random, place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    game.deal(tuple(deck))
    return random


def _choose(game: TrickGame, random: i64, unheard: list[Event]) -> i64:
    """Let the first seat that decides take one of its choices before the play."""
    waiting: i64 = game.waiting()
    seat = Seat(nth(waiting, 0))
    choices = game.choices(seat)
    random = advance(random)
    game.choose(seat, choices[below(random, len(choices))], unheard)
    return random


# Many.


@final
class Playouts:
    """Playouts of one position, which stays as it is.

    Attributes:
        aware: whether the plays keep an eye on the bids (see `play_aware`); bids do not.
    """

    def __init__(self, game: TrickGame, *, seed: int, aware: bool = False) -> None:
        """Prepare playouts.

        Args:
            seed: the same seed gives the same playouts.
        """
        self.aware = aware
        self._root = game
        self._work = game.clone()
        self._work.mute = True
        self._random: i64 = advance(seed & STATE_MASK)

    def deals(self, number: i64) -> list[int]:
        """Finish the deal so many times; what each seat has scored in it, summed up, by seat."""
        root, work = self._root, self._work
        seats = root.rules.seats
        if root.phase == PLAYING:
            return self._tricks(number)
        sums = [0] * seats
        for _ in range(number):
            work.copy_from(root)
            self._random = finish_deal(work, self._random, aware=self.aware)
            for seat in range(seats):
                sums[seat] += work.totals[seat] - root.totals[seat]
        return sums

    def _tricks(self, number: i64) -> list[int]:
        """What `deals` gives, from a position between two plays."""
        root, state, rules = self._root.state, self._work.state, self._root.rules
        sums = vec[i64]([0] * rules.seats)
        random = self._random
        for _ in range(number):
            state.copy_from(root)
            random = play_out(state, rules, random, aware=self.aware)
            for seat in range(rules.seats):
                sums[seat] += rules.score(state, seat)
        self._random = random
        return [total * root.plan.multiplier for total in sums]

    def matches(self, number: i64) -> list[int]:
        """Finish the match so many times; the totals of each seat, summed up, by seat."""
        root, work = self._root, self._work
        sums = [0] * root.rules.seats
        for _ in range(number):
            work.copy_from(root)
            self._random = finish_match(work, self._random, aware=self.aware)
            for seat, total in enumerate(work.totals):
                sums[seat] += total
        return sums
