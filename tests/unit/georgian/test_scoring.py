"""Scores of a deal and of the match: G2, O6."""

from kozyr.events import DealScored, MatchEnded
from tests.georgian_table import deal_of


def two_tricks_to_seat_0(bids: str) -> tuple[int, ...]:
    """The scores of a deal of two cards in which seat 0 takes both tricks."""
    table = deal_of("AS KS", "6C 7C", turned_up="6H", bids=bids)
    table.play("AS", "6C", "KS", "7C")
    return table.scores()


def test_a_bid_made_exactly_is_fifty_for_each_trick_and_fifty_more() -> None:
    """G2: 2 bid, 2 taken."""
    assert two_tricks_to_seat_0("2 1")[0] == 150


def test_a_made_pass_is_fifty() -> None:
    """G2"""
    assert two_tricks_to_seat_0("1 0")[1] == 50


def test_more_tricks_than_bid_are_ten_each_all_of_them() -> None:
    """G2: 1 bid, 2 taken; a pass, 2 taken."""
    assert two_tricks_to_seat_0("1 2")[0] == 20
    assert two_tricks_to_seat_0("0 0")[0] == 20


def test_too_few_tricks_cost_nothing() -> None:
    """G2: 2 bid and none taken."""
    assert two_tricks_to_seat_0("1 2")[1] == 0


def test_too_few_tricks_are_ten_each() -> None:
    """G2: 2 bid, 1 taken; the other made its 1."""
    table = deal_of("AS 6C", "7S 9C", turned_up="6H", bids="2 1")
    table.play("AS", "7S", "6C", "9C")
    assert table.scores() == (10, 100)


def test_the_worked_example_of_the_rules_page() -> None:
    """G2: bids 2 1 0 2 (never 4), tricks 2 2 0 0."""
    table = deal_of(
        "AS KS 6C 7C",
        "AC KC 6S 7S",
        "8S 9S 8C 9C",
        "TS JS TC JC",
        turned_up="6H",
        bids="2 1 0 2",
    )
    table.play("AS", "6S", "8S", "TS")
    table.play("KS", "7S", "9S", "JS")
    table.play("6C", "AC", "8C", "TC")
    table.play("KC", "9C", "JC", "7C")
    assert table.scores() == (150, 20, 50, 0)


def test_a_total_below_zero_is_a_double_loss_and_the_score_stays() -> None:
    """O6, G3: 21 revokes cost more than the rest of the match gives; then all is played anyhow."""
    table = deal_of("AS 7C", "KS 6D", turned_up="6H", bids="0 0", revoke="penalty", peak_deals=1)
    table.play("AS", "6D")
    for _ in range(20):
        table.deal("AS 7C", "KS 6D", dealer=1, turned_up="6H")
        table.bid("0 0")
        table.play("AS", "6D")
    table.finish()
    [ended] = table.said(MatchEnded)
    assert ended.outcome == table.game.outcome()
    gained = sum(deal.scores[1] for deal in table.said(DealScored) if deal.result == "played")
    assert ended.outcome.scores[1] == gained - 21 * 50 < 0
    assert ended.outcome.places == (1, 2)
    assert ended.outcome.notes == ((), ("double_loss",))
