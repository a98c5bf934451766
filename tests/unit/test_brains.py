"""The brains, at positions made by hand and in whole matches."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from kozyr import Brain, Decision, Match, Move, Observation, Setup, load_brain
from kozyr.cards import parse_card, parse_cards, parse_suit
from kozyr.events import (
    BidMade,
    CardPlayed,
    CardsDealt,
    CardShown,
    DealBegan,
    DealScored,
    Payload,
    Seat,
    TrumpSet,
)
from kozyr.moves import ActionTable, Bet, CustomMove, GiveCard, MakeBet, Pass, parse_move
from kozyr_bots.brains import GreedyBrain, RandomBrain
from kozyr_bots.brains.greedy import tricks_needed

BRAINS = ("greedy", "random")
ME = Seat(0)


def setup_of(seats: int, **options: Any) -> Setup:
    return Match("odessa", seats=seats, seed=1, options=options).setup


class Position:
    """What seat 0 knows in the middle of a deal of Odessa; seat 0 is the dealer's left."""

    def __init__(
        self,
        hand: str,
        *,
        seats: int = 3,
        trump: str = "hearts",
        bids: Sequence[int | None] = (),
        **options: Any,
    ) -> None:
        self.setup = setup_of(seats, **options)
        self.observation = Observation.empty(ME, seats)
        cards = parse_cards(hand)
        size = len(cards)
        self.hear(DealBegan(0, 1, "regular", Seat(seats - 1), size))
        for seat in range(seats):
            self.hear(CardsDealt(Seat(seat), size, cards if seat == ME else None))
        self.hear(TrumpSet(parse_suit(trump)))
        for seat, bid in enumerate(bids):
            if bid is not None:
                self.hear(BidMade(Seat(seat), bid))

    def hear(self, payload: Payload) -> None:
        self.observation.hear(payload)

    def play(self, seat: int, text: str) -> None:
        """Let another seat play a card, like ``AS`` or ``BJ high spades``."""
        move = parse_move(f"play {text}")
        self.hear(CardPlayed(Seat(seat), move.card, move.announcement, move.suit))  # type: ignore[attr-defined]

    def decision(self, *moves: str) -> Decision:
        """A decision between moves, as people type them."""
        legal = sorted(self.setup.actions.number(parse_move(text)) for text in moves)
        return Decision(1, ME, tuple(legal), legal[0])

    def choice(self, *moves: str, brain: Brain | None = None, seed: int = 1) -> str:
        """What a brain chooses, as text; by default the greedy one."""
        brain = brain or GreedyBrain()
        brain.begin(self.setup, ME, random.Random(seed))
        action = brain.decide(self.observation, self.decision(*moves))
        return self.setup.actions[action].text


# Bids


@pytest.mark.parametrize(
    ("hand", "bid"),
    [
        ("6S 7C 8D 9C", "pass"),
        ("AH 6S 7C 8D", "bid 1"),
        ("AH KH 7C 8D", "bid 2"),
        ("AH KH QH 8D", "bid 3"),
        ("AH KH QH JH", "bid 4"),
    ],
)
def test_greedy_bids_the_tricks_its_hand_is_worth(hand: str, bid: str) -> None:
    position = Position(hand)
    assert position.choice("pass", "bid 1", "bid 2", "bid 3", "bid 4") == bid


def test_greedy_makes_the_nearest_bid_that_the_dealer_may_make() -> None:
    """C3"""
    position = Position("AH KH QH 8D")
    assert position.choice("pass", "bid 1", "bid 2", "bid 4") in {"bid 2", "bid 4"}


def test_same_hand_is_worth_more_with_a_joker() -> None:
    """O10"""
    bids = ("pass", "bid 1", "bid 2", "bid 3", "bid 4")
    assert Position("AH 7S 7C BJ", joker=True).choice(*bids) == "bid 2"


def test_card_is_worth_less_the_more_play() -> None:
    hand = "JH AS KD 6C"
    bids = [
        Position(hand, seats=seats, max_hand=6).choice("pass", "bid 1", "bid 2", "bid 3", "bid 4")
        for seats in (2, 6)
    ]
    assert bids == sorted(bids, reverse=True)
    assert bids[0] != bids[1]


