"""What a plugin and its host say to each other, there and back."""

from typing import Any

import pytest

from kozyr import wire
from kozyr.errors import InvalidMessage
from kozyr.match import Match
from kozyr.plugins import load_variant, variant_names
from kozyr.referee import Configuration, LocalReferee, Offer
from kozyr.v1 import rules_pb2 as pb
from kozyr.variant import Variant
from tests.toy import TOY, play_out

VARIANTS = [TOY, *map(load_variant, variant_names())]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_every_step_of_a_match_comes_back_as_it_went(variant: Variant[Any]) -> None:
    match = play_out(Match(variant, seats=4, seed=1))
    referee = LocalReferee(variant)
    position = referee.begin(match.header)
    for entry in match.entries:
        position = referee.act(position, entry)
        data = wire.encode_step(position.step).SerializeToString()
        step = wire.decode_step(wire.parse(pb.Step, data))
        assert step == position.step


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_an_offer_comes_back_as_it_went(variant: Variant[Any]) -> None:
    offer = LocalReferee(variant).describe()
    assert wire.decode_offer(wire.encode_offer(offer)) == offer


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_a_configuration_comes_back_as_it_went(variant: Variant[Any]) -> None:
    there = LocalReferee(variant).configure({}, 4)
    back = wire.decode_configuration(wire.encode_configuration(there))
    assert fields(back) == fields(there)


def fields(configuration: Configuration) -> tuple[Any, ...]:
    return (
        configuration.options,
        configuration.seat_counts,
        configuration.teams,
        list(configuration.actions),
    )


def offer(**changes: Any) -> pb.VariantInfo:
    return pb.VariantInfo(
        **{"variant": "toy", "rules_versions": [1], "seat_counts": [4], **changes}
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"variant": ""},
        {"rules_versions": []},
        {"rules_versions": [0]},
        {"rules_versions": [2, 1]},
        {"seat_counts": []},
        {"seat_counts": [4, 4]},
        {"seat_counts": [17]},
    ],
)
def test_an_offer_of_nothing_is_refused(changes: dict[str, Any]) -> None:
    assert isinstance(wire.decode_offer(offer()), Offer)
    with pytest.raises(InvalidMessage):
        wire.decode_offer(offer(**changes))


def test_a_schema_that_is_no_json_is_refused() -> None:
    message = offer()
    message.options_schema.update({"maximum": float("inf")})
    with pytest.raises(InvalidMessage, match="no JSON"):
        wire.decode_offer(message)


def test_a_configuration_without_actions_is_refused() -> None:
    with pytest.raises(InvalidMessage, match="table of actions"):
        wire.decode_configuration(pb.ConfigureResponse(seat_counts=[4]))


@pytest.mark.parametrize("ordinals", [[1], [0, 2], [0, 1, 0], [5]])
def test_ordinals_that_do_not_count_from_0_are_refused(ordinals: list[int]) -> None:
    step = pb.Step()
    for ordinal in ordinals:
        step.events.add(ordinal=ordinal).payload.trick_taken.seat = 0
    with pytest.raises(InvalidMessage, match="without a gap"):
        wire.decode_step(step)


def test_two_decisions_of_one_seat_are_refused() -> None:
    step = pb.Step()
    for _ in range(2):
        step.decisions.add(seat=1, legal_actions=[0])
    with pytest.raises(InvalidMessage, match="one decision at a time"):
        wire.decode_step(step)
