"""The room of a table as a value: who may sit down, be ready, leave and think."""

from dataclasses import replace

import pytest

from kozyr.tokens import Identity
from kozyr_table.clock import ClockKind, ClockRule
from kozyr_table.errors import InvalidRequest, NotSeated, SeatTaken, TableFull, WrongStatus
from kozyr_table.room import (
    Change,
    Controller,
    Room,
    SeatRow,
    Status,
    TableInfo,
    assign_bots,
    join,
    leave,
    release_bots,
    set_ready,
    start,
    wants_worker,
)

ANN = Identity("ann", name="Ann")
BOB = Identity("bob")
EMPTY = Room(Status.GATHERING, 1, (SeatRow(), SeatRow(), SeatRow()))
BOT = SeatRow(Controller.BOT, name="random 0", brain="random", ready=True, epoch=1)
GREEDY = replace(BOT, brain="greedy:fast")


def sit(who: Identity, seat: int | None = None, *, name: str = "", nonce: bytes = b"") -> Change:
    return join(who, seat=seat, name=name, nonce=nonce)


def after(room: Room, *changes: Change) -> Room:
    """The room after changes, each of which is one version."""
    for change in changes:
        changed = change(room)
        assert changed.version == room.version + 1
        room = changed
    return room


def bots(worker: str, *, dead: frozenset[str] = frozenset(), seats_max: int = 9) -> Change:
    return assign_bots(worker, dead=dead, can=lambda brain: brain == "random", seats_max=seats_max)


def test_first_free_seat_is_taken_when_none_is_named() -> None:
    room = after(EMPTY, sit(ANN, 0), sit(BOB))
    assert [row.account for row in room.seats] == ["ann", "bob", ""]
    assert room.free_seats == [2]


def test_who_sits_down_is_called_as_asked_else_as_the_token_says_else_by_account() -> None:
    for who, name, called in ((ANN, "Anna", "Anna"), (ANN, "", "Ann"), (BOB, "", "bob")):
        assert after(EMPTY, sit(who, name=name)).seats[0].name == called


def test_who_sits_down_is_not_ready_and_has_added_the_nonce() -> None:
    row = after(EMPTY, sit(ANN, 2, nonce=b"\x01\xff")).seats[2]
    assert not row.ready
    assert row.nonce == "01ff"


def test_every_new_controller_of_a_seat_has_a_higher_epoch() -> None:
    room, epochs = EMPTY, [EMPTY.seats[0].epoch]
    for change in (sit(ANN, 0), leave(ANN), sit(BOB, 0)):
        room = after(room, change)
        epochs.append(room.seats[0].epoch)
    assert epochs == sorted(set(epochs))


def test_being_ready_does_not_change_the_epoch() -> None:
    room = after(EMPTY, sit(ANN, 0))
    ready = after(room, set_ready(ANN, ready=True))
    assert ready.seats[0] == replace(room.seats[0], ready=True)
    assert after(ready, set_ready(ANN, ready=False)).seats == room.seats


REFUSALS: dict[str, tuple[Room, Change, type[Exception]]] = {
    "seat that is taken": (after(EMPTY, sit(ANN, 1)), sit(BOB, 1), SeatTaken),
    "bot's seat": (replace(EMPTY, seats=(BOT, SeatRow())), sit(ANN, 0), SeatTaken),
    "second seat": (after(EMPTY, sit(ANN, 1)), sit(ANN, 0), SeatTaken),
    "second seat, any": (after(EMPTY, sit(ANN, 1)), sit(ANN), SeatTaken),
    "seat that is not there": (EMPTY, sit(ANN, 3), InvalidRequest),
    "no free seat": (replace(EMPTY, seats=(BOT, BOT)), sit(ANN), TableFull),
    "ready nowhere": (EMPTY, set_ready(ANN, ready=True), NotSeated),
    "leaving nowhere": (EMPTY, leave(ANN), NotSeated),
}


