"""Moves and the meaning of actions on the wire."""

from collections.abc import Callable
from typing import Any, Final

from kozyr.errors import InvalidMessage
from kozyr.moves import (
    ActionTable,
    Bid,
    CustomMove,
    GiveCard,
    InvalidMove,
    Look,
    MakeBet,
    Move,
    NameSuit,
    Pass,
    Play,
    parse_move,
)
from kozyr.v1 import moves_pb2, session_pb2
from kozyr.wire.values import (
    ENCODED_ANNOUNCEMENT,
    ENCODED_BET,
    ENCODED_SUIT,
    ENCODED_TRUMP,
    decode_announcement,
    decode_args,
    decode_bet,
    decode_card,
    decode_suit,
    decode_trump,
    encode_args,
)


def encode_move(move: Move) -> moves_pb2.Move:
    """A move for the wire."""
    message = moves_pb2.Move
    match move:
        case Pass():
            encoded = message()
            getattr(encoded, "pass").SetInParent()  # a keyword, so that it has no other spelling
            return encoded
        case Look():
            return message(look=message.Look())
        case Bid():
            return message(bid=message.Bid(count=move.count, dark=move.dark))
        case Play():
            return message(
                play=message.Play(
                    card=move.card,
                    announcement=ENCODED_ANNOUNCEMENT[move.announcement],
                    suit=ENCODED_SUIT[move.suit],
                )
            )
        case GiveCard():
            return message(give_card=message.GiveCard(card=move.card))
        case MakeBet():
            return message(make_bet=message.MakeBet(bet=ENCODED_BET[move.bet]))
        case NameSuit():
            return message(name_suit=message.NameSuit(suit=ENCODED_TRUMP[move.suit]))
        case CustomMove():
            return message(custom=message.Custom(name=move.name, args=encode_args(move.args)))
        case _:
            raise TypeError(f"unknown move {move!r}")


_DECODERS: Final[dict[str, Callable[[Any], Move]]] = {
    "pass": lambda _: Pass(),
    "look": lambda _: Look(),
    "bid": lambda bid: Bid(bid.count, bid.dark),
    "play": lambda play: Play(
        decode_card(play.card), decode_announcement(play.announcement), decode_suit(play.suit)
    ),
    "give_card": lambda give: GiveCard(decode_card(give.card)),
    "make_bet": lambda make: MakeBet(decode_bet(make.bet)),
    "name_suit": lambda name: NameSuit(decode_trump(name.suit)),
    "custom": lambda custom: CustomMove(custom.name, decode_args(custom.args)),
}


def decode_move(message: moves_pb2.Move) -> Move:
    """A move from the wire.

    Raises:
        InvalidMessage: it is no move that is known here.
    """
    kind = message.WhichOneof("move")
    if kind is None:
        raise InvalidMessage("the move is empty, or of a kind that is not known here")
    return _DECODERS[kind](getattr(message, kind))


def encode_actions(actions: ActionTable) -> moves_pb2.ActionTable:
    """The meaning of every action for the wire."""
    return moves_pb2.ActionTable(
        moves=[encode_move(move) for move in actions],
        aliases=[
            moves_pb2.ActionTable.Alias(move=encode_move(move), action=action)
            for move, action in actions.aliases.items()
        ],
    )


def decode_actions(message: moves_pb2.ActionTable) -> ActionTable:
    """The meaning of every action from the wire.

    Raises:
        InvalidMessage: one of them is no move that is known here, or an alias is of no action.
    """
    aliases = {decode_move(alias.move): alias.action for alias in message.aliases}
    if any(action >= len(message.moves) for action in aliases.values()):
        raise InvalidMessage("an alias is of an action that is not there")
    return ActionTable([decode_move(move) for move in message.moves], aliases=aliases)


def decode_choice(act: session_pb2.Act, actions: ActionTable) -> int:
    """The action that a player chose by its number, as a move or as text.

    Raises:
        InvalidMessage: it names no action of the game.
    """
    choice = act.WhichOneof("choice")
    try:
        if choice == "action":
            actions[act.action]  # refuses a number that is no action
            return act.action
        if choice == "move":
            return actions.number(decode_move(act.move))
        if choice == "text":
            return actions.number(parse_move(act.text))
    except InvalidMove as error:
        raise InvalidMessage(str(error)) from error
    raise InvalidMessage("the act says no move: give its action, move or text")
