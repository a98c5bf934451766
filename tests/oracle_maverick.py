"""A second reading of the rules of Maverick, to hold the first one against.

The `MaverickUmpire` reads the minutes of a match, event by event, with all cards open. It knows
cards as text and hands as sets of them, shares no rule with the product, and objects
(AssertionError) to whatever docs/rules/maverick.md does not allow: a bet out of turn, a card that
was not given, a play, the winner of a trick, its points, a score, an end that comes too early or
too late.
"""

from collections import deque
from typing import Any

from kozyr.cards import SUITS, Card, card_text
from kozyr.events import (
    BetMade,
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
    Outcome,
    Payload,
    Revoked,
    Seat,
    SummatorSet,
    TrickTaken,
    TrumpSet,
)
from kozyr.moves import Announcement, Bet

ORDER = "23456789TJQKA"
SUIT_LETTERS = "SCDH"
JOKERS = ("SJ", "BJ")
"""The lower one first."""
PACK = {rank + suit for rank in ORDER for suit in SUIT_LETTERS} | set(JOKERS)
REVOKE_PENALTY = -4

DEFAULTS: dict[str, Any] = {
    "target": 30,
    "max_deals": 200,
    "bets": False,
    "trumps_beat": True,
    "revoke": "forbid",
}


def whole_truth(event: Event) -> Payload:
    """The face of an event that names the most cards."""

    def named(payload: Payload) -> bool:
        one, several = getattr(payload, "card", None), getattr(payload, "cards", None)
        return one is not None or several is not None

    payloads = [payload for _, payload in event.faces]
    return next((payload for payload in payloads if named(payload)), payloads[0])


def texts(cards: tuple[Card, ...] | None) -> set[str]:
    """Cards as text; they must be named, each once."""
    assert cards is not None, "nobody was told which cards"
    result = {card_text(card) for card in cards}
    assert len(result) == len(cards)
    return result


def suits_of_the_deal(first: str, second: str) -> tuple[str, str]:
    """Trump and summator (M1)."""
    if first in JOKERS or second in JOKERS:
        return "S", "D"
    if first[0] == second[0] or first[1] == second[1]:
        return "S", "D"
    low, high = sorted((first, second), key=lambda card: ORDER.index(card[0]))
    return high[1], low[1]


def trick_points(cards: list[str], trump: str, summator: str) -> int:
    """What a trick is worth (M6)."""
    suits = [card[1] for card in cards if card not in JOKERS]
    trumps, summators = suits.count(trump), suits.count(summator)
    if summators:
        return summators
    return {0: 1, 4: -4}.get(trumps, -1)


def best_place(cards: list[str], trump: str, *, trumps_beat: bool) -> int:
    """The place of the card that takes the trick (M4, M5)."""
    for joker in reversed(JOKERS):
        if joker in cards:
            return cards.index(joker)
    wanted = cards[0][1]
    if trumps_beat and any(card[1] == trump for card in cards):
        wanted = trump
    candidates = [card for card in cards if card[1] == wanted]
    return cards.index(max(candidates, key=lambda card: ORDER.index(card[0])))