@pytest.mark.parametrize("name", BRAINS)
def test_blind_bid_is_about_a_fair_share(name: str) -> None:
    """O7"""
    bids = []
    for seed in range(200):
        position = Position("", seats=3)
        position.hear(DealBegan(0, 1, "blind", Seat(2), 6, multiplier=2))
        text = position.choice(
            "pass", "bid 1", "bid 2", "bid 3", "bid 4", brain=load_brain(name), seed=seed
        )
        bids.append(0 if text == "pass" else int(text.split()[1]))
    assert 1.8 < sum(bids) / len(bids) < 2.2


def test_greedy_names_the_suit_it_is_strongest_in() -> None:
    """C7"""
    position = Position("AC KC 6S", full_deal_trump="eldest_names", max_hand=12)
    position.observation.trump = None
    names = ("name spades", "name clubs", "name diamonds", "name hearts", "name no-trump")
    assert position.choice(*names) == "name clubs"


# Plays


def test_greedy_wins_as_cheaply_as_it_can_when_it_needs_a_trick() -> None:
    position = Position("AS QS 6D", bids=(2, 0, 0))
    position.play(1, "9S")
    position.play(2, "JS")
    assert position.choice("play AS", "play QS") == "play QS"


def test_greedy_ducks_with_its_highest_loser_when_it_has_enough() -> None:
    position = Position("KS 9S 7S AD", bids=(0, 1, 1))
    position.play(1, "JS")
    position.play(2, "AS")
    assert position.choice("play KS", "play 9S", "play 7S") == "play KS"


def test_greedy_keeps_its_strength_when_it_cannot_win_but_needs_a_trick() -> None:
    position = Position("KS 7S AD", bids=(2, 1, 1))
    position.play(1, "9S")
    position.play(2, "AS")
    assert position.choice("play KS", "play 7S") == "play 7S"


def test_greedy_throws_away_what_threatens_to_win_when_it_has_enough() -> None:
    position = Position("AD 6C 7C", bids=(0, 1, 1))
    position.play(1, "9S")
    position.play(2, "AS")
    assert position.choice("play AD", "play 6C", "play 7C") == "play AD"


def test_greedy_leads_its_winner_before_others_are_void_when_it_needs_a_trick() -> None:
    position = Position("AS 6C", bids=(1, 0, 0))
    assert position.choice("play AS", "play 6C") == "play AS"


def test_greedy_leads_low_when_it_needs_no_trick() -> None:
    position = Position("AS 6C", bids=(0, 1, 1))
    assert position.choice("play AS", "play 6C") == "play 6C"


def test_greedy_trumps_below_when_it_must_trump_and_needs_no_trick() -> None:
    """C5"""
    position = Position("6H AH KC", bids=(0, 1, 1))
    position.play(1, "9S")
    position.play(2, "KH")
    assert position.choice("play 6H", "play AH") == "play 6H"


def test_greedy_takes_all_it_can_once_its_bid_is_overshot() -> None:
    """O4"""
    position = Position("AS KD", bids=(0, 1, 1))
    position.observation.tricks[ME] = 1
    position.play(1, "9S")
    position.play(2, "JS")
    assert position.choice("play AS", "play KD") == "play AS"


def test_without_a_bid_every_trick_is_needed() -> None:
    assert tricks_needed(Position("AS KD QD").observation) == 3


@pytest.mark.parametrize(("bid", "choice"), [(2, "play BJ high"), (0, "play BJ low")])
def test_greedy_plays_the_joker_as_its_bid_asks(bid: int, choice: str) -> None:
    """O10"""
    position = Position("BJ AS", bids=(bid, 1, 1), joker=True)
    position.play(1, "9S")
    position.play(2, "KS")
    assert position.choice("play BJ high", "play BJ low") == choice


def test_greedy_keeps_the_joker_for_the_last_trick_it_needs() -> None:
    """O10: the ace is thrown away, so that it cannot win one too many."""
    position = Position("BJ AS", bids=(1, 1, 1), joker=True)
    position.play(1, "9D")
    position.play(2, "KD")
    assert position.choice("play BJ high", "play BJ low", "play AS") == "play AS"


def test_joker_led_low_names_the_suit_that_others_surely_have() -> None:
    """O11"""
    position = Position("BJ AS KS QS", bids=(0, 1, 1), joker=True)
    chosen = position.choice(
        "play BJ low spades", "play BJ low clubs", "play BJ low diamonds", "play BJ low hearts"
    )
    assert chosen in {"play BJ low clubs", "play BJ low diamonds"}


def test_joker_led_high_names_the_longest_suit() -> None:
    """O11"""
    position = Position("BJ KC QC JD", bids=(3, 0, 0), joker=True)
    suits = ("spades", "clubs", "diamonds", "hearts")
    chosen = position.choice(*(f"play BJ high {suit}" for suit in suits))
    assert chosen == "play BJ high clubs"


