"""The table service as a process."""

import gc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

import structlog

from kozyr_table.embedded_redis import EmbeddedRedis
from kozyr_table.server import running
from kozyr_table.settings import TableSettings

log = structlog.get_logger()

GC_THRESHOLDS: Final = (20_000, 20, 50)
"""A move makes some hundred objects and next to no cycles: look for these less often."""


async def serve(settings: TableSettings, *, ready: Callable[[str], None]) -> None:
    """Serve until cancelled, then drain; with no Redis named, on an embedded one.

    Args:
        settings: what the service is told.
        ready: told the address once the service listens.
    """
    async with _redis_url(settings) as url, running(settings, url) as server:
        gc.freeze()  # what is loaded by now stays
        gc.set_threshold(*GC_THRESHOLDS)
        log.info("listening", address=server.address)
        ready(server.address)
        await server.ended()


@asynccontextmanager
async def _redis_url(settings: TableSettings) -> AsyncIterator[str]:
    if settings.redis_url is not None:
        yield settings.redis_url.get_secret_value()
        return
    async with await EmbeddedRedis.start(settings.data_dir / "redis") as redis:
        log.info("embedded_redis", program=redis.program, pid=redis.pid)
        yield redis.url
