"""Looking, bids in the dark, and the dealer's restriction: C2, C3, H3, H11."""

from kozyr.events import WATCHER, BidMade, CardsDealt, HandLooked, Seat
from tests.child_table import deal_of, table_at


def test_the_eldest_bids_first_and_a_pass_is_a_bid() -> None:
    """C2"""
    table = deal_of("AS KS", "6C 7C", "6D 7D")
    assert table.turn == 0
    table.bid("0")
    assert table.turn == 1
    bids = table.view(2).bids
    assert bids[0] is not None
    assert (bids[0].count, bids[0].dark) == (0, False)
    assert bids[1] is None


def test_before_looking_one_may_look_or_bid_1_to_n_in_the_dark_and_not_pass() -> None:
    """H3"""
    table = deal_of("AS KS", "6C 7C", "6D 7D")
    assert table.moves() == {"look", "bid 1 dark", "bid 2 dark"}
    assert table.refusal("pass") == "H3"
    assert table.refusal("bid 1") == "H3"


def test_after_looking_one_bids_0_to_n_and_no_more_in_the_dark() -> None:
    """H3, C2"""
    table = deal_of("AS KS", "6C 7C", "6D 7D")
    table.act("look")
    assert table.turn == 0
    assert table.moves() == {"pass", "bid 1", "bid 2"}
    assert table.refusal("bid 1 dark") == "H3"
    assert table.refusal("look") == "H3"
    assert table.refusal("bid 3") == "C2"


def test_nobody_sees_a_card_before_its_owner_has_looked() -> None:
    """H3: neither the others, nor spectators, nor the owner."""
    table = deal_of("AS KS", "6C 7C", "6D 7D")
    for viewer in (0, 1, 2, WATCHER):
        assert {dealt.cards for dealt in table.said(CardsDealt, viewer)} == {None}
        assert table.view(viewer).hand == 0
        assert table.view(viewer).counts == [2, 2, 2]


def test_who_looks_sees_its_cards_and_the_others_see_that_it_looked() -> None:
    """H3"""
    table = deal_of("AS KS", "6C 7C", "6D 7D")
    table.act("look")
    assert table.hand(0) == "KS AS"
    assert table.hand(1) == ""
    assert table.said(HandLooked, viewer=1)[-1] == HandLooked(Seat(0))
    assert table.said(HandLooked, viewer=WATCHER)[-1] == HandLooked(Seat(0))


def test_who_bids_in_the_dark_sees_its_cards_then() -> None:
    """H3"""
    table = deal_of("AS KS", "6C 7C", "6D 7D")
    table.act("bid 2 dark")
    assert table.said(BidMade)[-1] == BidMade(Seat(0), 2, dark=True)
    assert table.hand(0) == "KS AS"
    assert table.turn == 1


def test_in_a_dark_deal_everybody_bids_in_the_dark() -> None:
    """H3: deals 21 to 24 of four."""
    table = table_at(20, seats=4)
    table.hand_out(table.game.deck())
    assert table.moves() == {f"bid {count} dark" for count in range(1, 10)}
    assert table.refusal("look") == "H3"
    assert table.refusal("pass") == "H3"


def test_whoever_lets_the_time_pass_looks_and_passes() -> None:
    """H3"""
    table = deal_of("AS KS", "6C 7C", "6D 7D")
    for expected in ("look", "pass"):
        default = table.game.default(Seat(0))
        assert table.actions[default].text == expected
        table.act(expected)


def test_whoever_may_not_pass_makes_the_lowest_bid_that_is_allowed() -> None:
    """H3, C3: one card, somebody has bid 1, so that the dealer may not pass."""
    table = deal_of("AS", "6C", bids="1", dealer_restriction=True)
    table.act("look")
    assert table.actions[table.game.default(Seat(1))].text == "bid 1"


def test_in_a_dark_deal_the_lowest_bid_in_the_dark_is_made_for_who_lets_the_time_pass() -> None:
    """H3"""
    table = table_at(20, seats=4)
    table.hand_out(table.game.deck())
    assert table.actions[table.game.default(table.turn)].text == "bid 1 dark"


def test_by_default_the_dealer_is_free() -> None:
    """C3, H11"""
    table = deal_of("AS KS", "6C 7C", "6D 7D", bids="1 0")
    table.act("look")
    assert table.moves() == {"pass", "bid 1", "bid 2"}


def test_a_restricted_dealer_may_not_make_the_bids_sum_to_the_cards_dealt() -> None:
    """C3, H11: 1 and 0 are bid of 2, so the dealer may not bid 1, in the dark neither."""
    table = deal_of("AS KS", "6C 7C", "6D 7D", bids="1 0", dealer_restriction=True)
    assert table.moves() == {"look", "bid 2 dark"}
    assert table.refusal("bid 1 dark") == "C3"
    table.act("look")
    assert table.moves() == {"pass", "bid 2"}
    assert table.refusal("bid 1") == "C3"


def test_bids_that_exceed_the_cards_free_the_dealer() -> None:
    """C3, H11"""
    table = deal_of("AS KS", "6C 7C", "6D 7D", bids="2d 1", dealer_restriction=True)
    assert table.moves() == {"look", "bid 1 dark", "bid 2 dark"}


def test_a_dealer_without_a_dark_bid_must_look_and_pass() -> None:
    """H11: a deal of one card in which everybody else has passed."""
    table = deal_of("AS", "6C", "6D", bids="0 0", dealer_restriction=True)
    assert table.moves() == {"look"}
    assert table.refusal("bid 1 dark") == "H11"
    table.act("look")
    assert table.moves() == {"pass"}
    assert table.refusal("bid 1") == "C3"


def test_the_golden_deal_has_no_bids_and_everybody_sees_its_own_cards_at_once() -> None:
    """H5: the last deal, which seat 3 deals."""
    table = table_at(24, seats=4)
    table.deal("AS KS", "AC KC", "AD KD", "AH KH", dealer=3, hand_size=9)
    assert table.turn == 0
    assert {move.split()[0] for move in table.moves()} == {"play"}
    assert len(table.hand(2).split()) == 9
    assert [dealt.cards for dealt in table.said(CardsDealt, 0)[-4:]][1:] == [None] * 3
