"""A bot worker as a load: keeps so many tables of four bots playing and watches them.

It is the product's own worker on the product's own client; it only notes when it answered and
when it saw its answer made. Prints what it saw as JSON, like the loads of the naive baseline.
"""

import argparse
import asyncio
import gc
import time
from collections.abc import Iterator

import uvloop

from benchmarks.naive.meter import Tally, observe
from kozyr.brain import Decision
from kozyr.client import Client, Session, TableView, Update
from kozyr.tokens import BOTS_ROLE, Identity, mint
from kozyr_bots.worker import Game, Worker

SEATS = 4
CAPACITY = 100_000


class WatchedWorker(Worker):
    """A worker that tells how fast its moves are made, and when a match is over."""

    def __init__(self, client: Client, brain: str, tally: Tally, *, tables: int) -> None:
        super().__init__(client, brains=[brain], capacity=CAPACITY)
        self.tally = tally
        self.archived: asyncio.Queue[str] = asyncio.Queue()
        self.all_play = asyncio.Event()
        self._moved: set[str] = set()
        self._tables = tables
        self._sent_at: dict[str, float] = {}

    @property
    def session(self) -> Session:
        """The stream it plays on."""
        return self._session

    def updated(self, view: TableView, update: Update) -> None:
        sent_at = self._sent_at.pop(view.table_id, None)
        if sent_at is not None and update.faces:
            self.tally.latencies_ms.append((time.perf_counter() - sent_at) * 1e3)
            self.tally.done += 1
            self._moved.add(view.table_id)
            if len(self._moved) == self._tables:
                self.all_play.set()
        if update.archived:
            self.archived.put_nowait(view.table_id)
        super().updated(view, update)

    def _answer(self, game: Game, view: TableView, decision: Decision) -> None:
        self._sent_at[view.table_id] = time.perf_counter()
        super()._answer(game, view, decision)


async def make_table(client: Client, brain: str) -> None:
    """Make a table of four bots, which starts at once."""
    await client.create_table("odessa", seats=SEATS, plan=dict.fromkeys(range(SEATS), brain))


async def replace_finished(client: Client, worker: WatchedWorker, brain: str) -> None:
    """Make a new table whenever a match is over."""
    while True:
        await worker.archived.get()
        await make_table(client, brain)


async def load(args: argparse.Namespace) -> None:
    """Play for the interval and print what was seen."""
    identity = Identity("bench", name="bench", roles=frozenset({BOTS_ROLE}))
    token = mint(args.token_key, identity)
    tally = Tally()
    async with Client.connect(args.address, token=token) as client:
        worker = WatchedWorker(client, args.brain, tally, tables=args.tables)
        ready = asyncio.Event()
        gc.freeze()
        tasks = [
            asyncio.create_task(worker.run(ready=ready.set)),
            asyncio.create_task(replace_finished(client, worker, args.brain)),
        ]
        try:
            await ready.wait()
            for _ in range(args.tables):
                await make_table(client, args.brain)
            await worker.all_play.wait()  # the rush at the start is not what we measure
            frames_before = _frames(worker)
            seen = await observe(tally, args.seconds, server=args.server_pid, redis=args.redis_pid)
            frames = _frames(worker) - frames_before
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    seen = type(seen)(**{**vars(seen), "messages": frames})
    print(seen.to_json())


def _frames(worker: WatchedWorker) -> int:
    return worker.session.frames_read + worker.session.frames_written


def _arguments() -> Iterator[tuple[str, type]]:
    yield "--address", str
    yield "--token-key", str
    yield "--brain", str
    yield "--tables", int
    yield "--server-pid", int
    yield "--redis-pid", int
    yield "--seconds", float


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, kind in _arguments():
        parser.add_argument(name, type=kind, required=True)
    uvloop.run(load(parser.parse_args()))


if __name__ == "__main__":
    main()
