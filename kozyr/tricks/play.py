"""The steps of a deal: what may be done, and doing it. No events, no copies, only numbers.

The match, which tells of every step, and playouts, which do not, both go through here.
"""

from mypy_extensions import i64

from kozyr.cards import CARD_COUNT
from kozyr.tricks.masks import bit_of, one_for
from kozyr.tricks.rules import TrickRules
from kozyr.tricks.state import DealState


def make_bid(state: DealState, bid: i64) -> None:
    """Make an allowed bid for the seat on turn."""
    state.bids |= bid << (5 * state.turn)
    state.bid_total += bid
    state.bid_count += 1
    state.turn = state.after(state.turn)


def playable(state: DealState, rules: TrickRules) -> i64:
    """The cards that the seat on turn may lawfully play; the special card always is."""
    return playable_of(state, rules, state.hands[state.turn])


def playable_of(state: DealState, rules: TrickRules, hand: i64) -> i64:
    """The same, by a caller who has the hand of the seat on turn already."""
    if not state.laid:
        return rules.lead(state, hand)
    special = hand & rules.special
    return rules.follow(state, hand ^ special) | special


def play_card(state: DealState, rules: TrickRules, action: i64) -> None:
    """Play a card for the seat on turn; a trick that it completes is taken.

    After the last card of a trick ``laid`` is 0 and ``turn`` is the seat that took it.
    """
    seat = state.turn
    if action < CARD_COUNT:
        bit = bit_of(action)
        state.hands[seat] ^= bit
        lay_card(state, rules, bit)
    else:
        state.hands[seat] ^= rules.special
        lay_special(state, rules, action)


def lay_card(state: DealState, rules: TrickRules, bit: i64) -> None:
    """Lay a card that the seat on turn has taken from its hand."""
    if not state.laid:
        rules.open(state, bit)
        state.best = state.turn
    elif bit & state.over:
        state.over = rules.over(state, bit)
        state.best = state.turn
    _go_on(state, rules, bit)


def lay_special(state: DealState, rules: TrickRules, action: i64) -> None:
    """Lay the special card, which the seat on turn has taken from its hand."""
    if not state.laid:
        rules.open_special(state, action)
        state.best = state.turn
    elif rules.spend(state, action):
        state.best = state.turn
    _go_on(state, rules, rules.special)


def _go_on(state: DealState, rules: TrickRules, bit: i64) -> None:
    state.table |= bit
    state.laid += 1
    if state.laid == state.seats:
        _take_trick(state, rules)
    else:
        seat = state.turn + 1
        state.turn = 0 if seat == state.seats else seat


def _take_trick(state: DealState, rules: TrickRules) -> None:
    rules.close(state)
    state.tricks += one_for(state.best)
    state.turn = state.best
    state.left -= 1
    state.laid = 0
    state.table = 0
    state.asked = 0
    state.demanded = False
    state.over = 0
