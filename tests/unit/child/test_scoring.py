"""What deals score: H3, H4, H5, H14."""

from tests.child_table import deal_of, table_at


def test_a_made_pass_is_five_and_a_made_bid_ten_for_each_trick() -> None:
    """H4: seat 0 takes both tricks it bid, seat 1 none."""
    table = deal_of("AS AC", "8S 8C", bids="2 0")
    table.play("AS", "8S", "AC", "8C")
    assert table.scores() == (20, 5)


def test_each_missing_trick_costs_ten_and_too_many_are_a_point_each() -> None:
    """H4: seat 0 bid 0 and takes 2; seat 1 bid 2 and takes 0."""
    table = deal_of("AS AC", "8S 8C", bids="0 2")
    table.play("AS", "8S", "AC", "8C")
    assert table.scores() == (2, -20)


def test_a_bid_in_the_dark_doubles_gains_and_losses_of_who_made_it_alone() -> None:
    """H3, H4: 2 × 20 made; 2 × −10 short; and the pass of seat 2 is 5 as ever."""
    table = deal_of("AS AC", "8S 8C", "9S 9C", bids="2d 1d 0")
    table.play("AS", "8S", "9S", "AC", "8C", "9C")
    assert table.scores() == (40, -20, 5)


def test_too_many_tricks_after_a_bid_in_the_dark_are_two_points_each() -> None:
    """H3, H4: 2 × 2"""
    table = deal_of("AS AC", "8S 8C", bids="1d 0")
    table.play("AS", "8S", "AC", "8C")
    assert table.scores() == (4, 5)


def test_in_a_dark_deal_every_score_is_doubled() -> None:
    """H3: seat 0 leads nine diamonds, all of them trumps."""
    table = table_at(20, seats=4)
    trumps = "6D 7D 8D 9D TD JD QD KD AD"
    table.deal(trumps, "6H", "6C", "6S", dealer=3, hand_size=9)
    table.bid("9d 1d 1d 1d")
    while table.deals_over() == 20:
        card = next(iter(sorted(table.playable() - {"7S simple", "7S high"}, key=len)), "7S simple")
        table.play(card)
    assert table.scores() == (180, -20, -20, -20)


def test_the_golden_deal_is_twenty_a_trick() -> None:
    """H5: nine trumps take nine tricks."""
    table = table_at(24, seats=4)
    table.deal("6D 7D 8D 9D TD JD QD KD AD", "6H", "6C", "6S", dealer=3, hand_size=9)
    while table.game.waiting():
        card = next(iter(sorted(table.playable() - {"7S simple", "7S high"}, key=len)), "7S simple")
        table.play(card)
    assert table.scores() == (180, 0, 0, 0)


def test_the_score_sheet_of_the_original() -> None:
    """H14: one card each for five; bids –, –, 1, –, 1, and the last player takes the trick."""
    table = deal_of("6C", "7C", "8C", "9C", "AC", bids="0 0 1 0 1")
    table.play("6C", "7C", "8C", "9C", "AC")
    assert table.scores() == (5, 5, -10, 5, 10)
