"""Characters from files of other programs: dropped and pasted on a phone, and many by a GM."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

from tests.brought_samples import FFG, OGGDUDE, sheet
from tests.browser.guests import Come, Guest
from tests.browser.test_access import missed, violations
from tests.browser.test_conversation import arrived

DROP = """([where, name, text]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name));
    where = document.querySelector(where);
    where.dispatchEvent(new DragEvent('dragover', { dataTransfer, cancelable: true }));
    where.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
}"""


def seen(guest: Guest) -> None:
    """Nothing overflows sideways, and axe finds nothing."""
    assert [] == [*missed(guest), *violations(guest)]
    assert guest.top.evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_characters_are_dropped_and_pasted(come: Come, shots: Path) -> None:
    """They are shown with what is left out, added whole, and NPCs of a GM stay hidden."""
    gm, ann, table = arrived(come, "starwars")
    ann.tap("From a file", exact=False)
    pasted = ann.top.get_by_label("Or paste the text of a file")
    pasted.fill('<!DOCTYPE a SYSTEM "file:///etc/passwd"><Character/>')
    ann.tap("Read it")
    expect(ann.top.get_by_role("alert")).to_contain_text("declares a document type")
    name, content, _, _ = OGGDUDE[0]
    ann.page.evaluate(DROP, [".drop", "pash.xml", content])
    card = ann.top.get_by_role("article", name=name)
    expect(card).to_contain_text("Brawn 3")
    expect(ann.top.get_by_role("alert")).to_have_count(0)
    ann.tap("Goes into a note")
    expect(card).to_contain_text("BLASTHVY")
    seen(ann)
    ann.picture(shots / "from-a-file.png")
    ann.tap(f"Do without {name}")
    expect(card).to_have_count(0)
    pasted.fill(json.dumps(FFG[0][1]))
    ann.tap("Read it")
    expect(ann.top.locator(".understood")).to_contain_text("Long pistol")
    ann.top.get_by_label("The name").fill("Ondo Two")
    ann.tap("Add 1 character")
    expect(ann.page.locator("dialog[open]")).to_have_count(0)
    [own] = gm.api("GET", f"/api/tables/{table}?seat=mira")["table"]["characters"].values()
    assert ("Ondo Two", "ann", 4) == (own["name"], own["seat"], own["sheet"]["agility"])
    gm.open(f"/t/{table}?seat=mira&who")
    gm.tap("From a file", exact=False)
    rows = sheet(("Name", "Agilty", "Cool"), ("Thimble", 3, 1), ("Quillon", 2, 99))
    gm.page.evaluate(DROP, [".drop", "people.csv", rows])
    expect(gm.top.get_by_role("article", name="Thimble")).to_contain_text("written “Agilty”")
    expect(gm.top.get_by_role("article", name="Quillon")).to_contain_text("takes 0 to 10")
    seen(gm)
    gm.tap("Add 2 characters")
    expect(gm.page.locator("dialog[open]")).to_have_count(0)
    people = gm.api("GET", f"/api/tables/{table}?seat=mira")["table"]["characters"].values()
    assert {"Ondo Two", "Thimble", "Quillon"} == {one["name"] for one in people}
    own = ann.api("GET", f"/api/tables/{table}/characters.json?seat=ann")
    assert ("Ondo Two", "weapon") == (own["name"], own["texts"][0]["kind"])
    assert "Born on a barge" in own["notes"]
    gm.open(f"/t/{table}?seat=mira&who")
    gm.tap("From a file", exact=False)
    gm.tap("Take characters with you")
    seen(gm)
    with gm.page.expect_download() as saved:
        gm.top.get_by_role("link", name="All I see, as a spreadsheet").click()
    assert "Quillon" in saved.value.path().read_text(encoding="utf-8")
    seen_by_ann = json.dumps(ann.api("GET", f"/api/tables/{table}/log?seat=ann"))
    assert "Thimble" not in seen_by_ann
    assert "Quillon" not in seen_by_ann
