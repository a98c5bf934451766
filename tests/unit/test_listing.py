"""The list of tables in a replica's memory: in order, in pages, each table once."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from kozyr_table.clock import ClockKind, ClockRule
from kozyr_table.keys import TableName
from kozyr_table.listing import Listing
from kozyr_table.room import Controller, Room, SeatRow, Status, TableInfo
from kozyr_table.stored import StoredTable

SAT = SeatRow(Controller.ACCOUNT, account="ann")


def stored(*, variant: str = "odessa", taken: int = 0, listed: bool = True) -> StoredTable:
    info = TableInfo(
        match_id="m",
        variant=variant,
        rules_version=1,
        options={},
        clock=ClockRule(ClockKind.UNTIMED),
        title="",
        host="ann",
        commitment="",
        listed=listed,
    )
    seats = (SAT,) * taken + (SeatRow(),) * (4 - taken)
    return StoredTable(
        info=info,
        room=Room(Status.GATHERING, 1, seats),
        created_at_ms=1,
        seed=b"",
        header=None,
        clocks={},
        entries=(),
        since=0,
        head="",
    )


def names(listing: Listing, tenant: str = "main", **filters: object) -> list[str]:
    how: dict[str, object] = {
        "after": "",
        "size": 100,
        "variant": "",
        "status": None,
        "free_seats": 0,
    }
    found = listing.page(tenant, **{**how, **filters})  # type: ignore[arg-type]
    return [name.partition("/")[2] for name, _ in found]


@given(
    st.sets(st.text("abc", min_size=1, max_size=3)),
    st.sets(st.text("abc", min_size=1, max_size=3)),
    st.integers(1, 5),
)
def test_pages_hold_every_table_of_the_tenant_once_and_in_order(
    mine: set[str], others: set[str], size: int
) -> None:
    listing = Listing()
    for tenant, ids in (("main", mine), ("mai", others), ("main2", others), ("a", others)):
        for each in ids:
            listing.put(TableName(f"{tenant}/{each}"), stored())
    found: list[str] = []
    while page := names(listing, after=found[-1] if found else "", size=size):
        assert len(page) <= size
        found += page
    assert found == sorted(mine)


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abcdef"))))
def test_list_holds_what_was_put_and_not_dropped(steps: list[tuple[bool, str]]) -> None:
    listing, expected = Listing(), set()
    for put, each in steps:
        name = TableName(f"main/{each}")
        if put:
            listing.put(name, stored())
            expected.add(each)
        else:
            listing.drop(name)
            expected.discard(each)
        assert names(listing) == sorted(expected)
        assert listing.names() == {f"main/{each}" for each in expected}


def test_page_is_of_tables_that_fit() -> None:
    listing = Listing()
    listing.put(TableName("main/a"), stored())
    listing.put(TableName("main/b"), stored(variant="whist"))
    listing.put(TableName("main/c"), stored(taken=3))
    listing.put(TableName("main/d"), stored(listed=False))
    playing = replace(stored(taken=4).room, status=Status.PLAYING)
    listing.put(TableName("main/e"), replace(stored(), room=playing))
    assert names(listing) == ["a", "b", "c", "e"]
    assert names(listing, variant="whist") == ["b"]
    assert names(listing, free_seats=2) == ["a", "b"]
    assert names(listing, status=Status.PLAYING) == ["e"]
    assert names(listing, after="b", size=1) == ["c"]


def test_an_older_room_is_taken_over_only_when_what_is_known_does_not_count() -> None:
    listing, name = Listing(), TableName("main/a")
    older, newer = stored(), stored(taken=2)
    newer = replace(newer, room=replace(newer.room, version=older.room.version + 1))
    assert listing.put(name, newer)
    assert not listing.put(name, older)
    assert names(listing, free_seats=3) == []
    assert listing.put(name, older, anew=True)
    assert names(listing, free_seats=3) == ["a"]


def test_room_of_a_table_that_is_not_listed_changes_nothing() -> None:
    listing = Listing()
    listing.change(TableName("main/a"), stored().room)
    assert not names(listing)
    listing.put(TableName("main/a"), stored())
    listing.change(TableName("main/a"), stored(taken=2).room)
    assert names(listing, free_seats=3) == []
    assert names(listing, free_seats=2) == ["a"]
