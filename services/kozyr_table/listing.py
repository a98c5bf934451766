"""The list of tables as a replica knows it: its own changes at once, others' by the feeds."""

import bisect
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kozyr_table.keys import TableName
from kozyr_table.room import Room, Status, TableInfo
from kozyr_table.stored import StoredTable


@dataclass(frozen=True, slots=True)
class Listed:
    """A table in the list."""

    info: TableInfo
    room: Room
    created_at_ms: int


class Listing:
    """All tables, by name."""

    def __init__(self) -> None:
        self._tables: dict[TableName, Listed] = {}
        self._names: list[TableName] = []

    def __iter__(self) -> Iterator[tuple[TableName, Listed]]:
        return iter(list(self._tables.items()))

    def get(self, name: TableName) -> Listed | None:
        """A table, None when it is not known."""
        return self._tables.get(name)

    def put(self, name: TableName, stored: StoredTable, *, anew: bool = False) -> bool:
        """Add a table, or take over what Redis says of it; False when more is known already.

        Args:
            anew: whether what is known does not count: Redis may have lost it.
        """
        known = self._tables.get(name)
        if known is None:
            bisect.insort(self._names, name)
        elif known.room.version > stored.room.version and not anew:
            return False
        self._tables[name] = Listed(stored.info, stored.room, stored.created_at_ms)
        return True

    def change(self, name: TableName, room: Room) -> None:
        """Take over a table's room."""
        if name in self._tables:
            self._tables[name] = replace(self._tables[name], room=room)

    def drop(self, name: TableName) -> None:
        """Forget a table."""
        if self._tables.pop(name, None) is not None:
            del self._names[bisect.bisect_left(self._names, name)]

    def names(self) -> frozenset[TableName]:
        """All names."""
        return frozenset(self._tables)

    def page(
        self,
        tenant: str,
        *,
        after: str,
        size: int,
        variant: str,
        status: Status | None,
        free_seats: int,
    ) -> list[tuple[TableName, Listed]]:
        """Public tables of a tenant in the order of their ids.

        Args:
            after: the id after which the page begins.
            size: how many at most.
            variant: only this one, unless empty.
            free_seats: only tables with so many or more.
        """
        found: list[tuple[TableName, Listed]] = []
        start = bisect.bisect_right(self._names, TableName(f"{tenant}/{after}"))
        for name in self._names[start:]:
            if not name.startswith(f"{tenant}/") or len(found) == size:
                break
            listed = self._tables[name]
            if (
                listed.info.listed
                and variant in ("", listed.info.variant)
                and status in (None, listed.room.status)
                and len(listed.room.free_seats) >= free_seats
            ):
                found.append((name, listed))
        return found
