"""Small endings solved exactly: all cards open, one side maximises, all others hold against it.

The search is alpha-beta over the toolkit's own steps, so that whatever a variant's rules say, they
say here, too. Between tricks it looks up what it has met before in a table over the sets of cards,
and of cards that are worth the same it tries one.
"""

from enum import Enum
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from kozyr.tricks.actions import SPECIALS
from kozyr.tricks.masks import above, bit_of, card_list, count_of, highest, number_of, suit_cards_of
from kozyr.tricks.play import play_card, playable
from kozyr.tricks.rules import TrickRules
from kozyr.tricks.state import DealState

INFINITY: Final = 1_000_000_000
"""Beyond every score of a deal."""

TABLE_BITS: Final = 15
TABLE_MASK: Final = 0x7FFF
"""The table has 2^15 places for positions; a newer one takes the place of an older."""

HASH_MASK: Final = 0x3FFFFFFFFFFFFFFF
HASH_FACTOR: Final = 0x1B873593CC9E2D51
"""An odd number without a pattern; it mixes sets of cards into places of the table."""


class Objective(Enum):
    """What the side that is solved for maximises."""

    TRICKS = "tricks"
    """The tricks of all its seats."""
    SCORE = "score"
    """The score of the seat that is solved for, without the multiplier of the deal's plan."""


