"""A match of a trick-taking game: the lot, the deals, the tricks, revokes, scores and the end.

`TrickGame` is everything around one deal and the play of its cards. What comes between the dealing
and the first trick is for subclasses, like `kozyr.tricks.bidding`.
"""

from typing import Final

from mypy_extensions import i64, mypyc_attr

from kozyr.cards import JOKERS, NO_SUIT, Card, Suit, card_set, rank_of, suit_of
from kozyr.errors import IllegalMove, NotYourTurn
from kozyr.events import (
    CardsDealt,
    CardShown,
    DealBegan,
    DealerDrawn,
    DealScored,
    Event,
    MatchEnded,
    Outcome,
    Revoked,
    Seat,
    TrumpSet,
    public,
)
from kozyr.game import CHANCE_BIT, Game
from kozyr.tricks.actions import BIDS, SPECIALS
from kozyr.tricks.masks import bit_of, card_list, lowest_ranked, only_card
from kozyr.tricks.play import play_card, playable
from kozyr.tricks.rules import REPLAYS_MAX, TrickRules, TrumpSource
from kozyr.tricks.telling import card_played, cards_dealt, trick_taken

LOT: Final = 0
DEALING: Final = 1
NAMING: Final = 2
BIDDING: Final = 3
PLAYING: Final = 4
OVER: Final = 5
"""The phases of a match; a subclass numbers its own from 6 on."""


