"""Matches still go as they are written down; see ``python -m tests.golden``."""

import pytest

from tests.golden.cases import PLAYTHROUGHS
from tests.golden.playthrough import FOLDER, Playthrough


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=lambda each: each.name)
def test_a_match_goes_as_its_golden_file_says(playthrough: Playthrough) -> None:
    assert playthrough.text() == playthrough.path.read_text(encoding="utf-8")


def test_every_golden_file_is_generated() -> None:
    assert set(FOLDER.glob("*/*.txt")) == {playthrough.path for playthrough in PLAYTHROUGHS}
