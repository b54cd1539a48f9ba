"""What a seat is shown comes whole or in parts: both say the same, and no part is sent twice."""

from __future__ import annotations

import gc
import json
import tracemalloc
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from benchmarks._page import Assembly
from storypool import play, systems
from storypool.engine.table import Seat
from storypool.live.tables import offered
from storypool.web.feeds import parts
from storypool.web.feeds.parts import Parts, SeatView
from storypool.web.wire import Message, encode, part_hash

GAMES = ("c2d10", "destinydice", "dune", "starwars")


def shown(key: str, most: int) -> Iterator[list[tuple[Seat, SeatView]]]:
    """What each seat is shown after each step of the longest play of a game."""
    system = systems.get(key)
    name, text = max(systems.plays(key).items(), key=lambda one: len(one[1]))
    performance = play.Performance(play.read(text, name))
    for _ in islice(performance.steps(), most):
        table = performance.table
        if seats := list(table.seats.values()):
            yield [
                (seat, SeatView(offered(system, table, seat.id), seat, system, ["A note."]))
                for seat in seats
            ]


def encoded(one: SeatView) -> Any:
    """The message that says all, as data."""
    return json.loads(one.message.json)


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_parts_say_what_the_whole_says(key: str) -> None:
    """Put together they are the same, to the order of what is in them; and they are far less than
    the whole.
    """
    kept: dict[str, tuple[Parts, Assembly]] = {}
    whole = in_parts = 0
    for step in shown(key, 40):
        for seat, one in step:
            sends, takes = kept.setdefault(seat.id, (Parts(), Assembly()))
            message = sends.message(one)
            assert one.seq == message.seq
            assert json.dumps(encoded(one)) == json.dumps(takes.whole(json.loads(message.json)))
            whole, in_parts = whole + len(one.message.json), in_parts + len(message.json)
    assert in_parts < whole / 3


def test_nothing_is_sent_twice() -> None:
    """What comes a second time is named alone, also where another message was in between or one was
    never sent.
    """
    [[(_, first), *_], [(_, second), *_], *_] = list(shown("starwars", 12))[-2:]
    sends = Parts()
    assert json.loads(sends.message(first).json)["new"]
    sends.message(second)
    for again in (first, second, first):
        message = json.loads(sends.message(again).json)
        assert ({}, False) == (message["new"], message["anew"])
    new = list(json.loads(Parts().message(first).json)["new"].values())
    assert len(new) == len({json.dumps(one) for one in new})


def test_what_is_as_before_is_left_out() -> None:
    """What the table waits for and the fields of a table come when they change; all together is
    still the whole.
    """
    [[(_, first), *_], [(_, second), *_], *_] = list(shown("starwars", 12))[-2:]
    sends, takes = Parts(), Assembly()
    takes.whole(json.loads(sends.message(first).json))
    message = json.loads(sends.message(second).json)
    changed = {name for name in first.table if first.table[name] != second.table[name]}
    assert changed == message["table"].keys()
    assert 1 <= len(changed) < len(first.table) / 2
    assert encoded(second) == takes.whole(message)
    again = json.loads(sends.message(second).json)
    assert {"type", "seq", "anew", "new", "records", "offers", "table"} == again.keys()
    assert {} == again["table"]
    assert encoded(second) == takes.whole(again)


def test_an_offer_that_closes_is_the_open_one_with_its_reason() -> None:
    """What an offer is besides is sent once, however often it closes for another reason."""
    sends, offers, closed = Parts(), list[str](), 0
    for [(_, one), *_] in shown("starwars", 12):
        for part in json.loads(sends.message(one).json)["new"].values():
            if isinstance(part, dict) and "group" in part:
                assert (None, []) == (part["closed"], part["all_closed"])
                offers.append(json.dumps(part))
            closed += isinstance(part, dict) and {"as", "closed", "all_closed"} == part.keys()
    assert len(offers) == len(set(offers))
    assert closed > len(one.offers)


def test_what_a_record_has_brought_is_named_by_the_record() -> None:
    """The client has the action that changed from the record, and it is no part of the message that
    follows.
    """
    one = next(one for [(_, one), *_] in shown("starwars", 12) if one.table["checks"])
    [check] = one.table["checks"].values()
    sends, takes = Parts(), Assembly()
    sends.hear(Message("record", b"", 7, part_hash(encode(check))))
    takes.hear({"seq": 7, "event": {"type": "check.changed", "check": json.loads(encode(check))}})
    message = json.loads(sends.message(one).json)
    assert [7] == [*message["records"].values()]
    assert not message["records"].keys() & message["new"].keys()
    assert encoded(one) == takes.whole(message)
    other = Parts()
    other.hear(Message("record", b"", 8, part_hash(b"something else")))
    assert {} == json.loads(other.message(one).json)["records"]


def test_a_page_that_waits_keeps_some_bytes_for_a_part() -> None:
    """What was sent is known by a hash of it, and nothing else of it stays."""
    ours = tracemalloc.Filter(inclusive=True, filename_pattern=parts.__file__, all_frames=True)
    [*_, [(_, one), *_]] = list(shown("starwars", 12))
    Parts().message(one)
    tracemalloc.start(20)
    try:
        sends = Parts()
        numbers = len(json.loads(sends.message(one).json)["new"])
        gc.collect()
        # Servers of other tests in this process go on meanwhile.
        kept = sum(one.size for one in tracemalloc.take_snapshot().filter_traces([ours]).traces)
    finally:
        tracemalloc.stop()
    assert numbers > 80
    assert numbers < kept < 20 * numbers


def test_a_client_that_keeps_too_much_starts_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then all that counts comes again, under numbers that count from there on."""
    monkeypatch.setattr(parts, "MAX_KEPT", 50)
    sends, takes, starts_over = Parts(), Assembly(), []
    for [(_, one), *_] in shown("starwars", 8):
        message = json.loads(sends.message(one).json)
        starts_over.append(message["anew"])
        assert encoded(one) == takes.whole(message)
    assert len(starts_over) > 3
    assert all(starts_over)
