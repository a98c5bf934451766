"""The toolkit that trick-taking variants are made of.

Layers, from the cards up:

- `masks`: sets of cards as one integer; `actions`: the numbering that all variants share;
  `schedule`: which deals a match has.
- `DealState`: one deal under way, plain numbers that a playout can copy in nanoseconds.
- `TrickRules`: what a variant decides, as methods to override. No position, no events.
- `play`: the steps of a deal, from a state and the rules.
- `TrickGame`, and `BiddingGame` with bids: the match around it, which tells what happens.
- `Playouts`: deals and matches played on to their end at random, many times over.

How the four variants plug in:

- **Odessa** is a subclass of `TrickRules`: the sources of trump, the joker as the special card,
  the score. It is played by `BiddingGame` as it stands.
- **Georgian** is a subclass of Odessa's rules with another schedule and another `score`.
- **Child**: the Poker is the special card (`words`, `lawful_words`, `open_special`, `spend`), and
  `follow` is overridden for a Poker that is the only trump. Circular trumps are set in `open` and
  `open_special`; the match tells of a trump that changed. Dark bids and looking extend
  `BiddingGame`: `hand_out` shows nothing before a look, `choices` and `choose` add the moves, a
  subclass of `DealState` remembers who bid dark, `make_trump` is always diamonds, and
  `begin_bidding` leads at once in a golden deal.
- **Maverick** subclasses `TrickGame`: `deal_cards` lays two cards open and goes to its own phases
  for bets and the exchange, with `waiting`, `choices` and `choose`. Its rules override `follow`,
  `open`, `over` and `close`, which counts a trick's points into its `DealState`; `trick_points`
  tells of them. `plan` is the same deal for ever, `score` counts by team, `complete` asks for the
  target, and `revoke` gives the card back, whereupon `may_revoke` says no.

A variant that must overtrump or overtake compares with ``state.over`` in `follow`.
"""

from kozyr.tricks.actions import (
    ACTION_COUNT,
    BETS,
    BID_MAX,
    BIDS,
    DARK_BIDS,
    DEMAND,
    DEMAND_NAMING,
    GIVES,
    HIGH,
    HIGH_NAMING,
    LOOK,
    LOW,
    LOW_NAMING,
    NAMES,
    SIMPLE,
    SPECIALS,
    action_table,
    announcement_of,
    is_play,
    suit_named,
)
from kozyr.tricks.bidding import BiddingGame
from kozyr.tricks.endings import EndingSolver, Objective
from kozyr.tricks.game import BIDDING, DEALING, LOT, NAMING, OVER, PLAYING, TrickGame
from kozyr.tricks.masks import (
    above,
    bit_of,
    card_list,
    count,
    count_of,
    counts_upto,
    highest,
    lowest_ranked,
    one_for,
    only_card,
    only_suit,
    suit_cards,
    suit_cards_of,
)
from kozyr.tricks.play import make_bid, play_card, playable
from kozyr.tricks.playouts import Playouts
from kozyr.tricks.rules import REPLAYS_MAX, TrickRules, TrumpSource, one_of
from kozyr.tricks.schedule import BLIND, DARK, GOLDEN, NO_TRUMP, REGULAR, DealPlan, pyramid
from kozyr.tricks.state import DealState
from kozyr.tricks.telling import bid_made, card_played, cards_dealt, hand_looked, trick_taken

__all__ = [
    "ACTION_COUNT",
    "BETS",
    "BIDDING",
    "BIDS",
    "BID_MAX",
    "BLIND",
    "DARK",
    "DARK_BIDS",
    "DEALING",
    "DEMAND",
    "DEMAND_NAMING",
    "GIVES",
    "GOLDEN",
    "HIGH",
    "HIGH_NAMING",
    "LOOK",
    "LOT",
    "LOW",
    "LOW_NAMING",
    "NAMES",
    "NAMING",
    "NO_TRUMP",
    "OVER",
    "PLAYING",
    "REGULAR",
    "REPLAYS_MAX",
    "SIMPLE",
    "SPECIALS",
    "BiddingGame",
    "DealPlan",
    "DealState",
    "EndingSolver",
    "Objective",
    "Playouts",
    "TrickGame",
    "TrickRules",
    "TrumpSource",
    "above",
    "action_table",
    "announcement_of",
    "bid_made",
    "bit_of",
    "card_list",
    "card_played",
    "cards_dealt",
    "count",
    "count_of",
    "counts_upto",
    "hand_looked",
    "highest",
    "is_play",
    "lowest_ranked",
    "make_bid",
    "one_for",
    "one_of",
    "only_card",
    "only_suit",
    "play_card",
    "playable",
    "pyramid",
    "suit_cards",
    "suit_cards_of",
    "suit_named",
    "trick_taken",
]
