"""Matches under rules that run in other processes: children, sockets, TLS."""

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from kozyr.errors import (
    IllegalMove,
    InvalidOptions,
    InvalidSeatCount,
    MatchOver,
    NotYourTurn,
    UnknownVariant,
    UnsupportedRules,
)
from kozyr.match import Match
from kozyr.plugins import Plugin, PluginUnavailable, Source, load_variant, open_plugin
from kozyr.plugins.keeper import RemotePlugin
from kozyr.plugins.remote import ENTRIES_PER_CALL_MAX, _RemotePosition
from kozyr.record import Record
from kozyr.referee import LocalReferee
from tests.certificates import NAME, Certificates
from tests.plugin_playing import (
    Changes,
    assert_gone,
    children_of,
    hostile,
    play_again,
    play_on,
    same_match,
    served,
)
from tests.toy import TOY, play_out, toy_match

OWNER = """
import sys
from kozyr.plugins import open_plugin
plugin = open_plugin(sys.argv[1])
print(flush=True)
sys.stdin.read()
"""


def tls_flags(certificates: Certificates, *, mutual: bool = False) -> list[str]:
    """Flags that make a server show its certificate, and want one of its callers."""
    flags = [
        "--listen=127.0.0.1:0",
        f"--tls-cert={certificates.server}",
        f"--tls-key={certificates.server_key}",
    ]
    return [*flags, f"--tls-client-ca={certificates.authority}"] if mutual else flags


@contextmanager
def source_of(kind: str, variant: str, folder: Path) -> Iterator[Source]:
    """A plugin of each kind that serves the variant."""
    match kind:
        case "in-process":
            yield Source(variant=variant)
        case "isolated":
            yield Source(variant=variant, isolate=True)
        case "command":
            words = (sys.executable, "-m", "kozyr_cli", "plugin", "serve", variant)
            yield Source(command=words)
        case "tcp":
            with served(variant, "--listen=127.0.0.1:0") as address:
                yield Source(address=address)
        case "unix":
            with served(variant, f"--listen=unix:{folder / 'rules.sock'}") as address:
                yield Source(address=address)
        case "tls":
            certificates = Certificates(folder)
            with served(variant, *tls_flags(certificates, mutual=True)) as address:
                yield Source(
                    address=address,
                    tls_ca=certificates.authority,
                    tls_cert=certificates.client,
                    tls_key=certificates.client_key,
                    tls_name=NAME,
                )


@pytest.fixture(scope="module")
def toy() -> Iterator[Plugin]:
    with open_plugin(hostile("honest")) as plugin:
        yield plugin


def child_of(plugin: Plugin) -> psutil.Process:
    """The process that serves a plugin's rules, behind its guardian."""
    assert isinstance(plugin, RemotePlugin)
    assert plugin._child is not None
    [child] = children_of(plugin._child._process.pid)
    return child


KINDS = ("in-process", "isolated", "command", "tcp", "unix", "tls")


@pytest.mark.parametrize(
    ("kind", "variant"),
    [*((kind, "odessa") for kind in KINDS), ("isolated", "georgian"), ("isolated", "maverick")],
)
def test_a_match_gives_the_same_record_wherever_its_rules_run(
    kind: str, variant: str, tmp_path: Path
) -> None:
    rules = load_variant(variant)
    match = play_out(Match(rules, seats=4, seed=7), seed=7)
    with source_of(kind, variant, tmp_path) as source, open_plugin(source) as plugin:
        assert plugin.remote is (kind != "in-process")
        offer = plugin.offers()[variant]
        assert offer == LocalReferee(rules).describe()
        referee = plugin.referee(variant, offer.newest)
        again = play_again(match, referee)
        assert again.history == match.history
        assert Record.of(again).to_bytes() == Record.of(match).to_bytes()
        reopened = Record.of(match).match(referee=referee)
        assert reopened.history == match.history
        assert reopened.outcome == match.outcome


