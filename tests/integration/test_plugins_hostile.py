"""A plugin that breaks the contract gets a typed error for it, and others go on."""

from queue import SimpleQueue

import pytest

from kozyr.errors import KozyrError
from kozyr.match import Match
from kozyr.plugins import Plugin, PluginMisbehaved, PluginUnavailable, Rulebook, open_plugin
from kozyr.plugins.output import LINE_BYTES_MAX
from kozyr.record import Record
from tests.hostile_plugin import STEP_FAULTS
from tests.plugin_playing import END_LIMIT_S, Changes, hostile, play_again, same_match
from tests.toy import play_out, toy_match

CALL_TIMEOUT_S = 2.0
SHORT_START_S = 2.0
"""For plugins that never serve."""

AT_START = {
    "never_start": (PluginUnavailable, "did not serve in time"),
    "end_at_once": (PluginUnavailable, "exit code 1; it printed last:\n  I do not want to"),
    "greet_with_garbage": (PluginMisbehaved, "greets with b'"),
    "greet_for_ever": (PluginMisbehaved, "greets with b'xxx"),
    "greet_with_another_protocol": (PluginMisbehaved, "protocol version 7, which was not offered"),
    "greet_from_elsewhere": (PluginMisbehaved, "another machine's"),
    "greet_and_not_serve": (PluginUnavailable, "did not answer in time"),
    "speak_another_protocol": (PluginMisbehaved, "protocol version 7, which was not offered"),
    "offer_rules_that_are_not_served": (PluginMisbehaved, "rules_version 99 of toy is not served"),
    "offer_nothing": (PluginMisbehaved, "offers no variant"),
}

WHEN_MOVED = {
    "crash": (PluginUnavailable, "cannot be reached"),
    "hang": (PluginUnavailable, "did not answer in time"),
    "freeze": (PluginUnavailable, "did not answer in time"),
    "answer_huge": (PluginMisbehaved, "RESOURCE_EXHAUSTED"),
    "refuse_what_is_legal": (PluginMisbehaved, "refuses what it lists as legal: not today"),
    "fail": (PluginMisbehaved, "a bug of the plugin"),
    "give_no_step": (PluginMisbehaved, "0 steps for 1 entries"),
}

WORDS = {
    "ask_a_seat_that_is_not_there": "asks seat 9",
    "list_an_action_that_is_not_there": "not ascending, or none",
    "ask_while_chance_is_awaited": "exactly one of",
    "ask_nobody": "exactly one of",
    "default_to_what_is_not_legal": "default",
    "name_a_seat_that_is_not_there": "a seat that is not there",
    "add_up_wrongly": r"adds \(1, 0, 0\) to \(0, 0, 0\) and gets \(500, 0, 0\)",
    "give_other_scores_than_told": r"gives scores of \(1, 0, 0\)",
    "show_a_hidden_card_to_all": "names cards to viewers who may not know them",
    "name_a_hidden_card_in_an_event_of_its_own": "may not know",
    "play_a_card_that_is_not_held": "does not hold it",
    "tell_one_viewer_twice": "two faces of an event",
    "send_a_card_that_is_none": "no card has the number 99",
    "tell_too_much": "a step of 100[0-9]{3} bytes",
    "end_without_saying_so": "gives the outcome",
}


def opened(fault: str) -> Plugin:
    never = fault in {"never_start", "greet_and_not_serve"}
    return open_plugin(
        hostile(fault),
        call_timeout_s=CALL_TIMEOUT_S,
        start_timeout_s=SHORT_START_S if never else END_LIMIT_S,
    )


def begun(plugin: Plugin) -> Match:
    """A match of three that has just been dealt."""
    match = same_match(toy_match(seats=3), plugin.referee("toy", 3))
    match.commit(match.prepare_opening(), at_ms=1)
    return match


@pytest.mark.parametrize("fault", AT_START)
def test_a_plugin_that_cannot_be_used_is_refused_when_it_is_opened(fault: str) -> None:
    kind, words = AT_START[fault]
    with pytest.raises(KozyrError, match=words) as refused:
        opened(fault)
    assert type(refused.value) is kind


