"""Georgian's own clauses: G1, G2, G3. What it shares with Odessa is tested there."""

import random
from collections.abc import Iterator

import pytest

from kozyr import Match
from kozyr.errors import InvalidOptions, InvalidSeatCount
from kozyr.events import DealBegan, DealScored, Event, Payload, Revoked
from kozyr_georgian import GeorgianVariant

VARIANT = GeorgianVariant()


def payloads(events: list[Event]) -> Iterator[Payload]:
    return (payload for event in events for _, payload in event.faces)


def played(seats: int, seed: int = 1, **options: object) -> Match:
    """A whole match of random moves."""
    match = Match(VARIANT, seats=seats, options=options, seed=seed)
    chooser = random.Random(seed)
    while not match.over:
        for seat, decision in match.pending.items():
            match.play(seat, chooser.choice(decision.legal))
    return match


def hand_sizes(match: Match) -> list[int]:
    return [each.hand_size for each in payloads(match.history) if isinstance(each, DealBegan)]


def test_four_play_eight_up_four_nines_eight_down_and_four_nines() -> None:
    """G1"""
    up = [1, 2, 3, 4, 5, 6, 7, 8]
    assert hand_sizes(played(4)) == [*up, 9, 9, 9, 9, *reversed(up), 9, 9, 9, 9]


def test_six_with_36_cards_have_at_most_six_in_hand() -> None:
    """G1"""
    up = [1, 2, 3, 4, 5]
    assert hand_sizes(played(6)) == [*up, *[6] * 6, *reversed(up), *[6] * 6]


@pytest.mark.parametrize(("seats", "deck", "largest"), [(2, 36, 9), (5, 36, 7), (6, 52, 8)])
def test_the_largest_hand_is_nine_or_what_the_deck_has_for_each(
    seats: int, deck: int, largest: int
) -> None:
    """G1"""
    assert max(hand_sizes(played(seats, deck=deck))) == largest


def test_peak_deals_says_how_often_the_largest_hand_comes() -> None:
    """G1, ``peak_deals``"""
    assert hand_sizes(played(4, peak_deals=1)).count(9) == 2


def test_a_made_bid_is_fifty_each_and_fifty_more_and_any_other_ten_a_trick() -> None:
    """G2: the scores of all deals, worked out from bids and tricks; a made pass is 50."""
    sheet = played(4, seed=3).observe(0).sheet
    made_passes = 0
    for row in sheet:
        for bid, taken, score in zip(row.bids, row.tricks, row.scored.scores, strict=True):
            assert bid is not None
            assert score == (50 * bid + 50 if bid == taken else 10 * taken)
            made_passes += bid == taken == 0
    assert made_passes


def test_a_revoke_costs_fifty_and_the_deal_is_dealt_anew() -> None:
    """G3, C6"""
    match = played(3, seed=5, revoke="penalty", peak_deals=1)
    history = list(payloads(match.history))
    revoked = [each for each in history if isinstance(each, Revoked)]
    assert revoked
    assert {each.penalty for each in revoked} == {-50}
    scored = [each for each in history if isinstance(each, DealScored) and each.result != "played"]
    assert all(sorted(each.scores) == [-50, 0, 0] for each in scored)
    assert len(scored) == len(revoked)


@pytest.mark.parametrize(
    "options", [{"max_hand": 6}, {"blind_deals": 1}, {"peak_deals": 0}, {"peak_deals": 101}]
)
def test_other_options_and_values_out_of_range_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(InvalidOptions):
        Match(VARIANT, options=options)


@pytest.mark.parametrize("seats", [1, 7])
def test_it_is_played_by_two_to_six(seats: int) -> None:
    with pytest.raises(InvalidSeatCount):
        Match(VARIANT, seats=seats)