@pytest.mark.parametrize(("room", "change", "kind"), REFUSALS.values(), ids=list(REFUSALS))
def test_room_refuses(room: Room, change: Change, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        change(room)


@pytest.mark.parametrize("status", [Status.PLAYING, Status.FINISHED, Status.SUSPENDED])
def test_seats_change_only_while_the_table_gathers(status: Status) -> None:
    room = replace(after(EMPTY, sit(ANN, 0)), status=status)
    for change in (sit(BOB), set_ready(ANN, ready=True), leave(ANN)):
        with pytest.raises(WrongStatus, match=status):
            change(room)


def test_match_can_start_when_every_seat_is_taken_and_ready() -> None:
    room = replace(EMPTY, seats=(BOT, SeatRow(), SeatRow()))
    for change in (sit(ANN), sit(BOB), set_ready(ANN, ready=True)):
        room = after(room, change)
        assert not room.can_start
    room = after(room, set_ready(BOB, ready=True))
    assert room.can_start
    begun = start(room)
    assert (begun.status, begun.version) == (Status.PLAYING, room.version)
    assert not begun.can_start


def test_account_plays_its_own_seat_and_no_other() -> None:
    room = after(EMPTY, sit(ANN, 0), sit(BOB, 1))
    assert [row.played_by(ANN) for row in room.seats] == [True, False, False]
    assert not any(row.played_by(Identity("")) for row in room.seats)


def test_worker_plays_the_bots_it_was_given_and_no_other_account_does() -> None:
    room = after(replace(EMPTY, seats=(BOT, GREEDY)), bots("main/ann/w1"))
    assert [row.worker for row in room.seats] == ["main/ann/w1", ""]
    assert [row.played_by(ANN) for row in room.seats] == [True, False]
    assert not room.seats[0].played_by(BOB)
    assert not room.seats[0].played_by(Identity("ann", "other"))


def test_bot_goes_to_a_worker_that_can_think_for_it_under_a_new_epoch() -> None:
    room = after(replace(EMPTY, seats=(BOT, GREEDY, BOT)), bots("main/w/1"))
    assert [row.epoch for row in room.seats] == [2, 1, 2]
    assert [wants_worker(row) for row in room.seats] == [False, True, False]


def test_worker_gets_no_more_bots_than_it_takes() -> None:
    room = after(replace(EMPTY, seats=(BOT, BOT, BOT)), bots("main/w/1", seats_max=2))
    assert [row.worker for row in room.seats] == ["main/w/1", "main/w/1", ""]


def test_bot_that_a_living_worker_serves_is_not_given_away_a_dead_ones_is() -> None:
    room = after(replace(EMPTY, seats=(BOT,)), bots("main/w/1"))
    assert after(room, bots("main/w/2")).seats == room.seats
    taken = after(room, bots("main/w/2", dead=frozenset({"main/w/1"})))
    assert (taken.seats[0].worker, taken.seats[0].epoch) == ("main/w/2", 3)


def test_released_bots_want_a_worker_again_and_their_old_one_is_shut_out() -> None:
    room = after(replace(EMPTY, seats=(BOT, BOT)), bots("main/w/1", seats_max=1), bots("main/w/2"))
    released = after(room, release_bots("main/w/1"))
    assert [row.worker for row in released.seats] == ["", "main/w/2"]
    assert released.seats[0].epoch > room.seats[0].epoch
    assert released.seats[1] == room.seats[1]


def test_accounts_want_no_worker() -> None:
    assert not any(wants_worker(row) for row in after(EMPTY, sit(ANN)).seats)


def test_room_is_parsed_as_it_is_written() -> None:
    room = after(
        replace(EMPTY, seats=(BOT, SeatRow(), GREEDY)), sit(ANN, name="Анна «♠»", nonce=b"\0")
    )
    assert Room.parse(str(room.status), str(room.version), room.seats_text) == room


def test_table_info_is_parsed_as_it_is_written() -> None:
    info = TableInfo(
        match_id="0abc",
        variant="odessa",
        rules_version=3,
        options={"deck": 36, "joker": True, "word": "é"},
        clock=ClockRule(ClockKind.DELAY, bank_ms=60_000, extra_ms=5_000),
        title="„Freitag“",
        host="ann",
        commitment="ff" * 32,
        listed=False,
    )
    assert TableInfo.parse(info.text) == info
