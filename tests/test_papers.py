"""Private notes and handouts: their readers, undo, and the characters they name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from types import SimpleNamespace
from typing import Any

import pytest

from storypool.engine.fold import evolve, fold
from storypool.engine.sight import copy_for, seen, view
from storypool.engine.story import sentences, transcript
from storypool.engine.table import GM_ONLY, Paper, Table
from storypool.live.folded import Step
from storypool.live.undo_text import undone_text
from storypool.log.export import export_lines, import_records
from storypool.systems import get
from tests.sample_table import Evening
from tests.surfaces import surfaces
from tests.test_live_imported import brought

SEATS = ("mona", "ann", "bo", "vera")


def own(evening: Evening, seat: str) -> dict[str, Paper]:
    """The papers that a seat has, by their titles."""
    papers = seen(evening.table, evening.table.seats[seat]).papers
    assert papers == fold(view(evening.records, evening.table.seats[seat])).papers
    return {paper.title: paper for paper in papers.values()}


def holders(evening: Evening, title: str) -> list[str]:
    """The seats that have the paper with this title."""
    return [seat for seat in SEATS if title in own(evening, seat)]


def lines(evening: Evening, seat: str) -> Iterator[str]:
    """The log of a seat in sentences."""
    records = view(evening.records, evening.table.seats[seat])
    return (text for text in sentences(records, evening.system) if text)


def received(evening: Evening, seat: str) -> list[str]:
    """Everything that a seat is sent, without numbers and times."""
    folded = accumulate((one.event for one in evening.records), evolve, initial=Table())
    game: Any = SimpleNamespace(
        system=evening.system, table=evening.table, records=evening.records, tables=[*folded]
    )
    return [*surfaces(game, evening.table.seats[seat])]


@pytest.mark.parametrize("game", ["tiny", "starwars"])
def test_papers_are_in_the_bytes_of_their_readers_alone(game: str) -> None:
    """Feed, table, offers, export, transcript and recap of all others are as without them."""
    evening = Evening() if game == "tiny" else Evening(get(game))
    evening.make("mona", "character.add", name="Vey", secret=True)
    before = {seat: received(evening, seat) for seat in SEATS}
    evening.make("ann", "paper.write", title="Thimble", text="The butler lies.", about="pash")
    for writer, readers in (("ann", {"ann"}), ("mona", {"mona", "ann"})):
        if writer == "mona":
            before["ann"] = received(evening, "ann")
            words = {"title": "Quillon", "text": "Come at nine.", "about": "vey"}
            evening.make("mona", "paper.write", words, whom=["ann"])
        for seat in SEATS:
            texts = received(evening, seat)
            word = "Quillon" if writer == "mona" else "Thimble"
            assert any(word in text for text in texts) == (seat in readers)
            if seat not in readers | {"mona"}:
                assert before[seat] == texts
    assert all("vey" not in text for text in received(evening, "ann"))
    evening.make("ann", "paper.edit", id=own(evening, "ann")["Thimble"].id, text="Or not.")
    evening.make("ann", "paper.remove", id=own(evening, "ann")[""].id)
    for seat in ("bo", "vera"):
        assert before[seat] == received(evening, seat)


def test_readers_are_chosen_again() -> None:
    """A handout goes to a seat, to all, and back to its writer."""
    evening = Evening()
    evening.make("mona", "paper.write", title="Letter", text="Come at nine.\n\n  Alone.")
    [letter] = evening.table.papers.values()
    assert (GM_ONLY, "Come at nine.\n\nAlone.", 1) == (letter.seen_by, letter.text, letter.scene)
    for whom, readers in (
        (["ann"], ["mona", "ann"]),
        ("Bo", ["mona", "bo"]),
        (["@everyone"], [*SEATS]),
        ([], ["mona"]),
    ):
        move, args = ("paper.show", {"whom": whom}) if whom else ("paper.hide", {})
        evening.make("mona", move, args, id=letter.id)
        assert readers == holders(evening, "Letter")
    assert "Mona shows Ann a handout: “Letter”. Come at nine. / Alone." in lines(evening, "ann")
    assert "Mona shows a handout: “Letter”. Come at nine. / Alone." in lines(evening, "vera")
    assert not any("Ann a handout" in line for line in lines(evening, "bo"))
    evening.make("ann", "paper.write", text="I saw him.", whom=["mona"])
    assert "Ann shows the GM a handout: I saw him." in lines(evening, "mona")
    assert "only_if" == evening.refused("bo", "paper.remove").code
    assert "argument" == evening.refused("ann", "paper.edit", id=letter.id, text="x").code


def test_undo_passes_over_papers() -> None:
    """A note is not a step of an undo, and no undo or redo takes it away or brings it back."""
    evening = Evening()
    evening.make("ann", "table.say", text="Hello")
    to = evening.table.undo_to
    evening.make("ann", "paper.write", title="Kept", text="One")
    evening.make("mona", "paper.write", title="Shown", text="Two", whom=["@everyone"])
    assert to == evening.table.undo_to
    tables = [*accumulate((one.event for one in evening.records), evolve, initial=Table())]
    steps = [Step(one, tables[one.seq - 1], tables[one.seq]) for one in evening.records]
    mona = evening.table.seats["mona"]
    assert "Ann: “Hello”" == undone_text(evening.system, seen(evening.table, mona), mona, steps)
    evening.make("mona", "table.undo")
    assert ["mona", "ann", "bo", "vera"] == holders(evening, "Shown")
    evening.make("ann", "paper.remove", id=own(evening, "ann")["Kept"].id)
    evening.make("mona", "table.redo")
    assert [] == holders(evening, "Kept")
    page = transcript(view(evening.records, evening.table.seats["bo"]), evening.system)
    assert "- Mona shows a handout: “Shown”. Two." in page


def test_handout_beside_a_hidden_action_does_not_name_it() -> None:
    """Readers of a handout get no number of a hidden action that is open meanwhile."""
    evening = Evening()
    evening.make("mona", "character.add", name="Vey", secret=True)
    evening.make("mona", "check.declare", {"as": "vey", "pool": "2 coin"})
    [check] = evening.table.checks
    assert evening.table.checks[check].hidden
    evening.make("mona", "paper.write", text="Come at nine.", whom=["ann", "bo", "vera"])
    texts = received(evening, "ann")
    assert any("Come at nine." in text for text in texts)
    assert not any(f'"{check}"' in text or f"'{check}'" in text for text in texts)


def test_handout_names_nobody_hidden() -> None:
    """A paper that others see is about no hidden character; the writer's own note may be."""
    evening = Evening()
    evening.make("mona", "character.add", name="Vey", secret=True)
    evening.make("mona", "paper.write", title="Spy", text="Who is it?", about="vey")
    [spy] = evening.table.papers.values()
    assert "vey" == spy.about
    evening.make("mona", "paper.show", id=spy.id, whom=["ann"])
    evening.make("mona", "paper.edit", id=spy.id, title="Spy", text="Who?", about="vey")
    assert "" == own(evening, "ann")["Spy"].about
    assert all("vey" not in text for text in received(evening, "ann"))
    evening.make("mona", "paper.edit", id=spy.id, title="Spy", text="Who?", about="pash")
    assert "pash" == own(evening, "ann")["Spy"].about


def test_gms_export_goes_on_without_the_notes_of_players() -> None:
    """The file is the table's, and has no word of what a player wrote for herself."""
    evening = Evening()
    evening.make("ann", "paper.write", title="Thimble", text="Mine")
    evening.make("mona", "paper.write", title="Plan", text="Ours", whom=["bo"])
    file = [*export_lines(copy_for(evening.records, evening.table.seats["mona"]))]
    assert not any(b"Thimble" in line for line in file)
    assert 1 == len(brought(file).listings())
    again = fold(import_records(file))
    assert ["Plan"] == [paper.title for paper in again.papers.values()]
    assert {"Plan"} == {one.title for one in seen(again, again.seats["bo"]).papers.values()}
    assert not seen(again, again.seats["ann"]).papers
