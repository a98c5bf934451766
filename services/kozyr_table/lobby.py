"""The lobby and the accounts: calls that are about no table yet."""

import json
import secrets
from typing import Final

from kozyr import tokens, wire
from kozyr.plugins import load_brain
from kozyr.shuffle import commitment_of, new_seed
from kozyr.tokens import NAME_CHARS_MAX, Identity
from kozyr.v1 import (
    accounts_pb2,
    accounts_pb2_grpc,
    lobby_pb2,
    lobby_pb2_grpc,
    table_pb2,
)
from kozyr_table.bots import BotDesk
from kozyr_table.calls import Context, Doorkeeper, refusing
from kozyr_table.errors import InvalidRequest
from kozyr_table.keys import new_table_id, split_name, table_keys
from kozyr_table.messages import clock_rule, listed_message, status_of, table_message
from kozyr_table.requests import (
    TITLE_CHARS_MAX,
    check_request_id,
    check_text,
    page_size,
    parse_options,
)
from kozyr_table.room import Controller, Room, SeatRow, Status, TableInfo
from kozyr_table.tables import Tables

GUEST_ID_BYTES: Final = 8


class AccountCalls(accounts_pb2_grpc.AccountServiceServicer):
    """Gives out guest tokens."""

    def __init__(self, doorkeeper: Doorkeeper) -> None:
        self._doorkeeper = doorkeeper

    @refusing
    async def CreateGuest(  # noqa: N802  # the name of the rpc
        self, request: accounts_pb2.CreateGuestRequest, context: Context
    ) -> accounts_pb2.CreateGuestResponse:
        """Make a guest account and its token."""
        name = check_text("display_name", request.display_name, NAME_CHARS_MAX)
        if not name:
            raise InvalidRequest("display_name must not be empty")
        identity = Identity(f"guest-{secrets.token_hex(GUEST_ID_BYTES)}", name=name)
        token = tokens.mint(self._doorkeeper.key, identity)
        return accounts_pb2.CreateGuestResponse(account_id=identity.account, token=token)


class LobbyCalls(lobby_pb2_grpc.LobbyServiceServicer):
    """Finds and makes tables."""

    def __init__(self, tables: Tables, desk: BotDesk, doorkeeper: Doorkeeper) -> None:
        self._tables = tables
        self._desk = desk
        self._doorkeeper = doorkeeper

    @refusing
    async def ListVariants(  # noqa: N802  # the name of the rpc
        self, request: lobby_pb2.ListVariantsRequest, context: Context
    ) -> lobby_pb2.ListVariantsResponse:
        """List the variants that can be played here."""
        self._doorkeeper.identify(context)
        offers = self._tables.refereeing.offers()
        variants = [wire.encode_offer(offers[name]) for name in sorted(offers)]
        return lobby_pb2.ListVariantsResponse(variants=variants)

    @refusing
    async def ConfigureVariant(  # noqa: N802  # the name of the rpc
        self, request: lobby_pb2.ConfigureVariantRequest, context: Context
    ) -> lobby_pb2.ConfigureVariantResponse:
        """Check options, and give all of them and the meaning of the actions."""
        self._doorkeeper.identify(context)
        version, configuration = await self._tables.refereeing.configure(
            request.variant,
            parse_options(request.options_json),
            rules_version=request.rules_version,
        )
        return lobby_pb2.ConfigureVariantResponse(
            rules_version=version,
            options_json=json.dumps(configuration.options, sort_keys=True),
            seat_counts=configuration.seat_counts,
            actions=wire.encode_actions(configuration.actions),
        )

    @refusing
    async def CreateTable(  # noqa: N802  # the name of the rpc
        self, request: lobby_pb2.CreateTableRequest, context: Context
    ) -> lobby_pb2.CreateTableResponse:
        """Make a table, once for each request id of an account."""
        caller = self._doorkeeper.identify(context)
        check_request_id(request.request_id)
        rule = clock_rule(
            request.clock, default_limit_ms=self._tables.settings.default_move_limit_ms
        )
        table_id = new_table_id(
            self._doorkeeper.key, caller.tenant, caller.account, request.request_id
        )
        seed = new_seed()
        version, configuration = await self._tables.refereeing.configure(
            request.variant, parse_options(request.options_json), seats=request.seats
        )
        info = TableInfo(
            match_id=table_id,
            variant=request.variant,
            rules_version=version,
            options=configuration.options,
            clock=rule,
            title=check_text("title", request.title, TITLE_CHARS_MAX),
            host=caller.account,
            commitment=commitment_of(seed).hex(),
            listed=request.visibility != table_pb2.VISIBILITY_UNLISTED,
        )
        room = Room(Status.GATHERING, 1, _seats_planned(request, caller))
        keys = table_keys(caller.tenant, table_id)
        staffed = self._desk.staffed(keys.name, room)
        try:
            table = await self._tables.create(keys, info, staffed, seed)
        finally:
            self._desk.settled(keys.name)
        return lobby_pb2.CreateTableResponse(table=table_message(table))

    @refusing
    async def ListTables(  # noqa: N802  # the name of the rpc
        self, request: lobby_pb2.ListTablesRequest, context: Context
    ) -> lobby_pb2.ListTablesResponse:
        """List public tables in pages, in the order of their ids."""
        caller = self._doorkeeper.identify(context)
        size = page_size(request.page_size)
        found = self._tables.listing.page(
            caller.tenant,
            after=request.page_token,
            size=size + 1,
            variant=request.variant,
            status=status_of(request.status),
            free_seats=request.free_seats,
        )
        messages = [
            listed_message(split_name(name)[1], listed.info, listed.room, listed.created_at_ms)
            for name, listed in found[:size]
        ]
        token = messages[-1].table_id if len(found) > size else ""
        return lobby_pb2.ListTablesResponse(tables=messages, next_page_token=token)


def _seats_planned(request: lobby_pb2.CreateTableRequest, caller: Identity) -> tuple[SeatRow, ...]:
    """The rows of a new table's seats."""
    rows = [SeatRow() for _ in range(request.seats)]
    for plan in request.plan:
        if not 0 <= plan.seat < len(rows):
            raise InvalidRequest(f"plan: seat {plan.seat} is not 0 to {len(rows) - 1}")
        if rows[plan.seat].controller is not Controller.OPEN:
            raise InvalidRequest(f"plan: seat {plan.seat} is named twice")
        rows[plan.seat] = _row_planned(plan, caller)
    if sum(row.account == caller.account for row in rows) > 1:
        raise InvalidRequest("plan: you can take only one seat")
    return tuple(rows)


def _row_planned(plan: lobby_pb2.SeatPlan, caller: Identity) -> SeatRow:
    name = check_text("display_name", plan.display_name, NAME_CHARS_MAX)
    if plan.WhichOneof("player") == "brain":
        load_brain(plan.brain)  # refuses what is not installed
        return SeatRow(
            Controller.BOT,
            name=name or f"{plan.brain} {plan.seat}",
            brain=plan.brain,
            ready=True,
            epoch=1,
        )
    if plan.me:
        return SeatRow(
            Controller.ACCOUNT,
            account=caller.account,
            name=name or caller.name or caller.account,
            epoch=1,
        )
    raise InvalidRequest(f"plan: seat {plan.seat} names neither a brain nor you")
