"""Many matches at once, stepped together; what is known of each lies in arrays of machine words.

This is the compiled half of `kozyr.batch`, which shows the arrays as NumPy's.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from kozyr.cards import CARD_COUNT
from kozyr.events import Event, Seat
from kozyr.tricks.actions import ACTION_COUNT, SPECIALS
from kozyr.tricks.game import DEALING, PLAYING, TrickGame
from kozyr.tricks.masks import bit_of, nth
from kozyr.tricks.play import playable
from kozyr.tricks.playouts import STATE_MASK, advance, shuffle

WORD_BITS: Final = 61
"""Actions in a word of a mask of legal actions: ``a`` is bit ``a % 61`` of word ``a // 61``."""

WORDS: Final = 4
"""Words in a mask of legal actions; the last of the 184 actions is in the fourth."""

FIELDS: Final = (
    "seat",
    "phase",
    "deal",
    "hand_size",
    "left",
    "dealer",
    "trump",
    "laid",
    "best",
    "hand",
    "table",
    "asked",
    "played",
    "bids",
    "bid_count",
    "tricks",
    "facts",
)
"""The columns of an observation; `kozyr.batch` says what each holds."""

FIELD_COUNT: Final = 17
"""Of `FIELDS`, as compiled code needs it."""

NOBODY: Final = -1


class IllegalAction(ValueError):
    """An action that is not legal in its match."""


@final
class Batch:
    """So many matches of one variant, with the arrays that `step` fills in place.

    Attributes:
        actions: what the seat on turn of each match does in the next step.
        legal: of each match, `WORDS` words with a bit for each legal action.
        observations: of each match, what the seat on turn knows, by `FIELDS`.
        scores: of each match, the totals by seat, without the deal under way.
        done: of each match, 1 when it is over.
    """

    def __init__(self, game: TrickGame, *, count: int, seed: int) -> None:
        """Begin ``count`` matches.

        Args:
            game: a match that has not begun; all others are copies of it.
            seed: of all shuffles, 48 bits of it.
        """
        self.count: i64 = count
        self._new: TrickGame = game.clone()
        self._games = [game.clone() for _ in range(count)]
        for each in self._games:
            each.mute = True
        self._random: i64 = advance(seed & STATE_MASK)
        self._played = vec[i64]([0] * count)
        self._seats: i64 = game.rules.seats
        self.actions = vec[i64]([0] * count)
        self.legal = vec[i64]([0] * (count * WORDS))
        self.observations = vec[i64]([0] * (count * FIELD_COUNT))
        self.scores = vec[i64]([0] * (count * game.rules.seats))
        self.done = vec[i64]([0] * count)
        for index in range(count):
            self._go_on(index)

    def step(self) -> None:
        """Let the seat on turn of each match that is not over take its action.

        Raises:
            IllegalAction: one of them is not legal; names the first, and nothing has changed.
        """
        for index in range(self.count):
            if not self.done[index] and not self._is_legal(index, self.actions[index]):
                raise IllegalAction(
                    f"match {index}: action {self.actions[index]} is not legal for the seat on turn"
                )
        for index in range(self.count):
            if not self.done[index]:
                self._take(index, self.actions[index])
                self._go_on(index)

    def restart(self) -> int:
        """Begin a new match in the place of each that is over; how many there were."""
        begun = 0
        for index in range(self.count):
            if self.done[index]:
                self.done[index] = 0
                self._games[index].copy_from(self._new)
                self._go_on(index)
                begun += 1
        return begun

    def _is_legal(self, index: i64, action: i64) -> bool:
        if not 0 <= action < ACTION_COUNT:
            return False
        word = self.legal[index * WORDS + action // WORD_BITS]
        return word & bit_of(action % WORD_BITS) != 0

    def _take(self, index: i64, action: i64) -> None:
        """Take a legal action in a match."""
        game = self._games[index]
        unheard: list[Event] = []
        if game.phase != PLAYING:
            game.choose(Seat(nth(game.waiting(), 0)), action, unheard)
            return
        state = game.state
        if game.rules.revoke_allowed and not game.lawful(Seat(state.turn), action):
            game.revoke(Seat(state.turn), action, unheard)
        else:
            self._played[index] |= bit_of(action) if action < CARD_COUNT else game.rules.special
            game.lay(action)
            if not state.left:
                game.score_deal(game.deal_scores(), unheard)
        if game.phase != PLAYING:
            self._played[index] = 0

    def _go_on(self, index: i64) -> None:
        """Shuffle where chance is awaited, and fill in what is known of a match then."""
        game = self._games[index]
        while game.phase <= DEALING:
            self._random = shuffle(game, self._random)
        place = index * self._seats
        for seat in range(self._seats):
            self.scores[place + seat] = game.totals[seat]
        if game.ended is not None:
            self.done[index] = 1
            for word in range(WORDS):
                self.legal[index * WORDS + word] = 0
            return
        if game.phase == PLAYING:
            seat = game.state.turn
            self._fill_plays(index, game)
        else:
            seat = nth(game.waiting(), 0)
            self._fill_choices(index, game, Seat(seat))
        self._observe(index, game, seat)

    def _fill_plays(self, index: i64, game: TrickGame) -> None:
        """The legal plays of the seat on turn."""
        state, rules = game.state, game.rules
        hand = state.hands[state.turn]
        free = game.may_revoke()
        cards = hand if free else playable(state, rules)
        special = cards & rules.special
        words: i64 = 0
        if special:
            words = rules.words(state) if free else rules.lawful_words(state, hand)
        place = index * WORDS
        self.legal[place] = cards ^ special
        self.legal[place + 1] = words << (SPECIALS - WORD_BITS)
        self.legal[place + 2] = 0
        self.legal[place + 3] = 0

    def _fill_choices(self, index: i64, game: TrickGame, seat: Seat) -> None:
        """The choices of a seat before the play."""
        place = index * WORDS
        for word in range(WORDS):
            self.legal[place + word] = 0
        for action in game.choices(seat):
            number: i64 = action
            self.legal[place + number // WORD_BITS] |= bit_of(number % WORD_BITS)

    def _observe(self, index: i64, game: TrickGame, seat: i64) -> None:
        """What the seat on turn knows, by `FIELDS`."""
        state = game.state
        row = self.observations
        place = index * FIELD_COUNT
        row[place] = seat
        row[place + 1] = game.phase
        row[place + 2] = game.deal_index
        row[place + 3] = state.hand_size
        row[place + 4] = state.left
        row[place + 5] = state.dealer
        row[place + 6] = state.trump
        row[place + 7] = state.laid
        row[place + 8] = state.best if state.laid else NOBODY
        row[place + 9] = game.seen_hand(seat)
        row[place + 10] = state.table
        row[place + 11] = state.asked
        row[place + 12] = self._played[index]
        row[place + 13] = state.bids
        row[place + 14] = state.bid_count
        row[place + 15] = state.tricks
        row[place + 16] = game.rules.facts(state)
