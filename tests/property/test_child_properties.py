"""Random matches over the whole space of Child's options."""

from hypothesis import given

from kozyr.events import WATCHER, BidMade, CardsDealt, DealBegan, HandLooked, Seat
from kozyr.observation import Observation
from tests.odessa_claims import assert_the_umpire_agrees, story, viewers
from tests.odessa_secrets import cards_in_face, cards_named
from tests.odessa_walk import RandomMatch, walk
from tests.oracle_child import ChildUmpire
from tests.oracle_odessa import truth
from tests.strategies import child_matches


@given(child_matches())
def test_every_match_ends_and_keeps_the_rules_as_a_second_reader_has_them(
    match: RandomMatch,
) -> None:
    """C1–C6, C8, H1–H13"""
    assert_the_umpire_agrees(match)


@given(child_matches())
def test_nobody_is_shown_a_card_before_its_owner_has_looked_or_bid(match: RandomMatch) -> None:
    """H3: not the owner, not the others, not the watcher."""
    for moment in walk(match):
        for event in moment.step.events:
            told = truth(event)
            for viewer in viewers(match):
                face = event.seen_by(viewer)
                assert face is not None
                if isinstance(told, CardsDealt) and moment.umpire.kind != "golden":
                    assert not cards_in_face(face)
                if isinstance(told, HandLooked | CardsDealt) and viewer != told.seat:
                    assert not cards_in_face(face)


@given(child_matches())
def test_what_a_seat_has_heard_folds_to_the_hand_it_holds(match: RandomMatch) -> None:
    views = {viewer: Observation.empty(viewer, match.seats) for viewer in viewers(match)}
    for moment in walk(match):
        for event in moment.step.events:
            for viewer, view in views.items():
                face = event.seen_by(viewer)
                assert face is not None
                view.hear(face)
        umpire = moment.umpire
        assert isinstance(umpire, ChildUmpire)
        if umpire.phase == "over" or umpire.due:
            continue
        for seat in range(match.seats):
            assert set(cards_named(views[Seat(seat)].hand)) == umpire.hands[seat]
            bids = {each: bid.count for each, bid in enumerate(views[WATCHER].bids) if bid}
            assert bids == umpire.bids


@given(child_matches())
def test_a_bid_in_the_dark_is_never_a_pass_and_a_dark_deal_has_no_other(match: RandomMatch) -> None:
    """H3"""
    kind = ""
    for event in story(match):
        if isinstance(event, DealBegan):
            kind = event.kind
            assert event.multiplier == 1
        if isinstance(event, BidMade):
            assert kind != "golden"
            assert event.count or not event.dark
            assert event.dark or kind == "regular"
