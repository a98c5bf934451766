"""Deals can still be played in as many ways as is written down; see ``python -m tests.perft``.

Some of the counts are worked out by hand here.
"""

import pytest

from kozyr.events import Seat
from kozyr.variant import seat_list
from tests.perft.counting import Count, count_deal
from tests.perft.deals import CountedDeal, counted_deals, files

DEALS = {(path.stem, deal.what): deal for path in files() for deal in counted_deals(path)}


@pytest.mark.parametrize("deal", DEALS.values(), ids=[": ".join(key) for key in DEALS])
def test_a_deal_can_be_played_in_as_many_ways_as_its_file_says(deal: CountedDeal) -> None:
    assert deal.count() == deal.written


def written(variant: str, what: str) -> Count:
    """What a file says of one of its deals."""
    return DEALS[variant, what].written


@pytest.mark.parametrize("game", ["odessa", "georgian"])
def test_two_with_one_card_each_can_only_both_pass_or_both_bid(game: str) -> None:
    """C3: the dealer may not make the bids 1, so it bids as the other did; all else is forced."""
    count = written(game, "one card each for two")
    assert count.nodes == [2, 2, 2, 2]
    assert count.plays == 2


def test_the_scores_of_two_with_one_card_each() -> None:
    """Seat 0 takes the trick. O3, O4, O5: 1 + 10 and 0 − 10; G2: 10 + 100 and 50 + 0."""
    assert written("odessa", "one card each for two").scores == [1 + 10, 0 - 10]
    assert written("georgian", "one card each for two").scores == [10 + 100, 50 + 0]


@pytest.mark.parametrize("game", ["odessa", "georgian"])
def test_three_with_one_card_each_can_bid_in_five_ways(game: str) -> None:
    """C3: 0 0 leaves the dealer 0; 0 1 and 1 0 leave it 1; after 1 1 it is free: 1 + 1 + 1 + 2."""
    count = written(game, "one card each for three")
    assert count.nodes == [2, 2 * 2, 5, 5, 5, 5]
    free = written(game, "one card each, and a free dealer")
    assert free.nodes == [2, 2 * 2, 2 * 2 * 2, 8, 8, 8]


def test_the_scores_of_three_with_one_card_each() -> None:
    """Bids 000 011 101 110 111, and seat 1 takes the trick; a blind deal counts twice (O7).

    Seats 0 and 2 pass in two of the five and bid 1 in three. Seat 1 passes in two, and takes a
    trick that it did not want; in three it makes its bid.
    """
    loser, winner = 2 * 0 + 3 * -10, 2 * 1 + 3 * 10
    assert written("odessa", "one card each for three").scores == [loser, winner, loser]
    with_passes = loser + 2 * 5
    paid = written("odessa", "one card each, and points for a made pass")
    assert paid.scores == [with_passes, winner, with_passes]
    blind = written("odessa", "one card each, bid blind")
    assert blind.scores == [2 * with_passes, 2 * winner, 2 * with_passes]
    loser, winner = 2 * 50 + 3 * 0, 2 * 10 + 3 * 100
    assert written("georgian", "one card each for three").scores == [loser, winner, loser]


@pytest.mark.parametrize("game", ["odessa", "georgian"])
def test_six_with_one_card_each_can_bid_in_58_ways(game: str) -> None:
    """C3: of the 32 bids of five, those of sum 0 (1) and 1 (5) leave the dealer one bid only."""
    assert written(game, "one card each for six").nodes[5] == (1 + 5) * 1 + 26 * 2


@pytest.mark.parametrize("game", ["odessa", "georgian"])
def test_two_with_two_cards_each_follow_revoke_or_trump(game: str) -> None:
    """C3, C5, C6: AS 7C against KS 6D, or 9H 6D with hearts trump.

    Whatever seat 0 bids, the dealer has two bids left: 3 × 2 = 6. Then seat 0 leads in two ways.
    KS must follow the ace, and anything answers the seven: 1 + 2; all else is forced. A revoke on
    the ace ends the deal, so it adds to the fourth depth alone. The nine of trumps answers both
    leads: 1 + 1.
    """
    follow = written(game, "two cards each: the second hand must follow")
    assert follow.nodes == [3, 6, 6 * 2, 6 * (1 + 2), 6 * 3, 6 * 3]
    revoke = written(game, "two cards each: the second hand may revoke")
    assert revoke.nodes == [3, 6, 6 * 2, 6 * (2 + 2), 6 * 3, 6 * 3]
    assert revoke.plays == follow.plays + 6
    assert revoke.scores == [follow.scores[0], follow.scores[1] - 6 * 50]
    trump = written(game, "two cards each: the second hand must trump")
    assert trump.nodes == [3, 6, 6 * 2, 6 * (1 + 1), 6 * 2, 6 * 2]


@pytest.mark.parametrize("game", ["odessa", "georgian"])
def test_a_joker_is_led_in_eight_ways_and_follows_in_two(game: str) -> None:
    """O10, O11: high or low with one of four suits; and high or low."""
    assert written(game, "a joker that is led").nodes == [2, 2, 2 * 8, 2 * 8]
    assert written(game, "a joker that follows").nodes == [2, 2, 2, 2 * 2]


