"""Tables as messages for clients."""

from typing import TYPE_CHECKING, Final

from kozyr.v1 import table_pb2
from kozyr_table.clock import ClockKind, ClockRule
from kozyr_table.errors import InvalidRequest
from kozyr_table.room import Controller, Room, Status, TableInfo

if TYPE_CHECKING:
    from kozyr_table.table import LiveTable

_STATUSES: Final = {
    Status.GATHERING: table_pb2.TABLE_STATUS_GATHERING,
    Status.PLAYING: table_pb2.TABLE_STATUS_PLAYING,
    Status.FINISHED: table_pb2.TABLE_STATUS_FINISHED,
    Status.SUSPENDED: table_pb2.TABLE_STATUS_SUSPENDED,
}
_CONTROLLERS: Final = {
    Controller.OPEN: table_pb2.CONTROLLER_UNSPECIFIED,
    Controller.ACCOUNT: table_pb2.CONTROLLER_ACCOUNT,
    Controller.BOT: table_pb2.CONTROLLER_BOT,
}


def table_message(table: "LiveTable") -> table_pb2.Table:
    """A live table as clients see it."""
    version = table.match.version if table.match else 0
    return listed_message(
        table.table_id, table.info, table.room, table.created_at_ms, log_version=version
    )


def listed_message(
    table_id: str, info: TableInfo, room: Room, created_at_ms: int, *, log_version: int = 0
) -> table_pb2.Table:
    """A table as the list shows it."""
    return table_pb2.Table(
        table_id=table_id,
        match_id=info.match_id,
        variant=info.variant,
        rules_version=info.rules_version,
        options_json=info.options_text,
        status=_STATUSES[room.status],
        seats=[
            table_pb2.Seat(
                seat=seat,
                controller=_CONTROLLERS[row.controller],
                account_id=row.account,
                display_name=row.name,
                brain=row.brain,
                ready=row.ready,
                epoch=row.epoch,
            )
            for seat, row in enumerate(room.seats)
        ],
        clock=clock_message(info.clock),
        visibility=table_pb2.VISIBILITY_PUBLIC if info.listed else table_pb2.VISIBILITY_UNLISTED,
        host_account_id=info.host,
        title=info.title,
        created_at_ms=created_at_ms,
        commitment=bytes.fromhex(info.commitment),
        log_version=log_version,
        room_version=room.version,
        suspended_because=room.why,
    )


def status_of(message: table_pb2.TableStatus.ValueType) -> Status | None:
    """The status that a message names, None when it names none.

    Raises:
        InvalidRequest: it is none that a listed table can have.
    """
    if message == table_pb2.TABLE_STATUS_UNSPECIFIED:
        return None
    for status, value in _STATUSES.items():
        if value == message:
            return status
    raise InvalidRequest(f"no table in the list has status {message}")


def clock_message(rule: ClockRule) -> table_pb2.Clock:
    """A clock's rule as clients see it."""
    match rule.kind:
        case ClockKind.PER_MOVE:
            return table_pb2.Clock(per_move=table_pb2.Clock.PerMove(limit_ms=rule.extra_ms))
        case ClockKind.INCREMENT:
            increment = table_pb2.Clock.Increment(bank_ms=rule.bank_ms, increment_ms=rule.extra_ms)
            return table_pb2.Clock(increment=increment)
        case ClockKind.DELAY:
            delay = table_pb2.Clock.Delay(bank_ms=rule.bank_ms, delay_ms=rule.extra_ms)
            return table_pb2.Clock(delay=delay)
        case ClockKind.UNTIMED:
            return table_pb2.Clock(untimed=table_pb2.Clock.Untimed())


def clock_rule(message: table_pb2.Clock, *, default_limit_ms: int) -> ClockRule:
    """The rule of a clock that a client wants; the server's default when it names none.

    Raises:
        InvalidRequest: a time is out of range.
    """
    match message.WhichOneof("kind"):
        case None:
            return ClockRule(ClockKind.PER_MOVE, extra_ms=default_limit_ms)
        case "per_move":
            return ClockRule(ClockKind.PER_MOVE, extra_ms=message.per_move.limit_ms)
        case "increment":
            increment = message.increment
            return ClockRule(
                ClockKind.INCREMENT, bank_ms=increment.bank_ms, extra_ms=increment.increment_ms
            )
        case "delay":
            delay = message.delay
            return ClockRule(ClockKind.DELAY, bank_ms=delay.bank_ms, extra_ms=delay.delay_ms)
        case "untimed":
            return ClockRule(ClockKind.UNTIMED)
        case other:
            raise InvalidRequest(f"the clock {other!r} is not known")
