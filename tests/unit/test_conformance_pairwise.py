"""A pairwise cover: every two values of different factors meet, in few rows."""

from itertools import combinations, product
from math import prod

from hypothesis import given
from hypothesis import strategies as st

from kozyr.conformance.pairwise import Row, pairwise

FACTORS = st.dictionaries(
    st.sampled_from("abcdef"), st.lists(st.integers(0, 9), min_size=1, max_size=4, unique=True)
)


def pairs(row: Row) -> set[tuple[tuple[str, int], ...]]:
    return set(combinations(sorted(row.items()), 2))


@given(FACTORS)
def test_every_two_values_meet(factors: dict[str, list[int]]) -> None:
    met = {pair for row in pairwise(factors) for pair in pairs(row)}
    for one, other in combinations(sorted(factors), 2):
        for values in product(factors[one], factors[other]):
            assert tuple(zip((one, other), values, strict=True)) in met


@given(FACTORS)
def test_a_row_names_a_value_of_every_factor(factors: dict[str, list[int]]) -> None:
    rows = pairwise(factors)
    assert rows or not factors
    for row in rows:
        assert row.keys() == factors.keys()
        assert all(row[name] in values for name, values in factors.items())


def test_the_cover_is_far_smaller_than_all_combinations() -> None:
    factors = {name: [0, 1, 2] for name in "abcdefgh"}
    rows = pairwise(factors)
    assert 9 <= len(rows) <= 21 < prod(map(len, factors.values()))


def test_the_first_values_come_together_first() -> None:
    assert pairwise({"a": [1, 2], "b": [3, 4]})[0] == {"a": 1, "b": 3}


def test_a_single_factor_gives_a_row_for_each_value() -> None:
    assert pairwise({"a": [1, 2, 3]}) == [{"a": 1}, {"a": 2}, {"a": 3}]


def test_impossible_rows_are_left_out_and_all_possible_pairs_still_meet() -> None:
    factors = {"a": [0, 1, 2], "b": [0, 1, 2], "c": [0, 1]}
    rows = pairwise(factors, accepts=lambda row: row["a"] + row["b"] < 4)
    assert all(row["a"] + row["b"] < 4 for row in rows)
    met = {pair for row in rows for pair in pairs(row)}
    possible = {
        pair
        for values in product(*factors.values())
        if values[0] + values[1] < 4
        for pair in pairs(dict(zip(factors, values, strict=True)))
    }
    assert met == possible
