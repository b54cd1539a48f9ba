"""Making a character step by step: at a game of the house, and at a game of a file."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.guests import PHONE, Come
from tests.browser.test_access import missed, violations


def test_five_steps_make_a_character(come: Come) -> None:
    """Each choice shows its odds, a reload loses nothing, and texts are written at the end."""
    gm, ann = come(PHONE), come(PHONE)
    table = gm.api("POST", "/api/tables", system="starwars", title="The quay", name="Mira")["table"]
    link = gm.api("POST", f"/api/tables/{table}/links", seat="mira", side="player")
    ann.api("POST", "/api/join", secret=link["path"].partition("#link=")[2], name="Ann")
    ann.open(f"/t/{table}?seat=ann&who")
    ann.page.get_by_role("button", name="Answer five questions").click()
    ann.page.screenshot(path="/tmp/c1.png")
    ann.page.get_by_text("A pilot", exact=True).click()
    ann.page.screenshot(path="/tmp/c2.png")
    assert [] == [*missed(ann), *violations(ann)]
    for n in range(3, 8):
        ann.top.locator("button[type=submit]").click()
        ann.page.wait_for_timeout(600)
        if n == 5:
            ann.page.get_by_text("A light blaster").click()
            ann.page.wait_for_timeout(600)
        ann.page.screenshot(path=f"/tmp/c{n}.png")
        assert [] == [*missed(ann), *violations(ann)]
