"""Following suit, jokers and trumps: M3, M4, M5, C4. Hearts are trump and spades the summator."""

import pytest

from tests.maverick_table import (
    OPEN,
    MaverickTable,
    before_the_trick,
    one_trick,
    rows_taken_by,
)


def taker(*cards: str, open_cards: str = OPEN, **options: object) -> int:
    """Who takes this trick, which seat 0 leads."""
    [(seat, _)] = one_trick(*cards, open_cards=open_cards, **options).taken()
    return seat


def holding(*hands: str) -> MaverickTable:
    """A table at which seat 0 is to lead, and these are the hands after the exchange."""
    table = MaverickTable()
    rows = [" ".join(row) for row in zip(*(hand.split() for hand in hands), strict=True)]
    table.deal_for(rows)
    table.exchange()
    return table


FOUR_HANDS = (
    "AC 2C 3C 4C AD 2D 3D AS 2S 3S AH 2H BJ",
    "KC 5C 6C 7C KD 4D 5D KS 5S 6S QH 3H SJ",
    "QC 8C 9C TC QD 6D 7D 8D 9D TD JD QS JS",
    "JC 7S 8S 9S TS JH TH 9H 8H 7H 6H 5H 4H",
)
"""Seat 2 has no hearts; seat 3 has one club and no diamonds."""


def test_any_card_may_be_led_trumps_and_jokers_too() -> None:
    """M3, M4"""
    assert holding(*FOUR_HANDS).playable() == set(FOUR_HANDS[0].split())


def test_whoever_can_must_follow_suit() -> None:
    """M3: with any card of the suit; nobody has to beat anything."""
    table = holding(*FOUR_HANDS)
    table.play("2C")
    assert table.playable() == {"KC", "5C", "6C", "7C"}
    assert table.refusal("play KD") == "M3"
    assert table.refusal("play QH") == "M3"
    table.play("5C", "8C")
    assert table.playable() == {"JC"}


def test_whoever_is_void_plays_anything_and_need_not_trump() -> None:
    """M3: seat 3 has no diamonds."""
    table = holding(*FOUR_HANDS)
    table.play("2D", "4D", "6D")
    assert table.playable() == set(FOUR_HANDS[3].split())


def test_a_trump_lead_is_followed_like_any_other() -> None:
    """M3, M5: seat 2 has no hearts."""
    table = holding(*FOUR_HANDS)
    table.play("2H")
    assert table.playable() == {"QH", "3H"}
    table.play("3H")
    assert table.playable() == set(FOUR_HANDS[2].split())


def test_a_card_of_another_hand_cannot_be_played() -> None:
    """M3"""
    table = holding(*FOUR_HANDS)
    assert table.refusal("play KC") == "M3"
    assert table.refusal("play KH") == "M3"


def test_a_joker_is_never_played_by_one_who_holds_the_suit_led() -> None:
    """M4"""
    table = holding(*FOUR_HANDS)
    table.play("2C")
    assert table.refusal("play SJ") == "M4"


def test_a_joker_may_be_played_by_one_who_is_void() -> None:
    """M4: and need not be, M3."""
    table = before_the_trick("AC", "2C", "BJ", "3C")
    table.play("AC", "2C")
    assert "BJ" in table.playable()
    assert len(table.playable()) == 13


@pytest.mark.parametrize("joker", ["BJ", "SJ"])
def test_a_joker_led_asks_for_no_suit(joker: str) -> None:
    """M4: nor does the card after it."""
    table = before_the_trick(joker, "KC", "2D", "5S")
    table.play(joker)
    assert len(table.playable()) == 13
    table.play("KC")
    assert len(table.playable()) == 13
    table.play("2D")
    assert len(table.playable()) == 13
    table.play("5S")
    assert table.taken() == [(0, 1)]


def test_the_second_card_after_a_joker_asks_for_nothing_of_those_who_hold_its_suit() -> None:
    """M4: seat 2 may throw a diamond on the club of seat 1."""
    table = holding(*FOUR_HANDS)
    table.play("BJ", "KC")
    assert table.playable() == set(FOUR_HANDS[2].split())


