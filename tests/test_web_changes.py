"""A seat's view comes whole or as changes with the same content."""

from __future__ import annotations

import gc
import json
import tracemalloc
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import islice
from typing import Any

import pytest

from benchmarks._page import KeptView
from storypool import play, systems
from storypool.engine.offers import Offer
from storypool.engine.table import Seat, Table, Trait
from storypool.live.tables import offered
from storypool.web.feeds import seat_view
from storypool.web.feeds.seat_view import SeatView, SentView
from storypool.web.interface.table_forms import BriefOffer
from tests.fixed_set import cases

GAMES = ("c2d10", "destinydice", "dune", "starwars")
SAME = {field.name for field in fields(Offer)} - {"asks"}
"""What an offer says, whole or in brief, in the same words."""


def tables(key: str, most: int) -> Iterator[Table]:
    """The table after each step of a game's longest play."""
    name, text = max(systems.plays(key).items(), key=lambda one: len(one[1]))
    performance = play.Performance(play.read(text, name))
    for _ in islice(performance.steps(), most):
        if performance.table.seats:
            yield performance.table


def view(key: str, table: Table, seat: Seat) -> SeatView:
    """A seat's brief view of a table."""
    system = systems.get(key)
    found = offered(system, table, seat.id, brief=True)
    return SeatView(found, seat, system, ["A note."], brief=True)


def views(most: int) -> list[SeatView]:
    """The first seat's view after each step of a play."""
    return [
        view("starwars", one, next(iter(one.seats.values()))) for one in tables("starwars", most)
    ]


def whole(one: SeatView) -> Any:
    """The message with the whole view, as data."""
    return json.loads(one.message.json)


def of_button(offer: dict[str, Any]) -> dict[str, Any]:
    """What a button shows of an offer, but for what is of its questions."""
    return {name: offer[name] for name in SAME}


def changes(sends: SentView, one: SeatView) -> Any:
    """The message with the changes, as data."""
    return json.loads(sends.message(one).json)


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_changes_give_the_whole(key: str) -> None:
    """Applied, they are equal in content and order, at less than half the size."""
    kept: dict[str, tuple[SentView, KeptView]] = {}
    all_bytes = bytes_of_changes = 0
    for table in tables(key, 40):
        for seat in table.seats.values():
            one = view(key, table, seat)
            sends, takes = kept.setdefault(seat.id, (SentView(), KeptView()))
            message = sends.message(one)
            put_together = takes.whole(json.loads(message.json))
            full = whole(one)
            offers, brief = full.pop("offers"), put_together.pop("offers")
            assert [*map(of_button, offers)] == [*map(of_button, brief)]
            assert full == put_together
            for name in ("traits", "checks", "characters", "proposals"):
                assert [*whole(one)["table"][name]] == [*put_together["table"][name]]
            all_bytes, bytes_of_changes = (
                all_bytes + len(one.message.json),
                bytes_of_changes + len(message.json),
            )
    assert bytes_of_changes < all_bytes / 2


def test_brief_offers_have_the_buttons_contents() -> None:
    """Closed offers have no questions, and further reasons only behind an overridable one.

    A first reason about time hides the others too.
    """
    system, closed = systems.get("starwars"), 0
    for table in tables("starwars", 12):
        for seat in table.seats:
            briefly = offered(system, table, seat, brief=True).offers
            for short, full in zip(briefly, offered(system, table, seat).offers, strict=True):
                first = full.all_closed[:1]
                alone = first and (not first[0].overridable or first[0].code == "when")
                reasons = first if alone else full.all_closed
                asks = () if full.closed else full.asks
                assert replace(full, asks=asks, all_closed=reasons) == short
                closed += full.closed is not None
    assert closed > 100


def feed_offers(key: str, most: int, asks: bool) -> Iterator[tuple[Offer, dict[str, Any], bool]]:
    """Each offer in a play: brief as computed, as sent, and whether the seat is asked for it."""
    for table in tables(key, most):
        for seat in table.seats.values():
            one = view(key, table, seat)
            answers = {key for wait in one.offered.waits if wait.yours for key in wait.moves}
            sent = changes(SentView(asks), one)["entries"].get("offers", {})
            for offer in one.offered.offers:
                assert sent[offer.key].keys() <= set(BriefOffer.__struct_fields__)
                yield offer, sent[offer.key], offer.key in answers


@pytest.mark.parametrize("key", cases(GAMES, ("starwars",), pytest.mark.slow))
def test_feed_has_only_the_docks_questions(key: str) -> None:
    """Answers to a seat's questions have theirs or are rows; others say if a tap is enough."""
    docked = left_out = 0
    for offer, sent, is_answer in feed_offers(key, 40, asks=False):
        if offer.closed:
            assert not {"asks", "asked", "rows"} & sent.keys()
            continue
        names = [ask.name for ask in offer.asks if ask.needed or ask.kind != "faces"]
        assert names == sent.get("asked", [])
        assert {ask.name: ask.default for ask in offer.asks if ask.default is not None} == {
            name: usual["value"] for name, usual in sent.get("usual", {}).items()
        }
        if is_answer:
            assert "asks" in sent or "rows" in sent
        if "asks" in sent:
            assert [ask.name for ask in offer.asks] == [ask["name"] for ask in sent["asks"]]
        docked += "asks" in sent
        left_out += bool(names) and "asks" not in sent
    assert docked > 10
    assert left_out > 10


def test_old_page_has_all_questions() -> None:
    """A page of an earlier version gets those of each open offer, without a dock."""
    for offer, sent, _ in feed_offers("starwars", 12, asks=True):
        if not offer.closed:
            assert [ask.name for ask in offer.asks] == [ask["name"] for ask in sent["asks"]]


def test_nothing_is_sent_twice() -> None:
    """A view equal to the last one brings nothing."""
    [*_, first, second] = views(12)
    sends = SentView()
    assert {"offers", "seats"} <= changes(sends, first)["entries"].keys()
    changed = changes(sends, second)
    assert 1 <= len(changed["fields"]) < len(first.table) / 2
    nothing: dict[str, object] = {"fields": {}, "entries": {}, "gone": {}}
    assert {"type": "changes", "seq": second.seq, "whole": False, **nothing} == changes(
        sends, second
    )


def test_entries_keep_their_order() -> None:
    """If an entry returns or is new between others, all are sent in order."""
    [*_, one] = views(2)
    traits = {id: Trait(id, "fact", f"It is {id}") for id in ("t1", "t2", "t3")}
    sends, takes = SentView(), KeptView()
    for left in (["t1", "t2", "t3"], ["t1", "t3"], ["t1", "t2", "t3"], ["t3", "t1"], []):
        one.table["traits"] = {id: traits[id] for id in left}
        found = takes.whole(changes(sends, one))
        assert left == [*found["table"]["traits"]]
        assert whole(one)["table"] == found["table"]


def test_waiting_page_keeps_few_bytes() -> None:
    """A page keeps the hash of an offer's JSON, and shares the rest with the table."""
    [*_, one] = views(12)
    ours = tracemalloc.Filter(inclusive=True, filename_pattern=seat_view.__file__, all_frames=True)
    SentView(asks=True).message(one)
    tracemalloc.start(20)
    try:
        sends = SentView(asks=True)
        size = len(sends.message(one).json)
        gc.collect()
        # Servers of other tests in this process go on meanwhile.
        kept = sum(one.size for one in tracemalloc.take_snapshot().filter_traces([ours]).traces)
    finally:
        tracemalloc.stop()
    assert size > 20_000
    assert kept < 8_000
