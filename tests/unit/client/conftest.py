"""A scripted service on a socket, and a client of it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kozyr.client import Client
from tests.scripted_service import ScriptedService
from tests.unit.client.talk import OURS


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"unix:{tmp_path}/service"


@pytest.fixture
async def service(address: str) -> AsyncIterator[ScriptedService]:
    async with ScriptedService.at(address) as service:
        yield service


@pytest.fixture
async def client(address: str) -> AsyncIterator[Client]:
    async with Client.connect(address, token=OURS) as client:
        yield client
