"""What a bet makes of a deal: M10, M11, M12, M13.

Each deal is written by who takes the thirteen tricks of `FAMILIES`: three books (+4), three tricks
of trumps (−4), seven others (+1). The teams share 7 points.
"""

import pytest

from tests.maverick_table import FAMILIES, MaverickTable, rows_taken_by

LOOKS = ("look",) * 4
ONLY_SEAT_0 = {
    "zero": (*LOOKS, "bet zero", "pass", "pass"),
    "smart": (*LOOKS, "bet smart", "pass", "pass"),
    "blind": ("bet blind", "look", "look", "pass", "pass"),
}
"""Seat 0 bets, and nobody else: its partner is not asked."""


def scores(takers: str, *bets: str) -> tuple[int, int]:
    """What the teams score in a deal with these bets."""
    table = MaverickTable(bets=True)
    table.play_deal(rows_taken_by(takers), *bets)
    first, second, third, fourth = table.scores()
    assert (first, second) == (third, fourth)
    return first, second


def scores_after(takers: str, bets: tuple[str, ...], *revokes: str) -> tuple[int, int]:
    """The same with revokes; each is ``"2H AS"``, a wrong card before the one that follows."""
    table = MaverickTable(bets=True, revoke="penalty")
    rows = rows_taken_by(takers)
    table.deal_for(rows)
    table.act(*bets)
    table.exchange()
    wrong_before = {right: wrong for wrong, right in (each.split() for each in revokes)}
    for row in rows:
        cards = row.split()
        for _ in range(4):
            right = cards[table.turn]
            if right in wrong_before:
                table.play(wrong_before[right])
            table.play(right)
    return table.scores()[0], table.scores()[1]


# Without a bet


def test_a_deal_in_which_all_pass_counts_as_it_is() -> None:
    """M9, M6: 12 + 4 = 16, and −12 + 3 = −9."""
    assert scores("020 113 2020313", *LOOKS, *["pass"] * 4) == (16, -9)


# Zero


def test_zero_kept_multiplies_points_by_three() -> None:
    """M10: 12 × 3; the others have −12 + 7."""
    assert scores("222 111 1111111", *ONLY_SEAT_0["zero"]) == (36, -5)


def test_zero_kept_makes_one_of_negative_points() -> None:
    """M10: −12 becomes 1; the others have 12 + 7."""
    assert scores("111 222 1111111", *ONLY_SEAT_0["zero"]) == (1, 19)


@pytest.mark.parametrize("takers", ["211 211 1111111", "111 111 1111111"])
def test_zero_kept_leaves_nothing_of_no_points(takers: str) -> None:
    """M10: 4 − 4 = 0; or no trick at all."""
    assert scores(takers, *ONLY_SEAT_0["zero"])[0] == 0


@pytest.mark.parametrize(
    "takers",
    [
        "022 111 1111111",  # 12
        "111 022 1111111",  # −8
        "222 111 1111110",  # 13, and one trick of the bettor is the last
    ],
)
def test_zero_broken_costs_one_whatever_the_points(takers: str) -> None:
    """M10"""
    assert scores(takers, *ONLY_SEAT_0["zero"])[0] == -1


def test_zero_is_for_the_bettor_alone_whichever_partner_it_is() -> None:
    """M10: seat 2 bets and takes nothing, seat 0 takes 12 + 1; seat 2 bets and takes the last."""
    late = (*LOOKS, "pass", "pass", "bet zero", "pass")
    assert scores("000 111 0111111", *late)[0] == 39
    assert scores("000 111 0111112", *late)[0] == -1


# Blind


def test_blind_kept_doubles_the_points() -> None:
    """M11: 8 − 8 + 4 = 4 is more than 4 − 4 + 3 = 3."""
    assert scores("001 001 0000111", *ONLY_SEAT_0["blind"]) == (8, 3)


def test_blind_with_fewer_points_than_the_others_costs_three() -> None:
    """M11: 3 to 4."""
    assert scores("001 001 0001111", *ONLY_SEAT_0["blind"]) == (-3, 4)


def test_blind_is_for_the_team_whoever_takes_the_tricks() -> None:
    """M11: seat 2 takes all of the 4 points, or seat 2 bets and seat 0 takes them."""
    assert scores("221 221 2222111", *ONLY_SEAT_0["blind"]) == (8, 3)
    by_seat_2 = ("look", "look", "bet blind", "look", "pass", "pass")
    assert scores("001 001 0000111", *by_seat_2) == (8, 3)


def test_blind_with_equal_points_is_lost() -> None:
    """M11: 4 all, so neither has more. Both have bet.

    The last trumps are split, so that the teams share 8: 8 − 4 + 2 − 2 and 4 − 4 + 3 + 1.
    """
    families = [family for family in FAMILIES if family[:2] not in ("JH", "QD", "BJ")]
    rows = [
        *rows_taken_by("001 01 11100", families),
        "JH 8D TH 9D",
        "8H QD 9H TD",
        "SJ BJ JC JD",
    ]
    table = MaverickTable(bets=True)
    table.play_deal(rows, "bet blind", "bet blind")
    assert sum(points for seat, points in table.taken() if seat in (0, 2)) == 4
    assert sum(points for seat, points in table.taken() if seat in (1, 3)) == 4
    assert table.scores() == (-3, -3, -3, -3)


def test_if_both_are_blind_one_of_them_loses() -> None:
    """M11: 4 to 3."""
    assert scores("001 001 0000111", "bet blind", "bet blind") == (8, -3)


