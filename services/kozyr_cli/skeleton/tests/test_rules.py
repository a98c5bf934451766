"""The clauses of the rules."""

import pytest

from kozyr import Game, Match, Seat
from kozyr.cards import parse_card
from kozyr.errors import IllegalMove
from skeleton.variant import SkeletonVariant

ANN, BOB = Seat(0), Seat(1)


def dealt() -> Game:
    """One deal for two: ♠K ♦3 for Ann, who leads, and ♠2 ♥A for Bob; clubs are trump."""
    variant = SkeletonVariant()
    game = variant.start(variant.parse_options({"hand_size": 2, "deals": 1}), seats=2)
    game.deal(game.deck())  # the lot: Bob draws the higher card, and deals
    first = [parse_card(text) for text in ("KS", "2S", "3D", "AH", "5C")]
    game.deal((*first, *(card for card in game.deck() if card not in first)))
    return game


def test_who_can_follow_suit_must() -> None:
    """R2."""
    game = dealt()
    game.apply(ANN, parse_card("KS"))
    assert game.legal(BOB) == [parse_card("2S")]
    with pytest.raises(IllegalMove, match="you hold a spade and must follow suit") as refusal:
        game.check(BOB, parse_card("AH"))
    assert refusal.value.clause == "R2"


def test_a_trick_is_a_point() -> None:
    """R3."""
    game = dealt()
    for seat, card in [(ANN, "KS"), (BOB, "2S"), (ANN, "3D"), (BOB, "AH")]:
        game.apply(seat, parse_card(card))
    assert game.scores() == (2, 0)


def test_all_deals_are_played() -> None:
    """R1."""
    match = Match(SkeletonVariant(), seats=3, options={"hand_size": 2, "deals": 3}, seed=1)
    while not match.over:
        for seat, decision in match.pending.items():
            match.play(seat, decision.default)
    assert sum(match.scores) == 2 * 3