def test_shown_card_that_a_seat_holds_still_beats_ours() -> None:
    """C7: the dealer's last card is shown and stays in the hand."""
    position = Position("QH 6C", seats=2, bids=(1, 1))
    position.hear(CardShown(parse_card("AH"), Seat(1)))
    hidden = Position("QH 6C", seats=2, bids=(1, 1))
    hidden.hear(CardShown(parse_card("AH")))
    brain = GreedyBrain()
    brain.begin(position.setup, ME, random.Random(1))
    assert brain.tricks_wanted(position.observation) < brain.tricks_wanted(hidden.observation)


@pytest.mark.parametrize("name", BRAINS)
def test_brains_do_not_revoke_where_they_could(name: str) -> None:
    """C6"""
    match = played([name] * 4, seed=3, revoke="penalty", joker=True)
    assert all(
        not isinstance(payload, DealScored) or payload.result == "played"
        for payload in match.observe(0).heard
    )


# Games of other kinds


@pytest.mark.parametrize("name", BRAINS)
@pytest.mark.parametrize(
    "moves",
    [
        [CustomMove("swap"), CustomMove("keep")],
        [Pass(), MakeBet(Bet.SMART), MakeBet(Bet.ZERO)],
        [GiveCard(parse_card("AS")), GiveCard(parse_card("KS"))],
    ],
)
def test_moves_of_another_kind_get_the_default(name: str, moves: Sequence[Move]) -> None:
    setup = Setup("other", 1, {}, 2, (0, 1), ActionTable(moves))
    brain = load_brain(name)
    brain.begin(setup, ME, random.Random(1))
    observation = Observation.empty(ME, 2)
    legal = tuple(range(len(moves)))
    for default in legal:
        assert brain.decide(observation, Decision(1, ME, legal, default)) == default


# Whole matches


def played(names: Sequence[str], *, seed: int, **options: Any) -> Match:
    """A whole match of these brains, by seat."""
    match = Match("odessa", seats=len(names), seed=seed, options=options)
    brains = [load_brain(name) for name in names]
    for seat, brain in enumerate(brains):
        brain.begin(match.setup, Seat(seat), random.Random(seed * 100 + seat))
    while not match.over:
        for seat, decision in list(match.pending.items()):
            match.play(seat, brains[seat].decide(match.observe(seat), decision))
    return match


def test_greedy_beats_random_clearly() -> None:
    """On the same deals with the seats exchanged, at three tables out of four at least."""
    won = 0
    for seed in range(60):
        difference = 0
        for greedy in (0, 1):
            names = ["greedy" if seat % 2 == greedy else "random" for seat in range(4)]
            scores = played(names, seed=seed, max_hand=4).scores
            difference += sum(scores[greedy::2]) - sum(scores[1 - greedy :: 2])
        won += difference > 0
    assert won >= 45


def test_random_brain_bids_about_what_it_makes() -> None:
    """Random play, but of a sane bidder: more than a third of its bids are made exactly."""
    rows = [
        (row.bids[seat], row.tricks[seat])
        for seed in range(20)
        for row in played(["random"] * 4, seed=seed).observe(0).sheet
        for seat in range(4)
    ]
    assert sum(bid == tricks for bid, tricks in rows) > len(rows) / 3


@pytest.mark.parametrize("name", BRAINS)
def test_brain_plays_the_same_match_again_with_the_same_randomness(name: str) -> None:
    first, again = (played([name] * 3, seed=5) for _ in range(2))
    assert first.digest == again.digest


@pytest.mark.parametrize("name", BRAINS)
@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {"max_hand": 12}),
        (6, {"max_hand": 6, "full_deal_trump": "eldest_names"}),
        (4, {"deck": 52, "joker": True, "joker_demand": False, "no_trump_deals": 2}),
        (3, {"joker": True, "revoke": "penalty", "blind_deals": 3}),
        (4, {"max_hand": 9, "full_deal_trump": "none", "dealer_restriction": False}),
    ],
)
def test_brains_play_every_kind_of_match_to_its_end(
    name: str, seats: int, options: Mapping[str, Any]
) -> None:
    assert played([name] * seats, seed=2, **options).over


def test_brains_take_no_budget() -> None:
    for brain in (GreedyBrain, RandomBrain):
        with pytest.raises(ValueError, match="takes no budget"):
            brain("1s")
