"""Names in Redis: a table's keys share one slot, and nobody can make them clash."""

from collections import Counter
from itertools import product

import pytest

from kozyr_table.keys import (
    ALL_SHARDS,
    SHARD_COUNT,
    is_table_id,
    new_table_id,
    shard_keys,
    split_name,
    table_keys,
)


def hash_tag(key: str) -> str:
    """The part of a key that decides its slot in a Cluster: what the first braces hold."""
    start = key.index("{")
    return key[start + 1 : key.index("}", start)]


def some_id(number: int = 0) -> str:
    return new_table_id("secret", "main", "ann", f"r{number}")


def test_id_is_the_same_for_the_same_request_and_another_for_any_other() -> None:
    whats = [*product(("secret", "other"), ("main", "club"), ("ann", "bob"), ("r1", "r2"))]
    ids = {new_table_id(*what) for what in whats}
    assert len(ids) == len(whats)
    assert {new_table_id(*what) for what in whats} == ids


def test_id_cannot_be_had_by_moving_characters_between_its_parts() -> None:
    assert new_table_id("s", "main", "ann", "1x") != new_table_id("s", "main", "ann1", "x")
    assert new_table_id("s", "main", "ann", "x") != new_table_id("s", "mainann", "", "x")


def test_ids_are_ids_and_spread_over_all_shards() -> None:
    ids = [some_id(number) for number in range(2_000)]
    assert all(is_table_id(each) for each in ids)
    counts = Counter(table_keys("main", each).shard for each in ids)
    assert len(counts) == SHARD_COUNT
    assert min(counts.values()) > 2_000 / SHARD_COUNT / 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        some_id()[:-1],
        some_id() + "a",
        "g" + some_id()[1:],
        "A" + some_id()[1:],
        some_id()[:-1] + "/",
        some_id()[:-1] + "}",
        some_id()[:-1] + "é",
        some_id()[:-1] + "\n",
        "٣" + some_id()[1:],
    ],
)
def test_anything_else_is_no_id(text: str) -> None:
    assert not is_table_id(text)


def test_all_keys_that_a_script_touches_lie_in_one_slot() -> None:
    for number in range(64):
        keys = table_keys("main", some_id(number))
        shard = ALL_SHARDS[keys.shard]
        names = [
            keys.meta,
            keys.log,
            keys.requests,
            keys.tombstone,
            shard.tables,
            shard.deadlines,
            shard.finished,
            shard.pulse,
            shard.feed,
        ]
        assert {hash_tag(name) for name in names} == {f"kz:{keys.shard:02}"}
        assert len(set(names)) == len(names)


def test_tenants_share_no_table() -> None:
    one, two = (table_keys(tenant, some_id()) for tenant in ("main", "club"))
    assert {one.meta, one.log, one.requests, one.tombstone}.isdisjoint(
        {two.meta, two.log, two.requests, two.tombstone}
    )
    assert one.name != two.name


def test_name_is_split_as_it_is_made() -> None:
    keys = table_keys("club", some_id())
    assert split_name(keys.name) == ("club", some_id())


def test_shards_are_all_different() -> None:
    assert len({shard_keys(shard) for shard in range(SHARD_COUNT)}) == SHARD_COUNT
