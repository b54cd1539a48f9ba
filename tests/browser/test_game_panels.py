"""The words and drawings of a game on the page: terms, outcomes and tracks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.guests import DESK, Come, Serve
from tests.installed_games import example

CHANGES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "moves.py": (
        (
            'windows=("gm",) if dims else ())\n',
            'windows=("gm",) if dims else (),\n'
            '        terms={"position": "desperate", "stakes": "high", "note": "a quiet word"})\n'
            '    yield r.TraitSet(r.Trait("alarm", "clock", "The alarm", rating=2, goal=6))\n',
        ),
    ),
    "odds.py": (('{"pass": found', '{"dread": found'),),
    "stakes.py": (('{"pass":', '{"dread":'),),
    "game.py": (
        (
            'overflow="lost"),)',
            'overflow="lost"), r.Account("strain", "character", cap=4, paying="raises"))',
        ),
        (
            "    look={\n",
            '    outcomes={"dread": r.Look("the dark wins", glyph="success")},\n'
            '    look={\n        "strain": r.Look("strain", "strain"),\n',
        ),
        (
            "    panels=(\n",
            "    panels=(\n"
            '        r.TermsPanel("", terms=("stakes",)),\n'
            '        r.FigurePanel("Position", term="position", beside=("stakes",)),\n'
            '        r.GoalsPanel("Clocks", traits=("clock",), drawn="clock"),\n'
            '        r.TracksPanel("Strain", accounts=("strain",), drawn="boxes"),\n',
        ),
    ),
}


@pytest.mark.exhaustive
def test_game_draws_its_own_terms_and_tracks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, serve: Serve, come: Come
) -> None:
    """Terms are placed and worded by the game, outcomes are named, and clocks have segments."""
    (tmp_path / "games").mkdir()
    folder = example(tmp_path / "games")
    for name, changes in CHANGES.items():
        text = (folder / name).read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "games"))
    server = serve()
    gm, ann = come(DESK, server), come(DESK, server)
    gm.open(server.link)
    table = gm.api("POST", "/api/tables", system="lantern", title="The cellar", name="Mira")[
        "table"
    ]
    gm.at(table, "mira")
    ann.joins(gm, table, "Ann", "Ada", {"body": 4})
    gm.make(table, "mira", "session.begin")
    gm.make(table, "mira", "points.correct", account="ada.strain", to=3, why="Night")
    ann.at(table, "ann")
    ann.make(
        table, "ann", "check.declare", **{"as": "ada", "with": "body", "title": "the cellar door"}
    )
    expect(ann.page.locator(".action-terms")).to_have_text("High")
    figure = ann.page.locator(".figure")
    expect(figure.locator("dd")).to_have_text(["Desperate", "High"])
    expect(figure.locator("dt")).to_have_text(["Position", "Stakes"])
    ann.read("the dark wins")
    expect(ann.page.get_by_role("img", name="The alarm: 2 of 6").first).to_be_visible()
    ann.page.locator(".mine .strip").click()
    boxes = ann.page.locator("dialog .filled[data-drawn=boxes] > span")
    expect(boxes).to_have_count(4)
    expect(ann.page.locator("dialog .filled[data-drawn=boxes] > [data-on=true]")).to_have_count(3)