@mypyc_attr(allow_interpreted_subclasses=True)
class TrickGame(Game):
    """A match under some `TrickRules`, with no bids.

    A subclass is made of its rules alone, so that it can be cloned.

    Attributes:
        rules: shared by all copies.
        state: the deal under way.
        phase: what the match waits for.
        deal_index: the place of the deal in the schedule.
        replay: how many times the deal was dealt before, after revokes.
        dealt: the shuffled pack that it was dealt from, empty before.
        totals: what each seat has, without the deal under way.
        ended: how the match ended, None while it goes on.
        mute: whether deals are dealt and scored without a word, for playouts that nobody hears.
    """

    def __init__(self, rules: TrickRules) -> None:
        self.rules = rules
        self.state = rules.new_state()
        self.phase: i64 = LOT
        self.deal_index = 0
        self.replay = 0
        self.dealt: tuple[Card, ...] = ()
        self.totals = [0] * rules.seats
        self.ended: Outcome | None = None
        self.mute = False

    def clone(self) -> "TrickGame":
        copy = type(self)(self.rules)
        copy.copy_from(self)
        return copy

    def copy_from(self, other: "TrickGame") -> None:
        """Become equal to another match of the same rules."""
        self.state.copy_from(other.state)
        self.phase = other.phase
        self.deal_index = other.deal_index
        self.replay = other.replay
        self.dealt = other.dealt
        self.totals[:] = other.totals
        self.ended = other.ended

    # The contract of a position.

    def waiting(self) -> int:
        if self.phase <= DEALING:
            return CHANCE_BIT
        if self.phase == OVER:
            return 0
        return bit_of(self.state.turn)

    def legal(self, seat: Seat) -> list[int]:
        if self.phase != PLAYING:
            return self.choices(seat)
        rules, state = self.rules, self.state
        hand = state.hands[seat]
        free = self.may_revoke()
        cards = hand if free else playable(state, rules)
        special = cards & rules.special
        actions = card_list(cards ^ special)
        if special:
            words = rules.words(state) if free else rules.lawful_words(state, hand)
            actions += [SPECIALS + word for word in card_list(words)]
        return actions

    def check(self, seat: Seat, action: int) -> None:
        waiting = self.waiting()
        seats = range(self.rules.seats)
        if seat not in seats or not waiting >> seat & 1:
            raise NotYourTurn(seat, waiting=[each for each in seats if waiting >> each & 1])
        if action not in self.legal(seat):
            message, clause = self.why_not(seat, action)
            raise IllegalMove(message, clause=clause)

    def apply(self, seat: Seat, action: int) -> list[Event]:
        events: list[Event] = []
        if self.phase != PLAYING:
            self.choose(seat, action, events)
        elif self.rules.revoke_allowed and not self.lawful(seat, action):
            self.revoke(seat, action, events)
        else:
            self.play(seat, action, events)
        return events

    def deck(self) -> tuple[Card, ...]:
        if self.phase == LOT:
            return tuple(card for card in self.rules.pack if not bit_of(card) & JOKERS)
        return self.rules.pack

    def deal(self, deck: tuple[Card, ...]) -> list[Event]:
        events: list[Event] = []
        if self.phase == LOT:
            self.draw_dealer(deck, events)
        else:
            self.dealt = deck
            self.deal_cards(events)
        return events

    def default(self, seat: Seat) -> int:
        if self.phase != PLAYING:
            return self.choices(seat)[0]
        rules, state = self.rules, self.state
        cards = playable(state, rules) & ~rules.special
        if cards:
            return only_card(lowest_ranked(cards))
        return SPECIALS + card_list(rules.lawful_words(state, state.hands[seat]))[0]

    def scores(self) -> tuple[int, ...]:
        return tuple(self.totals)

    def outcome(self) -> Outcome | None:
        return self.ended

    def seen_hand(self, seat: i64) -> i64:
        """The cards of its hand that a seat has seen, as a set."""
        return self.state.hands[seat]

    # The phases between the dealing and the first trick, for subclasses.

    def open_deal(self) -> None:
        """Go on after the announcement of a deal; by default to the dealing."""
        self.phase = DEALING

    def deal_cards(self, events: list[Event]) -> None:
        """Deal the shuffled pack, make trump, and go on; by default to the first trick."""
        self.hand_out(self.state.plan.hand_size, events)
        self.make_trump(self.rules.trump_source(self.state.plan), events)
        self.begin_play()

    def choices(self, seat: Seat) -> list[int]:
        """What a waiting seat may do in a phase other than the play, ascending."""
        raise NotImplementedError

    def choose(self, seat: Seat, action: int, events: list[Event]) -> None:
        """Do one of these choices."""
        raise NotImplementedError

    def why_not(self, seat: Seat, action: int) -> tuple[str, str]:
        """Why an action is not lawful now: a sentence and the clause."""
        return self.rules.why_not_play(self.state, self.state.hands[seat], action)

    # The deals.

    def draw_dealer(self, deck: tuple[Card, ...], events: list[Event]) -> None:
        """Let the highest of the first cards of the deck name the first dealer (C1)."""
        drawn = deck[: self.rules.seats]
        dealer = drawn.index(max(drawn, key=_lot_order))
        events.append(public(DealerDrawn(drawn, Seat(dealer))))
        self.announce_deal(dealer, events)

    def announce_deal(self, dealer: i64, events: list[Event]) -> None:
        """Begin the deal of this index and replay; its cards are not dealt yet."""
        plan = self.rules.plan(self.deal_index)
        self.state.begin(plan, dealer=dealer)
        self.dealt = ()
        if not self.mute:
            events.append(self.deal_begun())
        self.open_deal()

    def deal_begun(self) -> Event:
        """Tell of a deal that begins."""
        plan = self.state.plan
        began = DealBegan(
            index=self.deal_index,
            deal_count=len(self.rules.schedule),
            kind=plan.kind,
            dealer=Seat(self.state.dealer),
            hand_size=plan.hand_size,
            multiplier=plan.multiplier,
            replay=self.replay,
        )
        return public(began)

    def hand_out(self, shown: int, events: list[Event]) -> None:
        """Give every seat its hand, and show each the first ``shown`` cards of its own.

        With none shown everybody is told how many cards each has got, and no more.
        """
        state = self.state
        state.left = state.hand_size
        seat = state.dealer
        for _ in range(state.seats):
            seat = state.after(seat)
            hand = self.cards_of(seat)
            state.hands[seat] = card_set(hand)
            if self.mute:
                continue
            if shown:
                events.append(cards_dealt(Seat(seat), hand[:shown]))
            else:
                events.append(public(CardsDealt(Seat(seat), len(hand))))

    def cards_of(self, seat: i64) -> tuple[Card, ...]:
        """The cards that a seat was dealt, in their order: one at a time, dealer last (C1)."""
        seats = self.rules.seats
        place = (seat - self.state.dealer - 1) % seats
        return self.dealt[place : self.state.hand_size * seats : seats]

    def make_trump(self, source: TrumpSource, events: list[Event]) -> None:
        """Show the card that makes trump, if one does, and make it (O2, O12, C7)."""
        dealt = self.state.hand_size * self.rules.seats
        suit = NO_SUIT
        if source is TrumpSource.TURNED_UP:
            turned_up = self.dealt[dealt]
            if not self.mute:
                events.append(public(CardShown(turned_up)))
            suit = suit_of(turned_up)
        elif source is TrumpSource.LAST_CARD:
            last = self.dealt[dealt - 1]
            if not self.mute:
                events.append(public(CardShown(last, Seat(self.state.dealer))))
            suit = suit_of(last)
        self.set_trump(suit, events)

    def set_trump(self, suit: Suit, events: list[Event]) -> None:
        """Make a suit trump, and say so."""
        self.state.set_trump(suit)
        if not self.mute:
            events.append(public(TrumpSet(suit)))

    # The tricks.

    def begin_play(self) -> None:
        """Let the dealer's left lead the first trick (C4)."""
        self.state.turn = self.state.after(self.state.dealer)
        self.phase = PLAYING

    def play(self, seat: Seat, action: int, events: list[Event]) -> None:
        """Play a card lawfully."""
        state = self.state
        trump = state.trump
        events.append(card_played(seat, self.card_of(action), action))
        self.lay(action)
        if state.trump != trump:
            events.append(public(TrumpSet(Suit(state.trump))))
        if not state.laid:
            events.append(trick_taken(Seat(state.turn), self.trick_points()))
            if not state.left:
                self.score_deal(self.deal_scores(), events)

    def lay(self, action: i64) -> None:
        """Play a card lawfully, and tell nobody."""
        play_card(self.state, self.rules, action)

    def card_of(self, action: int) -> Card:
        """The card that a play plays."""
        return Card(action) if action < BIDS else only_card(self.rules.special)

    def trick_points(self) -> int:
        """What the trick just taken is worth, in games that count it."""
        return 0

    def may_revoke(self) -> bool:
        """Whether the seat on turn may play any card of its hand, at a price (C6)."""
        return self.rules.revoke_allowed

    def lawful(self, seat: Seat, action: int) -> bool:
        """Whether a play of a held card is no revoke (C6)."""
        rules, state = self.rules, self.state
        if action < BIDS:
            return playable(state, rules) & bit_of(action) != 0
        return rules.lawful_words(state, state.hands[seat]) & bit_of(action - SPECIALS) != 0

    def revoke(self, seat: Seat, action: int, events: list[Event]) -> None:
        """Take a play that the rules rule out; by default it ends the deal (C6)."""
        card, penalty = self.card_of(action), self.rules.revoke_penalty
        _, clause = self.why_not(seat, action)
        events.append(card_played(seat, card, action))
        events.append(public(Revoked(seat, card, clause, penalty)))
        scores = [0] * self.rules.seats
        scores[seat] = penalty
        self.score_deal(scores, events, revoked=True)

    # Scores and the end.

    def deal_scores(self) -> list[int]:
        """What each seat scores for the complete deal."""
        rules, state = self.rules, self.state
        return [rules.score(state, seat) * state.plan.multiplier for seat in range(rules.seats)]

    def score_deal(self, scores: list[int], events: list[Event], *, revoked: bool = False) -> None:
        """Add up the scores of a deal, and go on to the same one, the next one, or the end."""
        for seat, score in enumerate(scores):
            self.totals[seat] += score
        again = revoked and self.replay < REPLAYS_MAX
        result = "revoked" if again else "skipped" if revoked else "played"
        if not self.mute:
            events.append(public(DealScored(tuple(scores), tuple(self.totals), result)))
        dealer = self.state.dealer
        if again:
            self.replay += 1
        else:
            self.replay = 0
            self.deal_index += 1
            dealer = self.state.after(dealer)
        if self.complete():
            self.end(events)
        else:
            self.announce_deal(dealer, events)

    def complete(self) -> bool:
        """Whether the deals that are over make up the match (C8)."""
        return self.deal_index == len(self.rules.schedule)

    def end(self, events: list[Event]) -> None:
        """End the match (C8)."""
        totals = self.totals
        places = tuple(1 + sum(other > total for other in totals) for total in totals)
        notes = tuple(self.rules.notes(total) for total in totals)
        self.ended = Outcome(tuple(totals), places, notes)
        self.phase = OVER
        events.append(public(MatchEnded(self.ended)))


def _lot_order(card: Card) -> tuple[int, int]:
    return rank_of(card), suit_of(card)
