"""What a viewer knows after hearing this or that."""

import pytest

from kozyr.cards import HEARTS, NO_SUIT, SPADES, Card, card_set, pack, parse_card, parse_cards
from kozyr.events import (
    EVERYBODY,
    WATCHER,
    BetMade,
    BidMade,
    CardChosen,
    CardPlayed,
    CardReturned,
    CardsDealt,
    CardsGiven,
    CardShown,
    Custom,
    DealBegan,
    DealerDrawn,
    DealScored,
    Event,
    HandLooked,
    MatchEnded,
    Outcome,
    Payload,
    Revoked,
    Seat,
    SummatorSet,
    TrickTaken,
    TrumpSet,
    private,
    public,
)
from kozyr.moves import Bet
from kozyr.observation import Observation, SheetRow, unseen

ME, LEFT, RIGHT = Seat(0), Seat(1), Seat(2)
DEAL = DealBegan(index=0, deal_count=3, kind="regular", dealer=RIGHT, hand_size=2)
MINE = parse_cards("AS 7H")
ACE, SEVEN = MINE
KING = parse_card("KS")


def heard(*payloads: Payload, viewer: Seat = ME) -> Observation:
    observation = Observation.empty(viewer, 3)
    for payload in (DEAL, *payloads):
        observation.hear(payload)
    return observation


def test_nothing_heard_is_nothing_known() -> None:
    nothing = Observation.empty(ME, 3)
    assert nothing.heard == []
    assert (nothing.hand, nothing.counts, nothing.totals) == (0, [0, 0, 0], [0, 0, 0])
    assert (nothing.deal, nothing.trump, nothing.outcome) == (None, None, None)
    assert not nothing.watcher


def test_all_that_was_heard_is_remembered_in_order() -> None:
    said = (DealerDrawn(MINE, ME), CardChosen(ME, ACE), Revoked(LEFT, KING, "C5", -50))
    assert heard(*said).heard == [DEAL, *said]
    assert heard(*said).deal_start == 0


def test_own_cards_are_known_and_those_of_others_only_counted() -> None:
    observation = heard(CardsDealt(ME, 2, MINE), CardsDealt(LEFT, 2), CardsDealt(RIGHT, 2))
    assert observation.hand == card_set(MINE)
    assert observation.counts == [2, 2, 2]


def test_the_hand_of_another_is_not_mine_even_when_it_is_named() -> None:
    assert heard(CardsDealt(LEFT, 2, MINE)).hand == 0


def test_a_watcher_has_no_hand() -> None:
    observation = heard(CardsDealt(ME, 2), viewer=WATCHER)
    assert observation.watcher
    assert (observation.hand, observation.counts) == (0, [2, 0, 0])


def test_a_card_played_goes_from_the_hand_to_the_table() -> None:
    observation = heard(CardsDealt(ME, 2, MINE), CardsDealt(LEFT, 2), CardPlayed(ME, ACE))
    observation.hear(CardPlayed(LEFT, KING))
    assert observation.hand == 1 << SEVEN
    assert observation.counts == [1, 1, 0]
    assert observation.trick == [CardPlayed(ME, ACE), CardPlayed(LEFT, KING)]
    assert observation.played == card_set([ACE, KING])


def test_a_trick_taken_clears_the_table_and_stays_the_last_trick() -> None:
    play = CardPlayed(LEFT, KING)
    observation = heard(play, TrickTaken(LEFT, points=3), TrickTaken(LEFT, points=-4))
    assert (observation.trick, observation.last_trick) == ([], [])
    assert (observation.tricks, observation.points) == ([0, 2, 0], [0, -1, 0])
    assert heard(play, TrickTaken(LEFT)).last_trick == [play]


def test_a_card_that_revoked_goes_back_where_it_came_from() -> None:
    observation = heard(
        CardsDealt(ME, 2, MINE), CardPlayed(LEFT, KING), CardPlayed(ME, ACE), CardReturned(ME, ACE)
    )
    assert observation.hand == card_set(MINE)
    assert observation.trick == [CardPlayed(LEFT, KING)]
    assert (observation.played, observation.counts[ME]) == (1 << KING, 2)


@pytest.mark.parametrize(
    ("viewer", "cards", "hand"),
    [(ME, (ACE,), 1 << SEVEN), (LEFT, (ACE,), 1 << ACE), (RIGHT, None, 0)],
)
def test_cards_that_change_hands_are_known_to_the_two_concerned(
    viewer: Seat, cards: tuple[Card, ...] | None, hand: int
) -> None:
    dealt = CardsDealt(ME, 2, MINE if viewer == ME else None)
    observation = heard(dealt, CardsGiven(ME, LEFT, 1, cards), viewer=viewer)
    assert observation.hand == hand
    assert observation.counts == [1, 1, 0]


