"""A match told in lines of text: a line for the hands, for the bids, for each trick."""

from collections.abc import Iterator, Sequence

from kozyr.cards import NO_SUIT, Card, Suit, card_sign, suit_text
from kozyr.events import (
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
    HandLooked,
    MatchEnded,
    Outcome,
    Payload,
    Revoked,
    Seat,
    SummatorSet,
    TrickTaken,
    TrumpSet,
)
from kozyr.moves import Announcement

SUIT_SIGNS = "♠♣♦♥"


class Narrator:
    """Turns what a viewer hears, in order, into lines.

    What belongs on one line is gathered until something else happens.
    """

    def __init__(self, players: Sequence[str]) -> None:
        self.players = players
        self._title = ""
        self._parts: list[str] = []
        self._trick = 0

    def hear(self, payload: Payload) -> Iterator[str]:
        """The lines that are complete now."""
        match payload:
            case DealBegan():
                yield from self.rest()
                self._trick = 0
                yield ""
                yield self._deal(payload)
            case CardsDealt() | HandLooked(_, (_, *_)):
                yield from self._add("hands", self._hand(payload))
            case BidMade():
                yield from self._add("bids", self._bid(payload))
            case BetMade():
                if self._title == "bids":  # the looks before it, where nobody bids
                    self._title = "bets"
                yield from self._add("bets", self._bid(payload))
            case HandLooked():
                title = "bets" if self._title == "bets" else "bids"
                yield from self._add(title, self._bid(payload))
            case CardChosen():
                yield from self._add("laid aside", self._chosen(payload))
            case CardsGiven():
                yield from self._add("given", self._given(payload))
            case CardPlayed():
                yield from self._add(f"trick {self._trick + 1}", self._play(payload))
            case TrickTaken():
                self._trick += 1
                points = f" ({payload.points:+d})" if payload.points else ""
                yield from self.rest(f" → {self._name(payload.seat)}{points}")
            case _:
                yield from self.rest()
                yield from self._plain(payload)

    def rest(self, end: str = "") -> Iterator[str]:
        """The line that is being gathered, if there is one."""
        if self._parts:
            yield f"  {self._title}: {', '.join(self._parts)}{end}"
        self._parts = []

    def _add(self, title: str, part: str) -> Iterator[str]:
        if title != self._title:
            yield from self.rest()
        self._title = title
        if part:
            self._parts.append(part)

    def _name(self, seat: Seat) -> str:
        return self.players[seat]

    def _deal(self, deal: DealBegan) -> str:
        count = f" of {deal.deal_count}" if deal.deal_count else ""
        words = [
            f"Deal {deal.index + 1}{count}: {cards_in_words(deal.hand_size)} each",
            *([deal.kind.replace("_", "-")] if deal.kind != "regular" else []),
            *([f"scores ×{deal.multiplier}"] if deal.multiplier != 1 else []),
            *([f"dealt again ({deal.replay})"] if deal.replay else []),
            f"{self._name(deal.dealer)} deals",
        ]
        return ", ".join(words)

    def _hand(self, seen: CardsDealt | HandLooked) -> str:
        if seen.cards is None:
            return ""
        return f"{self._name(seen.seat)} {signs(sorted(seen.cards))}"

    def _bid(self, said: BidMade | BetMade | HandLooked) -> str:
        match said:
            case BidMade():
                bid = str(said.count or "pass") + (" dark" if said.dark else "")
            case BetMade():
                bid = said.bet.name.lower() if said.bet else "pass"
            case HandLooked():
                bid = "looks"
        return f"{self._name(said.seat)} {bid}"

    def _chosen(self, chosen: CardChosen) -> str:
        if chosen.card is None:
            return ""
        return f"{self._name(chosen.seat)} {card_sign(chosen.card)}"

    def _given(self, given: CardsGiven) -> str:
        what = signs(given.cards) if given.cards else cards_in_words(given.count)
        return f"{self._name(given.giver)} to {self._name(given.receiver)} {what}"

    def _play(self, play: CardPlayed) -> str:
        words = [self._name(play.seat), card_sign(play.card)]
        if play.announcement is not Announcement.NONE:
            words.append(play.announcement.name.lower())
        if play.suit != NO_SUIT:
            words.append(suit_text(play.suit))
        return " ".join(words)

    def _plain(self, payload: Payload) -> Iterator[str]:
        match payload:
            case DealerDrawn():
                drawn = zip(self.players, payload.cards, strict=True)
                cards = ", ".join(f"{player} {card_sign(card)}" for player, card in drawn)
                yield f"The lot: {cards}; {self._name(payload.dealer)} deals first"
            case CardShown():
                whose = (
                    "" if payload.seat is None else f" in the hand of {self._name(payload.seat)}"
                )
                yield f"  turned up: {card_sign(payload.card)}{whose}"
            case TrumpSet():
                yield f"  trump: {suit_sign(payload.suit)}"
            case SummatorSet():
                yield f"  summator: {suit_sign(payload.suit)}"
            case CardReturned():
                yield f"  {self._name(payload.seat)} takes {card_sign(payload.card)} back"
            case Revoked():
                yield (
                    f"  {self._name(payload.seat)} revoked with {card_sign(payload.card)} "
                    f"[{payload.clause}]: {payload.penalty:+d}"
                )
            case DealScored():
                yield f"  {self._scores(payload)}"
            case MatchEnded():
                yield ""
                yield from result_lines(payload.outcome, self.players)
            case Custom():
                words = [payload.name, *(f"{key}={value}" for key, value in payload.args)]
                yield f"  {' '.join(words)} {signs(payload.cards)}".rstrip()
            case _:
                raise TypeError(f"unknown payload {payload!r}")

    def _scores(self, scored: DealScored) -> str:
        result = "scores" if scored.result == "played" else scored.result
        each = zip(self.players, scored.scores, scored.totals, strict=True)
        return f"{result}: " + ", ".join(
            f"{player} {score:+d} = {total}" for player, score, total in each
        )


def result_lines(outcome: Outcome, players: Sequence[str]) -> Iterator[str]:
    """A line for each player, the best first."""
    width = max(map(len, players))
    order = sorted(range(len(players)), key=lambda seat: outcome.places[seat])
    for seat in order:
        notes = "".join(f"  ({note.replace('_', ' ')})" for note in outcome.notes[seat])
        yield f"{outcome.places[seat]}. {players[seat]:<{width}} {outcome.scores[seat]:>5}{notes}"


def signs(cards: Sequence[Card]) -> str:
    """Cards for people, separated by spaces."""
    return " ".join(map(card_sign, cards))


def suit_sign(suit: Suit) -> str:
    """A suit for people; no suit is no-trump."""
    return "no-trump" if suit == NO_SUIT else SUIT_SIGNS[suit]


def cards_in_words(count: int) -> str:
    """``1 card``, ``6 cards``."""
    return f"{count} card{'' if count == 1 else 's'}"
