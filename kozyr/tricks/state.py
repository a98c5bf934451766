"""The state of one deal: everything that a step of bidding or play changes, as plain numbers.

It makes no events and knows no rules; `kozyr.tricks.play` changes it by the rules of a variant. A
variant that must remember more about a deal subclasses it and extends `begin` and `copy_from`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from kozyr.cards import NO_SUIT
from kozyr.tricks.masks import suit_cards
from kozyr.tricks.schedule import NO_DEAL, DealPlan

VECS: Final = "vecs"
"""Where a state that is pickled or copied names what was a `vec` in it."""


@mypyc_attr(allow_interpreted_subclasses=True)
class DealState:
    """One deal under way.

    Attributes:
        seats: how many play.
        plan: what kind of deal it is.
        hand_size: how many cards each seat gets, and so how many tricks there are.
        dealer: the seat that deals.
        hands: the set of cards that each seat holds.
        trump: the trump suit, `NO_SUIT` for none.
        trumps: the cards of that suit.
        turn: the seat that acts next.
        left: tricks to be completed yet; 0 also before the cards are dealt.
        laid: how many cards lie on the table.
        table: the set of them.
        asked: the cards that follow suit in this trick.
        demanded: whether those who can follow must play their highest card.
        best: the seat that would take the trick as it lies.
        over: the cards that would beat that seat's.
        bids: each seat's bid, packed by seat.
        bid_total: the sum of the bids.
        bid_count: how many seats have bid, from the dealer's left on.
        tricks: how many tricks each seat has taken, packed by seat.
    """

    def __init__(self, seats: i64) -> None:
        self.seats: i64 = seats
        self.plan = NO_DEAL
        self.hand_size: i64 = 0
        self.dealer: i64 = 0
        self.hands = vec[i64]([0] * seats)
        self.trump: i64 = NO_SUIT
        self.trumps: i64 = 0
        self.turn: i64 = 0
        self.left: i64 = 0
        self.laid: i64 = 0
        self.table: i64 = 0
        self.asked: i64 = 0
        self.demanded = False
        self.best: i64 = 0
        self.over: i64 = 0
        self.bids: i64 = 0
        self.bid_total: i64 = 0
        self.bid_count: i64 = 0
        self.tricks: i64 = 0

    def __getstate__(self) -> dict[str, object]:
        """All attributes, by name, each `vec` as a list: it cannot be pickled by itself."""
        names: list[str] = [*getattr(type(self), "__mypyc_attrs__", ())]
        names += getattr(self, "__dict__", ())
        kind = type(self.hands)
        values: dict[str, object] = {name: getattr(self, name) for name in names}
        vecs = [name for name, value in values.items() if type(value) is kind]
        return {**values, **{name: list(getattr(self, name)) for name in vecs}, VECS: vecs}

    def __setstate__(self, attributes: dict[str, object]) -> None:
        vecs = attributes.pop(VECS)
        assert isinstance(vecs, list)
        for name, value in attributes.items():
            if name in vecs:
                assert isinstance(value, list)
                setattr(self, name, vec[i64](value))
            else:
                setattr(self, name, value)

    def begin(self, plan: DealPlan, *, dealer: i64) -> None:
        """Forget the last deal; the cards of the new one are not dealt yet."""
        self.plan = plan
        self.hand_size = plan.hand_size
        self.dealer = dealer
        for seat in range(self.seats):
            self.hands[seat] = 0
        self.trump = NO_SUIT
        self.trumps = 0
        self.turn = self.after(dealer)
        self.left = 0
        self.laid = 0
        self.table = 0
        self.asked = 0
        self.demanded = False
        self.best = 0
        self.over = 0
        self.bids = 0
        self.bid_total = 0
        self.bid_count = 0
        self.tricks = 0

    def copy_from(self, other: "DealState") -> None:
        """Become equal to another state of as many seats."""
        self.plan = other.plan
        self.hand_size = other.hand_size
        self.dealer = other.dealer
        for seat in range(self.seats):
            self.hands[seat] = other.hands[seat]
        self.trump = other.trump
        self.trumps = other.trumps
        self.turn = other.turn
        self.left = other.left
        self.laid = other.laid
        self.table = other.table
        self.asked = other.asked
        self.demanded = other.demanded
        self.best = other.best
        self.over = other.over
        self.bids = other.bids
        self.bid_total = other.bid_total
        self.bid_count = other.bid_count
        self.tricks = other.tricks

    def after(self, seat: i64) -> i64:
        """The seat on the left of another."""
        return 0 if seat + 1 == self.seats else seat + 1

    def set_trump(self, suit: i64) -> None:
        """Make a suit trump; `NO_SUIT` makes none."""
        self.trump = suit
        self.trumps = suit_cards(suit)
