"""New rules on the page: a GM compares and adopts them, and every page uses them at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from storypool import systems
from storypool.systems import game_files
from tests.browser.guests import DESK, PHONE, Come, Serve
from tests.browser.test_screens import Camera
from tests.gamefile.test_taking_over import NEW, OLD


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    """The file of a game on the server."""
    file = tmp_path / f"coins{game_files.ENDING}"
    file.write_text(OLD, encoding="utf-8")
    key = systems.added(file)
    yield file
    systems.removed(key)


def test_newer_server_rules_are_adopted(come: Come, file: Path, shots: Path) -> None:
    """The GM's page reports a difference; after adoption a player's page has the new move."""
    gm, camera = come(DESK), Camera(shots, DESK, PHONE)
    table = gm.api("POST", "/api/tables", system="coins", title="Heads or tails", name="Mira")[
        "table"
    ]
    ann = come(PHONE).joins(gm, table, "Ann", "Ilse", {"climb": 5})
    gm.make(table, "mira", "session.begin")
    ann.at(table, "ann")
    expect(ann.page.get_by_role("button", name="Pray", exact=True)).to_have_count(0)
    file.write_text(NEW, encoding="utf-8")
    gm.at(table, "mira")
    gm.tap("Table")
    gm.read("This table has its own copy of the rules of Coins; this server's copy is different.")
    gm.tap("Look at the new rules")
    gm.read("“Wish for one more” costs 2 luck; it cost 1 luck before.")
    camera.shoot(gm, "new-rules")
    gm.tap("Take over the new rules")
    expect(gm.page.locator("dialog[open]")).to_have_count(0)
    expect(gm.page.get_by_text("This table has its own copy")).to_have_count(0)
    expect(ann.page.get_by_role("button", name="Pray", exact=True)).to_be_visible()
    ann.view("Log")
    ann.read("Mira: Take over the new rules.")
    camera.shoot(ann, "new-rules-log")
    ann.resize(PHONE)
    ann.view("Play")
    ann.tap("Pray")
    expect(gm.page.get_by_role("region", name="3 luck")).to_be_visible()


@pytest.mark.exhaustive
def test_workshop_rules_are_adopted(come: Come, serve: Serve) -> None:
    """An author updates an open table by the edited text, and guests see the game's origin."""
    server = serve()
    author = come(DESK, server)
    author.open("/")
    author.api("POST", "/api/join", secret=server.link.partition("=")[2], host=True)
    table = author.api("POST", "/api/tables", game=OLD, title="Heads or tails", name="Mira")[
        "table"
    ]
    link = author.api("POST", f"/api/tables/{table}/links", side="player")["path"]
    guest = come(PHONE, server)
    guest.open(link)
    guest.read(
        "Coins is this table's own game: its rules came with the table, not from the host"
        " of this server."
    )
    author.make(table, "mira", "session.begin")
    author.api("POST", f"/api/tables/{table}/moves", move="character.add", args={"name": "Ilse"})
    author.make(table, "mira", "check.declare")
    author.open("/workshop")
    author.page.get_by_label("The text of the game").fill(NEW)
    author.tap("Take over at “Heads or tails”")
    author.read("A new move: “Pray”.")
    author.read("“Try something” is still under way, and began under the old rules.")
    author.tap("Close")
    author.make(table, "mira", "check.cancel")
    author.tap("Take over at “Heads or tails”")
    author.tap("Take over the new rules")
    author.page.wait_for_url(f"**/t/{table}**")
    expect(author.page.get_by_role("button", name="Pray", exact=True)).to_be_visible()
