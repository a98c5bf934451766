"""What the table service refuses, beside what the rules refuse (`kozyr.errors`).

::

    ServiceError
    ├── InvalidRequest        a field is missing, malformed or too large; names it
    ├── Unauthenticated       no valid token
    ├── NotAllowed            the caller has no right to do that
    ├── UnknownTable          there is no such table, or the caller may not see it
    ├── UnknownRecord         no finished match has this id
    ├── ArchiveUnavailable    records cannot be read now; ask again
    ├── TableFull             no free seat
    ├── SeatTaken             somebody sits there
    ├── NotSeated             the caller sits nowhere at this table
    ├── WrongStatus           the table is not in the state for that
    ├── Suspended             the match is stopped: nobody can ask its rules now
    ├── NotYourSeat           the caller does not play that seat (any more)
    ├── NotAttached           the session does not follow the table
    ├── TooLate               the decision's time was up
    ├── LimitExceeded         more than a named limit allows
    ├── StoreUnavailable      Redis cannot be reached; the same request may be sent again
    ├── CannotListen          an address of the service is taken, or none of this machine's
    └── Draining              this server goes down; connect again
"""

from kozyr.errors import Code, KozyrError


class ServiceError(KozyrError):
    """The base of what the service refuses."""

    reason = "SERVICE_ERROR"
    code = Code.FAILED_PRECONDITION


class InvalidRequest(ServiceError):
    """A field is missing, malformed or too large."""

    reason = "INVALID_REQUEST"
    code = Code.INVALID_ARGUMENT


class Unauthenticated(ServiceError):
    """No valid token came with the call."""

    reason = "UNAUTHENTICATED"
    code = Code.UNAUTHENTICATED


class NotAllowed(ServiceError):
    """The caller has no right to do that."""

    reason = "NOT_ALLOWED"
    code = Code.PERMISSION_DENIED


class UnknownTable(ServiceError):
    """There is no such table, or the caller may not see it."""

    reason = "UNKNOWN_TABLE"
    code = Code.NOT_FOUND

    def __init__(self, table_id: str) -> None:
        super().__init__(f"there is no table {table_id!r}; it may have ended or closed")


class UnknownRecord(ServiceError):
    """No finished match has this id."""

    reason = "UNKNOWN_RECORD"
    code = Code.NOT_FOUND


class ArchiveUnavailable(ServiceError):
    """Records cannot be read now; the same request may be sent again."""

    reason = "ARCHIVE_UNAVAILABLE"
    code = Code.UNAVAILABLE
    retryable = True


class TableFull(ServiceError):
    """No seat is free."""

    reason = "TABLE_FULL"


class SeatTaken(ServiceError):
    """Somebody sits there."""

    reason = "SEAT_TAKEN"


class NotSeated(ServiceError):
    """The caller sits nowhere at this table."""

    reason = "NOT_SEATED"


class WrongStatus(ServiceError):
    """The table is not in the state for that."""

    reason = "WRONG_STATUS"


class Suspended(ServiceError):
    """The match is stopped, its clocks too, until somebody can ask its rules again."""

    reason = "SUSPENDED"
    code = Code.UNAVAILABLE
    retryable = True


class NotYourSeat(ServiceError):
    """The caller does not play that seat, or not any more."""

    reason = "NOT_YOUR_SEAT"
    code = Code.PERMISSION_DENIED


class NotAttached(ServiceError):
    """The session does not follow the table."""

    reason = "NOT_ATTACHED"


class TooLate(ServiceError):
    """The time for the decision was up."""

    reason = "TOO_LATE"


class LimitExceeded(ServiceError):
    """More than a named limit allows."""

    reason = "LIMIT_EXCEEDED"
    code = Code.RESOURCE_EXHAUSTED


class StoreUnavailable(ServiceError):
    """Redis cannot be reached now; the same request may be sent again under the same id."""

    reason = "STORE_UNAVAILABLE"
    code = Code.UNAVAILABLE
    retryable = True


class CannotListen(ServiceError):
    """An address of the service is taken, or is none of this machine's."""

    reason = "CANNOT_LISTEN"
    code = Code.UNAVAILABLE

    def __init__(self, address: str, *, setting: str = "listen") -> None:
        super().__init__(
            f"cannot listen on {address!r}: it is taken, or no address of this machine; set "
            f"another one by --{setting.replace('_', '-')} or KOZYR_TABLE_{setting.upper()}, with "
            "port 0 for any free port"
        )


class Draining(ServiceError):
    """This server goes down; connect again."""

    reason = "DRAINING"
    code = Code.UNAVAILABLE
    retryable = True