def test_simultaneous_decisions_keep_their_names_as_in_process(toy: Plugin) -> None:
    match = toy_match()
    again = same_match(match, toy.referee("toy", 3))
    again.commit(again.prepare_opening(), at_ms=match.entries[0].at_ms)
    assert again.pending == match.pending
    while not match.over:
        for seat in sorted(match.pending, reverse=True):
            action = match.pending[seat].legal[-1]
            match.play(seat, action)
            again.play(seat, action)
            assert again.pending == match.pending
            assert again.digest == match.digest


def test_a_remote_referee_says_of_its_rules_what_they_say_in_process(toy: Plugin) -> None:
    referee, local = toy.referee("toy", 3), LocalReferee(TOY)
    assert referee.describe() == local.describe()
    for options, seats in (({}, None), ({"deals": 3}, 5)):
        ours, theirs = local.configure(options, seats), referee.configure(options, seats)
        assert (theirs.options, theirs.seat_counts) == (ours.options, ours.seat_counts)
        assert theirs.teams == ours.teams
        assert list(theirs.actions) == list(ours.actions)


def test_options_and_seats_that_are_not_possible_are_refused_as_in_process(toy: Plugin) -> None:
    referee = toy.referee("toy", 3)
    with pytest.raises(InvalidOptions, match="unknown option 'decks'"):
        referee.configure({"decks": 2})
    with pytest.raises(InvalidSeatCount) as refused:
        referee.configure({}, 9)
    assert refused.value.allowed == (2, 3, 4, 5, 6)


def test_what_is_not_served_is_refused_with_what_is(toy: Plugin) -> None:
    with pytest.raises(UnknownVariant):
        toy.referee("chess", 1)
    with pytest.raises(UnsupportedRules) as refused:
        toy.referee("toy", 2)
    assert refused.value.served == (3,)


def test_a_move_is_refused_with_the_words_and_the_clause_of_the_rules(toy: Plugin) -> None:
    """T1: the refusal is the one that the rules give in-process."""
    match = toy_match()
    again = same_match(match, toy.referee("toy", 3))
    again.commit(again.prepare_opening(), at_ms=1)
    refusals = []
    for each in (match, again):
        with pytest.raises(IllegalMove) as refused:
            each.play(0, 5)
        refusals.append(vars(refused.value))
        each.play(0, 1)
        with pytest.raises(NotYourTurn):
            each.play(0, 1)
    assert refusals[0] == refusals[1]
    assert match.digest == again.digest


def test_an_ended_match_takes_no_move(toy: Plugin) -> None:
    match = play_out(toy_match())
    again = play_again(match, toy.referee("toy", 3))
    with pytest.raises(MatchOver):
        again.play(0, 0)


def test_a_log_that_breaks_the_rules_is_refused_when_it_is_replayed(toy: Plugin) -> None:
    match = play_out(toy_match())
    log = match.entries
    log[2].action = 5
    for entry in log:
        entry.digest = b""
    with pytest.raises(IllegalMove, match="T1"):
        Match.open(match.header, referee=toy.referee("toy", 3), log=log)


def test_a_long_log_is_replayed_in_several_calls(toy: Plugin) -> None:
    match = play_out(toy_match(seats=6, deals=9, hand=5))
    assert len(match.entries) > ENTRIES_PER_CALL_MAX
    again = Match.open(match.header, referee=toy.referee("toy", 3), log=match.entries)
    assert again.history == match.history


def test_positions_keep_no_earlier_step_alive(toy: Plugin) -> None:
    match = toy_match()
    again = same_match(match, toy.referee("toy", 3))
    again.commit(again.prepare_opening(), at_ms=1)
    again.play(0, 1)
    again.play(1, 1)
    gc.collect()
    alive = [each for each in gc.get_objects() if isinstance(each, _RemotePosition)]
    assert [each for each in alive if each.header is again.header] == [again._position]


def test_a_killed_child_costs_one_refusal_and_the_match_goes_on_from_its_log() -> None:
    changes = Changes()
    match = play_out(toy_match())
    with open_plugin(hostile("honest"), on_change=changes) as plugin:
        assert changes.next() is True
        again = same_match(match, plugin.referee("toy", 3))
        again.commit(again.prepare_opening(), at_ms=match.entries[0].at_ms)
        half = len(match.entries) // 2
        play_on(again, match.entries[again.version : half])
        child_of(plugin).send_signal(signal.SIGKILL)
        assert changes.next() is False
        with pytest.raises(PluginUnavailable, match="SIGKILL"):
            play_on(again, match.entries[again.version :])
        assert changes.next() is True
        play_on(again, match.entries[again.version :])
        assert Record.of(again).to_bytes() == Record.of(match).to_bytes()


