"""A match of Maverick: the open cards, the bets, the exchange, revokes, and the target."""

from typing import Final

from mypy_extensions import i64, mypyc_attr

from kozyr.cards import Card, card_sign, is_card
from kozyr.events import (
    EVERYBODY,
    BetMade,
    CardChosen,
    CardReturned,
    CardsGiven,
    CardShown,
    Event,
    Revoked,
    Seat,
    SummatorSet,
    private,
    public,
)
from kozyr.moves import Bet
from kozyr.tricks import (
    BETS,
    BIDS,
    GIVES,
    LOOK,
    TrickGame,
    bit_of,
    card_list,
    card_played,
    count,
    hand_looked,
    lowest_ranked,
    only_card,
)
from kozyr_maverick.rules import GIVEN, HAND_SIZE, MaverickRules, suits_of
from kozyr_maverick.state import NO_BET, SEATS, MaverickState, partner_of, team_of

LOOKING: Final = 6
"""The first round of bets: bet blind, or look."""
BETTING: Final = 7
"""The second round of bets, on cards that have been seen."""
EXCHANGING: Final = 8
"""Everybody chooses what to give away."""


@mypyc_attr(allow_interpreted_subclasses=True)
class MaverickGame(TrickGame):
    """A match of two teams of two."""

    @property
    def maverick_rules(self) -> MaverickRules:
        """The rules, as what they are."""
        rules = self.rules
        assert isinstance(rules, MaverickRules)
        return rules

    @property
    def maverick_state(self) -> MaverickState:
        """The deal under way, as what it is."""
        state = self.state
        assert isinstance(state, MaverickState)
        return state

    # What comes before the first trick.

    def waiting(self) -> int:
        if self.phase != EXCHANGING:
            return super().waiting()
        chosen = self.maverick_state.chosen
        return sum(bit_of(seat) for seat in range(SEATS) if count(chosen[seat]) < GIVEN)

    def deal_cards(self, events: list[Event]) -> None:
        bets = self.maverick_rules.bets
        self.hand_out(0 if bets else HAND_SIZE, events)
        self.open_cards(events)
        self.phase = LOOKING if bets else EXCHANGING
        if bets:
            self.state.turn = self.state.dealer
            self.ask_next()

    def open_cards(self, events: list[Event]) -> None:
        """Lay the last two cards open, and make trump and summator of them (M1)."""
        first, second = self.dealt[-2:]
        if not self.mute:
            events.append(public(CardShown(first)))
            events.append(public(CardShown(second)))
        trump, summator = suits_of(first, second)
        self.set_trump(trump, events)
        self.maverick_state.set_summator(summator)
        if not self.mute:
            events.append(public(SummatorSet(summator)))

    def seen_hand(self, seat: i64) -> i64:
        state = self.maverick_state
        hidden = self.maverick_rules.bets and not state.looked & bit_of(seat)
        return 0 if hidden else state.hands[seat]

    def choices(self, seat: Seat) -> list[int]:
        if self.phase == LOOKING:
            return [LOOK, BETS + Bet.BLIND]
        if self.phase == BETTING:
            return [BIDS, BETS + Bet.ZERO, BETS + Bet.SMART]
        return [GIVES + card for card in card_list(self.to_choose_from(seat))]

    def choose(self, seat: Seat, action: int, events: list[Event]) -> None:
        if self.phase == EXCHANGING:
            self.lay_aside(seat, Card(action - GIVES), events)
        elif action == LOOK:
            self.look(seat, events)
            self.ask_next()
        else:
            self.bet(seat, Bet.NONE if action == BIDS else Bet(action - BETS), events)
            self.ask_next()

    def default(self, seat: Seat) -> int:
        if self.phase == EXCHANGING:
            return GIVES + only_card(lowest_ranked(self.to_choose_from(seat)))
        return super().default(seat)

    # Bets (M9).

    def ask_next(self) -> None:
        """Let the next seat that has a say in this round of bets decide; or go on."""
        state = self.maverick_state
        while state.bid_count < SEATS:
            state.bid_count += 1
            state.turn = state.after(state.turn)
            if self.has_say(state.turn):
                return
        if self.phase == LOOKING:
            state.bid_count = 0
            self.phase = BETTING
            self.ask_next()
        else:
            self.phase = EXCHANGING

    def has_say(self, seat: i64) -> bool:
        """Whether a seat has something to decide in this round of bets."""
        state = self.maverick_state
        if self.phase == LOOKING:
            return not state.looked & bit_of(seat)
        return state.bet[team_of(seat)] == NO_BET

    def look(self, seat: i64, events: list[Event]) -> None:
        """Show a seat its cards, if it has not seen them yet."""
        state = self.maverick_state
        if not state.looked & bit_of(seat):
            state.looked |= bit_of(seat)
            if not self.mute:
                events.append(hand_looked(Seat(seat), self.cards_of(seat)))

    def bet(self, seat: Seat, bet: Bet, events: list[Event]) -> None:
        """Make a bet or pass; once a team has bet blind, both partners look."""
        state = self.maverick_state
        if not self.mute:
            events.append(public(BetMade(seat, bet)))
        if bet != Bet.NONE:
            state.bet[team_of(seat)] = bet
            state.bettor[team_of(seat)] = seat
        if bet == Bet.BLIND:
            self.look(seat, events)
            self.look(partner_of(seat), events)

    # The exchange (M2).

    def to_choose_from(self, seat: i64) -> int:
        """The cards of a seat that it has not laid aside."""
        state = self.maverick_state
        return state.hands[seat] ^ state.chosen[seat]

    def lay_aside(self, seat: Seat, card: Card, events: list[Event]) -> None:
        """Choose a card to give; when everybody has chosen, all hand over at once."""
        self.maverick_state.chosen[seat] |= bit_of(card)
        if not self.mute:
            events.append(private(seat, CardChosen(seat, card), CardChosen(seat)))
        if not self.waiting():
            self.exchange(events)
            self.begin_play()

    def exchange(self, events: list[Event]) -> None:
        """Give every seat what its right neighbour has chosen."""
        state = self.maverick_state
        giver = state.dealer
        for _ in range(SEATS):
            giver = state.after(giver)
            receiver = state.after(giver)
            given = state.chosen[giver]
            state.hands[giver] ^= given
            state.hands[receiver] |= given
            if not self.mute:
                events.append(_cards_given(Seat(giver), Seat(receiver), given))
        for seat in range(SEATS):
            state.chosen[seat] = 0

    # Revokes (M7).

    def may_revoke(self) -> bool:
        return self.rules.revoke_allowed and not self.maverick_state.warned

    def lay(self, action: i64) -> None:
        self.maverick_state.warned = False
        super().lay(action)

    def revoke(self, seat: Seat, action: int, events: list[Event]) -> None:
        state, penalty = self.maverick_state, self.rules.revoke_penalty
        card = self.card_of(action)
        _, clause = self.why_not(seat, action)
        state.penalties[team_of(seat)] += penalty
        state.warned = True
        events.append(card_played(seat, card, action))
        events.append(public(Revoked(seat, card, clause, penalty)))
        events.append(public(CardReturned(seat, card)))

    # Scores and the end.

    def trick_points(self) -> int:
        return self.maverick_state.worth

    def complete(self) -> bool:  # M8
        rules, (ours, theirs) = self.maverick_rules, self.totals[:2]
        reached = max(ours, theirs) >= rules.target and ours != theirs
        return reached or self.deal_index == rules.max_deals

    # Why not.

    def why_not(self, seat: Seat, action: int) -> tuple[str, str]:
        if self.phase == LOOKING:
            return "it is time to bet blind, or to look at your cards", "M9"
        if self.phase == BETTING:
            return "it is time to bet zero or smart, or to pass", "M9"
        if self.phase != EXCHANGING:
            return super().why_not(seat, action)
        if not is_card(action - GIVES):
            return "it is time to choose two cards for the player on your left", "M2"
        card = Card(action - GIVES)
        if bit_of(card) & self.maverick_state.chosen[seat]:
            return f"you have laid {card_sign(card)} aside already", "M2"
        return f"you do not hold {card_sign(card)}", "M2"


def _cards_given(giver: Seat, receiver: Seat, cards: i64) -> Event:
    """Tell of an exchange: giver and receiver alone see which cards."""
    hands = bit_of(giver) | bit_of(receiver)
    named = tuple(Card(card) for card in card_list(cards))
    own, others = CardsGiven(giver, receiver, GIVEN, named), CardsGiven(giver, receiver, GIVEN)
    return Event(((hands, own), (EVERYBODY & ~hands, others)))
