"""What a host and its child tell each other before the first call."""

import os

import pytest

from kozyr.plugins import UnsupportedProtocol
from kozyr.plugins.greeting import DESCRIPTOR, PROTOCOLS, Host, choose_protocol, read_greeting


@pytest.mark.parametrize("address", ["unix:/tmp/x", "127.0.0.1:1", "localhost:1", "[::1]:1"])
def test_a_greeting_names_an_address_of_this_machine(address: str) -> None:
    said = b'{"protocol_version": 1, "address": "%s"}\n' % address.encode()
    assert read_greeting(said) == address


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (b"", "greets with"),
        (b"hello\n", "greets with"),
        (b"[1]\n", "greets with"),
        (b"[" * 4_000, "greets with"),
        (b'{"protocol_version": 1}\n', "greets with"),
        (b'{"protocol_version": 1, "address": 5}\n', "greets with"),
        (b'{"protocol_version": 1, "address": "here"}\n', "greets with"),
        (b'{"protocol_version": 2, "address": "unix:/x"}\n', "was not offered"),
        (b'{"protocol_version": [], "address": "unix:/x"}\n', "was not offered"),
        (b'{"protocol_version": 1, "address": "example.test:80"}\n', "another machine's"),
    ],
)
def test_other_greetings_are_refused(said: bytes, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        read_greeting(said)


def test_both_sides_speak_the_newest_protocol_that_they_have_in_common() -> None:
    assert choose_protocol([1, 2, 3]) == 1
    with pytest.raises(UnsupportedProtocol) as refused:
        choose_protocol([2])
    assert (refused.value.wanted, refused.value.served) == ((2,), (1,))


def test_a_child_greets_on_the_descriptor_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    greeting, end = os.pipe()
    monkeypatch.setenv(DESCRIPTOR, str(end))
    monkeypatch.setenv(PROTOCOLS, "1,2")
    host = Host.of_this_process()
    assert host is not None
    assert DESCRIPTOR not in os.environ, "it is not for the child's own children"
    host.greet("unix:/tmp/x")
    with os.fdopen(greeting, "rb") as line:
        assert read_greeting(line.read()) == "unix:/tmp/x"


def test_a_process_that_nobody_hosts_greets_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DESCRIPTOR, raising=False)
    assert Host.of_this_process() is None
