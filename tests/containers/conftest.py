"""A Redis of Debian's in a container, from the image that ``make-image`` makes."""

from collections.abc import Iterator

import pytest
from testcontainers.community.redis import RedisContainer

REDIS_IMAGE = "kozyr-test/redis"
REDIS_COMMAND = (
    "redis-server --bind 0.0.0.0 --protected-mode no --appendonly yes --maxmemory-policy noeviction"
)


@pytest.fixture
def redis() -> Iterator[RedisContainer]:
    """An empty Redis of its own for the test."""
    with RedisContainer(REDIS_IMAGE).with_command(REDIS_COMMAND) as server:
        yield server
