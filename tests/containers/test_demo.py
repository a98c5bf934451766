"""The services against a Redis that they did not start: Debian's, over TCP, in a container."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest
from testcontainers.community.redis import RedisContainer

KOZYR = Path(sys.executable).with_name("kozyr")
HANG_S = 5.0
"""How long Redis says nothing: longer than a health check, shorter than a player's patience."""

pytestmark = pytest.mark.container


@contextmanager
def demo(redis: RedisContainer, data_dir: Path) -> Iterator[IO[str]]:
    """A short match on that Redis, by its output; played to its end with nothing going wrong."""
    address = f"{redis.get_container_host_ip()}:{redis.get_exposed_port(redis.port)}"
    environment = {"KOZYR_REDIS_URL": f"redis://{address}/0", "KOZYR_DATA_DIR": str(data_dir)}
    with subprocess.Popen(
        [KOZYR, "demo", "odessa", "--option", "max_hand=4"],
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield process.stdout
        rest = process.stdout.read()
    assert process.returncode == 0, rest


def assert_one_record_verifies(data_dir: Path) -> None:
    (record,) = (data_dir / "records").rglob("*.jsonl")
    subprocess.run([KOZYR, "verify", record], check=True)


def test_demo_plays_a_verifiable_match_on_a_redis_in_a_container(
    redis: RedisContainer, tmp_path: Path
) -> None:
    with demo(redis, tmp_path):
        pass
    assert_one_record_verifies(tmp_path)
    with redis.get_client() as client:
        assert "cmdstat_evalsha" in client.info("commandstats"), "it was played elsewhere"


def test_match_survives_a_redis_that_hangs_in_the_middle_and_answers_again(
    redis: RedisContainer, tmp_path: Path
) -> None:
    with demo(redis, tmp_path) as output:
        assert "deal 1 of" in output.readline()
        redis.get_wrapped_container().pause()
        time.sleep(HANG_S)
        redis.get_wrapped_container().unpause()
    assert_one_record_verifies(tmp_path)
