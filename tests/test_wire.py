"""The JSON of tables and events: a front end's fields and their contents."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import jsonschema_rs

from storypool.engine.fold import fold, fold_on
from storypool.engine.sight import copy_for
from storypool.engine.table import Table
from storypool.live.folded import Step
from storypool.log.codec import EVENTS, from_dict, from_json
from storypool.log.export import export_lines, load
from storypool.web.app import ENDPOINTS
from storypool.web.interface import asyncapi
from storypool.web.interface.openapi import document_of
from storypool.web.interface.table_forms import TableShown
from storypool.web.wire import encode, plain, record_json, table_data, written
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
    shown = [from_json(record_json(record, "", False))["event"] for record in evening.records]
    moves = [event for event in shown if event["type"] == "move.made"]
    assert [f"luck/check={check}/"] in [event["counts"] for event in moves]
    [waits] = [event for event in shown if event["type"] == "proposal.made"]
    assert {"luck": 1} == waits["proposal"]["price"]


READERS = ("text", "paid", "moments")
"""What a record has besides its shape where it is written for a reader."""


def test_record_has_one_shape() -> None:
    """Each type of event is the same bytes in an answer, in the feed and in an export.

    It is the shape of the documents for programs, which require each field of it.
    """
    schemas = plain(document_of(ENDPOINTS))["components"]
    live = plain(asyncapi.document())["components"]
    shown, fed = (
        jsonschema_rs.validator_for({"$ref": f"#/components/schemas/{name}", "components": parts})
        for name, parts in (("RecordShown", schemas), ("RecordMessage", live))
    )
    types = set[str]()
    for path in sorted((Path(__file__).parent / "logs").glob("*.jsonl")):
        records = load(path)
        lines = list(export_lines(records))[1:]
        for record, line in zip(records, lines, strict=True):
            sent = record_json(record, "In words.", True)
            data = from_json(sent)
            shown.validate(data)
            fed.validate({"type": "record", **data})
            event = data["event"] or {"type": ""}
            types.add(event["type"])
            if not getattr(record.event, "game", ""):
                assert line.rstrip()[:-1] + b',"text":"In words.","paid":true,"moments":[]}' == sent
            listed = schemas["schemas"].get(type(record.event).__name__, {"properties": ["type"]})
            assert list(event) == list(listed["properties"])
    assert {*EVENTS, ""} == types
    # So is the example of the docs.
    page = (Path(__file__).parents[1] / "docs" / "api.md").read_text(encoding="utf-8")
    example = from_json(page.partition("```json\n")[2].partition("```")[0])
    again = from_json(record_json(from_dict(example), example["text"], False))
    assert list(again.items()) == list(example.items())
    assert list(again["event"].items()) == list(example["event"].items())


def test_every_seat_gets_that_shape() -> None:
    """The record of a roll for the page, the terminal and the export of one seat is the same."""
    evening = Evening()
    evening.make("mona", "trait.set", text="The vault is empty", secret=True)
    evening.toss()
    evening.make("ann", "check.roll")
    for seat in ("ann", "mona"):
        who, lines, before = evening.table.seats[seat], list[dict[str, Any]](), Table()
        for record in evening.records:
            after = fold_on(before, [record], lambda seq: fold(evening.records[:seq]))
            step = Step(record, before, after)
            data: dict[str, Any] = from_json(written(step, who, tiny.SYSTEM))
            before = after
            assert READERS == tuple(data)[-3:]
            lines.append({key: data[key] for key in data if key not in READERS})
        exported = [from_json(line) for line in export_lines(copy_for(evening.records, who))]
        assert lines == exported[1:]
        [roll] = [one["event"] for one in lines if (one["event"] or {}).get("rolled")]
        assert {"die", "face", "source"} == roll["rolled"][0].keys()
        hidden = [one["seen_by"] for one in lines if one["event"] is None]
        assert hidden == ([None, None] if seat == "ann" else [])
