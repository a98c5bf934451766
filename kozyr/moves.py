"""What an action says, in the standard vocabulary of card games.

A variant numbers its actions; a `Move` is the meaning of such a number, for people, for the wire
and for records. Every standard move has a text form that parses back to the same move.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum

from kozyr.cards import (
    NO_SUIT,
    Card,
    InvalidCard,
    Suit,
    card_text,
    parse_card,
    parse_suit,
    suit_text,
)


class Announcement(IntEnum):
    """What is said with a card that can be played in more than one way."""

    NONE = 0
    HIGH = 1
    """It takes the trick."""
    LOW = 2
    """It does not take the trick as long as anybody beats its lowly stand-in."""
    SIMPLE = 3
    """It is the plain card that is printed on it."""
    DEMAND = 4
    """It takes the trick, and everybody must play their highest card of what is demanded."""


class Bet(IntEnum):
    """A bet on the whole deal (Maverick)."""

    NONE = 0
    BLIND = 1
    ZERO = 2
    SMART = 3


class InvalidMove(ValueError):
    """A text that is no move."""


@dataclass(frozen=True, slots=True)
class Move:
    """The base of all moves; `text` is the form that people type and records keep."""

    @property
    def text(self) -> str:
        raise TypeError(f"{type(self).__name__} has no text form")


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """No bid, or no bet."""

    @property
    def text(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Look(Move):
    """Look at one's own cards before deciding."""

    @property
    def text(self) -> str:
        return "look"


@dataclass(frozen=True, slots=True)
class Bid(Move):
    """Announce how many tricks one means to take, 1 or more (a bid of none is a `Pass`)."""

    count: int
    dark: bool = False
    """Made without having looked at one's cards."""

    @property
    def text(self) -> str:
        return f"bid {self.count}{' dark' if self.dark else ''}"


@dataclass(frozen=True, slots=True)
class Play(Move):
    """Play a card, perhaps with an announcement, perhaps naming a suit."""

    card: Card
    announcement: Announcement = Announcement.NONE
    suit: Suit = NO_SUIT

    @property
    def text(self) -> str:
        words = ["play", card_text(self.card)]
        if self.announcement is not Announcement.NONE:
            words.append(self.announcement.name.lower())
        if self.suit != NO_SUIT:
            words.append(suit_text(self.suit))
        return " ".join(words)


@dataclass(frozen=True, slots=True)
class GiveCard(Move):
    """Choose one card to give away."""

    card: Card

    @property
    def text(self) -> str:
        return f"give {card_text(self.card)}"


@dataclass(frozen=True, slots=True)
class MakeBet(Move):
    """Make a bet on the deal."""

    bet: Bet

    @property
    def text(self) -> str:
        return f"bet {self.bet.name.lower()}"


@dataclass(frozen=True, slots=True)
class NameSuit(Move):
    """Name the trump suit, or no-trump with `NO_SUIT`."""

    suit: Suit

    @property
    def text(self) -> str:
        return f"name {suit_text(self.suit)}"


@dataclass(frozen=True, slots=True)
class CustomMove(Move):
    """A move of a game of another kind; it is typed by its name and its arguments."""

    name: str
    args: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        return " ".join([self.name, *(f"{key}={value}" for key, value in self.args)])


UNUSED = CustomMove("unused")
"""What an action number means that no position ever uses."""


class ActionTable:
    """The meaning of every action of a variant under one set of options, both ways."""

    def __init__(self, moves: Iterable[Move], *, aliases: Mapping[Move, int] | None = None) -> None:
        """Make a table.

        Args:
            moves: what each action means, by its number.
            aliases: other ways to say what an action means.
        """
        self.moves = tuple(moves)
        self.aliases = dict(aliases or {})
        self._numbers = {**self.aliases, **{move: each for each, move in enumerate(self.moves)}}

    def __len__(self) -> int:
        return len(self.moves)

    def __iter__(self) -> Iterator[Move]:
        return iter(self.moves)

    def __getitem__(self, action: int) -> Move:
        """What ``action`` means.

        Raises:
            InvalidMove: there is no such action.
        """
        if not 0 <= action < len(self.moves):
            raise InvalidMove(f"action {action} is none of 0 to {len(self.moves) - 1}")
        return self.moves[action]

    def number(self, move: Move) -> int:
        """The action that means ``move``.

        Raises:
            InvalidMove: no action of the variant means that.
        """
        action = self._numbers.get(move)
        if action is None or move == UNUSED:
            raise InvalidMove(f"there is no move {move.text!r} in this game")
        return action


def parse_move(text: str) -> Move:
    """The standard move that is written as ``text``; anything else is a `CustomMove`.

    Raises:
        InvalidMove: the text begins like a standard move and does not go on like one.
    """
    words = text.split()
    try:
        match words:
            case []:
                raise InvalidMove("an empty text is no move")
            case ["pass"]:
                return Pass()
            case ["look"]:
                return Look()
            case ["bid", count]:
                return Bid(int(count))
            case ["bid", count, "dark"]:
                return Bid(int(count), dark=True)
            case ["play", name, *rest]:
                return _parse_play(parse_card(name), rest)
            case ["give", name]:
                return GiveCard(parse_card(name))
            case ["bet", name]:
                return MakeBet(Bet[name.upper()])
            case ["name", name]:
                return NameSuit(parse_suit(name))
            case ["pass" | "look" | "bid" | "play" | "give" | "bet" | "name", *_]:
                raise InvalidMove(f"{text!r} is not how a {words[0]!r} is written")
        pairs = [word.split("=", 1) for word in words[1:]]
        return CustomMove(words[0], tuple((key, value) for key, value in pairs))
    except InvalidMove:
        raise
    except (InvalidCard, KeyError, ValueError) as error:
        raise InvalidMove(f"{text!r} is no move: {error}") from error


def _parse_play(card: Card, rest: list[str]) -> Play:
    announcement, suit = Announcement.NONE, NO_SUIT
    if rest and rest[0].upper() in Announcement.__members__:
        announcement = Announcement[rest.pop(0).upper()]
    if rest:
        suit = parse_suit(rest.pop(0))
    if rest:
        raise InvalidMove(f"nothing may follow the suit, but {' '.join(rest)!r} does")
    return Play(card, announcement, suit)
