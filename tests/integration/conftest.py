"""Fixtures of the tests that need Redis.

A module whose tests may share a table service says ``loop_scope="module"`` and takes `service`,
with people of its own for each test. Whoever starts services takes `redis_url`, a Redis of its own.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from kozyr_table.embedded_redis import EmbeddedRedis
from tests.integration.service import Caller, Replica, replica

NAMED = os.environ.get("KOZYR_TEST_REDIS_URL")
"""A Redis that may be emptied, two databases for each process that runs tests.

By default each user gets a server of its own.
"""
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))

numbers = count()


@asynccontextmanager
async def empty_redis(data_dir: Path, *, database: int) -> AsyncIterator[str]:
    if NAMED:
        url = f"{NAMED.rstrip('/')}/{2 * WORKER + database}"
        async with Redis.from_url(url) as redis:
            await redis.flushdb()
        yield url
        return
    async with await EmbeddedRedis.start(data_dir) as server:
        yield server.url


@pytest.fixture
async def redis_url(tmp_path: Path) -> AsyncIterator[str]:
    async with empty_redis(tmp_path / "redis", database=0) as url:
        yield url


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Replica]:
    """The module's table service, on a Redis that it does not share."""
    data_dir = tmp_path_factory.mktemp("service")
    async with (
        empty_redis(data_dir / "redis", database=1) as url,
        replica(url, data_dir) as client,
    ):
        yield client


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def second(
    service: Replica, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Replica]:
    """Another replica on the Redis of `service`, with the same archive."""
    data_dir = tmp_path_factory.mktemp("second")
    async with replica(service.redis_url, data_dir, archive_dir=service.archive_dir) as client:
        yield client


@pytest.fixture
def four(service: Replica) -> list[Caller]:
    """Four people whom the service has never seen."""
    number = next(numbers)
    return [Caller(service, f"{name}-{number}") for name in ("ann", "bob", "cid", "dan")]


@pytest.fixture
def ann(four: list[Caller]) -> Caller:
    return four[0]


@pytest.fixture
def bob(four: list[Caller]) -> Caller:
    return four[1]
