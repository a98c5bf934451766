"""The state of one deal of Child: what it has beside the tricks of every deal."""

from mypy_extensions import i64, mypyc_attr

from kozyr.tricks import DealPlan, DealState


@mypyc_attr(allow_interpreted_subclasses=True)
class ChildState(DealState):
    """One deal of Child under way.

    Attributes:
        looked: the set of the seats that have seen their cards.
        dark: the set of the seats that bid before they had.
        silent: whether a Poker led high with no demand has opened the trick.
    """

    def __init__(self, seats: i64) -> None:
        super().__init__(seats)
        self.looked: i64 = 0
        self.dark: i64 = 0
        self.silent = False

    def begin(self, plan: DealPlan, *, dealer: i64) -> None:
        super().begin(plan, dealer=dealer)
        self.looked = 0
        self.dark = 0
        self.silent = False

    def copy_from(self, other: DealState) -> None:
        super().copy_from(other)
        assert isinstance(other, ChildState)
        self.looked = other.looked
        self.dark = other.dark
        self.silent = other.silent
