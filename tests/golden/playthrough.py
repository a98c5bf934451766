"""Golden playthroughs: matches of random but lawful moves, written out for people.

A file tells every step of some deals of a match: who moves and how, and below it all that
happens. What not everybody may see is told with the seats that see it in brackets.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kozyr.cards import Card, card_sign, suit_text
from kozyr.events import (
    EVERYBODY,
    BetMade,
    BidMade,
    CardChosen,
    CardPlayed,
    CardReturned,
    CardsDealt,
    CardsGiven,
    CardShown,
    DealBegan,
    DealerDrawn,
    DealScored,
    Event,
    HandLooked,
    MatchEnded,
    Payload,
    Revoked,
    SummatorSet,
    TrickTaken,
    TrumpSet,
)
from kozyr.game import CHANCE_BIT
from kozyr.moves import Announcement
from kozyr.variant import Variant, seat_list

FOLDER = Path(__file__).parent

ALL_DEALS = range(1_000)


@dataclass(frozen=True)
class Playthrough:
    """One golden file.

    Attributes:
        name: of the file.
        title: what it is there to show.
        deals: which deals of the schedule are written out, from 0; the match ends with the last
            of them.
    """

    name: str
    title: str
    variant: Variant[Any]
    seats: int
    seed: int
    options: dict[str, Any] = field(default_factory=dict)
    deals: range = ALL_DEALS

    @property
    def path(self) -> Path:
        """Where the file lies."""
        return FOLDER / self.variant.id / f"{self.name}.txt"

    def text(self) -> str:
        """The file as it should be."""
        options = " ".join(f"{name}={value}" for name, value in self.options.items())
        header = [
            f"# {self.title}",
            f"variant: {self.variant.id}, rules_version {self.variant.rules_version}",
            f"options: {options or 'all by default'}",
            f"seats: {self.seats}",
            f"seed: {self.seed}",
            "",
        ]
        return "\n".join([*header, *self._lines()]) + "\n"

    def _lines(self) -> Iterator[str]:
        rng = random.Random(self.seed)
        options = self.variant.parse_options(self.options)
        game, actions = self.variant.start(options, self.seats), self.variant.actions(options)
        deal = 0
        while (waiting := game.waiting()) and deal < self.deals.stop:
            if waiting == CHANCE_BIT:
                cards = list(game.deck())
                rng.shuffle(cards)
                step, events = "shuffle", game.deal(tuple(cards))
            else:
                seat = rng.choice(seat_list(waiting))
                action = rng.choice(game.legal(seat))
                step, events = f"seat {seat}: {actions[action].text}", game.apply(seat, action)
            if deal in self.deals:
                yield step
            for event in events:
                payload = event.faces[0][1]
                if isinstance(payload, DealBegan):
                    deal = payload.index
                if deal in self.deals:
                    yield f"    {told(event)}"


def told(event: Event) -> str:
    """An event in words, every face of it."""
    if len(event.faces) == 1 and event.faces[0][0] == EVERYBODY:
        return in_words(event.faces[0][1])
    return " / ".join(
        f"[{audience_text(audience)}] {in_words(payload)}" for audience, payload in event.faces
    )


def audience_text(audience: int) -> str:
    """Whom an audience mask names, the smaller way round."""
    if audience.bit_count() <= EVERYBODY.bit_count() // 2:
        return ", ".join(str(seat) for seat in seat_list(audience))
    return f"all but {audience_text(EVERYBODY & ~audience)}"


def in_words(payload: Payload) -> str:
    """What a face says, in words."""
    match payload:
        case DealBegan():
            count = f" of {payload.deal_count}" if payload.deal_count else ""
            again = f", replay {payload.replay}" if payload.replay else ""
            factor = f", scores times {payload.multiplier}" if payload.multiplier != 1 else ""
            return (
                f"deal {payload.index + 1}{count}: {payload.kind}, "
                f"{payload.hand_size} each, seat {payload.dealer} deals{factor}{again}"
            )
        case BidMade(seat, count, dark):
            return f"seat {seat} bids {count}{' in the dark' if dark else ''}"
        case BetMade(seat, bet):
            return f"seat {seat} bets {bet.name.lower()}"
        case CardPlayed():
            return f"seat {payload.seat} plays {spoken(payload)}"
        case TrickTaken(seat, points):
            return f"seat {seat} takes the trick{f': {points}' if points else ''}"
        case Revoked(seat, card, clause, penalty):
            return f"seat {seat} has revoked with {card_sign(card)} ({clause}): {penalty}"
        case CardReturned(seat, card):
            return f"seat {seat} takes {card_sign(card)} back"
        case DealScored(scores, totals, result):
            return f"{result}: scores {numbers(scores)}, totals {numbers(totals)}"
        case MatchEnded(outcome):
            notes = [f", seat {seat}: {' '.join(n)}" for seat, n in enumerate(outcome.notes) if n]
            places = numbers(outcome.places)
            return f"the match is over: {numbers(outcome.scores)}, places {places}{''.join(notes)}"
        case _:
            return cards_in_words(payload)


def cards_in_words(payload: Payload) -> str:
    """What a face says of cards and suits before the first trick, in words."""
    match payload:
        case DealerDrawn(cards, dealer):
            return f"the seats draw {signs(cards)}: seat {dealer} is the first dealer"
        case CardsDealt(seat, count, None):
            return f"seat {seat} gets {count}"
        case CardsDealt(seat, _, cards):
            return f"seat {seat} gets {signs(cards or ())}"
        case CardShown(card, None):
            return f"{card_sign(card)} is turned up"
        case CardShown(card, seat):
            return f"seat {seat} shows {card_sign(card)}"
        case TrumpSet(suit):
            return f"trump: {suit_text(suit)}"
        case SummatorSet(suit):
            return f"summator: {suit_text(suit)}"
        case HandLooked(seat, None):
            return f"seat {seat} looks at its cards"
        case HandLooked(seat, cards):
            return f"seat {seat} sees {signs(cards or ())}"
        case CardChosen(seat, None):
            return f"seat {seat} lays a card aside"
        case CardChosen(seat, card):
            return f"seat {seat} lays {signs((card,)) if card else ''} aside"
        case CardsGiven(giver, receiver, count, None):
            return f"seat {giver} gives seat {receiver} {count}"
        case CardsGiven(giver, receiver, _, cards):
            return f"seat {giver} gives seat {receiver} {signs(cards or ())}"
        case _:
            raise TypeError(f"no words for {payload!r}")


def spoken(play: CardPlayed) -> str:
    """A card with what is said with it."""
    words = [card_sign(play.card)]
    if play.announcement is not Announcement.NONE:
        words.append(play.announcement.name.lower())
    if play.suit >= 0:
        words.append(suit_text(play.suit))
    return " ".join(words)


def signs(cards: tuple[Card, ...]) -> str:
    """Cards for people."""
    return " ".join(card_sign(card) for card in cards)


def numbers(values: tuple[int, ...]) -> str:
    """Numbers by seat."""
    return " ".join(str(value) for value in values)
