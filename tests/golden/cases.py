"""Which playthroughs there are."""

from kozyr_maverick import MaverickVariant
from kozyr_odessa import OdessaVariant
from tests.golden.playthrough import Playthrough

MAVERICK = MaverickVariant()
ODESSA = OdessaVariant()

PLAYTHROUGHS = [
    Playthrough(
        "four_players",
        "A short match of four, everything else by default",
        ODESSA,
        seats=4,
        seed=1,
        options={"max_hand": 2},
    ),
    Playthrough(
        "two_players",
        "A match of two with the pack of 52 and a free dealer",
        ODESSA,
        seats=2,
        seed=2,
        options={"deck": 52, "max_hand": 3, "dealer_restriction": False},
    ),
    Playthrough(
        "six_players",
        "A match of six, one card each",
        ODESSA,
        seats=6,
        seed=3,
        options={"max_hand": 1},
    ),
    Playthrough(
        "joker",
        "The joker led and following, high with its demand and low, and turned up",
        ODESSA,
        seats=3,
        seed=672,
        options={"max_hand": 3, "joker": True},
    ),
    Playthrough(
        "blind_and_no_trump",
        "Two blind deals and two no-trump deals, with points for a made pass",
        ODESSA,
        seats=3,
        seed=5,
        options={"max_hand": 3, "blind_deals": 2, "no_trump_deals": 2, "made_pass": 5},
        deals=range(7, 11),
    ),
    Playthrough(
        "revoke_penalty",
        "Revokes that are paid for, and deals that are dealt anew",
        ODESSA,
        seats=3,
        seed=6,
        options={"max_hand": 2, "revoke": "penalty"},
    ),
    Playthrough(
        "eldest_names",
        "A deal of the whole pack: the eldest names trump after three cards",
        ODESSA,
        seats=4,
        seed=7,
        options={"max_hand": 9, "full_deal_trump": "eldest_names"},
        deals=range(8, 9),
    ),
    Playthrough(
        "last_card",
        "A deal of the whole pack: the dealer's last card is shown",
        ODESSA,
        seats=6,
        seed=8,
        options={"max_hand": 6},
        deals=range(5, 6),
    ),
    Playthrough(
        "one_deal",
        "The exchange, and a match of one deal that ends in a draw",
        MAVERICK,
        seats=4,
        seed=25,
        options={"max_deals": 1},
    ),
    Playthrough(
        "bets",
        "Two deals with bets: blind, zero, smart, and none",
        MAVERICK,
        seats=4,
        seed=296,
        options={"bets": True, "max_deals": 2},
    ),
    Playthrough(
        "revoke_penalty",
        "Revokes that are paid for, and cards that go back",
        MAVERICK,
        seats=4,
        seed=8,
        options={"revoke": "penalty"},
        deals=range(1),
    ),
    Playthrough(
        "tame_trumps",
        "Trumps that beat nothing, with a joker among the open cards",
        MAVERICK,
        seats=4,
        seed=12,
        options={"trumps_beat": False},
        deals=range(1),
    ),
    Playthrough(
        "target",
        "Both teams get over the target in one deal, and the higher total wins",
        MAVERICK,
        seats=4,
        seed=7,
        options={"target": 40},
        deals=range(8, 9),
    ),
]
