"""What the tests of the client say on its behalf and on the service's."""

import asyncio

from kozyr import Match
from kozyr.client import Session, TableView
from kozyr.v1 import session_pb2
from tests.scripted_service import ScriptedTable, Stream

OURS, THEIRS = "ours", "theirs"
"""Two tokens."""


def a_match() -> Match:
    return Match("odessa", seats=3, seed=7, options={"max_hand": 3})


async def followed(session: Session, stream: Stream, table: ScriptedTable) -> TableView:
    """The view of all seats of a table."""
    seats = range(table.match.header.seats)
    view = session.attach_nowait(table.table_id, seats)
    await stream.frames.get()
    await tell(session, stream, table.full())
    return view


async def tell(session: Session, stream: Stream, *updates: session_pb2.TableUpdate) -> None:
    """Send updates in one frame, and wait until the session has taken it."""
    await stream.say(session_pb2.PlayResponse(updates=updates))
    asked = asyncio.ensure_future(session.ping())
    frame = await stream.frames.get()
    pong = session_pb2.Pong(nonce=frame.ping.nonce, at_ms=1)
    await stream.say(session_pb2.PlayResponse(pongs=[pong]))
    await asked
