"""Where rules come from, as text and as tables of a TOML file."""

import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from kozyr.plugins import InvalidSource, Source


@pytest.mark.parametrize(
    ("text", "table", "remote"),
    [
        ("odessa", {"variant": "odessa"}, False),
        ("isolated:odessa", {"variant": "odessa", "isolate": True}, True),
        ("command:node plugin.js", {"command": "node plugin.js"}, True),
        ("command:node 'my plugin.js'", {"command": ["node", "my plugin.js"]}, True),
        ("127.0.0.1:7460", {"address": "127.0.0.1:7460"}, True),
        ("unix:/run/rules.sock", {"address": "unix:/run/rules.sock"}, True),
    ],
)
def test_a_source_has_a_text_and_a_table(text: str, table: dict[str, Any], *, remote: bool) -> None:
    source = Source.parse(text)
    assert source == Source.model_validate(table)
    assert str(source) == text
    assert source.remote is remote


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no source of rules"),
        ("Odessa!", "no source of rules"),
        ("host:", "no source of rules"),
        ("host:99999", "no source of rules"),
        ("unix:", "no source of rules"),
        ("isolated:", "'' is no id of a variant"),
        ("command:", "the command is empty"),
        ("command:node 'plugin.js", "no command line"),
    ],
)
def test_a_text_that_names_no_source_is_refused_with_what_is_allowed(
    text: str, problem: str
) -> None:
    with pytest.raises(InvalidSource, match=problem):
        Source.parse(text)


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ({}, "exactly one of"),
        ({"variant": "odessa", "address": "a:1"}, "exactly one of"),
        ({"address": "a:1", "isolate": True}, "isolate is for installed variants"),
        ({"address": "a:1", "tls_name": "b"}, "need tls_ca"),
        ({"address": "a:1", "tls_ca": "ca.pem", "tls_key": "key.pem"}, "belong together"),
        ({"variant": "odessa", "tls_ca": "ca.pem"}, "TLS is for addresses"),
        ({"variant": "odessa", "colour": "red"}, "Extra inputs"),
        ({"address": "nowhere"}, "HOST:PORT"),
    ],
)
def test_a_table_that_names_no_source_is_refused(table: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        Source.model_validate(table)


def test_an_isolated_variant_is_served_by_the_command_of_this_installation() -> None:
    program = Source.parse("isolated:odessa").program
    assert program == (sys.executable, "-m", "kozyr_cli", "plugin", "serve", "odessa")
    assert Source.parse("odessa").program is None


def test_certificates_of_an_address_are_files() -> None:
    source = Source.model_validate({"address": "rules.test:443", "tls_ca": "ca.pem"})
    assert source.tls_ca == Path("ca.pem")
