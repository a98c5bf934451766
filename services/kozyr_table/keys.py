"""Names of tables and of everything in Redis.

There are 16 shards; a table's id begins with its shard, and all keys of a shard carry one hash
tag, so that a script may touch them together on a single Redis and on a Cluster alike::

    {kz:07}:tables            every table of the shard (sorted set, by name)
    {kz:07}:deadlines         when each table wants to be looked at next (sorted set, ms)
    {kz:07}:finished          tables on their way to the archive (sorted set, ms)
    {kz:07}:pulse             last time that anybody asked for deadlines (hash)
    {kz:07}:feed              names of the tables that changed (stream)
    main:{kz:07}:7abc…        a table (hash); its tenant comes first
    main:{kz:07}:7abc…:log    its log (list)
    main:{kz:07}:7abc…:req    answers to its room requests (hash)
    main:{kz:07}:7abc…:gone   says for a while that it was there
    kozyr:token-key           the key of the tokens, where nobody has set one
    kozyr:workers             bot workers and until when they are alive (sorted set, ms)
    kozyr:offers              rules and when a replica last said to serve them (sorted set, ms)

A table's *name* is ``tenant/id``; it is what the shard's own keys hold.
"""

import base64
import hmac
from dataclasses import dataclass
from typing import Final, NewType

TableId = NewType("TableId", str)
TableName = NewType("TableName", str)
"""``tenant/id``."""

SHARD_COUNT: Final = 16
SHARDS: Final = range(SHARD_COUNT)
TOKEN_KEY: Final = "kozyr:token-key"  # noqa: S105  # the name of a key, not a secret
WORKERS: Final = "kozyr:workers"
OFFERS: Final = "kozyr:offers"

_DIGITS: Final = "0123456789abcdef"
_ID_BYTES: Final = 10


@dataclass(frozen=True, slots=True)
class ShardKeys:
    """The keys that the tables of one shard share."""

    tables: str
    deadlines: str
    finished: str
    pulse: str
    feed: str


@dataclass(frozen=True, slots=True)
class TableKeys:
    """The keys of one table."""

    name: TableName
    shard: int
    meta: str
    log: str
    requests: str
    tombstone: str


def shard_keys(shard: int) -> ShardKeys:
    """The keys of a shard, 0..15."""
    tag = f"{{kz:{shard:02}}}"
    return ShardKeys(
        tables=f"{tag}:tables",
        deadlines=f"{tag}:deadlines",
        finished=f"{tag}:finished",
        pulse=f"{tag}:pulse",
        feed=f"{tag}:feed",
    )


ALL_SHARDS: Final = tuple(shard_keys(shard) for shard in SHARDS)


def table_keys(tenant: str, table_id: str) -> TableKeys:
    """The keys of a table, whose id must be one that `is_table_id` accepts."""
    shard = _DIGITS.index(table_id[0])
    meta = f"{tenant}:{{kz:{shard:02}}}:{table_id}"
    name = TableName(f"{tenant}/{table_id}")
    return TableKeys(name, shard, meta, f"{meta}:log", f"{meta}:req", f"{meta}:gone")


def split_name(name: str) -> tuple[str, TableId]:
    """The tenant and the id of a table's name."""
    tenant, _, table_id = name.partition("/")
    return tenant, TableId(table_id)


def is_table_id(text: str) -> bool:
    """Whether a text can be a table's id at all."""
    return len(text) == 17 and text.isascii() and text.isalnum() and text[0] in _DIGITS


def new_table_id(secret: str, tenant: str, account: str, request_id: str) -> TableId:
    """The id of the table that this request of this account makes, the same every time.

    It cannot be guessed without the deployment's secret.
    """
    message = f"{tenant}\0{account}\0{request_id}".encode()
    digest = hmac.digest(secret.encode(), message, "sha256")
    body = base64.b32encode(digest[1 : 1 + _ID_BYTES]).decode().lower()
    return TableId(_DIGITS[digest[0] % SHARD_COUNT] + body)
