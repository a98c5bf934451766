"""The one numbering of actions says what its table says."""

import pytest

from kozyr.cards import (
    BIG_JOKER,
    CARD_COUNT,
    CLUBS,
    HEARTS,
    NO_SUIT,
    SPADES,
    card,
    is_card,
)
from kozyr.moves import (
    UNUSED,
    ActionTable,
    Announcement,
    Bet,
    Bid,
    GiveCard,
    InvalidMove,
    Look,
    MakeBet,
    Move,
    NameSuit,
    Pass,
    Play,
    parse_move,
)
from kozyr.tricks import (
    ACTION_COUNT,
    BETS,
    BIDS,
    DARK_BIDS,
    DEMAND,
    DEMAND_NAMING,
    GIVES,
    HIGH,
    HIGH_NAMING,
    LOOK,
    LOW,
    LOW_NAMING,
    NAMES,
    SIMPLE,
    action_table,
    is_play,
)

ACE_OF_SPADES = card(SPADES, 14)

MEANINGS = [
    (ACE_OF_SPADES, Play(ACE_OF_SPADES)),
    (BIDS, Pass()),
    (BIDS + 18, Bid(18)),
    (HIGH, Play(BIG_JOKER, Announcement.HIGH)),
    (LOW, Play(BIG_JOKER, Announcement.LOW)),
    (SIMPLE, Play(BIG_JOKER, Announcement.SIMPLE)),
    (DEMAND, Play(BIG_JOKER, Announcement.DEMAND)),
    (HIGH_NAMING, Play(BIG_JOKER, Announcement.HIGH, SPADES)),
    (LOW_NAMING + 1, Play(BIG_JOKER, Announcement.LOW, CLUBS)),
    (DEMAND_NAMING + 3, Play(BIG_JOKER, Announcement.DEMAND, HEARTS)),
    (NAMES, NameSuit(SPADES)),
    (NAMES + 4, NameSuit(NO_SUIT)),
    (LOOK, Look()),
    (DARK_BIDS + 1, Bid(1, dark=True)),
    (DARK_BIDS + 18, Bid(18, dark=True)),
    (BETS + Bet.BLIND, MakeBet(Bet.BLIND)),
    (BETS + Bet.SMART, MakeBet(Bet.SMART)),
    (GIVES + ACE_OF_SPADES, GiveCard(ACE_OF_SPADES)),
]


def whole_table() -> ActionTable:
    return action_table(range(ACTION_COUNT), special=BIG_JOKER)


@pytest.mark.parametrize(("action", "move"), MEANINGS)
def test_a_number_means_its_move(action: int, move: Move) -> None:
    table = whole_table()
    assert table[action] == move
    assert table.number(move) == action


def test_all_numbers_mean_different_moves_but_those_of_no_card() -> None:
    table = whole_table()
    assert len(table) == ACTION_COUNT
    used = [move for move in table if move != UNUSED]
    assert len(set(used)) == len(used)
    spares = sum(not is_card(number) for number in range(CARD_COUNT))
    assert len(table) - len(used) == 2 * spares


def test_every_move_is_parsed_back_from_its_text() -> None:
    for action, move in enumerate(whole_table()):
        if move != UNUSED:
            assert parse_move(move.text) == move
            assert whole_table().number(move) == action


def test_plays_are_told_from_other_actions() -> None:
    for action, move in enumerate(whole_table()):
        if move != UNUSED:
            assert is_play(action) == isinstance(move, Play)


def test_a_variants_table_ends_with_its_last_action_and_knows_no_other() -> None:
    table = action_table({ACE_OF_SPADES, BIDS, BIDS + 1})
    assert len(table) == BIDS + 2
    assert [move for move in table if move != UNUSED] == [Play(ACE_OF_SPADES), Pass(), Bid(1)]
    with pytest.raises(InvalidMove):
        table.number(Bid(2))


def test_the_special_card_is_the_variants_own() -> None:
    poker = card(SPADES, 7)
    table = action_table({SIMPLE, DEMAND}, special=poker)
    assert table[SIMPLE] == Play(poker, Announcement.SIMPLE)
    assert table.number(Play(poker, Announcement.DEMAND)) == DEMAND
