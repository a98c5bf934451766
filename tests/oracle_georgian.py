"""A second reading of the rules of Georgian: Odessa's umpire with other deals and other scores."""

from typing import Any

from tests.oracle_odessa import Umpire

DEFAULTS: dict[str, Any] = {
    "deck": 36,
    "revoke": "forbid",
    "dealer_restriction": True,
    "full_deal_trump": "last_card",
    "joker": False,
    "joker_demand": True,
    "peak_deals": None,
}


class GeorgianUmpire(Umpire):
    """Reads a match of Georgian as it happens."""

    def defaults(self) -> dict[str, Any]:
        return DEFAULTS

    def deals(self) -> list[tuple[str, int]]:
        """Up, across, down and across (G1)."""
        peak = next(size for size in range(9, 0, -1) if size * self.seats <= self.options["deck"])
        times = self.options["peak_deals"] or self.seats
        up, across = list(range(1, peak)), [peak] * times
        return [("regular", size) for size in up + across + up[::-1] + across]

    def deal_score(self, *, bid: int, tricks: int) -> int:
        """What a seat gets for a deal (G2)."""
        return 50 + 50 * bid if tricks == bid else 10 * tricks
