"""The services of this machine: a table service and bot workers as one stack."""

import asyncio
import json
import os
import secrets
import stat
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from kozyr.plugins import Source
from kozyr_cli.console import say
from kozyr_cli.stack import Stack, StackError
from kozyr_table.settings import TableSettings

KEY_BYTES: Final = 32
"""Random bytes in a token key that is made here; it is written in hex."""

SERVING_TIMEOUT_S: Final = 10.0
"""From the moment the table service listens to its first answer from Redis."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to start.

    Attributes:
        listen: where the table service shall listen; with port 0, on any free port.
        data_dir: of the embedded Redis.
        archive_dir: where records go.
        token_key: signs the tokens of everybody.
        workers: how many bot workers.
        brains: what the workers offer; by default as they are told otherwise.
        plugins: where rules come from; by default as the table service is told otherwise.
        config: the file that all services read.
    """

    listen: str
    data_dir: Path
    archive_dir: Path
    token_key: str
    workers: int = 1
    brains: Sequence[str] = ()
    plugins: Sequence[Source] = ()
    config: Path | None = None


async def keep_up(settings: TableSettings, *, workers: int) -> None:
    """Run the whole stack until cancelled, and say where it is.

    Raises:
        StackError: a process did not start, or ended.
    """
    plan = Plan(
        listen=settings.listen,
        data_dir=settings.data_dir,
        archive_dir=settings.records_dir,
        token_key=_token_key(settings),
        workers=workers,
        config=settings.config,
    )
    async with Stack(settings.data_dir / "logs") as stack:
        address = await start_services(stack, plan)
        say(f"table service  {address}")
        say(f"bot workers    {workers}")
        say(f"records        {plan.archive_dir}")
        say(f"logs           {stack.log_dir}")
        say(f'Connect by Client.connect("{address}") of kozyr.client, or by any gRPC client.')
        say("Ctrl-C stops everything.")
        await stack.guard(asyncio.Event().wait())


async def start_services(stack: Stack, plan: Plan) -> str:
    """Start the table service, then the workers; returns the table service's address.

    Raises:
        StackError: one of them did not start.
    """
    common = {"KOZYR_TOKEN_KEY": plan.token_key, "KOZYR_DATA_DIR": str(plan.data_dir)}
    if plan.config is not None:
        common["KOZYR_CONFIG"] = str(plan.config)
    table = {
        **common,
        "KOZYR_TABLE_LISTEN": plan.listen,
        "KOZYR_TABLE_ARCHIVE_DIR": str(plan.archive_dir),
    }
    if plan.plugins:
        plugins = [each.model_dump(mode="json", exclude_defaults=True) for each in plan.plugins]
        table["KOZYR_TABLE_PLUGINS"] = json.dumps(plugins)
    report = await stack.start("table", command("table", "serve"), variables=table)
    address = reachable(report["address"])
    await stack.guard(_until_serving(stack, address))
    # What others may have told a worker of theirs does not hold for ours.
    bots = {**common, "KOZYR_BOTS_CONNECT": address, "KOZYR_BOTS_TOKEN": ""}
    if plan.brains:
        bots["KOZYR_BOTS_BRAINS"] = ",".join(plan.brains)
    for number in range(plan.workers):
        name = "bots" if plan.workers == 1 else f"bots-{number}"
        await stack.start(name, command("bots", "serve"), variables=bots)
    return address


async def _until_serving(stack: Stack, address: str) -> None:
    """Await that the table service says it serves, which needs its Redis."""
    async with grpc.aio.insecure_channel(address) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        try:
            async with asyncio.timeout(SERVING_TIMEOUT_S):
                # Its types know of no method.
                watch = health.Watch(health_pb2.HealthCheckRequest())  # type: ignore[attr-defined]
                async for answer in watch:
                    if answer.status == health_pb2.HealthCheckResponse.SERVING:
                        return
        except TimeoutError:
            pass
        except grpc.aio.AioRpcError as error:
            raise StackError(f"the table process at {address} fails: {error.details()}") from error
    why = stack.quote("table")
    raise StackError(f"the table process does not serve, perhaps for want of its Redis{why}")


def command(*words: str) -> list[str]:
    """How to run the `kozyr` command of this very installation."""
    # -P: what lies in the working directory is not to be imported.
    return [sys.executable, "-P", "-m", "kozyr_cli", *words]


def reachable(address: str) -> str:
    """Where a service that listens on an address is reached from this machine."""
    host, _, port = address.rpartition(":")
    everywhere = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104 (we do not bind to it)
    return f"{everywhere[host]}:{port}" if host in everywhere else address


def _token_key(settings: TableSettings) -> str:
    if settings.token_key is not None:
        return settings.token_key.get_secret_value()
    return kept_token_key(settings.data_dir)


def new_token_key() -> str:
    """A key for tokens that nobody knows."""
    return secrets.token_hex(KEY_BYTES)


def kept_token_key(data_dir: Path) -> str:
    """The key in a file of the data directory, which is made at first for its owner only.

    Raises:
        OSError: the file can be neither read nor made.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    file = data_dir / "token.key"
    if not file.exists():
        fresh = file.with_name(f".{file.name}.{secrets.token_hex(8)}")
        fresh.touch(mode=stat.S_IRUSR | stat.S_IWUSR)
        try:
            fresh.write_text(new_token_key(), encoding="ascii")
            with suppress(FileExistsError):  # somebody else was faster
                os.link(fresh, file)
        finally:
            fresh.unlink()
    return file.read_text(encoding="ascii").strip()