def test_the_small_joker_may_be_played_to_the_big_one() -> None:
    """M4: both have no suit, so nobody holds the suit led."""
    table = holding(*FOUR_HANDS)
    table.play("BJ")
    assert "SJ" in table.playable()


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (("2C", "5C", "AC", "KC"), 2),  # the ace of the suit led
        (("JC", "TC", "9C", "QC"), 3),  # T J Q K A in that order
        (("9C", "TC", "2C", "3C"), 1),
        (("2C", "AD", "KD", "AS"), 0),  # nobody followed and nobody trumped
        (("5S", "AC", "6S", "AD"), 2),
    ],
)
def test_without_trump_the_highest_card_of_the_suit_led_takes_the_trick(
    cards: tuple[str, ...], expected: int
) -> None:
    """M4 (the order of ranks), M5"""
    assert taker(*cards) == expected


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (("AC", "2H", "KC", "QC"), 1),
        (("AC", "3H", "2H", "QC"), 1),
        (("AC", "3H", "TH", "9H"), 2),
        (("AS", "KS", "QS", "2H"), 3),  # the summator is a plain suit
        (("3H", "9H", "2H", "AC"), 1),  # trumps led
    ],
)
def test_the_highest_trump_beats_every_other_suit(cards: tuple[str, ...], expected: int) -> None:
    """M5, ``trumps_beat``"""
    assert taker(*cards) == expected


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (("AC", "2H", "KC", "QC"), 0),
        (("2C", "AH", "QH", "JH"), 0),
        (("9D", "2H", "KD", "4D"), 2),
        (("5S", "AH", "6S", "3H"), 2),
    ],
)
def test_with_trumps_beat_off_a_trump_never_wins_off_suit(
    cards: tuple[str, ...], expected: int
) -> None:
    """M5, ``trumps_beat``"""
    assert taker(*cards, trumps_beat=False) == expected


def test_with_trumps_beat_off_the_highest_wins_where_trumps_were_led() -> None:
    """M5, ``trumps_beat``"""
    assert taker("3H", "9H", "2H", "AC", trumps_beat=False) == 1


def test_with_trumps_beat_off_trumps_cost_points_all_the_same() -> None:
    """M5, M6: a trump thrown on diamonds costs whoever takes them 1, four led cost 4."""
    assert one_trick("9D", "2H", "KD", "4D", trumps_beat=False).taken() == [(2, -1)]
    assert one_trick("2H", "3H", "5H", "4H", trumps_beat=False).taken() == [(2, -4)]


@pytest.mark.parametrize("trumps_beat", [True, False])
@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (("AC", "KC", "SJ", "QC"), 2),
        (("AC", "AH", "SJ", "QC"), 2),  # over the ace of trumps
        (("AH", "BJ", "2H", "3H"), 1),  # over trumps that were led
        (("AC", "BJ", "SJ", "QC"), 1),  # the big one over the small one
        (("AC", "SJ", "BJ", "QC"), 2),
        (("SJ", "AC", "AH", "AS"), 0),
        (("BJ", "AC", "AH", "SJ"), 0),
        (("SJ", "AC", "BJ", "AS"), 2),
    ],
)
def test_jokers_beat_everything_and_the_big_one_beats_the_small_one(
    cards: tuple[str, ...], expected: int, *, trumps_beat: bool
) -> None:
    """M4"""
    assert taker(*cards, trumps_beat=trumps_beat) == expected


def test_a_trump_after_a_joker_wins_nothing() -> None:
    """M4, M5"""
    assert taker("SJ", "AH", "QH", "JH") == 0


def test_the_left_of_the_dealer_leads_and_then_whoever_took_the_last_trick() -> None:
    """M3, C4"""
    takers = "2 3 1 0 2 2 3 0 1 1 3 2 0"
    rows = rows_taken_by(takers)
    table = MaverickTable(max_deals=1)
    table.deal_for(rows)
    table.exchange()
    leaders = []
    for row in rows:
        leaders.append(table.turn)
        table.play_rows([row])
    assert leaders == [0, *(int(each) for each in takers.split()[:-1])]
    assert [seat for seat, _ in table.taken()] == [int(each) for each in takers.split()]


def test_whoever_is_late_plays_a_card_that_follows() -> None:
    """M3"""
    for revoke in ("forbid", "penalty"):
        table = MaverickTable(revoke=revoke)
        table.deal_for(rows_taken_by("000 000 0000000"))
        table.exchange()
        table.play("AS")
        late = table.actions[table.game.default(table.turn)].text
        assert late in {f"play {each}" for each in ("2S", "6S", "9S")}