def test_the_scores_of_a_joker_led_to_the_king_of_spades() -> None:
    """O10, O11: the king takes the trick only from a low joker that names spades: 1 way of 8.

    Both pass or both bid 1; whoever takes the trick scores 1 or 10, the other 0 or −10.
    """
    count = written("odessa", "a joker that is led")
    assert count.scores == [7 * (1 + 10) + 1 * (0 - 10), 1 * (1 + 10) + 7 * (0 - 10)]


@pytest.mark.parametrize("game", ["odessa", "georgian"])
def test_a_demand_leaves_the_second_hand_only_its_highest_card(game: str) -> None:
    """C3, O11: BJ 7C against KS 9S and 9H 7D with hearts trump.

    The first two bid in nine ways, of sum 0 1 2 3 4 in 1 2 3 2 1 ways. Up to 2 the dealer has two
    bids, else three: 6 × 2 + 3 × 3 = 21. Nine leads: seven ways to play neither a spade nor to ask
    for one (two answers each), low spades (two) and high spades (one with the demand, else two).
    """
    bids = 6 * 2 + 3 * 3
    demand = written(game, "a joker that demands the highest card")
    assert demand.nodes[:5] == [3, 9, bids, bids * 9, bids * (7 * 2 + 2 + 1)]
    tame = written(game, "a joker that demands nothing")
    assert tame.nodes[:5] == [3, 9, bids, bids * 9, bids * (7 * 2 + 2 + 2)]


@pytest.mark.parametrize("game", ["odessa", "georgian"])
def test_a_void_hand_with_three_trumps_has_three_answers_and_without_trump_nine(game: str) -> None:
    """C5, C7: seat 0 leads one of five spades, which seat 1 has not, or one of four clubs.

    Seat 1 holds one club, five diamonds and three hearts. The last card of the pack is a heart.
    """
    shown = written(game, "the whole pack: the dealer's last card is trump")
    assert shown.nodes[:2] == [9, 5 * 3 + 4 * 1]
    trumpless = written(game, "the whole pack, without a trump")
    assert trumpless.nodes[:2] == [9, 5 * 9 + 4 * 1]


def test_the_suit_that_is_named_decides_how_a_void_hand_answers() -> None:
    """C7: the same hands; trump is named ♠ ♣ ♦ ♥ or none, after bids that were made before."""
    named = written(
        "odessa", "the whole pack bid blind, whose trump the eldest names after the bids"
    )
    answers_to_a_spade = [9, 1, 5, 3, 9]
    assert named.nodes[:3] == [5, 5 * 9, sum(5 * each + 4 for each in answers_to_a_spade)]


def test_an_exchange_is_thirteen_cards_and_then_twelve_for_each_seat() -> None:
    """M2"""
    count = written("maverick", "the exchange: two cards of thirteen, seat by seat")
    assert count.nodes == [13, 13 * 12, 13 * 12 * 13, 13 * 12 * 13 * 12]


def test_the_order_in_which_seats_are_asked_does_not_change_a_tree() -> None:
    """M2: seats 2 and 3 have to choose one card of twelve; then seat 0 leads one of thirteen."""
    game, deck = DEALS["maverick", "the exchange: two cards of thirteen, seat by seat"].position()
    game.deal(deck)
    for seat in (0, 0, 1, 1, 2, 3):
        game.apply(Seat(seat), game.default(Seat(seat)))
    assert seat_list(game.waiting()) == (2, 3)
    upwards = count_deal(game, deck, depth_max=4, first=min)
    downwards = count_deal(game, deck, depth_max=4, first=max)
    assert upwards.nodes[:3] == [12, 12 * 12, 12 * 12 * 13]
    assert downwards == upwards


def test_bets_that_are_asked_in_two_rounds() -> None:
    """M9: who has bet blind spares the partner, and one bet a team ends the asking.

    L is to look and B to bet blind. After L L, L B and B L the next seat looks or bets; after B B
    come the thirteen cards of the exchange. Then LLL and LLB have 2 each; LBL and BLL have come to
    the second round, which has 3; LBB and BLB to the exchange, 13; and BB is at its second card.
    """
    first = written("maverick", "the first round of bets, and what follows the earliest blind ones")
    assert first.nodes[:4] == [2, 4, 3 * 2 + 13, 2 + 2 + 3 + 3 + 13 + 13 + 13 * 12]
    second = written("maverick", "the second round of bets, and what follows the earliest of them")
    pass_pass, pass_bet, bet_pass, bet_bet = 1 * 3, 2 * 3, 2 * 3, 4 * 13
    assert second.nodes[:3] == [3, 9, pass_pass + pass_bet + bet_pass + bet_bet]


def test_where_revokes_are_paid_for_every_card_may_be_tried() -> None:
    """M7: nine ways to play the first two of three cards, and 3! ways for each of four hands.

    Whoever tries a card that does not follow takes it back and plays one that does. Wherever
    somebody must follow here, only one card does or all do: so there are as many ways as cards.
    """
    forbidden = written("maverick", "three tricks are left")
    paid = written("maverick", "three tricks are left, and revokes are paid for")
    assert forbidden.nodes[:2] == [3, 3 + 1 + 3]
    assert paid.nodes[:2] == [3, 3 * 3]
    assert paid.plays == 6**4
