"""Each deal of a match is a game of OpenSpiel's ``oh_hell``: the same moves, the same points."""

import random
from collections.abc import Iterable
from typing import Any, Final, TypeVar

import pyspiel
import pytest

from kozyr import WATCHER, Event, Match, Payload
from kozyr.cards import ACE, SUITS, card, cards_in
from kozyr.events import CardShown, DealBegan, DealScored
from kozyr.tricks import BID_MAX, BIDS
from oh_hell import OhHellVariant

OPENSPIEL: Final = {"schedule": "single", "dealer_restriction": True}
"""OpenSpiel's rules: one deal, in which the bids never add up to the tricks.

Its ``num_tricks_fixed`` is our ``max_hand``, its ``num_cards_per_suit`` our ``cards_per_suit``;
``points_per_trick`` and ``off_bid_penalty`` are called so in both.
"""

MATCHES: Final = 40
"""Random matches for each number of players."""

PayloadT = TypeVar("PayloadT", bound=Payload)


class Twin:
    """The deal that has just begun in a match, as a game of OpenSpiel.

    Attributes:
        state: OpenSpiel's position.
        numbers: what OpenSpiel calls our actions.
    """

    def __init__(self, match: Match) -> None:
        options, seats = match.header.options, match.header.seats
        hands = [list(cards_in(match.observe(seat).hand)) for seat in range(seats)]
        game = pyspiel.load_game(
            "oh_hell",
            {
                "players": seats,
                "num_tricks_fixed": len(hands[0]),
                "num_cards_per_suit": options["cards_per_suit"],
                "points_per_trick": options["points_per_trick"],
                "off_bid_penalty": options["off_bid_penalty"],
            },
        )
        self.state = game.new_initial_state()
        self.state.apply_action(len(hands[0]))
        self.state.apply_action(last(DealBegan, match.history).dealer)
        self.numbers = self._numbers(lowest_rank=ACE + 1 - options["cards_per_suit"])
        dealt = [each for cards in zip(*hands, strict=True) for each in cards]
        for each in [*dealt, last(CardShown, match.history).card]:
            self.state.apply_action(self.numbers[each])

    def _numbers(self, *, lowest_rank: int) -> dict[int, int]:
        """By its own names of cards; its ranks go up from the 2, where ours end with the ace."""
        pack = {self.state.action_to_string(each): each for each in self.state.legal_actions()}
        cards = {
            card(suit, lowest_rank + rank): pack[suit_letter + rank_letter]
            for suit, suit_letter in zip(SUITS, "SCDH", strict=True)
            for rank, rank_letter in enumerate("23456789TJQKA")
            if suit_letter + rank_letter in pack
        }
        return cards | {BIDS + bid: len(pack) + bid for bid in range(BID_MAX)}


@pytest.mark.parametrize("seats", range(3, 8))
def test_every_deal_is_a_game_of_openspiel_move_for_move(seats: int) -> None:
    rng = random.Random(seats)
    for seed in range(MATCHES):
        options = random_options(rng)
        match = Match(OhHellVariant(), seats=seats, options=options, seed=seed)
        twin = Twin(match)
        while not match.over:
            [(seat, decision)] = match.pending.items()
            legal = sorted(twin.numbers[action] for action in decision.legal)
            assert twin.state.current_player() == seat
            assert twin.state.legal_actions() == legal
            action = rng.choice(decision.legal)
            twin.state.apply_action(twin.numbers[action])
            events = match.play(seat, action)
            scored = told(DealScored, events)
            assert twin.state.is_terminal() == bool(scored)
            if scored:
                assert twin.state.returns() == list(scored[0].scores)
                if not match.over:
                    twin = Twin(match)


@pytest.mark.parametrize("seats", range(3, 8))
def test_with_one_deal_the_match_is_that_game(seats: int) -> None:
    match = Match(OhHellVariant(), seats=seats, options=OPENSPIEL, seed=seats)
    twin = Twin(match)
    while not match.over:
        [(seat, decision)] = match.pending.items()
        match.play(seat, decision.legal[-1])
        twin.state.apply_action(twin.numbers[decision.legal[-1]])
    assert twin.state.is_terminal()
    assert match.outcome is not None
    assert twin.state.returns() == list(match.outcome.scores)


def random_options(rng: random.Random) -> dict[str, Any]:
    """Options that OpenSpiel has an answer to."""
    return {
        **OPENSPIEL,
        "schedule": rng.choice(["down_up", "up_down", "down", "up", "single"]),
        "max_hand": rng.randint(1, 17),
        "cards_per_suit": rng.randint(2, 13),
        "points_per_trick": rng.randint(0, 5),
        "off_bid_penalty": rng.random() < 0.5,
    }


def told(kind: type[PayloadT], events: Iterable[Event]) -> list[PayloadT]:
    """What those events tell everybody, where it is of that kind."""
    payloads = (event.seen_by(WATCHER) for event in events)
    return [payload for payload in payloads if isinstance(payload, kind)]


def last(kind: type[PayloadT], events: Iterable[Event]) -> PayloadT:
    return told(kind, events)[-1]
