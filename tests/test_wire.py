"""The JSON of tables and events: a front end's fields and their contents."""

from __future__ import annotations

from dataclasses import fields

from storypool.engine.events import MoveMade, Proposed
from storypool.engine.table import Table
from storypool.log.codec import from_json
from storypool.web.interface.table_forms import TableShown
from storypool.web.wire import encode, event_json, table_data
from tests.games.tiny import game as tiny
from tests.sample_table import Evening


def proposed() -> Evening:
    """A table with a spent point on an action, and another on a fact that waits for consent."""
    evening = Evening()
    evening.toss()
    evening.make("ann", "luck.spend")
    evening.make("ann", "fact.add", text="There is a door")
    evening.make("mona", "points.correct", account="pash.nerve", to=2, why="x")
    return evening


def test_front_end_gets_the_shared_fields() -> None:
    """A seat gets the shared table and three parts, without counts that only rules use."""
    table = proposed().table
    sent = from_json(encode(table_data(table, table.seats["ann"], tiny.SYSTEM)))
    assert [one.name for one in fields(TableShown)] == list(sent)
    unsent = {
        "game",
        "uses",
        "began",
        "binding",
        "last_move",
        "last_seat",
        "ended_after",
        "undo_seen_by",
        "redo_seen_by",
        "open_undo_to",
    }
    assert unsent == {field.name for field in fields(Table)} - set(sent)


def test_purses_and_uses_are_sent_as_text() -> None:
    """Balances and prices have keys `account` or `owner.account`; a use of a limit is text."""
    evening = proposed()
    sent = from_json(encode(table_data(evening.table, evening.table.seats["ann"], tiny.SYSTEM)))
    assert {"luck": 1, "pash.nerve": 2} == sent["points"]
    assert [{"luck": 1}] == [proposal["price"] for proposal in sent["proposals"].values()]
    assert {"luck": 1} == from_json(encode(evening.offer("ann", "luck.spend")))["price"]
    [check] = evening.table.checks
    moves = [record.event for record in evening.records if isinstance(record.event, MoveMade)]
    assert [f"luck/check={check}/"] in [from_json(event_json(event))["counts"] for event in moves]
    [waits] = [record.event for record in evening.records if isinstance(record.event, Proposed)]
    assert {"luck": 1} == from_json(event_json(waits))["proposal"]["price"]
