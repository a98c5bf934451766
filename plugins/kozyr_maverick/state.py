"""The state of one deal of Maverick: what it has beside the tricks of every deal."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from kozyr.cards import NO_SUIT
from kozyr.tricks import DealPlan, DealState, suit_cards

SEATS: Final = 4
TEAMS: Final = 2

NO_BET: Final = 0
BLIND: Final = 1
ZERO: Final = 2
SMART: Final = 3
"""Bets as `kozyr.moves.Bet` numbers them, which compiled code compares a hundred times faster."""


@mypyc_attr(allow_interpreted_subclasses=True)
class MaverickState(DealState):
    """One deal of Maverick under way.

    Attributes:
        summator: the summator suit, `NO_SUIT` before it is known.
        summators: the cards of that suit.
        looked: the set of the seats that have seen their cards.
        bet: the number of the bet of each team.
        bettor: the seat that made it, -1 while there is none.
        chosen: the set of cards that each seat has laid aside for its left neighbour.
        worth: the points of the last trick.
        points: the points of each team's tricks.
        books: how many books each team has taken.
        penalties: what each team pays for its revokes, below 0.
        warned: whether the seat on turn has just revoked, and must follow now.
    """

    def __init__(self) -> None:
        super().__init__(SEATS)
        self.summator: i64 = NO_SUIT
        self.summators: i64 = 0
        self.looked: i64 = 0
        self.bet = vec[i64]([NO_BET] * TEAMS)
        self.bettor = vec[i64]([-1] * TEAMS)
        self.chosen = vec[i64]([0] * SEATS)
        self.worth: i64 = 0
        self.points = vec[i64]([0] * TEAMS)
        self.books = vec[i64]([0] * TEAMS)
        self.penalties = vec[i64]([0] * TEAMS)
        self.warned = False

    def begin(self, plan: DealPlan, *, dealer: i64) -> None:
        super().begin(plan, dealer=dealer)
        self.summator = NO_SUIT
        self.summators = 0
        self.looked = 0
        self.worth = 0
        self.warned = False
        for team in range(TEAMS):
            self.bet[team] = NO_BET
            self.bettor[team] = -1
            self.points[team] = 0
            self.books[team] = 0
            self.penalties[team] = 0
        for seat in range(SEATS):
            self.chosen[seat] = 0

    def copy_from(self, other: DealState) -> None:
        super().copy_from(other)
        assert isinstance(other, MaverickState)
        self.summator = other.summator
        self.summators = other.summators
        self.looked = other.looked
        self.worth = other.worth
        self.warned = other.warned
        for team in range(TEAMS):
            self.bet[team] = other.bet[team]
            self.bettor[team] = other.bettor[team]
            self.points[team] = other.points[team]
            self.books[team] = other.books[team]
            self.penalties[team] = other.penalties[team]
        for seat in range(SEATS):
            self.chosen[seat] = other.chosen[seat]

    def set_summator(self, suit: i64) -> None:
        """Make a suit the summator."""
        self.summator = suit
        self.summators = suit_cards(suit)


def team_of(seat: i64) -> i64:
    """The team of a seat: partners sit opposite each other."""
    return seat & 1


def partner_of(seat: i64) -> i64:
    """The seat opposite."""
    return seat ^ 2
