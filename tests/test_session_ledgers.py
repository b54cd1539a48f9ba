"""A session's ledger counted from its start matches the whole log."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from storypool import play, systems
from storypool.engine.events import Record, Rewound
from storypool.engine.fold import fold
from storypool.engine.ledger import BeforeLedger, Ledger, economy
from storypool.engine.sight import view
from storypool.live.folded import Step, ledger_of
from storypool.live.tables import Tables
from storypool.log.memory import MemoryStore
from storypool.log.store import Append


def since_the_session(records: Sequence[Record]) -> Sequence[Step]:
    """The steps read for a table with these records."""
    store = MemoryStore()
    store.append(Append("t", 0, records))
    return asyncio.run(Tables(store).session("t"))


def test_restarted_session_is_read_with_its_past() -> None:
    """If its start is not enough, all is read; a ledger that cannot know says so."""
    text = """
table starwars
seat mona side=gm
seat ann vey: agility=3
mona session.begin
mona points.correct account=light to=2 why="for a start"
mona session.end
mona session.begin
mona points.correct account=dark to=1 why="for another"
"""
    records = list(play.perform(play.read(text, "a play")).records)
    started = fold(records).began["session"]
    undone = [
        *records,
        Record(len(records) + 1, Rewound(started - 2), "mona", 9),
        Record(len(records) + 2, Rewound(len(records), redo=True), "mona", 9),
    ]
    steps = since_the_session(undone)
    assert 1 == steps[0].record.seq
    system, seat = systems.get("starwars"), fold(undone).seats["ann"]
    assert economy(view(undone, seat), system, "player") == ledger_of(system, steps, seat).economy(
        "player"
    )
    assert started == since_the_session(records)[0].record.seq
    with pytest.raises(BeforeLedger):
        Ledger(system, fold(records[: started - 1])).enter(undone[started - 1 :])
