"""The clauses of Oh Hell, one deal worked by hand."""

from typing import Any

import pytest

from kozyr import Event, Game, Seat
from kozyr.cards import pack, parse_card
from kozyr.errors import IllegalMove
from kozyr.events import WATCHER, DealScored, TrickTaken
from kozyr.tricks import BIDS
from oh_hell import OhHellRules, OhHellVariant

ANN, BOB, CLO = Seat(0), Seat(1), Seat(2)


def four_play(**options: Any) -> OhHellRules:
    """The rules for four with these options."""
    return OhHellRules(OhHellVariant().parse_options(options), seats=4)


def dealt(**options: Any) -> Game:
    """One deal of two cards: spades K 2 for Ann, ♦3 ♣A for Bob, ♠A ♥9 for Clo; clubs are trump.

    Clo is the dealer, since the ♠4 that she draws is the highest.
    """
    variant = OhHellVariant()
    game = variant.start(
        variant.parse_options({"schedule": "single", "max_hand": 2, **options}), seats=3
    )
    game.deal(game.deck())
    first = [parse_card(text) for text in ("KS", "3D", "AS", "2S", "AC", "9H", "5C")]
    game.deal((*first, *(card for card in game.deck() if card not in first)))
    return game


def play(game: Game, seat: Seat, card: str) -> list[Event]:
    """The events of a card played lawfully."""
    action = parse_card(card)
    game.check(seat, action)
    return game.apply(seat, action)


def play_out(game: Game, *bids: int) -> tuple[int, ...]:
    """The scores after these bids; Ann takes no trick, Clo the first, Bob the second."""
    for seat, bid in enumerate(bids):
        game.check(Seat(seat), BIDS + bid)
        game.apply(Seat(seat), BIDS + bid)
    for seat, card in [(ANN, "KS"), (BOB, "3D"), (CLO, "AS"), (CLO, "9H"), (ANN, "2S")]:
        play(game, seat, card)
    [scored] = [
        payload
        for event in play(game, BOB, "AC")
        if isinstance(payload := event.seen_by(WATCHER), DealScored)
    ]
    return scored.scores


@pytest.mark.parametrize(
    ("schedule", "sizes"),
    [
        ("down_up", [3, 2, 1, 2, 3]),
        ("up_down", [1, 2, 3, 2, 1]),
        ("down", [3, 2, 1]),
        ("up", [1, 2, 3]),
        ("single", [3]),
    ],
)
def test_hands_grow_and_shrink_as_scheduled(schedule: str, sizes: list[int]) -> None:
    """OH1."""
    rules = four_play(schedule=schedule, max_hand=3)
    assert [plan.hand_size for plan in rules.schedule] == sizes


def test_one_card_is_always_left_to_turn_up() -> None:
    """OH1."""
    assert four_play(max_hand=17, cards_per_suit=9).schedule[0].hand_size == 8


def test_the_pack_has_so_many_cards_of_each_suit_from_the_ace_down() -> None:
    """OH1."""
    assert four_play(cards_per_suit=9).pack == pack(lowest_rank=6)


def test_the_card_after_the_last_one_dealt_makes_trump() -> None:
    """OH2."""
    game = dealt()
    for seat in (ANN, BOB, CLO):
        game.apply(seat, BIDS)
    for seat, card in [(ANN, "KS"), (BOB, "AC")]:
        play(game, seat, card)
    [_, taken] = [event.seen_by(WATCHER) for event in play(game, CLO, "AS")]
    assert taken == TrickTaken(BOB)


def test_who_cannot_follow_suit_may_trump_or_not() -> None:
    """OH3."""
    game = dealt()
    for seat in (ANN, BOB, CLO):
        game.apply(seat, BIDS)
    play(game, ANN, "KS")
    assert game.legal(BOB) == sorted(map(parse_card, ["3D", "AC"]))


def test_who_can_follow_suit_must() -> None:
    """OH3."""
    game = dealt()
    for seat in (ANN, BOB, CLO):
        game.apply(seat, BIDS)
    play(game, ANN, "KS")
    play(game, BOB, "AC")
    with pytest.raises(IllegalMove, match="you hold a spade and must follow suit") as refusal:
        game.check(CLO, parse_card("9H"))
    assert refusal.value.clause == "OH3"


def test_the_dealer_may_not_make_the_bids_sum_to_the_tricks() -> None:
    """C3."""
    game = dealt()
    game.apply(ANN, BIDS + 1)
    game.apply(BOB, BIDS)
    assert game.legal(CLO) == [BIDS, BIDS + 2]


def test_the_dealer_may_where_the_option_says_so() -> None:
    """C3."""
    game = dealt(dealer_restriction=False)
    game.apply(ANN, BIDS + 1)
    game.apply(BOB, BIDS)
    assert game.legal(CLO) == [BIDS, BIDS + 1, BIDS + 2]


@pytest.mark.parametrize(
    ("bids", "options", "scores"),
    [
        ((0, 1, 0), {}, (10, 11, 1)),
        ((0, 1, 0), {"points_per_trick": 5}, (10, 15, 5)),
        ((0, 1, 0), {"off_bid_penalty": True}, (10, 11, -1)),
        ((1, 0, 2), {}, (0, 1, 1)),
        ((2, 0, 2), {"off_bid_penalty": True, "points_per_trick": 5}, (-10, -5, -5)),
    ],
)
def test_exact_bids_score_ten_more_and_others_as_agreed(
    bids: tuple[int, ...], options: dict[str, Any], scores: tuple[int, ...]
) -> None:
    """OH4, OH5."""
    assert play_out(dealt(**options), *bids) == scores
