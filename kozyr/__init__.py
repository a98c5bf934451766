"""kozyr: an engine framework for trick-taking card games.

What an embedder, a variant's author or a bot's author meets first is here. The vocabulary is in
`kozyr.cards`, `kozyr.moves` and `kozyr.events`, all refusals in `kozyr.errors`.
"""

from kozyr.brain import Brain, Decision, Setup
from kozyr.cards import Card, Suit
from kozyr.errors import KozyrError
from kozyr.events import WATCHER, Event, Outcome, Payload, Seat
from kozyr.game import CHANCE, Game
from kozyr.log import Cause, Entry, Header
from kozyr.match import Advance, Match
from kozyr.moves import ActionTable, Move, parse_move
from kozyr.observation import Observation
from kozyr.plugins import brain_names, load_brain, load_variant, variant_names
from kozyr.record import Record, read_record, write_record
from kozyr.referee import LocalReferee, Referee, Step
from kozyr.variant import Options, Variant
from kozyr.verify import verify_record

__all__ = [
    "CHANCE",
    "WATCHER",
    "ActionTable",
    "Advance",
    "Brain",
    "Card",
    "Cause",
    "Decision",
    "Entry",
    "Event",
    "Game",
    "Header",
    "KozyrError",
    "LocalReferee",
    "Match",
    "Move",
    "Observation",
    "Options",
    "Outcome",
    "Payload",
    "Record",
    "Referee",
    "Seat",
    "Setup",
    "Step",
    "Suit",
    "Variant",
    "brain_names",
    "load_brain",
    "load_variant",
    "parse_move",
    "read_record",
    "variant_names",
    "verify_record",
    "write_record",
]
