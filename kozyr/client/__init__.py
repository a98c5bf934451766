"""A typed asyncio client of the table service.

::

    async with Client.connect("127.0.0.1:7450") as client:
        await client.create_guest("Ann")
        table = await client.create_table("odessa", seats=2, plan={0: "me", 1: "greedy"})
        async with client.session() as session:
            view = await session.attach(table.table_id, seats=[0])
            await client.set_ready(table.table_id)
            async for update in view.updates():
                for decision in update.decisions:
                    await session.play(view, decision, decision.legal[0])

Messages that only inform (tables, variants) are those of `kozyr.v1`; what belongs to the game
(observations, decisions, records) are the library's own objects. What the service refuses is
raised as the exception that it raised there, or as `kozyr.errors.Refused` where its class is not
known here. Whoever plays hundreds of tables in one process gives the session a `Listener`.
"""

from kozyr.client.api import Client, Configuration
from kozyr.client.errors import BufferFull, ClientError, ConnectionLost
from kozyr.client.seating import Seating
from kozyr.client.session import Listener, Session
from kozyr.client.view import Pending, TableView, Update

__all__ = [
    "BufferFull",
    "Client",
    "ClientError",
    "Configuration",
    "ConnectionLost",
    "Listener",
    "Pending",
    "Seating",
    "Session",
    "TableView",
    "Update",
]
