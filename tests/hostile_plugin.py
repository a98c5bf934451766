"""A program that serves the toy game as a plugin, and does one thing against the contract.

Run by path, with the fault to commit: ``python tests/hostile_plugin.py crash``. It commits it when
a player moves (``WHEN_MOVED``), or earlier. ``honest`` and ``newer_version`` commit none.
"""

import asyncio
import itertools
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # run by path, so that only the folder of the tests is there

from kozyr.errors import IllegalMove  # noqa: E402
from kozyr.events import EVERYBODY  # noqa: E402
from kozyr.game import CHANCE  # noqa: E402
from kozyr.plugins.greeting import DESCRIPTOR, LISTEN, Host  # noqa: E402
from kozyr.plugins.serving import Context, RulesServer, serving  # noqa: E402
from kozyr.referee import LocalReferee  # noqa: E402
from kozyr.v1 import rules_pb2 as pb  # noqa: E402
from kozyr.wire import error_status  # noqa: E402
from tests.toy import ToyVariant  # noqa: E402

HUGE_BYTES: Final = 100_000_000
FOR_EVER_S: Final = 3_600.0


def _next_ordinal(step: pb.Step) -> int:
    return step.events[-1].ordinal + 1 if step.events else 0


def ask_a_seat_that_is_not_there(step: pb.Step) -> None:
    step.decisions.add(seat=9, legal_actions=[1], default_action=1)


def list_an_action_that_is_not_there(step: pb.Step) -> None:
    step.decisions[0].legal_actions.append(99)


def ask_while_chance_is_awaited(step: pb.Step) -> None:
    step.deck.extend([1, 2, 3])


def ask_nobody(step: pb.Step) -> None:
    del step.decisions[:]


def default_to_what_is_not_legal(step: pb.Step) -> None:
    step.decisions[0].default_action = 77


def name_a_seat_that_is_not_there(step: pb.Step) -> None:
    event = step.events.add(ordinal=_next_ordinal(step))
    event.payload.trick_taken.seat = 9


def add_up_wrongly(step: pb.Step) -> None:
    event = step.events.add(ordinal=_next_ordinal(step))
    event.payload.deal_scored.scores.extend([1, 0, 0])
    event.payload.deal_scored.totals.extend([500, 0, 0])


def give_other_scores_than_told(step: pb.Step) -> None:
    step.scores[0] += 1


def show_a_hidden_card_to_all(step: pb.Step) -> None:
    event = step.events.add(ordinal=_next_ordinal(step), audience=EVERYBODY)
    event.payload.cards_dealt.seat = 0
    event.payload.cards_dealt.count = 1
    event.payload.cards_dealt.cards.cards.append(13)


def name_a_hidden_card_in_an_event_of_its_own(step: pb.Step) -> None:
    event = step.events.add(ordinal=_next_ordinal(step))
    event.payload.custom.name = "leak"
    event.payload.custom.cards.append(13)


def play_a_card_that_is_not_held(step: pb.Step) -> None:
    for card in (1, 2, 3):  # there are none so low in the toy's pack
        event = step.events.add(ordinal=_next_ordinal(step))
        event.payload.card_played.card = card


def tell_one_viewer_twice(step: pb.Step) -> None:
    ordinal = _next_ordinal(step)
    for _ in range(2):
        step.events.add(ordinal=ordinal, audience=1).payload.trick_taken.seat = 0


def send_a_card_that_is_none(step: pb.Step) -> None:
    event = step.events.add(ordinal=_next_ordinal(step))
    event.payload.card_shown.card = 99


def tell_too_much(step: pb.Step) -> None:
    step.events.add(ordinal=_next_ordinal(step)).payload.custom.name = "x" * 100_000


def end_without_saying_so(step: pb.Step) -> None:
    del step.decisions[:]
    step.outcome.scores.extend([0, 0, 0])
    step.outcome.places.extend([1, 1, 1])
    for _ in range(3):
        step.outcome.notes.add()


STEP_FAULTS: Final[dict[str, Callable[[pb.Step], None]]] = {
    fault.__name__: fault
    for fault in (
        ask_a_seat_that_is_not_there,
        list_an_action_that_is_not_there,
        ask_while_chance_is_awaited,
        ask_nobody,
        default_to_what_is_not_legal,
        name_a_seat_that_is_not_there,
        add_up_wrongly,
        give_other_scores_than_told,
        show_a_hidden_card_to_all,
        name_a_hidden_card_in_an_event_of_its_own,
        play_a_card_that_is_not_held,
        tell_one_viewer_twice,
        send_a_card_that_is_none,
        tell_too_much,
        end_without_saying_so,
    )
}
"""What can be done to the step of a player's move."""


