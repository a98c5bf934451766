"""What every card player does alike: reads the decision, keeps the rules, finds the nearest bid.

A `CardPlayer` knows the moves of trick-taking games. To a decision of any other kind it gives the
decision's default, so it can sit down to any game.
"""

import random
from abc import abstractmethod
from collections.abc import Sequence
from typing import Final

from kozyr.brain import Brain, Decision, Setup
from kozyr.cards import Suit, card_set
from kozyr.events import Seat
from kozyr.moves import Announcement, Bid, Look, Move, NameSuit, Pass, Play
from kozyr.observation import Observation
from kozyr_bots.brains.outlook import suit_cards, table_of

_BIDS: Final[frozenset[type[Move]]] = frozenset((Pass, Bid))
_PLAYS: Final[frozenset[type[Move]]] = frozenset((Play,))
_NAMES: Final[frozenset[type[Move]]] = frozenset((NameSuit,))

_FREE_WHEN_VOID: Final = frozenset(("maverick",))
"""The games in which one who cannot follow suit may play anything, not only a trump (M3)."""


class CardPlayer(Brain):
    """A brain for trick-taking games; subclasses say what to bid and what to play.

    Attributes:
        moves: the meaning of each action.
        pack: all the cards that the game may play.
    """

    def begin(self, setup: Setup, seat: Seat, rng: random.Random) -> None:
        super().begin(setup, seat, rng)
        self.moves = setup.actions.moves
        self.pack = card_set(move.card for move in self.moves if isinstance(move, Play))
        self._kinds = [type(move) for move in self.moves]
        self._may_revoke = setup.options.get("revoke") == "penalty"
        self._demands = setup.options.get("joker_demand", True)
        self._must_trump = setup.variant not in _FREE_WHEN_VOID

    def decide(self, observation: Observation, decision: Decision) -> int:
        legal: Sequence[int] = decision.legal
        if len(legal) == 1:
            return legal[0]
        kinds = set(map(self._kinds.__getitem__, legal))
        if kinds == _PLAYS:
            if self._may_revoke:
                legal = self._lawful(observation, legal)
            return self.play(observation, legal)
        if Look in kinds:
            return next(action for action in legal if self._kinds[action] is Look)
        if kinds <= _BIDS:
            wanted = self.tricks_wanted(observation)
            return min(legal, key=lambda action: abs(self._count(action) - wanted))
        if kinds == _NAMES:
            return self.name_suit(observation, legal)
        return decision.default

    @abstractmethod
    def tricks_wanted(self, observation: Observation) -> float:
        """How many tricks to bid, before it is rounded to a legal bid."""

    @abstractmethod
    def play(self, observation: Observation, plays: Sequence[int]) -> int:
        """One of several plays."""

    @abstractmethod
    def name_suit(self, observation: Observation, names: Sequence[int]) -> int:
        """One of several suits to name."""

    def play_of(self, action: int) -> Play:
        """The meaning of an action that plays a card."""
        move = self.moves[action]
        assert isinstance(move, Play)
        return move

    def suit_named(self, action: int) -> Suit:
        """The suit that an action names."""
        move = self.moves[action]
        assert isinstance(move, NameSuit)
        return move.suit

    def _count(self, action: int) -> int:
        move = self.moves[action]
        return move.count if isinstance(move, Bid) else 0

    def _lawful(self, observation: Observation, plays: Sequence[int]) -> Sequence[int]:
        """The plays that do not revoke, where the rules let one revoke and pay (C5, C6, M3)."""
        if not observation.trick:
            return plays
        hand = observation.hand
        table = table_of(observation)
        trumps = suit_cards(observation.trump) if self._must_trump else 0
        wanted = hand & table.asked or hand & trumps or hand
        if table.demanded and self._demands and hand & table.asked:
            wanted = 1 << wanted.bit_length() - 1
        return [action for action in plays if self._keeps(self.play_of(action), wanted)] or plays

    def _keeps(self, play: Play, wanted: int) -> bool:
        special = play.announcement in (Announcement.HIGH, Announcement.LOW)
        return special or bool(wanted >> play.card & 1)
