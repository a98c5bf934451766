from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

import pytest

import kozyr
from kozyr.errors import (
    IllegalMove,
    InvalidDeck,
    InvalidOptions,
    InvalidSeatCount,
    MatchOver,
    NotYourTurn,
    StaleDecision,
    UnknownVariant,
    UnsupportedRules,
)
from kozyr.events import WATCHER, CardChosen, CardPlayed, CardsDealt, Event, Seat, TrickTaken
from kozyr.log import Cause, Entry
from kozyr.match import Match
from kozyr.observation import Observation
from kozyr.shuffle import Shuffler, commitment_of
from tests.toy import REFEREE, SIT_OUT, TOY, play_out, toy_match

FOUR = [Seat(seat) for seat in range(4)]


def reopened(match: Match, *, version: int | None = None) -> Match:
    """The match of the same header and the first entries of its log."""
    log = [replace(entry) for entry in match.entries[:version]]
    return Match.open(match.header, referee=REFEREE, log=log)


def positions(*, seed: int = 1) -> Iterator[Match]:
    """A match as it goes on; a step at a time, the same object."""
    match = toy_match(seed=seed)
    while not match.over:
        yield match
        seat, decision = next(iter(match.pending.items()))
        match.play(seat, decision.legal[-1])
    yield match


def test_the_public_names_of_the_library_are_all_there() -> None:
    assert all(hasattr(kozyr, name) for name in kozyr.__all__)


def test_a_match_begins_dealt_with_a_decision_for_all_who_must_choose() -> None:
    match = toy_match()
    assert match.version == match.shuffles == 1
    assert sorted(match.pending) == FOUR
    assert {decision.id for decision in match.pending.values()} == {1}


def test_preparing_changes_nothing() -> None:
    for match in positions():
        if match.over:
            break
        seat, decision = next(iter(match.pending.items()))
        before = (match.version, match.digest, dict(match.pending), list(match.history))
        seen = list(match.observe(seat).heard)
        first = match.prepare(seat, decision.legal[0])
        assert match.prepare(seat, decision.legal[0]).entries == first.entries
        assert before == (match.version, match.digest, match.pending, match.history)
        assert seen == match.observe(seat).heard


def test_committing_takes_over_exactly_what_was_prepared() -> None:
    match = toy_match(hand=1)
    for seat in FOUR[:3]:
        match.play(seat, 1)
    advance = match.prepare(FOUR[3], 1, request_id="r1")
    events = match.commit(advance, at_ms=77)
    assert match.entries[-2:] == list(advance.entries)
    assert match.pending == advance.pending
    assert match.digest == advance.entries[-1].digest
    assert events == [event for each in advance.positions for event in each.step.events]
    assert match.history[-len(events) :] == events


def test_a_move_brings_the_shuffle_that_follows_it() -> None:
    match = toy_match(hand=1)
    for seat in FOUR[:3]:
        match.play(seat, 1)
    move, shuffle = match.prepare(FOUR[3], 1, cause=Cause.BOT, request_id="r1").entries
    assert (move.cause, move.request_id, move.deck) == (Cause.BOT, "r1", ())
    assert (shuffle.cause, shuffle.request_id) == (Cause.CHANCE, "")
    assert sorted(shuffle.deck) == sorted(match.entries[0].deck)


def test_an_advance_that_was_overtaken_cannot_be_committed() -> None:
    match = toy_match()
    late = match.prepare(FOUR[0], 1)
    match.play(FOUR[1], 1)
    with pytest.raises(AssertionError, match="moved on"):
        match.commit(late, at_ms=1)
    assert match.version == 2


def test_a_decision_keeps_its_name_while_others_decide() -> None:
    match = toy_match()
    last = match.pending[FOUR[3]]
    for seat in FOUR[:3]:
        match.play(seat, 1)
        assert seat not in match.pending
        assert match.pending[FOUR[3]] == last


def test_the_next_decision_of_a_seat_has_a_new_name() -> None:
    match = toy_match()
    for seat in FOUR:
        match.play(seat, 1)
    assert {decision.id for decision in match.pending.values()} == {match.version} == {5}


