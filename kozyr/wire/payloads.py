"""What an audience sees of an event, on the wire."""

from functools import lru_cache
from typing import Final

from kozyr.cards import Card
from kozyr.errors import InvalidMessage
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
    SummatorSet,
    TrickTaken,
    TrumpSet,
)
from kozyr.v1 import cards_pb2, moves_pb2
from kozyr.v1 import events_pb2 as pb
from kozyr.wire.values import (
    ENCODED_ANNOUNCEMENT,
    ENCODED_BET,
    ENCODED_SUIT,
    ENCODED_TRUMP,
    decode_announcement,
    decode_args,
    decode_bet,
    decode_card,
    decode_cards,
    decode_seat,
    decode_suit,
    decode_trump,
    encode_args,
)

PLAYS_KEPT_MAX: Final = 4096
"""How many plays of cards are kept decoded: a table of four has some 400, over and over."""


def encode_payload(payload: Payload) -> pb.Payload:
    """What an audience sees of an event, for the wire."""
    match payload:
        case CardPlayed():
            return pb.Payload(card_played=encode_card_played(payload))
        case TrickTaken(seat, points):
            return pb.Payload(trick_taken=pb.TrickTaken(seat=seat, points=points))
        case BidMade(seat, count, dark):
            return pb.Payload(bid_made=pb.BidMade(seat=seat, count=count, dark=dark))
        case CardsDealt(seat, count, cards):
            return pb.Payload(
                cards_dealt=pb.CardsDealt(seat=seat, count=count, cards=_encode_known(cards))
            )
        case DealBegan():
            return pb.Payload(deal_began=encode_deal_began(payload))
        case CardShown():
            return pb.Payload(card_shown=encode_card_shown(payload))
        case TrumpSet(suit):
            return pb.Payload(trump_set=pb.TrumpSet(suit=ENCODED_TRUMP[suit]))
        case SummatorSet(suit):
            return pb.Payload(summator_set=pb.SummatorSet(suit=ENCODED_TRUMP[suit]))
        case HandLooked(seat, cards):
            return pb.Payload(hand_looked=pb.HandLooked(seat=seat, cards=_encode_known(cards)))
        case BetMade(seat, bet):
            return pb.Payload(bet_made=pb.BetMade(seat=seat, bet=ENCODED_BET[bet]))
        case CardChosen(seat, card):
            return pb.Payload(card_chosen=pb.CardChosen(seat=seat, card=card or 0))
        case CardsGiven(giver, receiver, count, cards):
            return pb.Payload(
                cards_given=pb.CardsGiven(
                    giver=giver, receiver=receiver, count=count, cards=_encode_known(cards)
                )
            )
        case CardReturned(seat, card):
            return pb.Payload(card_returned=pb.CardReturned(seat=seat, card=card))
        case Revoked(seat, card, clause, penalty):
            return pb.Payload(
                revoked=pb.Revoked(seat=seat, card=card, clause=clause, penalty=penalty)
            )
        case DealScored():
            return pb.Payload(deal_scored=encode_deal_scored(payload))
        case DealerDrawn(cards, dealer):
            return pb.Payload(dealer_drawn=pb.DealerDrawn(cards=cards, dealer=dealer))
        case MatchEnded(outcome):
            return pb.Payload(match_ended=pb.MatchEnded(outcome=encode_outcome(outcome)))
        case Custom():
            return pb.Payload(custom=encode_custom(payload))
        case _:
            raise TypeError(f"unknown payload {payload!r}")


def decode_payload(message: pb.Payload) -> Payload:
    """What an audience sees of an event, from the wire.

    Raises:
        InvalidMessage: it says nothing that is known here.
    """
    match message.WhichOneof("payload"):
        case "card_played":
            return decode_card_played(message.card_played)
        case "trick_taken":
            taken = message.trick_taken
            return TrickTaken(decode_seat(taken.seat), taken.points)
        case "bid_made":
            bid = message.bid_made
            return BidMade(decode_seat(bid.seat), bid.count, bid.dark)
        case "cards_dealt":
            return _decode_cards_dealt(message.cards_dealt)
        case "deal_began":
            return decode_deal_began(message.deal_began)
        case "card_shown":
            shown = message.card_shown
            holder = decode_seat(shown.seat) if shown.HasField("seat") else None
            return CardShown(decode_card(shown.card), holder)
        case "trump_set":
            return TrumpSet(decode_trump(message.trump_set.suit))
        case "summator_set":
            return SummatorSet(decode_trump(message.summator_set.suit))
        case "hand_looked":
            return _decode_hand_looked(message.hand_looked)
        case "bet_made":
            return BetMade(decode_seat(message.bet_made.seat), decode_bet(message.bet_made.bet))
        case "card_chosen":
            chosen = message.card_chosen
            card = decode_card(chosen.card) if chosen.card else None
            return CardChosen(decode_seat(chosen.seat), card)
        case "cards_given":
            return _decode_cards_given(message.cards_given)
        case "card_returned":
            returned = message.card_returned
            return CardReturned(decode_seat(returned.seat), decode_card(returned.card))
        case "revoked":
            return _decode_revoked(message.revoked)
        case "deal_scored":
            scored = message.deal_scored
            return DealScored(tuple(scored.scores), tuple(scored.totals), scored.result)
        case "dealer_drawn":
            drawn = message.dealer_drawn
            return DealerDrawn(decode_cards(drawn.cards), decode_seat(drawn.dealer))
        case "match_ended":
            return MatchEnded(decode_outcome(message.match_ended.outcome))
        case "custom":
            custom = message.custom
            return Custom(custom.name, decode_args(custom.args), decode_cards(custom.cards))
        case _:
            raise InvalidMessage("the event is empty, or of a kind that is not known here")


