"""A second reading of the rules of Child, to hold the first one against.

Cards are text and hands are sets of them, as with Odessa's umpire, whose way of following a match
it shares. What may be played is worked out from docs/rules/child.md alone.
"""

from dataclasses import dataclass
from typing import Any

from kozyr.cards import NO_SUIT, SUITS, card_text, parse_card
from kozyr.events import (
    BidMade,
    CardPlayed,
    CardsDealt,
    DealBegan,
    HandLooked,
    MatchEnded,
    Outcome,
    Payload,
    Revoked,
    Seat,
    TrickTaken,
    TrumpSet,
)
from tests.oracle_odessa import (
    RANKS,
    SUIT_LETTERS,
    SUIT_WORDS,
    Umpire,
    cards_of,
    highest,
    letter,
    places,
    suit,
)

POKER = "7S"
REVOKE_PENALTY = -50
PEAKS = {2: 18, 3: 12, 4: 9, 5: 7}
NEXT = {"S": "C", "C": "D", "D": "H", "H": "S"}
"""The circle of suits (H12)."""

DEFAULTS: dict[str, Any] = {
    "revoke": "forbid",
    "dealer_restriction": False,
    "silent_poker_lead": "trump",
    "circular_trumps": False,
}


@dataclass(frozen=True)
class Asked:
    """What the lead of a trick asks of the others.

    Attributes:
        suit: the suit to play, while one has it.
        highest: whether it must be the highest.
        trump: the suit to play by those who have none; empty where these may play anything.
        clause: what a card of another suit breaks.
    """

    suit: str
    highest: bool
    trump: str
    clause: str


@dataclass(frozen=True)
class Laid:
    """A card on the table, with what was said."""

    seat: int
    card: str
    said: str
    named: str

    @classmethod
    def of(cls, event: CardPlayed) -> "Laid":
        """The card of an event."""
        said = event.announcement.name.lower()
        return cls(int(event.seat), card_text(event.card), said, letter(event.suit))

    @property
    def text(self) -> str:
        """The move that laid it."""
        words = ["play", self.card]
        if self.card == POKER:
            words += [self.said, *([SUIT_WORDS[self.named]] if self.named else [])]
        return " ".join(words)

    @property
    def commanding(self) -> bool:
        """Whether it is the Poker as the highest card of all."""
        return self.card == POKER and self.said != "simple"