def test_an_answer_to_an_older_decision_is_refused() -> None:
    match = toy_match()
    for seat in FOUR:
        match.play(seat, 1)
    with pytest.raises(StaleDecision) as refused:
        match.prepare(FOUR[2], 1, decision_id=1)
    assert (refused.value.answered, refused.value.pending) == (1, 5)
    assert match.prepare(FOUR[2], 1, decision_id=5).entries[0].action == 1


def test_a_seat_that_has_chosen_must_wait_for_the_others() -> None:
    match = toy_match()
    match.play(1, 1)
    with pytest.raises(NotYourTurn) as refused:
        match.play(1, 1)
    assert refused.value.waiting == (0, 2, 3)


@pytest.mark.parametrize("seat", [4, WATCHER, 17, -1])
def test_nobody_who_sits_nowhere_can_move(seat: int) -> None:
    with pytest.raises(NotYourTurn):
        toy_match().play(seat, 1)


def test_an_illegal_move_names_the_clause_and_what_is_legal() -> None:
    """T1."""
    match = toy_match()
    for seat in FOUR:
        match.play(seat, 2)
    before = match.digest
    with pytest.raises(IllegalMove) as refused:
        match.play(0, SIT_OUT)
    assert (refused.value.clause, refused.value.legal) == ("T1", (1,))
    assert match.digest == before


def test_nothing_can_be_played_when_the_match_is_over() -> None:
    match = play_out(toy_match())
    assert match.pending == {}
    with pytest.raises(MatchOver):
        match.play(0, 1)
    with pytest.raises(MatchOver):
        match.append(replace(match.entries[-1], version=match.version + 1, digest=b""))


def test_a_replay_of_the_log_is_the_live_position_at_every_step() -> None:
    for match in positions():
        again = reopened(match)
        assert again.digest == match.digest
        assert again.history == match.history
        assert again.marks == match.marks
        assert again.pending == match.pending
        assert again.step == match.step
        assert again.entries == match.entries
        assert (again.scores, again.outcome) == (match.scores, match.outcome)


def test_an_earlier_position_is_the_beginning_of_the_log() -> None:
    match = play_out(toy_match())
    for version in range(match.version + 1):
        earlier = reopened(match, version=version)
        assert earlier.version == version
        assert earlier.history == match.history[: match.marks[version]]
        assert earlier.over == (version == match.version)


def test_an_observation_is_the_fold_of_what_its_viewer_sees() -> None:
    viewers = [*FOUR, WATCHER]
    for match in positions():
        for viewer in viewers:
            fresh = Observation.empty(viewer, 4)
            for event in match.history:
                payload = event.seen_by(viewer)
                if payload is not None:
                    fresh.hear(payload)
            assert match.observe(viewer) == fresh


def test_a_choice_is_known_to_nobody_else_until_all_have_chosen() -> None:
    match = toy_match()
    for seat in FOUR[:3]:
        [event] = match.play(seat, 1)
        own = event.seen_by(seat)
        assert isinstance(own, CardChosen)
        assert own.card is not None
        for other in {*FOUR, WATCHER} - {seat}:
            assert event.seen_by(other) == CardChosen(seat)
    seen = [event.seen_by(WATCHER) for event in match.play(FOUR[3], 1)]
    assert sum(isinstance(payload, CardPlayed) for payload in seen) == 4


def test_the_order_of_simultaneous_decisions_changes_nothing_that_follows() -> None:
    def revealed(order: tuple[Seat, ...]) -> list[Event]:
        match = toy_match(seed=5)
        for seat in order[:3]:
            match.play(seat, 1 + seat % 2)
        return match.play(order[3], 1 + order[3] % 2)[1:]

    first, *others = (revealed(order) for order in permutations(FOUR))
    assert any(isinstance(event.seen_by(WATCHER), TrickTaken) for event in first)
    assert all(other == first for other in others)


