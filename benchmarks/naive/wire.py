"""What the naive client and server both know: the messages, the methods, the trivial rule."""

import grpc

# Compiled in memory at import; the path is the one below the folder that holds `benchmarks`.
Move = grpc.protos("benchmarks/naive/naive.proto").Move

SERVICE = "naive.Table"
PLAY = "Play"
ECHO = "Echo"

SEATS = 4
MOVES_PER_MATCH = 52  # every card once; then the table begins its next match
GET_UP = 52  # the card that no deck has: the table's last move, which ends all four streams


def seat_to_move(version: int) -> int:
    """The whole rule: the turn passes clockwise."""
    return version % SEATS
