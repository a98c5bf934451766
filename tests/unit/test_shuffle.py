"""The shuffle against its own description: another program, published vectors, and chance."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kozyr.cards import Card, cards_text, pack
from kozyr.shuffle import NONCE_BYTES_MAX, SEED_BYTES, Shuffler, commitment_of, new_seed
from tests.oracle_record import shuffle_key, shuffled

DOCS = Path(__file__).parents[2] / "docs/records.md"
PACK = pack(lowest_rank=6)
SEED = bytes(range(SEED_BYTES))
NO_NONCES = (b"",) * 4

SEEDS = st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)
NONCES = st.lists(st.binary(max_size=NONCE_BYTES_MAX), min_size=2, max_size=6)


@given(SEEDS, st.text(max_size=20), NONCES, st.integers(0, 2**32 - 1))
def test_another_program_written_from_the_description_draws_the_same_deck(
    seed: bytes, match_id: str, nonces: list[bytes], index: int
) -> None:
    deck = Shuffler(seed, match_id, nonces).deck(index, PACK)
    header = {"match_id": match_id, "nonces": [nonce.hex() for nonce in nonces]}
    assert list(deck) == shuffled(shuffle_key(header, seed), index, bytes(PACK))


@pytest.mark.parametrize(
    ("match_id", "nonces", "index", "deck"),
    [
        (
            "m1",
            NO_NONCES,
            0,
            (
                "JC 7H 8D QS AD 8C TC JD 7D 7C TD 9S 6C 9H JS TH 9D 7S "
                "QH 6S 8S 9C AC KC AS 8H 6H KD KH TS AH JH QC QD KS 6D"
            ),
        ),
        (
            "m1",
            NO_NONCES,
            1,
            (
                "QC 6C 7H 7S KH 9C KC 9D QS QH KS QD TH AS AH AD JC AC "
                "8S KD TD 8C TS JH 6D 9H JS 6S 7C JD 9S 6H TC 8D 8H 7D"
            ),
        ),
        (
            "козырь",
            (b"\x00", b"two", b"", b"\xff" * 32),
            0,
            (
                "9C JD TC TH KS 6D 8D 6C AS 9S JS 7H QS TD KH KD 8S AC "
                "TS 6H 7C KC QC AD JH QH 8C AH 9D 7D 7S 6S QD JC 8H 9H"
            ),
        ),
    ],
)
def test_the_published_seed_gives_the_published_decks(
    match_id: str, nonces: tuple[bytes, ...], index: int, deck: str
) -> None:
    """The seed is the bytes 0 to 31."""
    assert cards_text(Shuffler(SEED, match_id, nonces).deck(index, PACK)) == deck
    assert f"    k = {index}  {deck}\n" in DOCS.read_text("utf-8")


def test_the_commitment_is_the_sha256_of_the_seed() -> None:
    assert commitment_of(SEED).hex() == (
        "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    )


def test_seeds_are_fresh_and_of_the_right_size() -> None:
    assert len(new_seed()) == SEED_BYTES
    assert new_seed() != new_seed()


@given(SEEDS, st.integers(0, 100))
def test_a_deck_holds_the_cards_it_was_made_of(seed: bytes, index: int) -> None:
    assert sorted(Shuffler(seed, "m1", NO_NONCES).deck(index, PACK)) == sorted(PACK)


@given(SEEDS, st.integers(0, 3), st.binary(min_size=1, max_size=NONCE_BYTES_MAX))
def test_the_nonce_of_any_seat_changes_the_decks(seed: bytes, seat: int, nonce: bytes) -> None:
    nonces = [*NO_NONCES]
    nonces[seat] = nonce
    with_nonce = Shuffler(seed, "m1", nonces).deck(0, PACK)
    assert with_nonce != Shuffler(seed, "m1", NO_NONCES).deck(0, PACK)


def test_nonces_cannot_be_shifted_from_seat_to_seat() -> None:
    decks = {
        Shuffler(SEED, "m1", nonces).deck(0, PACK)
        for nonces in ([b"ab", b"c"], [b"a", b"bc"], [b"", b"abc"], [b"abc"], [b"abc", b""])
    }
    assert len(decks) == 5


def test_every_match_and_every_deck_of_it_is_shuffled_anew() -> None:
    decks = {
        Shuffler(SEED, match_id, NO_NONCES).deck(index, PACK)
        for match_id in ("m1", "m2")
        for index in range(50)
    }
    assert len(decks) == 100


def test_no_cards_and_one_card_need_no_numbers() -> None:
    shuffler = Shuffler(SEED, "m1", NO_NONCES)
    assert shuffler.deck(0, ()) == ()
    assert shuffler.deck(0, PACK[:1]) == PACK[:1]


def test_a_number_that_would_favour_some_cards_is_skipped() -> None:
    class Scripted(Shuffler):
        def _numbers(self, index: int) -> Iterator[int]:
            return iter([2**32 - 1, 1, 1])  # 2^32 - 1 = 2^32 - (2^32 mod 3), for three choices

    a, b, c = PACK[:3]
    assert Scripted(SEED, "m1", NO_NONCES).deck(0, (a, b, c)) == (a, c, b)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_seed_of_another_size_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"has {size}"):
        Shuffler(bytes(size), "m1", NO_NONCES)


def test_a_nonce_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 32"):
        Shuffler(SEED, "m1", [bytes(NONCE_BYTES_MAX + 1)])


def test_all_orders_of_four_cards_come_equally_often() -> None:
    """Chi-square over 24 orders: 49.7 is passed by one seed in a thousand."""
    shuffler = Shuffler(SEED, "uniform", NO_NONCES)
    drawn = Counter(shuffler.deck(index, PACK[:4]) for index in range(4800))
    assert len(drawn) == 24
    assert chi_square(drawn, expected=200) < 49.7


def test_every_card_of_a_pack_comes_to_every_place_equally_often() -> None:
    """Chi-square over 36 cards: 66.6 is passed by one seed in a thousand."""
    shuffler = Shuffler(SEED, "uniform", NO_NONCES)
    decks = [shuffler.deck(index, PACK) for index in range(1800)]
    for place in (0, 17, 35):
        assert chi_square(Counter(deck[place] for deck in decks), expected=50) < 66.6


def chi_square(counts: Counter[Card] | Counter[tuple[Card, ...]], *, expected: int) -> float:
    return sum((count - expected) ** 2 for count in counts.values()) / expected