def test_the_same_seed_gives_the_same_match() -> None:
    one, two, other = (toy_match(seed=seed) for seed in (3, 3, 4))
    assert one.header == two.header
    assert one.entries[0].deck == two.entries[0].deck
    assert other.header.match_id != one.header.match_id
    assert other.entries[0].deck != one.entries[0].deck


def test_without_a_seed_every_match_is_another() -> None:
    one, two = Match(TOY), Match(TOY)
    assert one.header.match_id != two.header.match_id
    assert one.entries[0].deck != two.entries[0].deck


def test_the_header_commits_to_the_seed_and_all_decks_come_from_it() -> None:
    seed = bytes(range(32))
    nonces = [b"a", b"", b"b", b"c"]
    match = play_out(Match(TOY, seed=seed, nonces=nonces))
    assert match.seed == seed
    assert match.header.commitment == commitment_of(seed)
    shuffler = Shuffler(seed, match.header.match_id, nonces)
    decks = [entry.deck for entry in match.entries if entry.deck]
    pack = sorted(decks[0])
    assert decks == [shuffler.deck(index, pack) for index in range(len(decks))]


def test_a_nonce_changes_the_cards_but_not_the_commitment() -> None:
    seed = bytes(32)
    plain = Match(TOY, seed=seed)
    salted = Match(TOY, seed=seed, nonces=[b"", b"", b"", b"salt"])
    assert plain.header.commitment == salted.header.commitment
    assert plain.entries[0].deck != salted.entries[0].deck


def test_all_options_stand_in_the_header_not_only_those_given() -> None:
    assert toy_match(deals=3).header.options == {"deals": 3, "hand": 2}


def test_a_match_that_cannot_be_is_refused() -> None:
    with pytest.raises(UnknownVariant, match=r"'toy' is installed; there are .*odessa"):
        Match("toy")
    with pytest.raises(InvalidOptions, match="'hand'"):
        Match(TOY, options={"hand": 6})
    with pytest.raises(InvalidSeatCount, match="allowed: 2, 3, 4, 5, 6"):
        Match(TOY, seats=7)


def test_a_match_of_other_rules_is_not_opened() -> None:
    header = replace(toy_match().header, rules_version=2)
    with pytest.raises(UnsupportedRules) as refused:
        Match.open(header, referee=REFEREE)
    assert (refused.value.wanted, refused.value.served) == (2, (3,))


def wrong_entries() -> list[tuple[Entry, type[Exception]]]:
    match = toy_match()
    match.play(0, 1)
    entry = match.entries[-1]
    shuffle = match.entries[0]
    return [
        (replace(entry, version=3, digest=b""), InvalidDeck),
        (replace(entry, digest=bytes(32)), InvalidDeck),
        (replace(entry, action=5, digest=b""), IllegalMove),
        (replace(entry, actor=Seat(9), digest=b""), NotYourTurn),
        (replace(shuffle, version=2, digest=b""), NotYourTurn),
    ]


@pytest.mark.parametrize(("entry", "error"), wrong_entries())
def test_an_entry_that_does_not_follow_is_refused_and_changes_nothing(
    entry: Entry, error: type[Exception]
) -> None:
    match = toy_match()
    before = (match.digest, match.version, len(match.history), match.pending)
    with pytest.raises(error):
        match.append(entry)
    assert before == (match.digest, match.version, len(match.history), match.pending)


@pytest.mark.parametrize("cards", [0, 35, 37])
def test_a_deck_that_is_no_permutation_of_the_pack_is_refused(cards: int) -> None:
    shuffle = toy_match().entries[0]
    deck = (shuffle.deck * 2)[:cards]
    match = Match.open(toy_match().header, referee=REFEREE)
    with pytest.raises(InvalidDeck, match="is not a permutation"):
        match.append(replace(shuffle, deck=deck, digest=b""))


def test_hands_are_known_to_their_owners_only() -> None:
    match = toy_match()
    for event in match.history:
        payload = event.seen_by(WATCHER)
        assert not isinstance(payload, CardsDealt) or payload.cards is None
    for seat in FOUR:
        assert match.observe(seat).hand.bit_count() == 2
    assert match.observe(WATCHER).hand == 0
