"""A second reading of the rules of Odessa, to hold the first one against.

The `Umpire` reads the minutes of a match, event by event, with all cards open. It knows cards as
text and hands as sets of them, shares no rule with the product, and objects (AssertionError) to
whatever docs/rules/odessa.md does not allow: a play, a winner of a trick, a score, a place. Kindred
games have an umpire with another `deals` and another `deal_score`.
"""

from collections import deque
from collections.abc import Iterable
from typing import Any

from kozyr.cards import NO_SUIT, SUITS, Suit, card_text, parse_card
from kozyr.events import (
    BidMade,
    CardPlayed,
    CardsDealt,
    CardShown,
    DealBegan,
    DealerDrawn,
    DealScored,
    Event,
    MatchEnded,
    Outcome,
    Payload,
    Revoked,
    Seat,
    TrickTaken,
    TrumpSet,
)

RANKS = "23456789TJQKA"
SUIT_LETTERS = "SCDH"
SUIT_WORDS = {"S": "spades", "C": "clubs", "D": "diamonds", "H": "hearts", "": "no-trump"}
JOKER = "BJ"
NO_TRUMP = ""
REPLAYS_MAX = 20
REVOKE_PENALTY = -50

DEFAULTS: dict[str, Any] = {
    "deck": 36,
    "revoke": "forbid",
    "dealer_restriction": True,
    "full_deal_trump": "last_card",
    "joker": False,
    "joker_demand": True,
    "max_hand": 6,
    "blind_deals": 1,
    "no_trump_deals": 0,
    "made_pass": 0,
}


def truth(event: Event) -> Payload:
    """The face of an event that says the most."""
    payloads = [payload for _, payload in event.faces]
    for payload in payloads:
        if getattr(payload, "cards", None) is not None:
            return payload
    [only] = payloads
    return only


def places(totals: Iterable[int]) -> tuple[int, ...]:
    """Places from 1, shared by equals (C8)."""
    totals = tuple(totals)
    return tuple(1 + sum(other > own for other in totals) for own in totals)


def suit(card: str) -> str:
    """The letter of a card's suit; a joker has none."""
    return "-" if card == JOKER else card[1]


def letter(number: Suit) -> str:
    """The letter of a suit."""
    return NO_TRUMP if number == NO_SUIT else SUIT_LETTERS[number]


def cards_of(hand: Iterable[str], wanted: str) -> set[str]:
    """The cards of one suit in a hand."""
    return {card for card in hand if suit(card) == wanted}


def highest(cards: Iterable[str]) -> str:
    """The highest of some cards of one suit."""
    return max(cards, key=lambda card: RANKS.index(card[0]))


class Played:
    """A card on the table, with what was said."""

    def __init__(self, event: CardPlayed) -> None:
        self.seat = int(event.seat)
        self.card = card_text(event.card)
        self.said = event.announcement.name.lower()
        self.named = letter(event.suit)
        words = ["play", self.card]
        if self.card == JOKER:
            words += [self.said, SUIT_WORDS[self.named] if self.named else ""]
        self.text = " ".join(words).strip()

    def strength(self, *, led: str, trump: str, leads: bool) -> tuple[int, int]:
        """How strong the card is in its trick: class first, rank second (C5, O10, O11)."""
        if self.card == JOKER and self.said == "high":
            return (3, 0)
        if self.card == JOKER and not leads:
            return (-1, 0)
        its_suit, rank = (
            (self.named, -1) if self.card == JOKER else (suit(self.card), RANKS.index(self.card[0]))
        )
        if its_suit == trump:
            return (2, rank)
        return (1 if its_suit == led else 0, rank)


