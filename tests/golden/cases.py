"""Which playthroughs there are."""

from kozyr_odessa import OdessaVariant
from tests.golden.playthrough import Playthrough

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
]
