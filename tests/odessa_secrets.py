"""Who may know which card, worked out from the decks and the rules of dealing alone."""

import copy
import random
from collections.abc import Sequence
from dataclasses import dataclass

from kozyr.cards import Card, card_text
from kozyr.events import (
    WATCHER,
    CardPlayed,
    CardsDealt,
    CardShown,
    DealerDrawn,
    DealScored,
    Event,
    Payload,
    Seat,
)
from kozyr.game import CHANCE, Game
from tests.odessa_walk import RandomMatch, Step, redo
from tests.oracle_odessa import Umpire, truth

SWAPS_MAX = 12
"""How many exchanges of two hidden cards are tried."""


def cards_named(mask: int) -> list[str]:
    """The cards of a set, as text."""
    return [card_text(Card(bit)) for bit in range(mask.bit_length()) if mask >> bit & 1]


def cards_in_face(payload: Payload) -> set[Card]:
    """All cards that a payload names."""
    one = getattr(payload, "card", None)
    several = getattr(payload, "cards", None) or ()
    return {*several} | (set() if one is None else {one})


class Secrets:
    """Follows a match and objects to any face that names too much.

    Attributes:
        public: the cards of the deal that everybody may know.
        own: the cards that each seat may have seen of its own hand.
    """

    def __init__(self, match: RandomMatch) -> None:
        self.seats = match.seats
        self.public: set[Card] = set()
        self.own: list[set[Card]] = [set() for _ in range(match.seats)]
        self.dealt: list[list[Card]] = [[] for _ in range(match.seats)]
        self.may_be_shown: Card | None = None

    def may_know(self, viewer: Seat) -> set[Card]:
        """The cards of this deal that a viewer may know."""
        return self.public if viewer == WATCHER else self.public | self.own[viewer]

    def follow(self, step: Step, umpire: Umpire) -> None:
        """Read a step that the umpire has heard already."""
        if step.seat == CHANCE:
            self._follow_deck(step.deck, umpire)
        for event in step.events:
            self._follow_event(truth(event), umpire)
            for audience, payload in event.faces:
                for viewer in (*range(self.seats), WATCHER):
                    if audience >> viewer & 1:
                        excess = cards_in_face(payload) - self.may_know(Seat(viewer))
                        assert not excess, f"{payload} tells {viewer} of {excess}"

    def _follow_deck(self, deck: tuple[Card, ...], umpire: Umpire) -> None:
        """Deal one card at a time from the dealer's left (C1)."""
        self.public = set()
        self.own = [set() for _ in range(self.seats)]
        self.dealt = [[] for _ in range(self.seats)]
        used = umpire.size * self.seats
        for place, card in enumerate(deck[:used]):
            self.dealt[(umpire.eldest + place) % self.seats].append(card)
        self.may_be_shown = None
        if umpire.trump_by == "turning up":
            self.may_be_shown = deck[used]
        elif umpire.trump_by == "last card":
            self.may_be_shown = deck[used - 1]

    def _follow_event(self, event: Payload, umpire: Umpire) -> None:
        match event:
            case DealerDrawn():
                self.public = set(event.cards)
            case CardsDealt():
                seen = len(self.own[event.seat])
                now = self.dealt[event.seat][seen : seen + event.count]
                self.own[event.seat] |= set(now)
                assert event.count == (3 if umpire.phase == "naming" else umpire.size - seen)
            case CardShown():
                assert event.card == self.may_be_shown
                self.public.add(event.card)
            case CardPlayed():
                assert event.card in self.dealt[event.seat]
                self.public.add(event.card)


@dataclass(frozen=True)
class Pair:
    """The same deal twice: as it was, and with hidden cards exchanged.

    Attributes:
        real, permuted: the events of each step from the shuffle on.
    """

    real: list[list[Event]]
    permuted: list[list[Event]]
    real_game: Game
    permuted_game: Game


def reshuffle_what_is_hidden(
    match: RandomMatch, steps: Sequence[Step], viewer: Seat, rng: random.Random
) -> Pair | None:
    """Stop at a random moment of a deal and exchange cards that the viewer may not know.

    The exchanged deck is one that the viewer cannot rule out: with it every play so far keeps
    the rules as the umpire has them. None when the viewer knew too much for any exchange.
    """
    shuffle, end = _random_stretch(steps, rng)
    game, umpire, secrets = match.start(), match.umpire(), Secrets(match)
    for step in steps[:shuffle]:
        for event in redo(game, step):
            umpire.hear(truth(event))
    stretch = steps[shuffle:end]
    real_game = game.clone()
    watching = copy.deepcopy(umpire)
    for step in stretch:
        for event in redo(real_game, step):
            watching.hear(truth(event))
        secrets.follow(step, watching)
    hidden = [
        place for place, card in enumerate(stretch[0].deck) if card not in secrets.may_know(viewer)
    ]
    deck = list(stretch[0].deck)
    best = None
    for _ in range(SWAPS_MAX if len(hidden) > 1 else 0):
        one, other = rng.sample(hidden, 2)
        deck[one], deck[other] = deck[other], deck[one]
        replayed = _replay(game.clone(), copy.deepcopy(umpire), match, tuple(deck), stretch)
        if replayed is None:
            deck[one], deck[other] = deck[other], deck[one]
        else:
            best = replayed
    if best is None:
        return None
    return Pair([step.events for step in stretch], best[0], real_game, best[1])


def _random_stretch(steps: Sequence[Step], rng: random.Random) -> tuple[int, int]:
    """Where a random deal is shuffled, and a random end before the deal is scored."""
    shuffles = [at for at, step in enumerate(steps) if step.seat == CHANCE and at > 0]
    shuffle = rng.choice(shuffles)
    over = next(
        at
        for at in range(shuffle, len(steps))
        if any(isinstance(truth(event), DealScored) for event in steps[at].events)
    )
    return shuffle, rng.randint(shuffle + 1, over)


def _replay(
    game: Game,
    umpire: Umpire,
    match: RandomMatch,
    deck: tuple[Card, ...],
    stretch: Sequence[Step],
) -> tuple[list[list[Event]], Game] | None:
    """Play a stretch again with another deck; None when a play would break the rules."""
    actions = match.actions()
    told = []
    for step in stretch:
        if step.seat == CHANCE:
            events = game.deal(deck)
        elif actions[step.action].text in umpire.lawful():
            events = game.apply(step.seat, step.action)
        else:
            return None
        told.append(events)
        for event in events:
            umpire.hear(truth(event))
    return told, game
