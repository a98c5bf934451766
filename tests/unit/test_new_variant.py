"""What ``kozyr new-variant`` refuses, and what of it a wheel carries."""

from pathlib import Path

import pytest
from setuptools import Distribution

from kozyr_cli.main import MISTAKEN, main
from kozyr_cli.new_variant import NAME_LENGTH_MAX, skeleton_files

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("High", "begin with a small letter a-z"),
        ("7up", "begin with a small letter a-z"),
        ("high-card", "digits and single underscores"),
        ("high__card", "digits and single underscores"),
        ("../high", "begin with a small letter a-z"),
        ("class", "no word of Python"),
        ("a" * (NAME_LENGTH_MAX + 1), f"up to {NAME_LENGTH_MAX} characters"),
        ("odessa", "the variant 'odessa' is installed already"),
        ("json", "there is a module 'json' here already"),
    ],
)
def test_name_that_cannot_be_used_is_refused_with_the_reason(
    name: str, words: str, directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new-variant", name]) == MISTAKEN
    assert words in capsys.readouterr().err
    assert list(directory.iterdir()) == []


def test_longest_name_is_taken(directory: Path) -> None:
    name = "a" * NAME_LENGTH_MAX
    assert main(["new-variant", name]) == 0
    assert [path.name for path in directory.iterdir()] == [name]


def test_what_is_there_already_is_left_alone(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (directory / "high_card").mkdir()
    assert main(["new-variant", "high_card"]) == MISTAKEN
    assert "high_card is there already" in capsys.readouterr().err
    assert list((directory / "high_card").iterdir()) == []


def test_directory_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-variant", "high_card", "--into", "nowhere"]) == MISTAKEN
    assert "nowhere" in capsys.readouterr().err


def test_next_steps_name_the_folder_as_a_path(capsys: pytest.CaptureFixture[str]) -> None:
    """For pip, ``high_card`` alone would be a package of the index."""
    assert main(["new-variant", "high_card"]) == 0
    assert "pip install -e './high_card[test]'" in capsys.readouterr().out


def test_name_may_hold_the_words_of_the_skeleton(directory: Path) -> None:
    assert main(["new-variant", "my_skeleton"]) == 0
    variant = (directory / "my_skeleton/src/my_skeleton/variant.py").read_text(encoding="utf-8")
    assert 'id = "my_skeleton"\n    title = "My skeleton"' in variant
    assert "class MySkeletonVariant(Variant[MySkeletonOptions]):" in variant


def test_wheel_carries_the_whole_skeleton(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    distribution = Distribution()
    distribution.parse_config_files()
    build = distribution.get_command_obj("build_py")
    build.ensure_finalized()
    assert set(skeleton_files()) <= {
        *(ROOT / source / name for _, source, _, names in build.data_files for name in names)
    }
