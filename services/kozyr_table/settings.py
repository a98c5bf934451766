"""What a table service can be told; every limit of the service is here by name."""

from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import Field, PositiveInt

from kozyr.addresses import TcpAddress
from kozyr.plugins import Source
from kozyr.settings import Address, DataDir, RedisUrl, Settings, TokenKey, default_data_dir
from kozyr_table.clock import LIMIT_MS_MAX, LIMIT_MS_MIN


class TableSettings(Settings):
    """Settings of ``kozyr table serve``."""

    service: ClassVar[str] = "table"

    listen: Annotated[Address, Field(description="Address to serve gRPC on.")] = "127.0.0.1:7450"
    redis_url: RedisUrl = None
    token_key: TokenKey = None
    data_dir: DataDir = Field(default_factory=default_data_dir)
    archive_dir: Annotated[
        Path | None, Field(description="Directory of the records; by default in the data dir.")
    ] = None

    plugins: Annotated[
        tuple[Source, ...],
        Field(
            description="Where rules come from; without any, every installed variant. "
            "Each is VARIANT, isolated:VARIANT, command:PROGRAM, HOST:PORT or unix:PATH.",
        ),
    ] = ()
    plugin_call_ms: Annotated[
        int, Field(ge=10, description="Time for one call to a plugin in another process.")
    ] = 2_000
    metrics_listen: Annotated[
        TcpAddress | None, Field(description="Address to serve Prometheus' metrics on.")
    ] = None

    default_move_limit_ms: Annotated[
        int,
        Field(
            ge=LIMIT_MS_MIN,
            le=LIMIT_MS_MAX,
            description="Time for a decision at tables that name no clock.",
        ),
    ] = 60_000
    gathering_limit_ms: Annotated[
        PositiveInt, Field(description="A table that has not started by then is closed.")
    ] = 3_600_000
    outage_ms: Annotated[
        int, Field(ge=500, description="Without any table service for so long is an outage.")
    ] = 3_000
    grace_ms: Annotated[
        PositiveInt, Field(description="After an outage no clock runs out for so long.")
    ] = 3_000
    idle_ms: Annotated[
        PositiveInt, Field(description="A table that nobody follows leaves memory after that.")
    ] = 60_000

    session_tables_max: Annotated[
        PositiveInt, Field(description="Tables that one session may follow.")
    ] = 4_096
    session_buffer_bytes_max: Annotated[
        PositiveInt, Field(description="Bytes that may wait for a slow reader; then it is cut off.")
    ] = 16_777_216
    table_queue_max: Annotated[
        PositiveInt, Field(description="Moves that may wait at one table.")
    ] = 64
    message_bytes_max: Annotated[
        PositiveInt, Field(description="Size of one message from a client.")
    ] = 1_048_576
    drain_ms: Annotated[
        PositiveInt, Field(description="Time for calls under way when the service stops.")
    ] = 5_000

    @property
    def records_dir(self) -> Path:
        """Where records go."""
        return self.archive_dir or self.data_dir / "records"
