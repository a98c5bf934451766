"""Who may know which card of Maverick, worked out from the decks and the rules of dealing alone."""

import copy
import random
from collections.abc import Sequence
from dataclasses import dataclass

from kozyr.cards import Card, parse_card
from kozyr.events import WATCHER, CardPlayed, DealerDrawn, DealScored, Event, Seat
from kozyr.game import CHANCE, Game
from kozyr.moves import GiveCard, Move
from tests.maverick_walk import VIEWERS, MaverickMatch, Step, hear, redo
from tests.odessa_secrets import cards_in_face
from tests.oracle_maverick import MaverickUmpire, whole_truth

SWAPS_MAX = 12
"""How many exchanges of two hidden cards are tried."""


class Secrets:
    """Follows a match and keeps what everybody may know of the deal.

    Attributes:
        public: the open cards and those that were played, revokes too.
        own: by seat, what it was dealt, once it has looked, and what it was given.
    """

    def __init__(self) -> None:
        self.public: set[Card] = set()
        self.dealt: list[set[Card]] = [set() for _ in range(4)]
        self.own: list[set[Card]] = [set() for _ in range(4)]

    def may_know(self, viewer: Seat) -> set[Card]:
        """The cards of this deal that a viewer may know."""
        return self.public if viewer == WATCHER else self.public | self.own[viewer]

    def follow(self, step: Step, umpire: MaverickUmpire) -> None:
        """Read a step that the umpire has heard already."""
        if step.seat == CHANCE:
            self._follow_deck(step.deck, umpire)
        for event in step.events:
            match whole_truth(event):
                case DealerDrawn(cards=cards):
                    self.public |= set(cards)
                case CardPlayed(card=card):
                    self.public.add(card)
        for seat in range(4):
            if umpire.looked[seat]:
                self.own[seat] |= self.dealt[seat]
            self.own[seat] |= {parse_card(card) for card in umpire.received[seat]}

    def _follow_deck(self, deck: tuple[Card, ...], umpire: MaverickUmpire) -> None:
        """Deal one card at a time from the dealer's left; two are left, and lie open (C1, M1)."""
        self.public = set(deck[52:])
        self.own = [set() for _ in range(4)]
        self.dealt = [set(deck[(seat - umpire.eldest) % 4 : 52 : 4]) for seat in range(4)]

    def assert_no_face_tells_more(self, step: Step) -> None:
        """Object to any face of a step that names a card which its viewer may not know."""
        for event in step.events:
            for audience, payload in event.faces:
                for viewer in VIEWERS:
                    if audience >> viewer & 1:
                        excess = cards_in_face(payload) - self.may_know(viewer)
                        assert not excess, f"{payload} tells {viewer} of {excess}"


@dataclass(frozen=True)
class Playing:
    """A stretch of a match as it went with one deck.

    Attributes:
        told: the events of each step.
        kept: by step, whether the move kept the rules.
    """

    told: list[list[Event]]
    kept: list[bool]
    game: Game


def reshuffle_what_is_hidden(
    match: MaverickMatch,
    steps: Sequence[Step],
    viewer: Seat,
    rng: random.Random,
    *,
    before_play: bool,
) -> tuple[Playing, Playing] | None:
    """Stop at a random moment of a deal and exchange cards that the viewer may not know.

    What was laid aside unseen is exchanged with them. The viewer cannot rule the new deck out: with
    it the same plays keep the rules, as the umpire has them, and the same ones break them. None
    when the viewer knew too much for any exchange.
    """
    shuffle, end = _random_stretch(steps, rng, before_play=before_play)
    game, umpire = match.start(), match.umpire()
    for step in steps[:shuffle]:
        redo(game, step)
        hear(umpire, step)
    stretch = steps[shuffle:end]
    hidden = _hidden_places(stretch, copy.deepcopy(umpire), viewer)
    real_deck = stretch[0].deck
    real = _play(match, game, umpire, stretch, real_deck)
    assert real is not None
    deck, best = list(real_deck), None
    for _ in range(SWAPS_MAX if len(hidden) > 1 else 0):
        one, other = rng.sample(hidden, 2)
        deck[one], deck[other] = deck[other], deck[one]
        played = _play(match, game, umpire, stretch, tuple(deck), like=real)
        if played is None:
            deck[one], deck[other] = deck[other], deck[one]
        else:
            best = played
    return None if best is None else (real, best)


def _random_stretch(
    steps: Sequence[Step], rng: random.Random, *, before_play: bool
) -> tuple[int, int]:
    """Where a random deal is shuffled, and a random end before the deal is scored."""
    shuffles = [at for at, step in enumerate(steps) if step.seat == CHANCE and at > 0]
    shuffle = rng.choice(shuffles)
    last = next(
        at
        for at in range(shuffle, len(steps))
        if any(
            isinstance(whole_truth(event), CardPlayed if before_play else DealScored)
            for event in steps[at].events
        )
    )
    return shuffle, rng.randint(shuffle + 1, last)


def _hidden_places(stretch: Sequence[Step], umpire: MaverickUmpire, viewer: Seat) -> list[int]:
    """Where in the deck the cards are that the viewer may not know at the end."""
    secrets = Secrets()
    for step in stretch:
        hear(umpire, step)
        secrets.follow(step, umpire)
    known = secrets.may_know(viewer)
    return [place for place, card in enumerate(stretch[0].deck) if card not in known]


def _play(
    match: MaverickMatch,
    before: Game,
    umpire_before: MaverickUmpire,
    stretch: Sequence[Step],
    deck: tuple[Card, ...],
    *,
    like: Playing | None = None,
) -> Playing | None:
    """Play a stretch with this deck.

    None when a move that kept the rules in the playing ``like`` this one breaks them, or the other
    way round.
    """
    actions = match.actions()
    renamed = dict(zip(stretch[0].deck, deck, strict=True))
    playing = Playing([], [], before.clone())
    umpire = copy.deepcopy(umpire_before)
    for step in stretch:
        action = step.action
        if step.seat != CHANCE:
            move: Move = actions[step.action]
            if isinstance(move, GiveCard):
                move = GiveCard(renamed[move.card])
            keeps = move.text in umpire.lawful(step.seat)
            if like is not None and keeps != like.kept[len(playing.kept)]:
                return None
            playing.kept.append(keeps)
            action = actions.number(move)
        again = Step(step.seat, action, deck if step.seat == CHANCE else (), [])
        again.events.extend(redo(playing.game, again))
        playing.told.append(again.events)
        hear(umpire, again)
    return playing
