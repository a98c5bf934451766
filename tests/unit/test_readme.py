"""The README's examples are run as they stand."""

import doctest
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def test_every_example_of_the_readme_does_what_it_says() -> None:
    result = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert result.attempted > 0
    assert result.failed == 0