class NewerToy(ToyVariant):
    @property
    def rules_version(self) -> int:
        return super().rules_version + 1


class HostileRules(RulesServer):
    def __init__(self, fault: str) -> None:
        toy = NewerToy() if fault == "newer_version" else ToyVariant()
        super().__init__([LocalReferee(toy)])
        self._fault = fault

    async def Describe(  # noqa: N802 (the name of the call)
        self, request: pb.DescribeRequest, context: Context
    ) -> pb.DescribeResponse:
        if self._fault == "die_of_nonsense" and 1 not in request.protocol_versions:
            os._exit(3)
        answer = await super().Describe(request, context)
        if self._fault == "speak_another_protocol":
            answer.protocol_version = 7
        if self._fault == "offer_rules_that_are_not_served":
            answer.variants[0].rules_versions.append(99)
        if self._fault == "offer_nothing":
            del answer.variants[:]
        return answer

    async def Act(  # noqa: N802 (the name of the call)
        self, request: pb.ActRequest, context: Context
    ) -> pb.ActResponse:
        if self._fault == "forget":
            return pb.ActResponse(need_log=True)
        moved = any(entry.actor != CHANCE for entry in request.entries)
        if moved:
            await self._misbehave(context)
        answer = await super().Act(request, context)
        if moved and self._fault in STEP_FAULTS:
            STEP_FAULTS[self._fault](answer.steps[0])
        if moved and self._fault == "answer_huge":
            answer.steps[0].events.add().payload.custom.name = "x" * HUGE_BYTES
        if moved and self._fault == "give_no_step":
            del answer.steps[:]
        return answer

    async def Check(  # noqa: N802 (the name of the call)
        self, request: pb.CheckRequest, context: Context
    ) -> pb.CheckResponse:
        answer = await super().Check(request, context)
        return pb.CheckResponse() if self._fault == "call_all_legal" else answer

    async def _misbehave(self, context: Context) -> None:
        match self._fault:
            case "crash":
                os._exit(3)
            case "hang":
                await asyncio.sleep(FOR_EVER_S)
            case "freeze":
                time.sleep(FOR_EVER_S)
            case "refuse_what_is_legal":
                refusal = IllegalMove("not today", clause="T9")
                await context.abort_with_status(error_status(refusal))
            case "fail":
                raise RuntimeError("a bug of the plugin")


def make_noise() -> None:
    line = b"noise " * 20_000 + b"\n" + b"\x1b[2Jmore\n" * 1_000
    for descriptor in itertools.cycle((1, 2)):
        os.write(descriptor, line)


def greet_with(line: bytes) -> None:
    os.write(int(os.environ[DESCRIPTOR]), line)
    time.sleep(FOR_EVER_S)


async def main(fault: str) -> None:
    host = Host.of_this_process()
    assert host is not None, "it is started by a host only"
    async with serving(HostileRules(fault), listen=os.environ[LISTEN]) as address:
        host.greet(address)
        await asyncio.Event().wait()


def greeting(**changes: Any) -> bytes:
    return json.dumps({"protocol_version": 1, "address": "unix:/x", **changes}).encode() + b"\n"


if __name__ == "__main__":
    match sys.argv[1]:
        case "never_start":
            time.sleep(FOR_EVER_S)
        case "end_at_once":
            sys.exit("I do not want to")
        case "greet_with_garbage":
            greet_with(b"\xff\x00 hello\n")
        case "greet_for_ever":
            greet_with(b"x" * 60_000)
        case "greet_with_another_protocol":
            greet_with(greeting(protocol_version=7))
        case "greet_from_elsewhere":
            greet_with(greeting(address="192.0.2.1:80"))
        case "greet_and_not_serve":
            greet_with(greeting(address="unix:/nowhere/rules.sock"))
        case "make_noise":
            threading.Thread(target=make_noise, daemon=True).start()
        case "ignore_sigterm":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        case "leave_a_child" if not os.fork():
            time.sleep(FOR_EVER_S)
    asyncio.run(main(sys.argv[1]))