def test_bids_and_bets_are_told_apart_from_none_yet() -> None:
    observation = heard(BidMade(LEFT, 0), BidMade(ME, 2, dark=True), BetMade(RIGHT, Bet.NONE))
    assert observation.bids == [BidMade(ME, 2, dark=True), BidMade(LEFT, 0), None]
    assert observation.bets == [None, None, Bet.NONE]


def test_no_trump_is_told_apart_from_not_known_yet() -> None:
    assert heard().trump is None
    assert heard(TrumpSet(NO_SUIT)).trump == NO_SUIT
    assert heard(TrumpSet(SPADES), TrumpSet(HEARTS)).trump == HEARTS
    assert heard(SummatorSet(HEARTS)).summator == HEARTS


def test_who_has_looked_is_known() -> None:
    assert heard(HandLooked(LEFT)).looked == [False, True, False]


def test_cards_that_one_looks_at_are_in_ones_hand() -> None:
    ace, king = parse_cards("AS KS")
    looked = heard(CardsDealt(ME, 2), HandLooked(ME, (ace, king)), HandLooked(LEFT))
    assert looked.hand == card_set((ace, king))
    assert looked.counts == [2, 0, 0]


def test_the_last_custom_event_of_each_name_stays() -> None:
    first, last, other = Custom("wind", (("from", "east"),)), Custom("wind"), Custom("rain")
    assert heard(first, other, last).facts == {"wind": last, "rain": other}


def test_a_finished_deal_becomes_a_row_of_the_sheet() -> None:
    scored = DealScored((20, 0, -10), (30, 0, -10))
    observation = heard(BidMade(ME, 1), BidMade(LEFT, 0), TrickTaken(ME), scored)
    assert observation.sheet == [SheetRow(DEAL, (1, 0, None), (1, 0, 0), scored)]
    assert observation.totals == [30, 0, -10]


def test_a_new_deal_forgets_the_deal_before_but_not_the_match() -> None:
    before = (
        CardsDealt(ME, 2, MINE),
        CardShown(KING),
        TrumpSet(SPADES),
        BidMade(ME, 1),
        CardPlayed(ME, ACE),
        TrickTaken(ME),
        DealScored((20, 0, 0), (20, 0, 0)),
    )
    second = DealBegan(1, 3, "regular", ME, 3)
    observation = heard(*before, second)
    fresh = Observation.empty(ME, 3)
    fresh.hear(second)
    for name in ("hand", "counts", "shown", "trump", "bids", "trick", "last_trick", "played"):
        assert getattr(observation, name) == getattr(fresh, name)
    assert observation.deal_start == len(before) + 1
    assert len(observation.sheet) == 1
    assert observation.totals == [20, 0, 0]


def test_the_end_of_the_match_is_known() -> None:
    outcome = Outcome((9, 9, 5), (1, 1, 3), ((), (), ("double_loss",)))
    assert heard(MatchEnded(outcome)).outcome == outcome


def test_what_nobody_knows_cannot_be_heard() -> None:
    with pytest.raises(TypeError, match="unknown payload"):
        heard(Payload())


def test_unseen_are_the_cards_neither_held_nor_played_nor_shown() -> None:
    cards = pack(lowest_rank=6)
    observation = heard(CardsDealt(ME, 2, MINE), CardShown(parse_card("6D")), CardPlayed(ME, ACE))
    assert unseen(observation, cards) == card_set(cards) & ~card_set(parse_cards("AS 7H 6D"))


def test_an_event_shows_each_viewer_its_own_face() -> None:
    own, others = CardsDealt(LEFT, 1, (ACE,)), CardsDealt(LEFT, 1)
    event = private(LEFT, own, others)
    assert event.seen_by(LEFT) == own
    assert all(event.seen_by(viewer) == others for viewer in (ME, RIGHT, WATCHER))


def test_an_event_can_be_hidden_from_all_but_one() -> None:
    event = private(LEFT, CardChosen(LEFT, ACE))
    assert event.seen_by(LEFT) == CardChosen(LEFT, ACE)
    assert event.seen_by(ME) is event.seen_by(WATCHER) is None


def test_a_public_event_is_one_face_for_all_seats_and_watchers() -> None:
    assert public(TrumpSet(SPADES)) == Event(((EVERYBODY, TrumpSet(SPADES)),))
    assert all(public(DEAL).seen_by(Seat(viewer)) == DEAL for viewer in range(17))
