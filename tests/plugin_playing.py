"""Matches under plugins in other processes, and what happens to processes."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue

import psutil

from kozyr.log import Entry
from kozyr.match import Match
from kozyr.plugins import Plugin, Source
from kozyr.plugins.greeting import DESCRIPTOR, PROTOCOLS, read_greeting
from kozyr.referee import Referee

HOSTILE = Path(__file__).parent / "hostile_plugin.py"

END_LIMIT_S = 20.0
"""How long the end of a process is awaited before it counts as a failure."""


def hostile(fault: str) -> Source:
    """A plugin that commits this fault (see `tests.hostile_plugin`)."""
    return Source(command=(sys.executable, str(HOSTILE), fault))


@contextmanager
def served(*words: str) -> Iterator[str]:
    """``kozyr plugin serve`` with these words; gives its address."""
    greeting, end = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "kozyr_cli", "plugin", "serve", *words],
        env={**os.environ, DESCRIPTOR: str(end), PROTOCOLS: "1"},
        pass_fds=[end],
    )
    os.close(end)
    try:
        with os.fdopen(greeting, "rb") as line:
            yield read_greeting(line.readline())
    finally:
        process.terminate()
        process.wait()


def same_match(match: Match, referee: Referee) -> Match:
    """The match of the same header and seed under another referee, before its first shuffle."""
    return Match.open(match.header, referee=referee, seed=match.seed)


def play_again(match: Match, referee: Referee) -> Match:
    """A finished match, its moves made again one by one under another referee."""
    again = same_match(match, referee)
    again.commit(again.prepare_opening(), at_ms=match.entries[0].at_ms)
    play_on(again, match.entries[again.version :])
    return again


def play_on(match: Match, entries: Iterable[Entry]) -> None:
    """Make the moves among the next entries of another match's log; the shuffles follow."""
    for entry in entries:
        if entry.deck:
            continue
        advance = match.prepare(
            entry.actor,
            entry.action,
            decision_id=match.pending[entry.actor].id,
            cause=entry.cause,
            request_id=entry.request_id,
        )
        match.commit(advance, at_ms=entry.at_ms)


def children_of(pid: int) -> list[psutil.Process]:
    return psutil.Process(pid).children(recursive=True)


def assert_gone(processes: list[psutil.Process]) -> None:
    """Await the end of processes."""
    _, alive = psutil.wait_procs(processes, timeout=END_LIMIT_S)
    assert [each for each in alive if each.status() != psutil.STATUS_ZOMBIE] == []


class Changes:
    """Remembers what a plugin's `on_change` was told, and can await it."""

    def __init__(self) -> None:
        self._healthy: SimpleQueue[bool] = SimpleQueue()

    def __call__(self, plugin: Plugin) -> None:
        self._healthy.put(plugin.healthy)

    def next(self) -> bool:
        """Whether the plugin was healthy at its next change."""
        return self._healthy.get(timeout=END_LIMIT_S)
