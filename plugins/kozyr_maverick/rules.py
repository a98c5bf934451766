"""The rules of Maverick, clause by clause."""

from typing import Final

from mypy_extensions import i64, mypyc_attr

from kozyr.cards import (
    DIAMONDS,
    JOKERS,
    SMALL_JOKER,
    SPADES,
    TWO,
    Card,
    Suit,
    pack,
    rank_of,
    suit_of,
)
from kozyr.tricks import (
    DealPlan,
    DealState,
    TrickRules,
    above,
    bit_of,
    count,
    count_of,
    one_of,
    only_suit,
    suit_cards_of,
)
from kozyr_maverick.state import BLIND, SEATS, SMART, ZERO, MaverickState, team_of

HAND_SIZE: Final = 13
"""M1, in cards."""

GIVEN: Final = 2
"""How many cards every player gives away (M2)."""

BOOK: Final = 4
"""How many summator cards make a trick a book, and what it is worth, in points (M6)."""

REVOKE_PENALTY: Final = -4
"""M7, in points."""

ZERO_LOST: Final = -1
BLIND_LOST: Final = -3
"""M10, M11: the score of a team whose bet was lost, in points."""

POINTS_MAX: Final = 52
"""No team's tricks are worth more, one way or the other: thirteen tricks of four points."""

SMART_BOOKS: Final = 3
"""How many books a smart bet promises (M12)."""

_PLAN: Final = DealPlan(HAND_SIZE)


@mypyc_attr(allow_interpreted_subclasses=True)
class MaverickRules(TrickRules):
    """Maverick under one set of options.

    Attributes:
        trumps_beat: whether a trump beats every plain suit (M5).
        bets: whether there are bets (M9).
        target: the points at which a team wins (M8).
        max_deals: after how many deals the match ends at the latest (M8).
    """

    def __init__(
        self, *, trumps_beat: bool, bets: bool, target: int, max_deals: int, revoke_allowed: bool
    ) -> None:
        super().__init__(
            seats=SEATS,
            pack=maverick_pack(),
            schedule=(),
            revoke_allowed=revoke_allowed,
            revoke_penalty=REVOKE_PENALTY,
        )
        self.trumps_beat = trumps_beat
        self.bets = bets
        self.target = target
        self.max_deals = max_deals

    def new_state(self) -> DealState:
        return MaverickState()

    def plan(self, index: int) -> DealPlan:
        return _PLAN

    # The cards of a trick.

    def follow(self, state: DealState, hand: i64) -> i64:
        following = hand & state.asked
        return following or hand  # M3, M4

    def open(self, state: DealState, bit: i64) -> None:
        state.asked = 0 if bit & JOKERS else suit_cards_of(bit)  # M4
        state.over = self.over(state, bit)

    def over(self, state: DealState, bit: i64) -> i64:
        if bit & JOKERS:
            return JOKERS & above(bit)  # M4
        if not self.trumps_beat:
            return state.asked & above(bit) | JOKERS  # M5
        if bit & state.trumps:
            return state.trumps & above(bit) | JOKERS
        return state.asked & above(bit) | state.trumps | JOKERS

    def close(self, state: DealState) -> None:
        assert isinstance(state, MaverickState)
        team = team_of(state.best)
        state.worth = trick_worth(state)
        state.points[team] += state.worth
        if count(state.table & state.summators) == BOOK:
            state.books[team] += 1

    # Scores.

    def score(self, state: DealState, seat: i64) -> i64:
        assert isinstance(state, MaverickState)
        team = team_of(seat)
        return self.bet_result(state, team) + state.penalties[team]  # M13

    def bet_result(self, state: MaverickState, team: i64) -> i64:
        """What a team's tricks are worth to it, as its bet has it."""
        bet, points = state.bet[team], state.points[team]
        if bet == ZERO:  # M10
            if count_of(state.tricks, seat=state.bettor[team]):
                return ZERO_LOST
            return 3 * points if points >= 0 else 1
        if bet == BLIND:  # M11
            return 2 * points if points > state.points[1 - team] else BLIND_LOST
        if bet == SMART:  # M12
            return 2 * points if state.books[team] >= SMART_BOOKS else 0
        return points

    def standing(self, state: DealState, seat: i64) -> i64:
        assert isinstance(state, MaverickState)
        team = team_of(seat)
        bettor = state.bettor[team]
        broken = bettor >= 0 and count_of(state.tricks, seat=bettor) != 0
        points = (state.points[team] + POINTS_MAX) << 8 | state.points[1 - team] + POINTS_MAX
        return points << 4 | state.books[team] << 1 | broken

    def facts(self, state: DealState) -> i64:
        """The summator suit; from bit 2 on the number of each team's bet, 2 bits each.

        From bit 6 on the points of each team's tricks, as a number from 0 (for -52) on, 8 bits
        each.
        """
        assert isinstance(state, MaverickState)
        bets = state.bet[0] | state.bet[1] << 2
        points = state.points[0] + POINTS_MAX | (state.points[1] + POINTS_MAX) << 8
        return state.summator | bets << 2 | points << 6

    def wants_trick(self, state: DealState, seat: i64) -> bool:
        assert isinstance(state, MaverickState)
        team = team_of(seat)
        if state.bet[team] == ZERO and state.bettor[team] == seat:
            return False
        return trick_worth(state) > 0

    # Why not.

    def play_clause(self) -> str:
        return "M3"

    def why_unlawful(self, state: DealState, hand: i64, action: int) -> tuple[str, str]:
        suit = one_of(only_suit(hand & state.asked))
        if bit_of(action) & JOKERS:
            return f"you hold a {suit}; a joker follows only a suit that you do not hold", "M4"
        return f"you hold a {suit} and must follow suit", "M3"


def maverick_pack() -> tuple[Card, ...]:
    """52 cards and both jokers."""
    return pack(lowest_rank=TWO, jokers=2)


def suits_of(first: Card, second: Card) -> tuple[Suit, Suit]:
    """The trump and the summator suit that two open cards make (M1)."""
    higher, lower = (first, second) if rank_of(first) > rank_of(second) else (second, first)
    trump, summator = suit_of(higher), suit_of(lower)
    alike = trump == summator or rank_of(higher) == rank_of(lower)
    if alike or higher >= SMALL_JOKER:
        return SPADES, DIAMONDS
    return trump, summator


def trick_worth(state: MaverickState) -> i64:
    """The points of a complete trick (M6)."""
    summators = count(state.table & state.summators)
    if summators:
        return summators
    trumps = count(state.table & state.trumps)
    if not trumps:
        return 1
    return -4 if trumps == SEATS else -1