def encode_card_played(payload: CardPlayed) -> pb.CardPlayed:
    """A card on the table."""
    return pb.CardPlayed(
        seat=payload.seat,
        card=payload.card,
        announcement=ENCODED_ANNOUNCEMENT[payload.announcement],
        suit=ENCODED_SUIT[payload.suit],
    )


def decode_card_played(message: pb.CardPlayed) -> CardPlayed:
    """A card on the table."""
    return _card_played(message.seat, message.card, message.announcement, message.suit)


@lru_cache(maxsize=PLAYS_KEPT_MAX)
def _card_played(
    seat: int,
    card: int,
    announcement: moves_pb2.Announcement.ValueType,
    suit: cards_pb2.Suit.ValueType,
) -> CardPlayed:
    return CardPlayed(
        decode_seat(seat),
        decode_card(card),
        decode_announcement(announcement),
        decode_suit(suit),
    )


def encode_deal_began(payload: DealBegan) -> pb.DealBegan:
    """A deal."""
    return pb.DealBegan(
        index=payload.index,
        deal_count=payload.deal_count,
        kind=payload.kind,
        dealer=payload.dealer,
        hand_size=payload.hand_size,
        multiplier=payload.multiplier,
        replay=payload.replay,
    )


def decode_deal_began(message: pb.DealBegan) -> DealBegan:
    """A deal."""
    return DealBegan(
        index=message.index,
        deal_count=message.deal_count,
        kind=message.kind,
        dealer=decode_seat(message.dealer),
        hand_size=message.hand_size,
        multiplier=message.multiplier,
        replay=message.replay,
    )


def encode_card_shown(payload: CardShown) -> pb.CardShown:
    """A card that lies open."""
    return pb.CardShown(card=payload.card, seat=payload.seat)


def encode_deal_scored(payload: DealScored) -> pb.DealScored:
    """The scores of a deal."""
    return pb.DealScored(scores=payload.scores, totals=payload.totals, result=payload.result)


def encode_custom(payload: Custom) -> pb.CustomEvent:
    """An event of a game of another kind."""
    return pb.CustomEvent(name=payload.name, args=encode_args(payload.args), cards=payload.cards)


def encode_outcome(outcome: Outcome) -> pb.Outcome:
    """How a match ended."""
    notes = [pb.Outcome.Notes(words=words) for words in outcome.notes]
    return pb.Outcome(scores=outcome.scores, places=outcome.places, notes=notes)


def decode_outcome(message: pb.Outcome) -> Outcome:
    """How a match ended.

    Raises:
        InvalidMessage: its parts are not for the same number of seats.
    """
    if not len(message.scores) == len(message.places) == len(message.notes):
        raise InvalidMessage("an outcome has a score, a place and notes for each seat")
    notes = tuple(tuple(each.words) for each in message.notes)
    return Outcome(tuple(message.scores), tuple(message.places), notes)


def _encode_known(cards: tuple[Card, ...] | None) -> cards_pb2.Cards | None:
    return None if cards is None else cards_pb2.Cards(cards=cards)


def _decode_hand_looked(message: pb.HandLooked) -> HandLooked:
    cards = decode_cards(message.cards.cards) if message.HasField("cards") else None
    return HandLooked(decode_seat(message.seat), cards)


def _decode_cards_dealt(message: pb.CardsDealt) -> CardsDealt:
    cards = decode_cards(message.cards.cards) if message.HasField("cards") else None
    return CardsDealt(decode_seat(message.seat), message.count, cards)


def _decode_cards_given(message: pb.CardsGiven) -> CardsGiven:
    cards = decode_cards(message.cards.cards) if message.HasField("cards") else None
    return CardsGiven(
        decode_seat(message.giver), decode_seat(message.receiver), message.count, cards
    )


def _decode_revoked(message: pb.Revoked) -> Revoked:
    return Revoked(
        decode_seat(message.seat), decode_card(message.card), message.clause, message.penalty
    )