@final
class EndingSolver:
    """Solves endings under one set of rules, for one seat and its allies.

    Attributes:
        nodes: how many positions it has looked at so far.
    """

    def __init__(
        self,
        rules: TrickRules,
        *,
        seat: int,
        allies: int = 0,
        objective: Objective = Objective.SCORE,
    ) -> None:
        """Prepare to solve.

        Args:
            seat: whose score counts.
            allies: the set of the other seats that play for it, as bits; all others play against.
        """
        self.nodes: i64 = 0
        self._rules = rules
        self._seat: i64 = seat
        self._side: i64 = bit_of(seat) | allies
        self._by_tricks = objective is Objective.TRICKS
        self._states: list[DealState] = []
        self._width: i64 = rules.seats + 3
        self._table = vec[i64]([0] * (self._width << TABLE_BITS))
        self._solved: i64 = 0
        """How many endings were solved: what the table holds of earlier ones does not count."""

    def value(self, state: DealState) -> int:
        """What the side gets in the end from a position of the play, tricks taken already included.

        Raises:
            ValueError: no trick of the deal is left.
        """
        self._begin(state)
        return self._search(0, -INFINITY, INFINITY)

    def action_values(self, state: DealState) -> dict[int, int]:
        """The same for each lawful action of the seat on turn, by action, ascending.

        Raises:
            ValueError: no trick of the deal is left.
        """
        self._begin(state)
        values: dict[int, int] = {}
        for action in lawful_actions(state, self._rules):
            values[action] = self._after(0, action, -INFINITY, INFINITY)
        return values

    def _begin(self, state: DealState) -> None:
        """Take in a position, and have a state for it and for every play that may follow."""
        if not state.left:
            raise ValueError("no trick of this deal is left to be played")
        while len(self._states) <= state.left * state.seats:
            self._states.append(self._rules.new_state())
        self._states[0].copy_from(state)
        self._solved += 1

    def _after(self, depth: i64, action: i64, alpha: i64, beta: i64) -> i64:
        """The value after an action at a depth."""
        child = self._states[depth + 1]
        child.copy_from(self._states[depth])
        play_card(child, self._rules, action)
        return self._search(depth + 1, alpha, beta)

    def _search(self, depth: i64, alpha: i64, beta: i64) -> i64:
        """The value of the position at a depth; a bound of it where it is not between these."""
        self.nodes += 1
        state = self._states[depth]
        if not state.left:
            return self._tricks(state) if self._by_tricks else self._rules.score(state, self._seat)
        if state.laid:
            return self._best(depth, alpha, beta)
        # By tricks, what is taken already does not matter for what can be taken yet.
        base: i64 = self._tricks(state) if self._by_tricks else 0
        label = self._label(state)
        place = self._place(state, label)
        lower: i64 = -INFINITY
        upper: i64 = INFINITY
        if self._is_there(state, label, place):
            lower = self._table[place + self._width - 2] + base
            upper = self._table[place + self._width - 1] + base
            if lower >= beta or lower == upper:
                return lower
            if upper <= alpha:
                return upper
            alpha = max(alpha, lower)
            beta = min(beta, upper)
        value = self._best(depth, alpha, beta)
        if value > alpha:
            lower = value
        if value < beta:
            upper = value
        self._keep(state, label, place, lower - base, upper - base)
        return value

    def _best(self, depth: i64, alpha: i64, beta: i64) -> i64:
        """The value of the best play, for the side or against it, by whoever is on turn.

        First come the plays that would take the trick, the highest before the others, then the
        special card, then the lowest cards: what cuts off most.
        """
        state, rules = self._states[depth], self._rules
        maximises = self._side & bit_of(state.turn) != 0
        cards = playable(state, rules)
        special = cards & rules.special
        cards = distinct(state, cards ^ special)
        takers = cards & state.over if state.laid else cards
        cards ^= takers
        words = rules.lawful_words(state, state.hands[state.turn]) if special else 0
        best: i64 = -INFINITY if maximises else INFINITY
        while takers or words or cards:
            if takers:
                bit = highest(takers)
                takers ^= bit
                action = number_of(bit)
            elif words:
                bit = words & -words
                words ^= bit
                action = SPECIALS + number_of(bit)
            else:
                bit = cards & -cards
                cards ^= bit
                action = number_of(bit)
            value = self._after(depth, action, alpha, beta)
            if maximises:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    def _tricks(self, state: DealState) -> i64:
        """The tricks that the side has taken."""
        taken: i64 = 0
        for seat in range(state.seats):
            if self._side & bit_of(seat):
                taken += count_of(state.tricks, seat=seat)
        return taken

    # The table. Each place holds the hands, a label, and bounds of the value.

    def _label(self, state: DealState) -> i64:
        """All that tells positions between tricks apart, beside the hands; never 0."""
        standing: i64 = 0 if self._by_tricks else self._rules.standing(state, self._seat)
        return (self._solved << 36) + (standing << 5) + state.turn + 1

    def _place(self, state: DealState, label: i64) -> i64:
        """Where in the table a position is, if it is there."""
        mixed = label
        for seat in range(state.seats):
            mixed = (mixed ^ state.hands[seat]) * HASH_FACTOR & HASH_MASK
            mixed ^= mixed >> 29
        return (mixed & TABLE_MASK) * self._width

    def _is_there(self, state: DealState, label: i64, place: i64) -> bool:
        if self._table[place + state.seats] != label:
            return False
        same = True
        for seat in range(state.seats):
            same = same and self._table[place + seat] == state.hands[seat]
        return same

    def _keep(self, state: DealState, label: i64, place: i64, lower: i64, upper: i64) -> None:
        table = self._table
        for seat in range(state.seats):
            table[place + seat] = state.hands[seat]
        table[place + state.seats] = label
        table[place + self._width - 2] = lower
        table[place + self._width - 1] = upper


def lawful_actions(state: DealState, rules: TrickRules) -> list[int]:
    """What the seat on turn may lawfully play, ascending."""
    cards = playable(state, rules)
    special = cards & rules.special
    actions = card_list(cards ^ special)
    if special:
        words = rules.lawful_words(state, state.hands[state.turn])
        actions += [SPECIALS + word for word in card_list(words)]
    return actions


def distinct(state: DealState, cards: i64) -> i64:
    """Of each run of cards between which no other card is left in play, the highest."""
    left = state.table
    for seat in range(state.seats):
        left |= state.hands[seat]
    kept = cards
    rest = cards
    while rest:
        bit = rest & -rest
        rest ^= bit
        higher = left & above(bit) & suit_cards_of(bit)
        if higher & -higher & cards:
            kept ^= bit
    return kept