def test_a_plugin_at_an_address_goes_down_and_comes_back(tmp_path: Path) -> None:
    changes = Changes()
    listen = f"--listen=unix:{tmp_path / 'rules.sock'}"
    match = play_out(Match("odessa", seats=3, seed=1, options={"max_hand": 2}))
    with served("odessa", listen) as address:
        plugin = open_plugin(address, on_change=changes)
        assert changes.next() is True
    with plugin:
        assert changes.next() is False
        referee = plugin.referee("odessa", 1)
        with pytest.raises(PluginUnavailable):
            same_match(match, referee)
        with served("odessa", listen):
            assert changes.next() is True
            again = play_again(match, referee)
    assert Record.of(again).to_bytes() == Record.of(match).to_bytes()


def test_a_plugin_that_forgets_old_positions_is_told_them_again(tmp_path: Path) -> None:
    match = play_out(Match("odessa", seats=3, seed=1, options={"max_hand": 2}))
    listen = f"--listen=unix:{tmp_path / 'rules.sock'}"
    with served("odessa", listen, "--positions-max=1") as address, open_plugin(address) as plugin:
        referee = plugin.referee("odessa", 1)
        pair = [same_match(match, referee) for _ in range(2)]
        for each in pair:
            each.commit(each.prepare_opening(), at_ms=match.entries[0].at_ms)
        while not pair[1].over:
            for each in pair:  # both have the same name: the one's place pushes out the other's
                version = each.version
                play_on(each, match.entries[version : version + 3])
        for each in pair:
            assert Record.of(each).to_bytes() == Record.of(match).to_bytes()


def test_a_host_that_is_killed_leaves_no_orphan() -> None:
    for source in (
        "isolated:odessa",
        str(hostile("ignore_sigterm")),
        str(hostile("leave_a_child")),
    ):
        with subprocess.Popen(
            [sys.executable, "-c", OWNER, source], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as host:
            assert host.stdout is not None
            host.stdout.readline()
            processes = children_of(host.pid)
            assert len(processes) >= 2, "a guardian and its child"
            host.kill()
        assert_gone(processes)


@pytest.mark.parametrize("fault", ["honest", "ignore_sigterm", "leave_a_child"])
def test_a_closed_plugin_leaves_no_process(fault: str) -> None:
    others = children_of(os.getpid())
    with open_plugin(hostile(fault)):
        processes = [each for each in children_of(os.getpid()) if each not in others]
        assert processes
    assert_gone(processes)


def test_children_do_not_get_what_the_host_was_told_in_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KOZYR_TOKEN_KEY", "a secret of thirty-two bytes or more")
    with open_plugin(hostile("honest")) as plugin:
        names = child_of(plugin).environ()
        assert "KOZYR_TOKEN_KEY" not in names
        assert "PATH" in names


def test_an_address_that_nobody_serves_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(PluginUnavailable, match="cannot be reached"):
        open_plugin(f"unix:{tmp_path / 'nobody.sock'}")


def test_a_server_whose_certificate_nobody_knows_is_unavailable(tmp_path: Path) -> None:
    certificates = Certificates(tmp_path)
    with (
        served("odessa", *tls_flags(certificates)) as address,
        pytest.raises(PluginUnavailable),
    ):
        open_plugin(Source(address=address, tls_ca=certificates.stranger, tls_name=NAME))


def test_a_host_without_a_certificate_is_not_served_where_one_is_wanted(tmp_path: Path) -> None:
    certificates = Certificates(tmp_path)
    with (
        served("odessa", *tls_flags(certificates, mutual=True)) as address,
        pytest.raises(PluginUnavailable),
    ):
        open_plugin(Source(address=address, tls_ca=certificates.authority, tls_name=NAME))
