"""The author's guide says what the code does."""

import ast
import doctest
import re
import tomllib
from pathlib import Path

import pytest

from kozyr.plugins import Source, calls, child, greeting, keeper, output, plugin, remote
from kozyr.tricks import TrickGame, TrickRules

ROOT = Path(__file__).parents[2]
PATH = ROOT / "docs" / "plugins.md"
PAGE = PATH.read_text(encoding="utf-8")
KIB = 1 << 10
MIB = 1 << 20


def section(title: str) -> str:
    """What is said under a heading, up to the next."""
    _, _, rest = PAGE.partition(f"# {title}\n")
    assert rest, title
    return re.split(r"^##", rest, maxsplit=1, flags=re.MULTILINE)[0]


def test_every_example_does_what_it_says() -> None:
    result = doctest.testfile(str(PATH), module_relative=False, encoding="utf-8")
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("kind", [TrickRules, TrickGame])
def test_every_hook_of_the_toolkit_is_there_with_its_parameters(kind: type) -> None:
    hooks = section(f"The hooks of `{kind.__name__}`")
    told = dict(re.findall(r"^\| `(\w+)\((.*)\)` \|", hooks, re.MULTILINE))
    assert told
    methods = parameters_of(kind)
    assert told == {name: methods[name] for name in told}


def parameters_of(kind: type) -> dict[str, str]:
    """The parameters of each method, from the source: compiled ones do not tell."""
    source = ROOT / f"{kind.__module__.replace('.', '/')}.py"
    [body] = [
        each.body
        for each in ast.parse(source.read_text(encoding="utf-8")).body
        if isinstance(each, ast.ClassDef) and each.name == kind.__name__
    ]
    return {
        method.name: ", ".join(argument.arg for argument in method.args.args[1:])
        for method in body
        if isinstance(method, ast.FunctionDef)
    }


def test_every_source_of_the_table_means_the_same_as_text_and_as_table() -> None:
    rows = re.findall(r"^\| `(.+)` \| .+ \| `(\{.+\})` \|$", section("Serving it"), re.MULTILINE)
    assert len(rows) == 5
    for text, table in rows:
        assert Source.parse(text) == Source.model_validate(tomllib.loads(f"it = {table}")["it"])


def test_the_settings_of_the_example_are_sources() -> None:
    [example] = re.findall(r"```toml\n(\[table\].+?)```", PAGE, re.DOTALL)
    sources = [Source.model_validate(each) for each in tomllib.loads(example)["table"]["plugins"]]
    assert [source.remote for source in sources] == [False, True, True, True]


def test_the_variables_of_the_handshake_are_those_that_a_host_sets() -> None:
    told = set(re.findall(r"^\| `(KOZYR_\w+)` \|", section("The handshake"), re.MULTILINE))
    assert told == {greeting.LISTEN, greeting.PROTOCOLS, greeting.DESCRIPTOR}


def test_the_greeting_of_the_example_is_understood() -> None:
    [example] = re.findall(r"```json\n(.+?)```", section("The handshake"), re.DOTALL)
    assert greeting.read_greeting(example.encode()).startswith("unix:/")


def test_every_limit_is_the_one_of_the_code() -> None:
    limits = dict(re.findall(r"^\| (.+) \| (\d.*) \|$", section("Limits"), re.MULTILINE))
    assert limits == {
        "time until the greeting": f"{plugin.START_TIMEOUT_S:.0f} s",
        "time for a call, `plugin_call_ms` of the table service": f"{plugin.CALL_TIMEOUT_S:.0f} s",
        "a greeting": f"{greeting.GREETING_BYTES_MAX // KIB} KiB",
        "an answer": f"{calls.ANSWER_BYTES_MAX // MIB} MiB",
        "a `Step`": f"{remote.STEP_BYTES_MAX // KIB} KiB",
        "entries in one `Act` or `Begin`": str(remote.ENTRIES_PER_CALL_MAX),
        "a line of output; the rest is cut": f"{output.LINE_BYTES_MAX // KIB} KiB",
        "lines of output passed on in a second; the rest is counted": str(output.LINES_PER_S_MAX),
        "bytes of output read in a second; who prints more waits": (
            f"{output.BYTES_PER_S_MAX // MIB} MiB"
        ),
        "time to end after SIGTERM, then SIGKILL": f"{child.STOP_TIMEOUT_S:.0f} s",
    }


def test_health_is_asked_for_and_failed_as_told() -> None:
    told = section("Health")
    assert keeper.HEALTH_INTERVAL_S == 1.0
    assert "every second" in told
    assert f"fails {keeper.HEALTH_FAILURES_MAX} times" in told
    assert f"up to {keeper.RESTART_S_MAX:.0f} s" in told


def test_every_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert (PATH.parent / target).exists(), target
