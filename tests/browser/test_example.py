"""The example game of the docs, which the page does not know."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.guests import DESK, PHONE, Come, Serve
from tests.installed_games import example


@pytest.mark.exhaustive
def test_example_game_is_played_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, serve: Serve, come: Come
) -> None:
    """A check from try to push: dice, odds, the GM's Dread, and the pool that grows by it."""
    (tmp_path / "games").mkdir()
    example(tmp_path / "games")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "games"))
    server = serve()
    gm, ann = come(DESK, server), come(PHONE, server)
    gm.open(server.link)
    table = gm.api("POST", "/api/tables", system="lantern", title="The cellar", name="Mira")[
        "table"
    ]
    gm.at(table, "mira")
    ann.joins(gm, table, "Ann", "Ada", {"body": 4})
    for move, args in (
        ("session.begin", {}),
        ("points.correct", {"account": "dread", "to": 2, "why": "Night"}),
    ):
        gm.make(table, "mira", move, **args)
    ann.at(table, "ann")
    ann.make(
        table, "ann", "check.declare", **{"as": "ada", "with": "body", "title": "the cellar door"}
    )
    # Four light dice: 1 - (5/6)^4.
    ann.read("52 %")
    gm.offer("dread.wait").click()
    expect(ann.page.locator("#primary")).to_have_text("Roll the dice")
    ann.make(table, "ann", "check.roll", faces="1 2 3 4")
    ann.read("The light fails.")
    ann.offer("check.push").click()
    # Whatever the others come to: there is no second push, so that is the end.
    expect(ann.page.locator(".stage[data-phase=idle] .outcome .result")).to_be_visible()
    assert gm.api("GET", f"/api/tables/{table}?seat=mira")["table"]["points"]["dread"] >= 3
