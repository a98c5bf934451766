import pytest
from hypothesis import given

from kozyr.cards import HEARTS, NO_SUIT, SPADES, parse_card
from kozyr.moves import (
    UNUSED,
    ActionTable,
    Announcement,
    Bet,
    Bid,
    CustomMove,
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
from tests.vocabulary import MOVE_KINDS, kinds_of, moves

SEVEN = parse_card("7S")
JOKER = parse_card("BJ")

WRITTEN = {
    "pass": Pass(),
    "look": Look(),
    "bid 2": Bid(2),
    "bid 3 dark": Bid(3, dark=True),
    "play 7S": Play(SEVEN),
    "play 7S simple": Play(SEVEN, Announcement.SIMPLE),
    "play BJ high hearts": Play(JOKER, Announcement.HIGH, HEARTS),
    "play BJ spades": Play(JOKER, suit=SPADES),
    "give 7S": GiveCard(SEVEN),
    "bet smart": MakeBet(Bet.SMART),
    "name hearts": NameSuit(HEARTS),
    "name no-trump": NameSuit(NO_SUIT),
    "dig deep": None,
    "dig depth=3 tool=": CustomMove("dig", (("depth", "3"), ("tool", ""))),
}


@pytest.mark.parametrize(("text", "move"), WRITTEN.items())
def test_a_move_is_written_like_this(text: str, move: Move | None) -> None:
    if move is None:
        with pytest.raises(InvalidMove, match="is no move"):
            parse_move(text)
    else:
        assert parse_move(text) == move
        assert move.text == text


def test_the_vocabulary_of_the_tests_has_all_moves() -> None:
    assert set(MOVE_KINDS) == kinds_of(Move)


@given(moves())
def test_every_move_is_read_back_from_its_text(move: Move) -> None:
    assert parse_move(move.text) == move


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pass 1",
        "bid",
        "bid many",
        "bid 2 light",
        "play",
        "play 1S",
        "play 7S loud",
        "play 7S high up",
        "play BJ high hearts now",
        "give SJ BJ",
        "bet the farm",
        "name",
        "name trumps",
    ],
)
def test_a_text_that_only_begins_like_a_move_is_refused(text: str) -> None:
    with pytest.raises(InvalidMove):
        parse_move(text)


def test_an_action_table_goes_both_ways() -> None:
    table = ActionTable([Pass(), Bid(1), Play(SEVEN)])
    assert len(table) == 3
    assert [table.number(move) for move in table] == [0, 1, 2]
    assert table[2] == Play(SEVEN)


@pytest.mark.parametrize("action", [-1, 2])
def test_a_number_beyond_the_table_is_no_action(action: int) -> None:
    with pytest.raises(InvalidMove, match="none of 0 to 1"):
        ActionTable([Pass(), Look()])[action]


@pytest.mark.parametrize("move", [Bid(2), UNUSED])
def test_a_move_that_the_game_does_not_have_has_no_number(move: Move) -> None:
    with pytest.raises(InvalidMove, match="no move"):
        ActionTable([Pass(), UNUSED, UNUSED]).number(move)
