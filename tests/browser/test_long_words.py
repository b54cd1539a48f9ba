"""Words of two hundred letters, signs and scripts as names or titles break no page."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.guests import DESK, PHONE, Come, Guest, Party
from tests.browser.page_scripts import script

LONG = "Donaudampfschifffahrtsgesellschaftskapitän" * 5
ODD = "\u05e9\u05b8\u05dc\u05d5\u05b9\u05dd 🧙‍♀️🏳️‍🌈 \u0645\u0631\u062d\u0628\u0627"
LINES = "one\n\ntwo\nthree"
CUT = script("cut-by-edges")
REACHED = script("out-of-reach")

TALL = script("tall-lines")


@pytest.mark.exhaustive
def test_no_name_widens_a_page(come: Come) -> None:
    """All pages and forms fit both screens, and every button can be reached."""
    party = Party(come, size=PHONE)
    wrong: dict[str, list[str]] = {}

    def look(guest: Guest, state: str) -> None:
        for size in (DESK, PHONE):
            guest.resize(size)
            guest.still()
            # An element that has risen under the finger is asleep for a moment.
            expect(guest.page.locator(".shield")).to_have_count(0)
            if found := [
                one for script in (CUT, TALL, REACHED) for one in guest.page.evaluate(script)
            ]:
                wrong[f"{state}, {size['width']}"] = found

    party.make("mira", "table.rename", title=LONG[:80])
    path = f"/api/tables/{party.id}/moves"
    party.ann.api(
        "POST", path, seat="ann", move="seat.rename", args={"seat": "ann", "name": LONG[:40]}
    )
    party.bo.api("POST", path, seat="bo", move="seat.rename", args={"seat": "bo", "name": ODD})
    party.make("ann", "character.set", who="pash", name=LONG[:40])
    party.make("bo", "character.set", who="oska", name=(ODD + LONG)[:40])
    party.make("mira", "scene.begin", title=LONG)
    party.make("mira", "trait.set", text=LONG)
    party.make("mira", "trait.set", text=LINES, about="pash")
    party.make("mira", "character.set", who="captain-rusk", name=LONG[:40])
    party.make("ann", "table.say", text=LONG)
    party.make("bo", "table.say", text=ODD)
    party.make("ann", "initiative.roll", **{"as": "pash", "with": "cool"})
    party.make("bo", "initiative.roll", **{"as": "oska", "with": "cool"})
    party.make("ann", "track.suffer", who="pash", track="strain", by=1)
    party.sit("mira", "ann")
    gm, ann = party.gm, party.ann
    look(gm, "calm of the GM")
    look(ann, "calm of a player")
    party.make(
        "ann",
        "check.declare",
        title=LONG,
        skill="skulduggery",
        difficulty="average",
        against="captain-rusk",
    )
    ann.see(".action-title")
    look(ann, "an action")
    # A tap shows it whole, and another the first lines again.
    title = ann.page.locator(".action-title [role=button]")
    for whole in ("true", "false"):
        title.click()
        expect(title).to_have_attribute("aria-expanded", whole)
        assert (whole == "true") == (ann.page.evaluate(TALL) != [])
    gm.see(".action-title")
    look(gm, "an action of the GM")
    for view in ("Log", "Characters", "Table"):
        for guest, who in ((gm, "gm"), (ann, "ann")):
            guest.view(view)
            look(guest, f"{view}, {who}")
    gm.tap("House rules")
    look(gm, "house rules")
    gm.view("Characters")
    gm.page.locator(".person-card button[aria-label^='Edit ']").first.click()
    look(gm, "a form")
    gm.tap("Close")
    gm.open("/")
    gm.see(".table-card")
    look(gm, "home")
    link = gm.api("POST", f"/api/tables/{party.id}/links", seat="mira", side="player")
    new = come(PHONE)
    new.open(link["path"])
    new.see("form")
    look(new, "joining")
    assert {} == wrong