class Umpire:
    """Reads a match of Odessa as it happens.

    Attributes:
        phase: ``lot``, ``dealing``, ``showing``, ``naming``, ``bidding``, ``playing`` or ``over``.
        due: what must happen next because of what has happened, before anybody decides again.
    """

    def __init__(self, options: dict[str, Any], seats: int) -> None:
        self.options = self.defaults() | options
        self.seats = seats
        self.schedule = self.deals()
        self.totals = [0] * seats
        self.index = self.replay = 0
        self.due: deque[Payload] = deque()
        self.phase = "lot"

    # --- what the umpire of a kindred game has otherwise ---

    def defaults(self) -> dict[str, Any]:
        """Every option with its default."""
        return DEFAULTS

    def deals(self) -> list[tuple[str, int]]:
        """Kind and hand size of every deal (O1, O7, O8)."""
        top = self.options["max_hand"]
        up = [("regular", size) for size in range(1, top)]
        return (
            up
            + [("regular", top)] * self.seats
            + up[::-1]
            + [("blind", top)] * self.options["blind_deals"]
            + [("no_trump", top)] * self.options["no_trump_deals"]
        )

    def deal_score(self, *, bid: int, tricks: int) -> int:
        """What a seat gets for a deal before doubling (O3, O4, O5)."""
        if tricks < bid:
            return -10 * (bid - tricks)
        if tricks > bid:
            return tricks
        return 10 * bid if bid else int(self.options["made_pass"])

    # --- what the umpire tells ---

    @property
    def turn(self) -> int | None:
        """The seat that must decide; None when the cards must be shuffled, or at the end."""
        if self.phase == "naming":
            return self.eldest
        if self.phase == "bidding":
            return (self.eldest + len(self.bids)) % self.seats
        if self.phase == "playing":
            return (self.leader + len(self.trick)) % self.seats
        return None

    def lawful(self) -> set[str]:
        """The moves with which the seat on turn keeps all rules."""
        if self.phase == "naming":
            return {f"name {word}" for word in SUIT_WORDS.values()}
        if self.phase == "bidding":
            return {f"bid {count}" if count else "pass" for count in self._lawful_bids()}
        return self._plays(self._lawful_cards())

    def allowed(self) -> set[str]:
        """The moves that the table must accept, revokes too where they are a matter of penalty."""
        if self.phase == "playing" and self.options["revoke"] == "penalty":
            return self._plays(self.hands[self._on_turn()])
        return self.lawful()

    # --- what the umpire is told ---

    def hear(self, event: Payload) -> None:
        """Read the next event, and object to it if the rules do."""
        if self.due:
            expected = self.due.popleft()
            assert event == expected, f"{event} happened where {expected} was due"
            return
        match event:
            case DealerDrawn():
                self._hear_lot(event)
            case CardsDealt():
                self._hear_cards(event)
            case CardShown():
                self._hear_shown(event)
            case TrumpSet():
                self._hear_named(event)
            case BidMade():
                self._hear_bid(event)
            case CardPlayed():
                self._hear_play(event)
            case _:
                raise AssertionError(f"{event} happened out of place, while {self.phase}")

    # --- the course of a deal ---

    def _begin_deal(self) -> None:
        self.kind, self.size = self.schedule[self.index]
        self.dealer = (self.first_dealer + self.index) % self.seats
        self.eldest = (self.dealer + 1) % self.seats
        self.hands: list[set[str]] = [set() for _ in range(self.seats)]
        self.bids: dict[int, int] = {}
        self.tricks = [0] * self.seats
        self.trick: list[Played] = []
        self.trump: str | None = None
        self.leader = self.eldest
        whole_deck = self.size * self.seats == self.options["deck"] and not self.options["joker"]
        self.trump_by = "turning up"
        if self.kind == "no_trump":
            self.trump_by = "nothing"
        elif whole_deck:
            self.trump_by = {
                "last_card": "last card",
                "none": "nothing",
                "eldest_names": "naming",
            }[self.options["full_deal_trump"]]
        self.deal_up_to = 3 if self.trump_by == "naming" else self.size
        self.phase = "bidding" if self.kind == "blind" else "dealing"
        self.due.append(
            DealBegan(
                index=self.index,
                deal_count=len(self.schedule),
                kind=self.kind,
                dealer=Seat(self.dealer),
                hand_size=self.size,
                multiplier=2 if self.kind == "blind" else 1,
                replay=self.replay,
            )
        )

    def _hear_lot(self, event: DealerDrawn) -> None:
        assert self.phase == "lot"
        drawn = [card_text(card) for card in event.cards]
        assert len(drawn) == len(set(drawn)) == self.seats
        assert JOKER not in drawn
        order = [(RANKS.index(card[0]), SUIT_LETTERS.index(card[1])) for card in drawn]
        assert order.index(max(order)) == event.dealer, "the highest card deals"
        self.first_dealer = int(event.dealer)
        self._begin_deal()

    def _hear_cards(self, event: CardsDealt) -> None:
        assert self.phase == "dealing"
        assert event.cards is not None
        hand = self.hands[event.seat]
        new = {card_text(card) for card in event.cards}
        assert len(new) == event.count == self.deal_up_to - len(hand)
        assert not any(new & other for other in self.hands), "a card was dealt twice"
        hand |= new
        if all(len(each) == self.deal_up_to for each in self.hands):
            self._after_dealing()

    def _after_dealing(self) -> None:
        if self.trump_by in ("turning up", "last card"):
            self.phase = "showing"
        elif self.trump_by == "nothing":
            self._fix_trump(NO_TRUMP)
        elif self.deal_up_to < self.size:
            self.phase = "naming"
        else:
            self._after_trump()

    def _hear_shown(self, event: CardShown) -> None:
        assert self.phase == "showing"
        card = card_text(event.card)
        if self.trump_by == "last card":
            assert event.seat == self.dealer
            assert card in self.hands[self.dealer]
        else:
            assert event.seat is None
            assert not any(card in hand for hand in self.hands)
        self._fix_trump(NO_TRUMP if card == JOKER else suit(card))

    def _fix_trump(self, trump: str) -> None:
        self.trump = trump
        number = SUITS[SUIT_LETTERS.index(trump)] if trump else NO_SUIT
        self.due.append(TrumpSet(number))
        self._after_trump()

    def _hear_named(self, event: TrumpSet) -> None:
        assert self.phase == "naming"
        self.trump = letter(event.suit)
        self.deal_up_to = self.size
        self.phase = "dealing"

    def _after_trump(self) -> None:
        self.phase = "playing" if self.kind == "blind" else "bidding"

    # --- bids ---

    def _lawful_bids(self) -> set[int]:
        counts = set(range(self.size + 1))
        if self.options["dealer_restriction"] and len(self.bids) == self.seats - 1:
            counts.discard(self.size - sum(self.bids.values()))
        return counts

    def _hear_bid(self, event: BidMade) -> None:
        assert self.phase == "bidding"
        assert event.seat == self.turn
        assert not event.dark
        assert event.count in self._lawful_bids(), f"{event} is no lawful bid"
        self.bids[event.seat] = event.count
        if len(self.bids) == self.seats:
            self.phase = "dealing" if self.kind == "blind" else "playing"

    # --- plays ---

    def _on_turn(self) -> int:
        assert self.turn is not None
        return self.turn

    def _led(self) -> str:
        """The suit that the trick asks for."""
        first = self.trick[0]
        return first.named if first.card == JOKER else suit(first.card)

    def _demanded(self) -> bool:
        """Whether everybody must play the highest card of the suit that was named (O11)."""
        first = self.trick[0]
        return first.card == JOKER and first.said == "high" and bool(self.options["joker_demand"])

    def _lawful_cards(self) -> set[str]:
        hand = self.hands[self._on_turn()]
        plain, joker = hand - {JOKER}, hand & {JOKER}
        if not self.trick:
            return hand
        same_suit = cards_of(plain, self._led())
        if same_suit and self._demanded():
            return {highest(same_suit)} | joker
        return (same_suit or cards_of(plain, self.trump or NO_TRUMP) or plain) | joker

    def _clause_of_revoke(self) -> str:
        """The rule that the seat on turn breaks with a wrong card."""
        if not self.trick:
            return "none: any card may be led"
        held = cards_of(self.hands[self._on_turn()], self._led())
        return "O11" if held and self._demanded() else "C5"

    def _plays(self, cards: set[str]) -> set[str]:
        """The moves that play these cards, with all that must be said."""
        moves = {f"play {card}" for card in cards if card != JOKER}
        if JOKER in cards:
            names = [""] if self.trick else [f" {SUIT_WORDS[each]}" for each in SUIT_LETTERS]
            moves |= {f"play {JOKER} {said}{name}" for said in ("high", "low") for name in names}
        return moves

    def _hear_play(self, event: CardPlayed) -> None:
        assert self.phase == "playing"
        assert event.seat == self.turn
        played = Played(event)
        assert played.text in self.allowed(), f"{played.text!r} is none of {self.allowed()}"
        kept_the_rules = played.text in self.lawful()
        clause = self._clause_of_revoke()
        self.hands[event.seat].remove(played.card)
        self.trick.append(played)
        if not kept_the_rules:
            self.due.append(Revoked(event.seat, parse_card(played.card), clause, REVOKE_PENALTY))
            self._end_deal(offender=event.seat)
        elif len(self.trick) == self.seats:
            self._end_trick()

    def _end_trick(self) -> None:
        led, trump = self._led(), self.trump or NO_TRUMP
        best = max(
            self.trick,
            key=lambda play: play.strength(led=led, trump=trump, leads=play is self.trick[0]),
        )
        self.leader = best.seat
        self.tricks[best.seat] += 1
        self.trick = []
        self.due.append(TrickTaken(Seat(best.seat)))
        if sum(self.tricks) == self.size:
            self._end_deal()

    # --- scores ---

    def seat_score(self, seat: int) -> int:
        """What a seat gets for a complete deal (O7)."""
        factor = 2 if self.kind == "blind" else 1
        return factor * self.deal_score(bid=self.bids[seat], tricks=self.tricks[seat])

    def _end_deal(self, offender: int | None = None) -> None:
        if offender is None:
            result = "played"
            scores = [self.seat_score(seat) for seat in range(self.seats)]
        else:
            result = "skipped" if self.replay == REPLAYS_MAX else "revoked"
            scores = [REVOKE_PENALTY if seat == offender else 0 for seat in range(self.seats)]
        self.totals = [total + score for total, score in zip(self.totals, scores, strict=True)]
        self.due.append(DealScored(tuple(scores), tuple(self.totals), result))
        if result == "revoked":
            self.replay += 1
        else:
            self.index, self.replay = self.index + 1, 0
        if self.index < len(self.schedule):
            self._begin_deal()
        else:
            self._end_match()

    def _end_match(self) -> None:
        self.phase = "over"
        notes = tuple(("double_loss",) if total < 0 else () for total in self.totals)
        self.outcome = Outcome(tuple(self.totals), places(self.totals), notes)
        self.due.append(MatchEnded(self.outcome))
