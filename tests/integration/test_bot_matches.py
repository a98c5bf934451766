"""Whole matches of bots on the real parts: Redis, table service and bot worker as processes."""

import asyncio
import os
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

import grpc
import pytest
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from kozyr.client import Client, ConnectionLost, TableView
from kozyr.errors import KozyrError
from kozyr.tokens import Identity, mint
from kozyr.verify import verify_record
from kozyr_cli.stack import Stack
from kozyr_table.embedded_redis import EmbeddedRedis

MATCHES: Final = 20
LIMIT_S: Final = 90.0
"""Only so that a failing test ends."""

TOKEN_KEY: Final = "the key of all the tokens in these tests"
BOTS: Final = {0: "greedy", 1: "random", 2: "greedy", 3: "random"}


class Services:
    """A table service and a bot worker as processes of their own, on one Redis.

    Attributes:
        address: where the table service is, also after it was started again.
        records: where records go.
    """

    def __init__(self, stacks: AsyncExitStack, folder: Path, redis_url: str) -> None:
        self.address = f"unix:{folder}/t.sock"
        self.records = folder / "records"
        self._stacks = stacks
        self._logs = folder / "logs"
        self._pid = 0
        self._variables = {
            "KOZYR_TOKEN_KEY": TOKEN_KEY,
            "KOZYR_REDIS_URL": redis_url,
            "KOZYR_DATA_DIR": str(folder),
            "KOZYR_TABLE_LISTEN": self.address,
            "KOZYR_BOTS_CONNECT": self.address,
        }

    async def start(self, service: str) -> None:
        """Start ``table`` or ``bots`` and await its readiness."""
        command = [sys.executable, "-m", "kozyr_cli", service, "serve"]
        # Each in a stack of its own: a stack gives up when one of its processes is killed.
        stack = await self._stacks.enter_async_context(Stack(self._logs))
        facts = await stack.start(service, command, variables=self._variables)
        if service == "table":
            self._pid = int(facts["pid"])

    def kill_table_service(self) -> None:
        """End it without a word."""
        os.kill(self._pid, signal.SIGKILL)

    def client(self) -> Client:
        """A client of the table service."""
        token = mint(TOKEN_KEY, Identity("host", name="host"))
        return Client.connect(self.address, token=token)


@asynccontextmanager
async def services(folder: Path) -> AsyncIterator[Services]:
    """A Redis, a table service and a bot worker."""
    async with await EmbeddedRedis.start(folder / "redis") as redis, AsyncExitStack() as stacks:
        running = Services(stacks, folder, redis.url)
        await running.start("table")
        await running.start("bots")
        yield running


async def make_tables(client: Client) -> list[str]:
    """Tables of four bots; each starts at once."""
    options = {"max_hand": 4}
    return [
        (await client.create_table("odessa", seats=4, options=options, plan=BOTS)).table_id
        for _ in range(MATCHES)
    ]


async def watch(view: TableView, *, until_version: int | None = None) -> None:
    """Follow a table until its record is kept, or until its log is so long."""
    async for _ in view.updates():
        if view.archived or (until_version is not None and view.version >= until_version):
            return


def check_records(running: Services, tables: list[str]) -> None:
    """Every table has left one record, and each verifies."""
    paths = {path.stem: path for path in running.records.rglob("*.jsonl")}
    assert set(paths) == set(tables)
    for path in paths.values():
        match = verify_record(path)
        assert match.header.players == ("greedy 0", "random 1", "greedy 2", "random 3")


async def test_twenty_matches_of_four_bots_at_once_all_end_and_verify(tmp_path: Path) -> None:
    async with services(tmp_path) as running, asyncio.timeout(LIMIT_S):
        async with running.client() as client, client.session() as session:
            tables = await make_tables(client)
            views = [session.attach_nowait(table) for table in tables]
            await asyncio.gather(*(watch(view) for view in views))
        check_records(running, tables)


async def test_killed_table_service_loses_nothing_and_its_matches_go_on(tmp_path: Path) -> None:
    """SIGKILL in mid-match; the same matches go on from where they were and end."""
    async with services(tmp_path) as running, asyncio.timeout(LIMIT_S):
        views: dict[str, TableView] = {}
        async with running.client() as client:
            try:
                async with client.session() as session:
                    tables = await make_tables(client)
                    views = {table: session.attach_nowait(table) for table in tables}
                    await asyncio.gather(
                        *(watch(view, until_version=20) for view in views.values())
                    )
                    running.kill_table_service()
                    await session.ended()
            except ConnectionLost:
                pass
        seen = {table: (view.version, view.digest) for table, view in views.items()}
        await running.start("table")
        async with running.client() as client, client.session() as session:
            for table in tables:
                await finish(client, session.attach_nowait(table))
        check_records(running, tables)
        for table, (version, digest) in seen.items():
            match = verify_record(next(running.records.rglob(f"{table}.jsonl")))
            assert match.entries[version - 1].digest == digest, "what was seen is in the record"


async def finish(client: Client, view: TableView) -> None:
    """Wait until a match has its record, whether or not it ends before it is followed."""
    try:
        await watch(view)
    except KozyrError:
        await client.get_record(view.table_id)


async def test_client_of_the_readme_plays_a_whole_match_against_bots(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    program = next(
        block
        for block in re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
        if "Client.connect" in block
    )
    names: dict[str, Any] = {}
    exec(program.replace("asyncio.run(play())", ""), names)  # noqa: S102  # our own README
    async with services(tmp_path) as running, asyncio.timeout(LIMIT_S):
        await names["play"](running.address)
    assert capsys.readouterr().out.startswith("Outcome(scores=(")
    (path,) = running.records.rglob("*.jsonl")
    assert verify_record(path).header.players[0] == "Ann"


async def test_service_tells_by_reflection_what_it_offers(tmp_path: Path) -> None:
    make_stub: Any = reflection_pb2_grpc.ServerReflectionStub  # its types know no asyncio
    asked = reflection_pb2.ServerReflectionRequest(list_services="")
    async with (
        services(tmp_path) as running,
        asyncio.timeout(LIMIT_S),
        grpc.aio.insecure_channel(running.address) as channel,
    ):
        answer = await anext(aiter(make_stub(channel).ServerReflectionInfo(iter([asked]))))
    offered = {service.name for service in answer.list_services_response.service}
    assert offered >= {
        "kozyr.v1.AccountService",
        "kozyr.v1.BotService",
        "kozyr.v1.LobbyService",
        "kozyr.v1.SessionService",
        "kozyr.v1.TableService",
        "grpc.health.v1.Health",
    }


async def test_address_that_is_taken_is_named_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "kozyr_cli", "table", "serve"),
            *("--listen", address, "--data-dir", str(tmp_path), "--log-level", "error"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(LIMIT_S):
            _, complaint = await process.communicate()
    assert process.returncode not in (0, None)
    assert f"cannot listen on '{address}'" in " ".join(complaint.decode().split())
    assert "Traceback" not in complaint.decode()