class MaverickUmpire:
    """Reads a match of Maverick as it happens.

    Attributes:
        phase: ``lot``, ``dealing``, ``opening``, ``first round``, ``looking`` (both partners, after
            a blind bet), ``second round``, ``exchange``, ``playing`` or ``over``.
        due: what must happen next because of what has happened, before anybody decides again.
    """

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = DEFAULTS | options
        self.totals = [0, 0]
        self.deals = 0
        self.due: deque[Payload] = deque()
        self.phase = "lot"

    # --- what the umpire tells ---

    @property
    def deciding(self) -> set[int]:
        """The seats that must decide; none when the cards must be shuffled, or at the end."""
        if self.phase in ("first round", "second round"):
            return {self.asked[0]}
        if self.phase == "exchange":
            return {seat for seat in range(4) if len(self.chosen[seat]) < 2}
        if self.phase == "playing":
            return {(self.leader + len(self.trick)) % 4}
        return set()

    def lawful(self, seat: int) -> set[str]:
        """The moves with which a seat keeps all rules."""
        if self.phase == "first round":
            return {"look", "bet blind"}
        if self.phase == "second round":
            return {"pass", "bet zero", "bet smart"}
        if self.phase == "exchange":
            return {f"give {card}" for card in self.hands[seat] - self.chosen[seat]}
        return {f"play {card}" for card in self._followers(seat)}

    def allowed(self, seat: int) -> set[str]:
        """The moves that the table must accept, revokes too where they are a matter of penalty."""
        if self.phase == "playing" and self.options["revoke"] == "penalty" and not self.revoked:
            return {f"play {card}" for card in self.hands[seat]}
        return self.lawful(seat)

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
                self._hear_open_card(event)
            case HandLooked():
                self._hear_look(event)
            case BetMade():
                self._hear_bet(event)
            case CardChosen():
                self._hear_choice(event)
            case CardsGiven():
                self._hear_gift(event)
            case CardPlayed():
                self._hear_play(event)
            case _:
                raise AssertionError(f"{event} happened out of place, while {self.phase}")

    # --- dealing ---

    def _hear_lot(self, event: DealerDrawn) -> None:
        assert self.phase == "lot"
        drawn = [card_text(card) for card in event.cards]
        assert len(set(drawn)) == 4
        assert not set(drawn) & set(JOKERS)
        keys = [(ORDER.index(card[0]), SUIT_LETTERS.index(card[1])) for card in drawn]
        assert keys.index(max(keys)) == event.dealer, "the highest card deals"
        self.dealer = int(event.dealer)
        self._begin_deal()

    def _begin_deal(self) -> None:
        self.eldest = (self.dealer + 1) % 4
        self.clockwise = [(self.eldest + place) % 4 for place in range(4)]
        self.counts = [0] * 4
        self.hands: list[set[str]] = [set() for _ in range(4)]
        self.open: list[str] = []
        self.trump = self.summator = ""
        self.looked = [not self.options["bets"]] * 4
        self.bets: list[Bet | None] = [None] * 4
        self.chosen: list[set[str]] = [set() for _ in range(4)]
        self.received: list[set[str]] = [set() for _ in range(4)]
        self.leader = self.eldest
        self.trick: list[str] = []
        self.revoked = False
        self.tricks = [0] * 4
        self.points, self.books, self.penalties = [0, 0], [0, 0], [0, 0]
        self.phase = "dealing"
        self.due.append(DealBegan(self.deals, 0, "regular", Seat(self.dealer), 13))

    def _hear_cards(self, event: CardsDealt) -> None:
        assert self.phase == "dealing"
        assert event.seat == self.clockwise[sum(self.counts) // 13]
        assert event.count == 13
        self.counts[event.seat] = 13
        if self.options["bets"]:
            assert event.cards is None, "bets come before the cards are seen"  # M9
        else:
            self._take_hand(event.seat, event.cards)
        if sum(self.counts) == 52:
            self.phase = "opening"

    def _take_hand(self, seat: int, cards: tuple[Card, ...] | None) -> None:
        """The thirteen cards of a seat are known."""
        self.hands[seat] = texts(cards)
        assert len(self.hands[seat]) == 13
        elsewhere = set(self.open).union(
            *(self.hands[other] for other in range(4) if other != seat)
        )
        assert not self.hands[seat] & elsewhere, "a card was dealt twice"

    def _hear_open_card(self, event: CardShown) -> None:
        assert self.phase == "opening"
        assert event.seat is None
        self.open.append(card_text(event.card))
        if len(self.open) < 2:
            return
        if not self.options["bets"]:
            assert set(self.open).union(*self.hands) == PACK
        self.trump, self.summator = suits_of_the_deal(*self.open)
        self.due.append(TrumpSet(SUITS[SUIT_LETTERS.index(self.trump)]))
        self.due.append(SummatorSet(SUITS[SUIT_LETTERS.index(self.summator)]))
        self.asked = deque(self.clockwise)
        self.phase = "first round" if self.options["bets"] else "exchange"

    # --- bets ---

    def team_bet(self, team: int) -> tuple[Bet, int] | None:
        """What a team has bet, and which of its seats did (M9)."""
        made = [
            (bet, seat)
            for seat, bet in enumerate(self.bets)
            if seat % 2 == team and bet not in (None, Bet.NONE)
        ]
        if not made:
            return None
        [(bet, seat)] = made
        assert bet is not None
        return bet, seat

    def _hear_look(self, event: HandLooked) -> None:
        if self.phase == "looking":
            assert event.seat == self.to_look.popleft()
        else:
            assert self.phase == "first round"
            assert event.seat == self.asked.popleft()
        assert not self.looked[event.seat]
        self.looked[event.seat] = True
        self._take_hand(event.seat, event.cards)
        if self.phase == "first round" or not self.to_look:
            self._ask_on("first round")

    def _hear_bet(self, event: BetMade) -> None:
        assert self.phase in ("first round", "second round")
        assert event.seat == self.asked.popleft()
        assert self.team_bet(event.seat % 2) is None, "one bet a team"
        assert (event.bet is Bet.BLIND) == (self.phase == "first round")
        self.bets[event.seat] = event.bet
        if event.bet is Bet.BLIND:
            pair = (int(event.seat), (event.seat + 2) % 4)
            self.to_look = deque(seat for seat in pair if not self.looked[seat])
            self.phase = "looking"
        else:
            self._ask_on("second round")

    def _ask_on(self, phase: str) -> None:
        """Whoever is next in a round, as far as the team has not bet; then the next round."""
        self.phase = phase
        while self.asked and self.team_bet(self.asked[0] % 2):
            self.asked.popleft()
        if self.asked:
            return
        if phase == "first round":
            assert set(self.open).union(*self.hands) == PACK
            self.asked = deque(self.clockwise)
            self._ask_on("second round")
        else:
            self.phase = "exchange"

    # --- the exchange ---

    def _hear_choice(self, event: CardChosen) -> None:
        assert self.phase == "exchange"
        assert event.card is not None, "nobody was told which card"
        card = card_text(event.card)
        assert event.seat in self.deciding
        assert card in self.hands[event.seat] - self.chosen[event.seat]
        self.chosen[event.seat].add(card)
        if not self.deciding:
            self.asked = deque(self.clockwise)
            self.phase = "giving"

    def _hear_gift(self, event: CardsGiven) -> None:
        assert self.phase == "giving"
        assert event.giver == self.asked.popleft()
        assert event.receiver == (event.giver + 1) % 4
        assert event.count == 2
        assert texts(event.cards) == self.chosen[event.giver]
        self.received[event.receiver] = self.chosen[event.giver]
        if not self.asked:
            for seat in range(4):
                self.hands[seat] -= self.chosen[seat]
            for seat in range(4):
                self.hands[seat] |= self.received[seat]
            assert [len(hand) for hand in self.hands] == [13] * 4
            self.phase = "playing"

    # --- plays ---

    def _followers(self, seat: int) -> set[str]:
        """The cards that M3 and M4 allow."""
        hand = self.hands[seat]
        if not self.trick or self.trick[0] in JOKERS:
            return hand
        return {card for card in hand - set(JOKERS) if card[1] == self.trick[0][1]} or hand

    def _hear_play(self, event: CardPlayed) -> None:
        assert self.phase == "playing"
        [seat] = self.deciding
        assert event == CardPlayed(Seat(seat), event.card, Announcement.NONE)
        card = card_text(event.card)
        assert f"play {card}" in self.allowed(seat), f"{card} is none of {self.allowed(seat)}"
        if card not in self._followers(seat):
            clause = "M4" if card in JOKERS else "M3"
            self.due.append(Revoked(event.seat, event.card, clause, REVOKE_PENALTY))
            self.due.append(CardReturned(event.seat, event.card))
            self.penalties[seat % 2] += REVOKE_PENALTY
            self.revoked = True
            return
        self.revoked = False
        self.hands[seat].remove(card)
        self.counts[seat] -= 1
        self.trick.append(card)
        if len(self.trick) == 4:
            self._end_trick()

    def _end_trick(self) -> None:
        place = best_place(self.trick, self.trump, trumps_beat=self.options["trumps_beat"])
        taker = (self.leader + place) % 4
        worth = trick_points(self.trick, self.trump, self.summator)
        self.due.append(TrickTaken(Seat(taker), worth))
        self.tricks[taker] += 1
        self.points[taker % 2] += worth
        self.books[taker % 2] += worth == 4
        self.leader, self.trick = taker, []
        if sum(self.tricks) == 13:
            self._end_deal()

    # --- scores ---

    def deal_score(self, team: int) -> int:
        """What a team gets for the deal before its revokes are paid for (M10, M11, M12)."""
        own, other = self.points[team], self.points[1 - team]
        match self.team_bet(team):
            case (Bet.ZERO, seat) if self.tricks[seat]:
                return -1
            case (Bet.ZERO, _):
                return 1 if own < 0 else 3 * own
            case (Bet.BLIND, _):
                return 2 * own if own > other else -3
            case (Bet.SMART, _):
                return 2 * own if self.books[team] >= 3 else 0
        return own

    def _end_deal(self) -> None:
        scores = [self.deal_score(team) + self.penalties[team] for team in (0, 1)]  # M13
        self.totals = [total + score for total, score in zip(self.totals, scores, strict=True)]
        self.due.append(DealScored(tuple(scores * 2), tuple(self.totals * 2)))
        self.deals += 1
        self.dealer = self.eldest
        somebody_is_there = max(self.totals) >= self.options["target"]
        decided = self.totals[0] != self.totals[1]
        if (somebody_is_there and decided) or self.deals == self.options["max_deals"]:
            self._end_match()
        else:
            self._begin_deal()

    def _end_match(self) -> None:
        self.phase = "over"
        places = [3 if own < max(self.totals) else 1 for own in self.totals]
        self.outcome = Outcome(tuple(self.totals * 2), tuple(places * 2), ((), (), (), ()))
        self.due.append(MatchEnded(self.outcome))
