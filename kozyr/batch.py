"""Many matches of one variant, stepped at once, with NumPy arrays that are filled in place.

For learners and for whoever wants millions of decisions a second from Python. Needs NumPy, which
is in the extra ``rl``.

>>> from kozyr.batch import BatchGame
>>> games = BatchGame("odessa", count=8, options={"max_hand": 2}, seed=1)
>>> while not games.done.all():
...     games.actions[:] = games.legal_mask().argmax(axis=1)  # the first legal action
...     games.step()
>>> games.scores.shape
(8, 4)
"""

import ctypes
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kozyr.plugins import load_variant
from kozyr.tricks import TrickGame
from kozyr.tricks.actions import ACTION_COUNT
from kozyr.tricks.batch import FIELDS, WORD_BITS, WORDS, Batch, IllegalAction
from kozyr.variant import Variant

__all__ = ["OBSERVATION", "BatchGame", "IllegalAction", "NotATrickGame"]

OBSERVATION: Final = np.dtype([(name, np.int64) for name in FIELDS])
"""What the seat on turn knows. Sets of cards have bit ``card`` for each card (see `kozyr.cards`);
numbers packed by seat have 5 bits each, seat 0 lowest.

============== =====================================================================================
field          holds
============== =====================================================================================
``seat``       the seat on turn
``phase``      what it decides, see `kozyr.tricks.game` and the variant's own game
``deal``       the place of the deal in the schedule, from 0
``hand_size``  cards in each hand at the deal
``left``       tricks to be completed yet; 0 before the cards are dealt
``dealer``     who deals
``trump``      the trump suit, 0 to 3; -1 for none, or not known yet
``laid``       cards on the table
``best``       the seat that would take the trick as it lies; -1 when no card is on the table
``hand``       the cards of its hand that the seat has seen
``table``      the cards on the table
``asked``      the cards that follow suit
``played``     all cards that were played in the deal
``bids``       the bids, packed by seat
``bid_count``  how many have bid, from the dealer's left on
``tricks``     the tricks taken, packed by seat
``facts``      what else everybody knows, by the variant's `TrickRules.facts`
============== =====================================================================================
"""


class NotATrickGame(ValueError):
    """The variant is not made of the toolkit, so that it cannot be stepped in a batch."""


class BatchGame:
    """So many matches of a variant at once.

    All arrays are the batch's own and change in place; only `actions` is to be written to.

    Attributes:
        count: how many matches there are.
        seats: how many play each.
        actions: int64, shape (count,): write here what the seat on turn of each match does; that
            of a match that is over is not looked at.
        legal: int64, shape (count, 4): bit ``a % 61`` of word ``a // 61`` says that action ``a`` is
            legal. `legal_mask` has the same as booleans.
        observations: shape (count,), fields as in `OBSERVATION`: what the seat on turn knows.
        scores: int64, shape (count, seats): totals, without the deal under way.
        done: int64, shape (count,): 1 when a match is over.
    """

    def __init__(
        self,
        variant: str | Variant[Any],
        *,
        count: int,
        seats: int = 4,
        options: Mapping[str, Any] | None = None,
        seed: int = 0,
    ) -> None:
        """Begin the matches; their first decks are shuffled.

        Args:
            variant: a variant of the toolkit, or the id of an installed one.
            seed: of all shuffles; the same seed and actions give the same matches.

        Raises:
            UnknownVariant, InvalidOptions, InvalidSeatCount: there is no such match.
            NotATrickGame: the variant is not made of the toolkit.
            ValueError: ``count`` is not 1 or more.
        """
        if count < 1:
            raise ValueError(f"a batch has 1 match or more, not {count}")
        rules = load_variant(variant) if isinstance(variant, str) else variant
        game = rules.start(rules.parse_options(options or {}), seats)
        if not isinstance(game, TrickGame):
            raise NotATrickGame(f"{rules.id} is not made of the toolkit of trick-taking games")
        self._batch = Batch(game, count=count, seed=seed)
        self.count = count
        self.seats = seats
        self.actions: NDArray[np.int64] = np.zeros(count, np.int64)
        self._taken = _view(self._batch.actions)
        self.legal = _view(self._batch.legal).reshape(count, WORDS)
        self.observations = _view(self._batch.observations).view(OBSERVATION)
        self.scores = _view(self._batch.scores).reshape(count, seats)
        self.done = _view(self._batch.done)

    def step(self) -> None:
        """Take `actions` in every match that is not over, and shuffle where that is awaited.

        Where several seats decide at once, the lowest is the seat on turn.

        Raises:
            IllegalAction: one of the actions is not legal; nothing has changed.
        """
        # A vec lends its words for reading only; these are written by us alone, and here.
        ctypes.memmove(self._taken.ctypes.data, self.actions.ctypes.data, self.actions.nbytes)
        self._batch.step()

    def restart(self) -> int:
        """Begin a new match in the place of each that is over; how many there were."""
        return self._batch.restart()

    def legal_mask(self) -> NDArray[np.bool_]:
        """`legal` as booleans, shape (count, 184): whether each action is legal."""
        bits = np.arange(WORD_BITS, dtype=np.int64)
        wide = (self.legal[:, :, None] >> bits & 1).astype(np.bool_)
        return wide.reshape(self.count, -1)[:, :ACTION_COUNT]


def _view(words: Any) -> NDArray[np.int64]:
    """The array that lies in a vec; it changes with it."""
    return np.frombuffer(words, dtype=np.int64)
