"""The brain that plays by one rule of thumb, with neither search nor memory.

For each card that it may play it asks: if I play this, how many tricks will I have taken in the
end? It plays the card for which that comes closest to its bid, in the mean square. So it wins as
cheaply as it can while it needs tricks, keeps its winners when others can spend theirs, ducks with
its highest loser and throws away what threatens to win when it has enough.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from kozyr.cards import JOKERS, cards_in
from kozyr.moves import Announcement
from kozyr.observation import Observation
from kozyr_bots.brains.outlook import Outlook, expected_tricks, suit_cards, table_of
from kozyr_bots.brains.player import CardPlayer

_TIE: Final = 1e-6
"""Small beside any difference that matters, in square tricks."""


class GreedyBrain(CardPlayer):
    """Bids what its hand is worth, then plays to make the bid exactly."""

    def tricks_wanted(self, observation: Observation) -> float:
        return expected_tricks(observation, self.pack)

    def play(self, observation: Observation, plays: Sequence[int]) -> int:
        outlook = Outlook(observation, self.pack)
        table = table_of(observation)
        to_come = observation.seats - 1 - len(observation.trick)
        needed = tricks_needed(observation)
        later = outlook.later()
        for joker in cards_in(observation.hand & JOKERS):
            later[joker] = 1.0 if needed > 0 else 0.0
        expected = sum(later.values())
        doubt = sum(chance * (1 - chance) for chance in later.values())

        best, least = plays[0], float("inf")
        for action in plays:
            play = self.play_of(action)
            now = outlook.now(play, table, to_come)
            then = later.get(play.card, 0.0)
            miss = needed - (expected - then + now)
            cost = miss * miss + doubt - then * (1 - then) + now * (1 - now)
            if play.announcement is Announcement.HIGH:
                # Draw out what stands against the suit that is worth it most.
                cost -= _TIE * (observation.hand & suit_cards(play.suit)).bit_count()
            if cost < least:
                best, least = action, cost
        return best

    def name_suit(self, observation: Observation, names: Sequence[int]) -> int:
        """The suit with which the hand would be worth most."""

        def worth(action: int) -> float:
            named = replace(observation, trump=self.suit_named(action))
            return expected_tricks(named, self.pack)

        return max(names, key=worth)


def tricks_needed(observation: Observation) -> int:
    """How many tricks are wanting to the bid; all that are left when it cannot be made any more.

    Where nothing was bid every trick counts.
    """
    left = observation.hand.bit_count()
    bid = observation.bids[observation.viewer]
    if bid is None:
        return left
    needed = bid.count - observation.tricks[observation.viewer]
    return needed if needed >= 0 else left
