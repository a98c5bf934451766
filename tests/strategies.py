"""Hypothesis strategies that the tests share."""

from typing import Any

from hypothesis import strategies as st

from kozyr_child import ChildVariant
from kozyr_georgian import GeorgianVariant
from tests.maverick_walk import MaverickMatch
from tests.odessa_walk import RandomMatch
from tests.oracle_child import ChildUmpire
from tests.oracle_georgian import GeorgianUmpire

SEEDS = st.integers(min_value=0, max_value=2**32 - 1)

FULL_DEAL_TRUMPS = ("last_card", "none", "eldest_names")

RECKLESSNESS = st.sampled_from((0.0, 0.02, 0.2, 1.0))

CHILD = ChildVariant()
GEORGIAN = GeorgianVariant()

_SHARED_OPTIONS = {
    "revoke": st.sampled_from(("forbid", "penalty")),
    "dealer_restriction": st.booleans(),
    "full_deal_trump": st.sampled_from(FULL_DEAL_TRUMPS),
    "joker": st.booleans(),
    "joker_demand": st.booleans(),
}
"""What Odessa and its kin have in common."""

_FULL_DECK_TABLES = ((3, 12), (4, 9), (6, 6))
"""Seats and `max_hand` with which the pack of 36 is dealt out to the last card (C7)."""


@st.composite
def odessa_tables(draw: st.DrawFn) -> tuple[int, dict[str, Any]]:
    """A number of seats with options that suit it: mostly short matches, some with full deals."""
    if draw(st.integers(0, 3)) == 0:
        seats, max_hand = draw(st.sampled_from(_FULL_DECK_TABLES))
        way = draw(st.sampled_from(FULL_DEAL_TRUMPS))
        return seats, {"deck": 36, "max_hand": max_hand, "joker": False, "full_deal_trump": way}
    seats = draw(st.integers(2, 6))
    deck = draw(st.sampled_from((36, 52)))
    max_hand = draw(st.integers(1, 4) | st.integers(1, min(12, deck // seats)))
    return seats, {"deck": deck, "max_hand": max_hand}


@st.composite
def odessa_matches(draw: st.DrawFn) -> RandomMatch:
    """A random match over the whole space of Odessa's options."""
    seats, options = draw(odessa_tables())
    rest = draw(
        st.fixed_dictionaries(
            {},
            optional={
                **_SHARED_OPTIONS,
                "blind_deals": st.integers(0, 2),
                "no_trump_deals": st.integers(0, 2),
                "made_pass": st.integers(-20, 20),
            },
        )
    )
    return RandomMatch(rest | options, seats, draw(SEEDS), draw(RECKLESSNESS))


@st.composite
def georgian_matches(draw: st.DrawFn) -> RandomMatch:
    """A random match over the whole space of Georgian's options, its long form the rarer one."""
    seats = draw(st.integers(2, 6))
    rest = draw(
        st.fixed_dictionaries({}, optional={**_SHARED_OPTIONS, "deck": st.sampled_from((36, 52))})
    )
    peak_deals = draw(st.just(1) | st.sampled_from((1, 2, None)))
    options = rest | {"peak_deals": peak_deals}
    recklessness = draw(RECKLESSNESS)
    return RandomMatch(options, seats, draw(SEEDS), recklessness, GEORGIAN, GeorgianUmpire)


@st.composite
def child_matches(draw: st.DrawFn) -> RandomMatch:
    """A random match over the whole space of Child's options; the more players, the shorter."""
    seats = draw(st.sampled_from((5, 4, 3, 2)))
    options = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "revoke": st.sampled_from(("forbid", "penalty")),
                "dealer_restriction": st.booleans(),
                "silent_poker_lead": st.sampled_from(("trump", "spades")),
                "circular_trumps": st.booleans(),
            },
        )
    )
    return RandomMatch(options, seats, draw(SEEDS), draw(RECKLESSNESS), CHILD, ChildUmpire)


@st.composite
def maverick_matches(draw: st.DrawFn, *, short: bool = False) -> MaverickMatch:
    """A random match over the whole space of Maverick's options; short ones have few deals."""
    rest = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "revoke": st.sampled_from(("forbid", "penalty")),
                "trumps_beat": st.booleans(),
                "bets": st.booleans(),
                "target": st.sampled_from((30, 40, 50)),
            },
        )
    )
    few = st.integers(1, 3)
    max_deals = draw(few if short else few | st.sampled_from((10, 200)))
    return MaverickMatch(rest | {"max_deals": max_deals}, draw(SEEDS), draw(RECKLESSNESS))
