"""What mypyc compiles wrongly or slowly, in silence, is not in the unit."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.native.unit import ROOT, compiled_files

BOXED_FROM: Final = 1 << 62
"""A literal of this size or more is boxed at every use."""


def complaints(source: str) -> list[str]:
    """What in a source must not be compiled."""
    tree = ast.parse(source)
    return [
        f"line {line}: {words}"
        for check in (boxed_literals, literal_shifts, overridden_attributes, protocols)
        for line, words in check(tree)
    ]


def boxed_literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is int and node.value >= BOXED_FROM:
            yield node.lineno, f"{node.value:#x} is boxed: it is not below 2^62"


def literal_shifts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """``1 << k`` is a shift of 32 bits, wrong from 31 on."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.LShift)
            and is_literal(node.left)
            and not is_literal(node.right)
        ):
            yield node.lineno, f"{ast.unparse(node)} shifts a literal by a variable"


def is_literal(node: ast.AST) -> bool:
    """Whether an expression is made of literals alone."""
    parts = [each for each in ast.walk(node) if isinstance(each, ast.expr)]
    return all(isinstance(each, ast.Constant | ast.BinOp | ast.UnaryOp) for each in parts)


def overridden_attributes(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Compiled methods of a base read the base's class attributes: what varies is a method."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef) or is_plain_data(node):
            continue
        for each in node.body:
            if isinstance(each, ast.Assign | ast.AnnAssign) and each.value is not None:
                yield each.lineno, f"class {node.name} has a class attribute"


def is_plain_data(node: ast.ClassDef) -> bool:
    """Whether a class is one whose class body is meant to hold values."""
    bases = {ast.unparse(base) for base in node.bases}
    return bool(bases & {"Enum", "IntEnum", "StrEnum", "NamedTuple"})


def protocols(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """A call through a Protocol costs twenty times one through a class."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any(
            ast.unparse(base).startswith(("Protocol", "typing.Protocol")) for base in node.bases
        ):
            yield node.lineno, f"class {node.name} is a Protocol"


@pytest.mark.parametrize("path", compiled_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_compiled_has_nothing_that_is_compiled_wrongly(path: Path) -> None:
    assert complaints(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("mask = 0x4000000000000000", "is boxed"),
        ("mask = 1 << 62 | 4611686018427387904", "is boxed"),
        ("def bit(k):\n    return 1 << k", "shifts a literal"),
        ("def bit(k):\n    return (3 * 5) << (k + 1)", "shifts a literal"),
        ("class Rules:\n    seats = 4", "class Rules has a class attribute"),
        ("class Rules(Base):\n    seats: int = 4", "class Rules has a class attribute"),
        ("class Plays(Protocol):\n    def play(self) -> None: ...", "class Plays is a Protocol"),
    ],
)
def test_what_must_not_be_compiled_is_found(source: str, words: str) -> None:
    [complaint] = complaints(source)
    assert words in complaint


@pytest.mark.parametrize(
    "source",
    [
        "mask = 0x3FFFFFFFFFFFFFFF",
        "mask = 1 << 59",
        "def bit(k):\n    return 0x1000000000000000 >> (60 - k)",
        "def double(mask, k):\n    return mask << k",
        "class Kind(Enum):\n    ONE = 1",
        "class Plan(NamedTuple):\n    size: int = 1",
        "class Rules:\n    seats: int",
    ],
)
def test_what_may_be_compiled_is_let_pass(source: str) -> None:
    assert complaints(source) == []