def test_a_program_that_is_not_there_is_refused_with_its_name() -> None:
    with pytest.raises(PluginUnavailable, match="cannot run /no/such/program: No such file"):
        open_plugin("command:/no/such/program --serve")


@pytest.mark.parametrize("fault", WHEN_MOVED)
def test_a_plugin_that_fails_in_mid_call_costs_a_typed_error(fault: str) -> None:
    kind, words = WHEN_MOVED[fault]
    with opened(fault) as plugin:
        match = begun(plugin)
        with pytest.raises(KozyrError, match=words) as refused:
            match.play(0, 1)
        assert type(refused.value) is kind
        assert match.version == 1, "nothing has changed"


def test_every_fault_of_a_step_is_known_here() -> None:
    assert set(WORDS) == set(STEP_FAULTS)


@pytest.mark.parametrize("fault", STEP_FAULTS)
def test_a_step_that_breaks_the_contract_is_refused_and_says_what_it_did(fault: str) -> None:
    with opened(fault) as plugin:
        match = begun(plugin)
        with pytest.raises(PluginMisbehaved, match=WORDS[fault]):
            match.play(0, 1)
        assert match.version == 1, "nothing has changed"


def test_a_plugin_that_knows_no_match_is_not_asked_for_ever() -> None:
    with opened("forget") as plugin, pytest.raises(PluginMisbehaved, match="just been told"):
        begun(plugin)


def test_a_plugin_that_does_not_refuse_what_it_does_not_list_is_named() -> None:
    with opened("call_all_legal") as plugin:
        match = begun(plugin)
        with pytest.raises(PluginMisbehaved, match="does not list action 5"):
            match.play(0, 5)


def test_a_frozen_child_is_started_anew() -> None:
    changes = Changes()
    with open_plugin(
        hostile("freeze"), call_timeout_s=0.3, start_timeout_s=END_LIMIT_S, on_change=changes
    ) as plugin:
        assert changes.next() is True
        match = begun(plugin)
        with pytest.raises(PluginUnavailable):
            match.play(0, 1)
        assert changes.next() is False
        assert changes.next() is True
        assert begun(plugin).version == 1


def test_noise_is_cut_and_thinned_and_does_not_stop_the_game() -> None:
    lines: SimpleQueue[tuple[str, str]] = SimpleQueue()
    match = play_out(toy_match())
    with open_plugin(
        hostile("make_noise"), on_output=lambda stream, line: lines.put((stream, line))
    ) as plugin:
        again = play_again(match, plugin.referee("toy", 3))
        assert Record.of(again).to_bytes() == Record.of(match).to_bytes()
    heard = [lines.get() for _ in range(lines.qsize())]
    assert {stream for stream, _ in heard} <= {"stdout", "stderr"}
    assert all(len(line) <= LINE_BYTES_MAX + 1 and line.isprintable() for _, line in heard)
    assert any(line.endswith("…") for _, line in heard)


@pytest.mark.parametrize("fault", ["crash", "hang", "answer_huge", "end_at_once", "make_noise"])
def test_others_go_on_beside_a_hostile_plugin(fault: str) -> None:
    match = play_out(Match("odessa", seats=3, seed=1, options={"max_hand": 2}))
    with Rulebook.open(
        [hostile(fault), "isolated:odessa"],
        call_timeout_s=CALL_TIMEOUT_S,
        start_timeout_s=END_LIMIT_S,
    ) as book:
        assert book.offers()["odessa"].newest == 1
        if "toy" in book.offers():
            victim = begun(book.plugin("toy", 3))
            if fault != "make_noise":
                with pytest.raises((PluginMisbehaved, PluginUnavailable)):
                    victim.play(0, 1)
        again = play_again(match, book.referee("odessa", 1))
        assert Record.of(again).to_bytes() == Record.of(match).to_bytes()
