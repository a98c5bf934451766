"""Calls about one table."""

from kozyr import wire
from kozyr.tokens import NAME_CHARS_MAX
from kozyr.v1 import table_pb2, table_pb2_grpc
from kozyr_table import room
from kozyr_table.archive import Archive
from kozyr_table.calls import Context, Doorkeeper, refusing
from kozyr_table.messages import table_message
from kozyr_table.requests import check_nonce, check_request_id, check_text
from kozyr_table.tables import Tables


class TableCalls(table_pb2_grpc.TableServiceServicer):
    """Shows a table, and lets people come, be ready and go."""

    def __init__(self, tables: Tables, archive: Archive, doorkeeper: Doorkeeper) -> None:
        self._tables = tables
        self._archive = archive
        self._doorkeeper = doorkeeper

    @refusing
    async def GetTable(  # noqa: N802  # the name of the rpc
        self, request: table_pb2.GetTableRequest, context: Context
    ) -> table_pb2.GetTableResponse:
        """Show a table."""
        caller = self._doorkeeper.identify(context)
        table = await self._tables.get(caller.tenant, request.table_id)
        return table_pb2.GetTableResponse(table=table_message(table))

    @refusing
    async def JoinTable(  # noqa: N802  # the name of the rpc
        self, request: table_pb2.JoinTableRequest, context: Context
    ) -> table_pb2.JoinTableResponse:
        """Take a seat."""
        caller = self._doorkeeper.identify(context)
        change = room.join(
            caller,
            seat=request.seat if request.HasField("seat") else None,
            name=check_text("display_name", request.display_name, NAME_CHARS_MAX),
            nonce=check_nonce(request.nonce),
        )
        key = f"{caller.account} join {check_request_id(request.request_id)}"
        table = await self._tables.get(caller.tenant, request.table_id)
        seat = await self._tables.change_room(table, change, request=key)
        return table_pb2.JoinTableResponse(table=table_message(table), seat=int(seat))

    @refusing
    async def SetReady(  # noqa: N802  # the name of the rpc
        self, request: table_pb2.SetReadyRequest, context: Context
    ) -> table_pb2.SetReadyResponse:
        """Say that one is ready to start, or not any more."""
        caller = self._doorkeeper.identify(context)
        key = f"{caller.account} ready {check_request_id(request.request_id)}"
        table = await self._tables.get(caller.tenant, request.table_id)
        change = room.set_ready(caller, ready=request.ready)
        await self._tables.change_room(table, change, request=key)
        return table_pb2.SetReadyResponse(table=table_message(table))

    @refusing
    async def LeaveTable(  # noqa: N802  # the name of the rpc
        self, request: table_pb2.LeaveTableRequest, context: Context
    ) -> table_pb2.LeaveTableResponse:
        """Leave a seat before the match has begun."""
        caller = self._doorkeeper.identify(context)
        key = f"{caller.account} leave {check_request_id(request.request_id)}"
        table = await self._tables.get(caller.tenant, request.table_id)
        await self._tables.change_room(table, room.leave(caller), request=key)
        return table_pb2.LeaveTableResponse(table=table_message(table))

    @refusing
    async def GetRecord(  # noqa: N802  # the name of the rpc
        self, request: table_pb2.GetRecordRequest, context: Context
    ) -> table_pb2.GetRecordResponse:
        """Give the record of a finished match."""
        caller = self._doorkeeper.identify(context)
        record = await self._archive.read(caller.tenant, request.match_id)
        return table_pb2.GetRecordResponse(record=wire.encode_record(record))
