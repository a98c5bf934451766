"""Two cards for the player on the left: M2."""

import itertools

import pytest

from kozyr.cards import cards_text
from kozyr.errors import IllegalMove
from kozyr.events import WATCHER, CardChosen, CardsGiven, Seat
from tests.maverick_table import MaverickTable

DEALT = (
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
    "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
    "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH AH SJ",
    "2S 3S 5S 6S 7S 8S 9S TS JS QS KS AS BJ",
)
"""A suit for each seat; the king of hearts and the four of spades lie open."""


def before_the_exchange() -> MaverickTable:
    table = MaverickTable()
    table.deal_out(*DEALT)
    return table


def after_the_exchange(order: tuple[int, ...] = (0, 1, 2, 3)) -> MaverickTable:
    table = before_the_exchange()
    gifts = (("2C", "AC"), ("3D", "2D"), ("SJ", "AH"), ("5S", "BJ"))
    for seat in order:
        table.give(seat, *gifts[seat])
    return table


def test_all_four_choose_at_once_from_their_own_thirteen_cards() -> None:
    """M2"""
    table = before_the_exchange()
    assert table.deciding == (0, 1, 2, 3)
    for seat, hand in enumerate(DEALT):
        assert table.moves_of(seat) == {f"give {each}" for each in hand.split()}


def test_a_card_that_is_not_ones_own_cannot_be_given() -> None:
    """M2"""
    table = before_the_exchange()
    assert table.refusal_of(0, "give 2D") == "M2"
    assert table.refusal_of(0, "give KH") == "M2"


def test_a_card_cannot_be_chosen_twice_or_taken_back() -> None:
    """M2"""
    table = before_the_exchange()
    table.give(1, "2D")
    assert table.refusal_of(1, "give 2D") == "M2"
    assert len(table.moves_of(1)) == 12


def test_a_refused_gift_is_told_why() -> None:
    """M2"""
    table = before_the_exchange()
    table.give(1, "2D")
    for text, reason in {
        "give 2D": "you have laid 2♦ aside already",
        "give 2C": "you do not hold 2♣",
        "play 3D": "choose two cards for the player on your left",
    }.items():
        with pytest.raises(IllegalMove, match=reason):
            table.act_by(1, text)


def test_nobody_plays_before_the_exchange_is_over() -> None:
    """M2"""
    table = before_the_exchange()
    assert table.refusal_of(0, "play 2C") == "M2"


def test_whoever_has_chosen_two_cards_is_not_asked_again() -> None:
    """M2"""
    table = before_the_exchange()
    table.give(2, "2H")
    assert 2 in table.deciding
    table.give(2, "3H")
    assert table.deciding == (0, 1, 3)
    assert table.is_not_asked(2, "give 4H")


def test_nobody_receives_a_card_before_all_have_chosen() -> None:
    """M2: so no card that was received can be passed on."""
    table = before_the_exchange()
    table.give(0, "2C", "AC")
    table.give(1, "3D", "2D")
    table.give(2, "SJ", "AH")
    table.give(3, "5S")
    assert table.said(CardsGiven) == []
    for seat, hand in enumerate(DEALT):
        assert set(table.hand(seat).split()) == set(hand.split())
    assert table.moves_of(3) == {f"give {each}" for each in DEALT[3].split() if each != "5S"}


def test_the_two_cards_go_to_the_player_on_the_left() -> None:
    """M2"""
    table = after_the_exchange()
    hands = [set(table.hand(seat).split()) for seat in range(4)]
    assert hands[0] == {*DEALT[0].split(), "5S", "BJ"} - {"2C", "AC"}
    assert hands[1] == {*DEALT[1].split(), "2C", "AC"} - {"3D", "2D"}
    assert hands[2] == {*DEALT[2].split(), "3D", "2D"} - {"SJ", "AH"}
    assert hands[3] == {*DEALT[3].split(), "SJ", "AH"} - {"5S", "BJ"}


def test_a_received_card_can_be_played_and_a_given_one_cannot() -> None:
    """M2, M3: the eldest leads what it got; its neighbour got the deuce of clubs."""
    table = after_the_exchange()
    assert table.deciding == (0,)
    assert table.playable() == {*DEALT[0].split(), "5S", "BJ"} - {"2C", "AC"}
    table.play("JC")
    assert table.playable() == {"2C", "AC"}


def test_a_choice_is_known_to_its_seat_alone() -> None:
    """M2"""
    table = after_the_exchange()
    for viewer in (0, 1, 2, 3, WATCHER):
        for chosen in table.said(CardChosen, viewer):
            assert (chosen.card is not None) == (chosen.seat == viewer)


def test_what_is_given_is_known_to_giver_and_receiver_alone() -> None:
    """M2"""
    table = after_the_exchange()
    for viewer in (0, 1, 2, 3, WATCHER):
        given = table.said(CardsGiven, viewer)
        assert [(each.giver, each.receiver, each.count) for each in given] == [
            (0, 1, 2),
            (1, 2, 2),
            (2, 3, 2),
            (3, 0, 2),
        ]
        for each in given:
            assert (each.cards is not None) == (viewer in (each.giver, each.receiver))
    assert cards_text(table.said(CardsGiven, 1)[0].cards or ()) == "2C AC"


def test_the_exchange_tells_first_of_the_eldest() -> None:
    """M2, C1: seat 1 deals; its left gives first, and leads."""
    table = MaverickTable(dealer=1)
    table.deal_out(*DEALT, dealer=1)
    for seat in range(4):
        table.give(seat, *DEALT[seat].split()[:2])
    assert [each.giver for each in table.said(CardsGiven)] == [2, 3, 0, 1]
    assert table.deciding == (2,)


def test_the_order_in_which_seats_choose_changes_nothing() -> None:
    """M2"""
    first = after_the_exchange()
    for order in itertools.permutations(range(4)):
        table = after_the_exchange(order)
        assert table.events[-4:] == first.events[-4:]
        assert [table.hand(seat) for seat in range(4)] == [first.hand(seat) for seat in range(4)]
        assert table.game.waiting() == first.game.waiting()
        assert table.playable() == first.playable()


def test_whoever_is_late_gives_cards_of_its_own() -> None:
    """M2"""
    table = before_the_exchange()
    for _ in range(2):
        for seat in table.deciding:
            default = table.game.default(Seat(seat))
            assert default in table.game.legal(Seat(seat))
            table.events += table.game.apply(Seat(seat), default)
    assert len(table.said(CardsGiven)) == 4
    assert table.deciding == (0,)