def test_blind_kept_with_no_points_costs_nothing() -> None:
    """M11: 0 is more than −2. Spades are trump, the eleven diamonds that are left the summators.

    Seat 2 takes −4 and 4. Seat 3 takes 4 and 3, then leads its nine spades, −1 each, of which the
    last goes to its partner's joker: 7 − 9 = −2.

    Never do the teams share less than this 11 − 13. So nobody keeps a blind bet on negative points.
    """
    rows = [
        "2S 3S AS 4S",
        "2D 3D QD 4D",
        "5D 6D 7D JD",
        "8D 9D AC TD",
        "2C 3C 4C KS",
        "5C 6C 7C QS",
        "8C 9C TC JS",
        "JC QC KC TS",
        "2H 3H 4H 9S",
        "5H 6H 7H 8S",
        "8H 9H TH 7S",
        "JH QH KH 6S",
        "SJ BJ AH 5S",
    ]
    table = MaverickTable(bets=True)
    table.play_deal(rows, "bet blind", "bet blind", open_cards="AD KD")
    assert [points for _, points in table.taken()] == [-4, 4, 4, 3, *[-1] * 9]
    assert table.scores() == (0, -3, 0, -3)


# Smart


def test_smart_kept_doubles_the_points() -> None:
    """M12: three books, 12 + 1 = 13."""
    assert scores("000 111 0111111", *ONLY_SEAT_0["smart"]) == (26, -6)


def test_smart_counts_the_books_of_both_partners() -> None:
    """M12"""
    assert scores("020 111 1111111", *ONLY_SEAT_0["smart"])[0] == 24
    assert scores("222 111 1111111", *ONLY_SEAT_0["smart"])[0] == 24


@pytest.mark.parametrize(
    "takers",
    [
        "001 111 0000000",  # 8 + 7
        "001 000 1111111",  # 8 − 12
        "111 111 1111111",  # no trick
    ],
)
def test_smart_broken_leaves_nothing(takers: str) -> None:
    """M12: two books or fewer, whatever the points."""
    assert scores(takers, *ONLY_SEAT_0["smart"])[0] == 0


def test_three_summators_and_a_card_of_another_suit_are_no_book() -> None:
    """M12, M6: seat 0 holds four spades and seat 2 only two, so the third trick is worth 3."""
    rows = rows_taken_by("000 000 0000000")
    rows[2] = "QS 9S QC JS"
    rows[8] = "TS 8C 9C TC"
    table = MaverickTable(bets=True)
    table.play_deal(rows, *ONLY_SEAT_0["smart"])
    assert [points for _, points in table.taken()][:3] == [4, 4, 3]
    assert table.scores()[0] == 0


def test_with_two_diamonds_open_only_two_books_can_be_made() -> None:
    """M12: smart is lost by a team that takes every trick: 4 + 4 + 3, and nothing comes of it."""
    rows = [
        "QD 2D 3D 4D",
        "JD 5D 6D 7D",
        "BJ 8D 9D SJ",
        "AC 2C 3C 4C",
        "KC 5C 6C 7C",
        "QC 8C 9C TC",
        "AH 2H 3H 4H",
        "KH 5H 6H 7H",
        "QH 8H 9H TH",
        "AS 2S 3S 4S",
        "KS 5S 6S 7S",
        "QS 8S 9S TS",
        "TD JS JC JH",
    ]
    table = MaverickTable(bets=True)
    table.play_deal(rows, *ONLY_SEAT_0["smart"], open_cards="AD KD")
    assert {seat for seat, _ in table.taken()} == {0, 1}
    assert table.scores()[0] == 0


# Both teams, and penalties


def test_each_team_is_judged_by_its_own_bet() -> None:
    """M10, M12, M13: zero of seat 0 on 12 points; smart of seat 1 without a book."""
    assert scores("222 111 1111111", *LOOKS, "bet zero", "bet smart") == (36, 0)


def test_blind_is_measured_by_trick_points_and_not_by_what_bets_make_of_them() -> None:
    """M11: 4 is more than 3, though zero makes 9 of these 3; seat 3 takes them, seat 1 has bet."""
    assert scores("003 003 0000333", "bet blind", "look", "look", "bet zero") == (8, 9)


def test_blind_is_measured_before_revokes_are_paid_for() -> None:
    """M11, M13: 4 to 3 is more all the same; 8 − 4."""
    bets = ONLY_SEAT_0["blind"]
    assert scores_after("001 001 0000111", bets, "3H 3S") == (4, 3)


def test_a_revoke_of_the_others_makes_no_blind_bet() -> None:
    """M11, M13: 3 to 4 is lost, though the others end with 4 − 4."""
    bets = ONLY_SEAT_0["blind"]
    assert scores_after("001 001 0001111", bets, "2H 2S") == (-3, 0)


@pytest.mark.parametrize(
    ("bet", "takers", "result"),
    [
        ("zero", "222 111 1111111", 36 - 4),
        ("zero", "111 222 1111111", 1 - 4),
        ("zero", "022 111 1111111", -1 - 4),
        ("blind", "222 111 1111111", 24 - 4),
        ("blind", "111 222 1111111", -3 - 4),
        ("smart", "222 111 1111111", 24 - 4),
        ("smart", "221 111 1111111", 0 - 4),
    ],
)
def test_revoke_penalties_are_added_after_the_bet(bet: str, takers: str, result: int) -> None:
    """M13, M7: in the first trick seat 2 plays a club before it follows with a spade."""
    rows = rows_taken_by(takers)
    spade, club = rows[0].split()[2], rows[6].split()[2]
    assert scores_after(takers, ONLY_SEAT_0[bet], f"{club} {spade}")[0] == result


def test_the_score_of_a_team_without_a_bet_is_not_touched() -> None:
    """M13: 7 − 12 in all three."""
    for bet in ("zero", "blind", "smart"):
        assert scores("222 111 1111111", *ONLY_SEAT_0[bet])[1] == -5