class ChildUmpire(Umpire):
    """Reads a match of Child as it happens."""

    def defaults(self) -> dict[str, Any]:
        return DEFAULTS

    def deals(self) -> list[tuple[str, int]]:
        """Up, across, down, the dark deals and the golden one (H1)."""
        peak = PEAKS[self.seats]
        up = [("regular", size) for size in range(1, peak)]
        across = [("regular", peak)] * self.seats
        return up + across + up[::-1] + [("dark", peak)] * self.seats + [("golden", peak)]

    # --- what the umpire tells ---

    def lawful(self) -> set[str]:
        if self.phase == "bidding":
            return self._bids()
        return self._card_moves()

    def allowed(self) -> set[str]:
        if self.phase != "playing" or self.options["revoke"] == "forbid":
            return self.lawful()
        hand = self.hands[self._on_turn()]
        plain = {f"play {card}" for card in hand - {POKER}}
        return plain | (self._words() if POKER in hand else set())

    # --- what the umpire is told ---

    def hear(self, event: Payload) -> None:
        if self.due:
            super().hear(event)
            return
        match event:
            case HandLooked():
                self._hear_look(event)
            case CardPlayed():
                self._hear_laid(event)
            case _:
                super().hear(event)

    def _begin_deal(self) -> None:
        self.kind, self.size = self.schedule[self.index]
        self.dealer = (self.first_dealer + self.index) % self.seats
        self.eldest = self.leader = (self.dealer + 1) % self.seats
        self.hands: list[set[str]] = [set() for _ in range(self.seats)]
        self.bids: dict[int, int] = {}
        self.tricks = [0] * self.seats
        self.laid: list[Laid] = []
        self.trick = []
        self.looked: set[int] = set()
        self.dark: set[int] = set()
        self.counted: set[int] = set()
        self.told_trump = ""
        self.trump_by = "nothing"
        self.phase = "dealing"
        self.due.append(
            DealBegan(
                index=self.index,
                deal_count=len(self.schedule),
                kind=self.kind,
                dealer=Seat(self.dealer),
                hand_size=self.size,
                replay=self.replay,
            )
        )

    @property
    def turn(self) -> int | None:
        if self.phase == "playing":
            return (self.leader + len(self.laid)) % self.seats
        return super().turn

    def _hear_cards(self, event: CardsDealt) -> None:
        """Face down, but in the golden deal (H3, H5)."""
        assert self.phase == "dealing"
        assert event.count == self.size
        assert (event.cards is not None) == (self.kind == "golden")
        self.counted.add(event.seat)
        if event.cards is not None:
            self._see(event.seat, event.cards)
        if len(self.counted) == self.seats:
            self._tell_trump("" if self.options["circular_trumps"] else "D")  # H2, H12
            self.phase = "playing" if self.kind == "golden" else "bidding"

    def _see(self, seat: int, cards: Any) -> None:
        hand = {card_text(card) for card in cards}
        assert len(hand) == self.size
        assert not any(hand & other for other in self.hands), "a card was dealt twice"
        self.hands[seat] = hand
        self.looked.add(seat)

    def _tell_trump(self, trump: str) -> None:
        self.told_trump = trump
        number = SUITS[SUIT_LETTERS.index(trump)] if trump else NO_SUIT
        self.due.append(TrumpSet(number))

    # --- bids ---

    def _bids(self) -> set[str]:
        counts = self._lawful_bids()
        if self.turn in self.looked:
            return {f"bid {count}" if count else "pass" for count in counts}
        dark = {f"bid {count} dark" for count in counts if count}
        return dark if self.kind == "dark" else dark | {"look"}

    def _hear_look(self, event: HandLooked) -> None:
        """By itself, or right after a bid in the dark (H3)."""
        assert event.cards is not None
        assert event.seat not in self.looked
        bid_dark = event.seat in self.dark
        assert bid_dark or (self.phase == "bidding" and event.seat == self.turn)
        assert bid_dark or self.kind == "regular"
        self._see(event.seat, event.cards)
        if len(self.bids) == self.seats:
            self.phase = "playing"

    def _hear_bid(self, event: BidMade) -> None:
        assert self.phase == "bidding"
        assert event.seat == self.turn
        assert event.count in self._lawful_bids()
        assert event.dark == (event.seat not in self.looked)
        assert event.count or not event.dark
        self.bids[event.seat] = event.count
        if event.dark:
            self.dark.add(event.seat)
        elif len(self.bids) == self.seats:
            self.phase = "playing"

    # --- plays ---

    def _asked(self) -> Asked | None:
        """What the lead asks for; None when the trick is to be led."""
        if not self.laid:
            return None
        first, circular = self.laid[0], bool(self.options["circular_trumps"])
        trump = NEXT[suit(first.card)] if circular else "D"
        if not first.commanding:
            return Asked(suit(first.card), highest=False, trump=trump, clause="C5")
        if first.said == "demand":
            if circular:
                return Asked(first.named, highest=True, trump="", clause="H12")
            return Asked("D", highest=True, trump="", clause="H9")
        if circular or self.options["silent_poker_lead"] == "spades":
            return Asked("S", highest=False, trump=trump, clause="H10")
        return Asked("D", highest=False, trump="", clause="H10")

    def _words(self) -> set[str]:
        """All that can be said with the Poker now."""
        words = {f"play {POKER} high", f"play {POKER} simple"}
        if not self.laid and self.options["circular_trumps"]:
            words |= {f"play {POKER} demand {SUIT_WORDS[each]}" for each in SUIT_LETTERS}
        elif not self.laid:
            words.add(f"play {POKER} demand")
        return words

    def _card_moves(self) -> set[str]:
        hand = self.hands[self._on_turn()]
        plain, poker = hand - {POKER}, POKER in hand
        asked = self._asked()
        if asked is None:
            return {f"play {card}" for card in plain} | (self._words() if poker else set())
        same, trumps = cards_of(plain, asked.suit), cards_of(plain, asked.trump)
        must_trump = poker and asked.trump == "S"
        if same:
            cards = {highest(same)} if asked.highest else same
        elif trumps or must_trump:  # H7: the Poker itself may be the only trump
            cards = trumps
        else:
            cards = plain
        moves = {f"play {card}" for card in cards}
        if poker:
            moves.add(f"play {POKER} high")
            if asked.suit == "S" or (not same and (asked.trump == "S" or not trumps)):  # H7, H8
                moves.add(f"play {POKER} simple")
        return moves

    def _clause(self, laid: Laid) -> str:
        """The rule that the seat on turn breaks with a wrong card."""
        asked = self._asked()
        assert asked is not None, "anything may be led"
        if laid.card == POKER:
            return "H8"
        hand = self.hands[laid.seat] - {POKER}
        if cards_of(hand, asked.suit):
            return asked.clause
        return "C5" if cards_of(hand, asked.trump) else "H7"

    def _hear_laid(self, event: CardPlayed) -> None:
        assert self.phase == "playing"
        assert event.seat == self.turn
        laid = Laid.of(event)
        assert laid.text in self.allowed(), f"{laid.text!r} is none of {self.allowed()}"
        kept_the_rules = laid.text in self.lawful()
        clause = "" if kept_the_rules else self._clause(laid)
        self.hands[event.seat].remove(laid.card)
        self.laid.append(laid)
        if not kept_the_rules:
            self.due.append(Revoked(event.seat, parse_card(laid.card), clause, REVOKE_PENALTY))
            self._end_deal(offender=event.seat)
            return
        if len(self.laid) == 1 and self.options["circular_trumps"]:
            trump = "" if laid.said == "demand" else NEXT[suit(laid.card)]
            if trump != self.told_trump:
                self._tell_trump(trump)
        if len(self.laid) == self.seats:
            self._take_trick()

    def _take_trick(self) -> None:
        asked = self._asked()
        assert asked is not None

        def strength(laid: Laid) -> tuple[int, int]:
            if laid.commanding:
                return 3, 0
            rank = RANKS.index(laid.card[0])
            if suit(laid.card) == asked.trump:
                return 2, rank
            return int(suit(laid.card) == asked.suit), rank

        best = max(self.laid, key=strength)
        self.leader = best.seat
        self.tricks[best.seat] += 1
        self.laid = []
        self.due.append(TrickTaken(Seat(best.seat)))
        if sum(self.tricks) == self.size:
            self._end_deal()

    # --- scores ---

    def seat_score(self, seat: int) -> int:
        """What a seat gets for a complete deal (H3, H4, H5)."""
        tricks = self.tricks[seat]
        if self.kind == "golden":
            return 20 * tricks
        bid = self.bids[seat]
        if tricks < bid:
            score = -10 * (bid - tricks)
        elif tricks > bid:
            score = tricks
        else:
            score = 10 * bid or 5
        return 2 * score if seat in self.dark else score

    def _end_match(self) -> None:
        self.phase = "over"
        totals = tuple(self.totals)
        self.outcome = Outcome(totals, places(totals), tuple(() for _ in totals))
        self.due.append(MatchEnded(self.outcome))
