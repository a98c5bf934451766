"""A Redis of Debian's in a container, from the image that ``make-image`` makes."""

import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest
from testcontainers.community.redis import RedisContainer

REDIS_IMAGE = "kozyr-test/redis"
REDIS_COMMAND = (
    "redis-server --bind 0.0.0.0 --protected-mode no --appendonly yes --maxmemory-policy noeviction"
)


def engine_with_image() -> bool:
    """Whether a Docker engine answers that has the image."""
    command = shutil.which("docker")
    return (
        command is not None
        and not subprocess.run(
            [command, "image", "inspect", REDIS_IMAGE], capture_output=True, check=False
        ).returncode
    )


@pytest.fixture
def redis() -> Iterator[RedisContainer]:
    """An empty Redis of its own for the test; without Docker it is skipped, but not in CI."""
    if not engine_with_image():
        missing = f"no Docker engine with {REDIS_IMAGE}: see tests/containers/make-image"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    with RedisContainer(REDIS_IMAGE).with_command(REDIS_COMMAND) as server:
        yield server
