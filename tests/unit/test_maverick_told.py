"""Maverick as people read it: the lines of a replay, and the score sheet."""

from collections.abc import Iterator

from rich.console import Console

from kozyr.cards import HEARTS, SPADES, Card, parse_card, parse_cards
from kozyr.events import (
    BetMade,
    CardChosen,
    CardPlayed,
    CardReturned,
    CardsDealt,
    CardsGiven,
    CardShown,
    DealBegan,
    DealScored,
    HandLooked,
    Payload,
    Revoked,
    Seat,
    SummatorSet,
    TrickTaken,
    TrumpSet,
)
from kozyr.moves import Bet
from kozyr_cli.sheet import ScoreSheet
from kozyr_cli.telling import Narrator

PLAYERS = ["Ann", "Bob", "Cid", "Dan"]
ANN, BOB, CID, DAN = map(Seat, range(4))
DEAL = DealBegan(0, 0, "regular", DAN, 13)
SCORED = DealScored((4, -3, 4, -3), (4, -3, 4, -3))


def lines(*payloads: Payload) -> list[str]:
    narrator = Narrator(PLAYERS)

    def told() -> Iterator[str]:
        for payload in payloads:
            yield from narrator.hear(payload)
        yield from narrator.rest()

    return list(told())


def cards(text: str) -> tuple[Card, ...]:
    return parse_cards(text)


def test_open_cards_are_told_with_what_they_make() -> None:
    """M1"""
    shown = [CardShown(parse_card("KH")), CardShown(parse_card("4S"))]
    assert lines(DEAL, CardsDealt(ANN, 13), *shown, TrumpSet(HEARTS), SummatorSet(SPADES)) == [
        "",
        "Deal 1: 13 cards each, Dan deals",
        "  turned up: K♥",
        "  turned up: 4♠",
        "  trump: ♥",
        "  summator: ♠",
    ]


def test_looks_and_bets_stand_on_one_line_and_a_hand_that_is_seen_on_another() -> None:
    """M9"""
    assert lines(
        HandLooked(ANN),
        BetMade(BOB, Bet.BLIND),
        HandLooked(BOB),
        HandLooked(CID, cards("AS BJ")),
        BetMade(ANN, Bet.NONE),
        BetMade(CID, Bet.SMART),
    ) == [
        "  bets: Ann looks, Bob blind, Bob looks",
        "  hands: Cid A♠ ★",
        "  bets: Ann pass, Cid smart",
    ]


def test_exchange_is_told_as_far_as_it_is_known() -> None:
    """M2"""
    assert lines(
        CardChosen(ANN, parse_card("2S")),
        CardChosen(BOB),
        CardChosen(ANN, parse_card("3S")),
        CardsGiven(ANN, BOB, 2, cards("2S 3S")),
        CardsGiven(BOB, CID, 2),
    ) == [
        "  laid aside: Ann 2♠, Ann 3♠",
        "  given: Ann to Bob 2♠ 3♠, Bob to Cid 2 cards",
    ]


def test_trick_is_told_with_its_points_and_a_revoke_with_the_card_that_went_back() -> None:
    """M6, M7"""
    ace, trump, two = parse_card("AS"), parse_card("2H"), parse_card("2S")
    assert lines(
        DEAL,
        CardPlayed(ANN, ace),
        CardPlayed(BOB, trump),
        Revoked(BOB, trump, "M3", -4),
        CardReturned(BOB, trump),
        CardPlayed(BOB, two),
        TrickTaken(ANN, 2),
    )[2:] == [
        "  trick 1: Ann A♠, Bob 2♥",
        "  Bob revoked with 2♥ [M3]: -4",
        "  Bob takes 2♥ back",
        "  trick 1: Bob 2♠ → Ann (+2)",
    ]


def test_sheet_has_trump_summator_and_bets() -> None:
    sheet = ScoreSheet("Maverick", PLAYERS)
    bets = [BetMade(ANN, Bet.NONE), BetMade(BOB, Bet.BLIND)]
    for payload in (DEAL, TrumpSet(HEARTS), SummatorSet(SPADES), *bets, TrickTaken(ANN, 4), SCORED):
        sheet.hear(payload)
    assert sheet.last_deal == (
        "deal 1: 13 ♥ Σ♠ | Ann 1 +4   4 | Bob 0/blind -3  -3 | Cid 0 +4   4 | Dan 0 -3  -3"
    )


def test_sheet_of_a_deal_under_way_has_the_points_of_the_tricks() -> None:
    sheet = ScoreSheet("Maverick", PLAYERS)
    tricks = [TrickTaken(ANN, 4), TrickTaken(ANN, -1), TrickTaken(CID, 1)]
    for payload in (DEAL, TrumpSet(HEARTS), SummatorSet(SPADES), BetMade(CID, Bet.ZERO), *tricks):
        sheet.hear(payload)
    console = Console(width=100, height=30)
    with console.capture() as capture:
        console.print(sheet.draw(console))
    row = next(line for line in capture.get().splitlines() if "♥" in line)
    assert row.split() == ["1", "13", "♥", "Σ♠", "2", "+3", "·", "1/zero", "+1", "·"]
