"""Several plugins make one book of rules."""

from collections.abc import Mapping

import pytest
import structlog

from kozyr.errors import UnknownVariant, UnsupportedRules
from kozyr.plugins import InvalidSource, Plugin, PluginUnavailable, Rulebook
from kozyr.referee import LocalReferee, Offer, Referee
from tests.toy import TOY


class Shelf(Plugin):
    """A plugin that offers what it is told to, and is down when it is told so."""

    def __init__(self, name: str, *offers: Offer) -> None:
        self._name = name
        self._offers = {offer.variant: offer for offer in offers}
        self.down = False
        self.closed = 0

    @property
    def name(self) -> str:
        return self._name

    @property
    def remote(self) -> bool:
        return False

    @property
    def healthy(self) -> bool:
        return not self.down

    def offers(self) -> Mapping[str, Offer]:
        return self._offers

    def referee(self, variant_id: str, rules_version: int) -> Referee:
        return LocalReferee(TOY)

    def await_start(self) -> None:
        pass

    def close(self) -> None:
        self.closed += 1


def offer(variant: str, *versions: int, title: str = "") -> Offer:
    return Offer(variant, title, "", versions, {}, (4,))


def test_two_rules_versions_are_served_side_by_side() -> None:
    old = Shelf("old", offer("toy", 1, 2, title="Old"))
    new = Shelf("new", offer("toy", 3, title="New"), offer("chess", 1))
    book = Rulebook([old, new])
    assert book.offers() == {
        "toy": offer("toy", 1, 2, 3, title="New"),
        "chess": offer("chess", 1),
    }
    assert [book.plugin("toy", version).name for version in (1, 2, 3)] == ["old", "old", "new"]
    assert book.referee("toy", 3).variant_id == "toy"


def test_rules_that_nobody_serves_are_refused_with_those_that_are_served() -> None:
    book = Rulebook([Shelf("old", offer("toy", 1)), Shelf("new", offer("toy", 3))])
    with pytest.raises(UnsupportedRules) as unsupported:
        book.referee("toy", 2)
    assert (unsupported.value.wanted, unsupported.value.served) == (2, (1, 3))
    with pytest.raises(UnknownVariant) as unknown:
        book.referee("chess", 1)
    assert unknown.value.known == ("toy",)


def test_of_two_plugins_with_the_same_rules_the_first_is_preferred_and_that_is_logged() -> None:
    with structlog.testing.capture_logs() as logs:
        book = Rulebook([Shelf("first", offer("toy", 1)), Shelf("second", offer("toy", 1))])
    assert book.plugin("toy", 1).name == "first"
    [warning] = logs
    assert warning["event"] == "rules_served_twice"
    assert (warning["preferred"], warning["other"]) == ("first", "second")


def test_a_plugin_that_is_down_offers_nothing_and_another_steps_in() -> None:
    first, second = Shelf("first", offer("toy", 1, 2)), Shelf("second", offer("toy", 1))
    book = Rulebook([first, second])
    first.down = True
    assert book.offers() == {"toy": offer("toy", 1)}
    assert book.plugin("toy", 1).name == "second"
    with pytest.raises(PluginUnavailable, match="first does not answer now"):
        book.plugin("toy", 2)
    first.down = False
    assert book.plugin("toy", 1).name == "first"


def test_closing_a_book_closes_its_plugins() -> None:
    shelves = [Shelf("first"), Shelf("second")]
    with Rulebook(shelves):
        assert [shelf.closed for shelf in shelves] == [0, 0]
    assert [shelf.closed for shelf in shelves] == [1, 1]


def test_a_book_of_installed_variants_is_opened_by_their_names() -> None:
    with Rulebook.open(["odessa", "maverick"]) as book:
        assert set(book.offers()) == {"odessa", "maverick"}
        assert not book.referee("odessa", 1).remote


@pytest.mark.parametrize(("source", "error"), [("chess", UnknownVariant), ("?", InvalidSource)])
def test_a_source_that_will_never_serve_is_refused_at_once(
    source: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        Rulebook.open(["odessa", source])
