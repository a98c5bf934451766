"""Random matches over the whole space of Georgian's options; the claims are Odessa's."""

from hypothesis import given

from kozyr.events import DealBegan
from tests.odessa_claims import (
    assert_hidden_cards_do_not_matter,
    assert_the_umpire_agrees,
    assert_what_is_heard_is_true,
    story,
)
from tests.odessa_walk import RandomMatch
from tests.strategies import georgian_matches


@given(georgian_matches())
def test_every_match_ends_and_keeps_the_rules_as_a_second_reader_has_them(
    match: RandomMatch,
) -> None:
    """C1–C8, G1–G3, O2, O6, O10–O12"""
    assert_the_umpire_agrees(match)


@given(georgian_matches())
def test_no_deal_is_blind_or_doubled(match: RandomMatch) -> None:
    """G1"""
    for event in story(match):
        if isinstance(event, DealBegan):
            assert event.kind == "regular"
            assert event.multiplier == 1


@given(georgian_matches())
def test_what_a_viewer_has_heard_folds_to_the_truth(match: RandomMatch) -> None:
    assert_what_is_heard_is_true(match)


@given(georgian_matches())
def test_permuting_hidden_cards_changes_nothing_that_a_viewer_gets(match: RandomMatch) -> None:
    assert_hidden_cards_do_not_matter(match)
