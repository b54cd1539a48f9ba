"""Private notes and handouts in three windows: the GM, Ann, who is handed one, and Bo."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import WebSocket, expect

from tests.browser.guests import DESK, PHONE, Come, Guest
from tests.browser.test_access import missed, violations


def received(guest: Guest) -> list[str]:
    """The texts that this guest's browser receives from now on."""
    texts = list[str]()

    def follow(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: texts.append(str(frame)))

    guest.page.on("websocket", follow)
    return texts


def test_handout_is_shown_to_ann_alone(come: Come, shots: Path) -> None:
    """It fills Ann's screen now, is found again later, and nothing of it reaches Bo."""
    gm, ann, bo = come(DESK), come(PHONE), come(PHONE)
    table = gm.api("POST", "/api/tables", system="c2d10", title="The quay", name="Mira")["table"]
    ann.joins(gm, table, "Ann", "Juna", {"athletics": 2})
    bo.joins(gm, table, "Bo", "Teodor", {"athletics": 2})
    gm.make(table, "mira", "session.begin")
    frames = received(bo)
    for guest, seat in ((gm, "mira"), (ann, "ann"), (bo, "bo")):
        guest.at(table, seat)
    loaded = "app.papers.js"
    for guest in (ann, bo):
        assert not guest.page.evaluate(f"performance.getEntriesByName('{loaded}').length")
    gm.view("Characters")
    gm.page.locator(".papers [data-move='paper.write']").click()
    form = gm.page.locator("dialog form")
    form.get_by_label("Title").fill("The thimble letter")
    form.get_by_label("Text").fill("Come at nine.\n\nBring the lamp.")
    form.get_by_label("Ann").check()
    form.locator("button[type=submit]").click()
    expect(form).to_have_count(0)
    held = ann.page.locator("dialog.held-paper")
    expect(held.get_by_role("heading", name="The thimble letter")).to_be_visible()
    expect(held.locator(".paper-text")).to_have_text("Come at nine.\n\nBring the lamp.")
    assert {"x": 0, "y": 0, **PHONE} == held.bounding_box()
    assert [] == [*missed(ann), *violations(ann)]
    ann.page.keyboard.press("Escape")
    expect(held).to_have_count(0)
    ann.view("Log")
    expect(ann.page.get_by_role("log")).to_contain_text("Mira shows Ann a handout: “The thimble")
    again = ann.page.get_by_role("log").get_by_role("button", name="Show it large: The thimble")
    again.click()
    expect(held.locator(".paper-text")).to_have_text("Come at nine.\n\nBring the lamp.")
    ann.page.keyboard.press("Escape")
    expect(held).to_have_count(0)
    assert [] == [*missed(ann), *violations(ann)]
    # What filled the screen is read.
    expect(ann.page.locator("[data-papers=unread]")).to_have_text("")
    ann.view("Characters")
    ann.page.locator(".papers").get_by_role("button", name="The thimble letter", exact=True).click()
    expect(ann.page.locator(".papers .paper-text")).to_be_visible()
    expect(ann.page.locator(".papers [data-move='paper.edit']")).to_have_count(0)
    assert [] == [*missed(ann), *violations(ann)]
    # Ann's own note about Bo's character is hers alone.
    ann.page.locator(".papers [data-move='paper.write']").click()
    ann.page.locator("dialog form").get_by_label("Text").fill("I trust the quillon.")
    ann.page.locator("dialog form button[type=submit]").click()
    expect(ann.page.locator(".papers")).to_contain_text("I trust the quillon.")
    # The next thing that Bo is sent comes after all of it.
    gm.make(table, "mira", "table.say", text="Where were we?")
    bo.view("Log")
    expect(bo.page.get_by_role("log")).to_contain_text("Where were we?")
    gm.view("Characters")
    expect(gm.page.locator(".papers")).to_contain_text("The thimble letter")
    for word in ("thimble", "quillon", "paper.write"):
        assert not any(word in frame for frame in frames if word != "paper.write")
        assert word == "paper.write" or word not in bo.page.content()
    assert frames
    assert not bo.page.evaluate(f"performance.getEntriesByName('{loaded}').length")
    expect(gm.page.locator(".papers")).not_to_contain_text("quillon")
    for n in range(6):
        gm.make(table, "mira", "paper.write", text=f"Clue {n}: the lamp")
    search = gm.page.locator(".papers input[type=search]")
    search.fill("LAMP 3")
    expect(gm.page.locator(".papers .fold")).to_have_text(["Clue 3: the lamp"])
    search.fill("letter")
    gm.page.locator(".papers").get_by_role("button", name="The thimble letter").click()
    gm.page.locator(".papers [data-move='paper.hide']").click()
    expect(ann.page.locator(".papers")).not_to_contain_text("thimble")
    expect(again).to_have_count(0)
    # A handout that came while Ann's phone was away waits for her, until she has opened it.
    ann.page.goto("about:blank")
    gm.make(table, "mira", "paper.write", title="The tide table", text="Low at six.", whom=["ann"])
    for is_new in (True, False):
        ann.at(table, "ann")
        unread = "1 handout is new, among the characters." if is_new else ""
        expect(ann.page.locator("[data-papers=unread]")).to_have_text(unread)
        mark = re.compile("counter" if is_new else "none")
        tab = ann.page.locator(".tab[data-view=people]")
        expect(tab).to_have_css("content", mark, pseudo="after")
        if is_new:
            ann.picture(shots / "unread-handout.png")
        ann.view("Characters")
        paper = ann.page.locator(".papers .fold button").first
        expect(paper).to_have_text("New: The tide table" if is_new else "The tide table")
        paper.click()
        expect(paper).to_have_text("The tide table")


def test_scene_begins_with_its_title(come: Come) -> None:
    """The title is over the table for a moment, in words for all, and quiet without motion."""
    gm, bo = come(DESK), come(PHONE)
    ann = come(PHONE, reduced_motion="no-preference")
    table = gm.api("POST", "/api/tables", system="c2d10", title="The quay", name="Mira")["table"]
    ann.joins(gm, table, "Ann", "Juna", {"athletics": 2})
    bo.joins(gm, table, "Bo", "Teodor", {"athletics": 2})
    gm.make(table, "mira", "session.begin")
    for guest, seat in ((gm, "mira"), (ann, "ann"), (bo, "bo")):
        guest.at(table, seat)
    ann.page.evaluate("document.documentElement.style.setProperty('--moment', '30s')")
    gm.make(table, "mira", "scene.begin", title="The lamps go out")
    card = ann.page.locator(".scene-card")
    expect(card).to_have_text("The lamps go out")
    expect(bo.page.locator("[data-scene=announced]")).to_have_text("The lamps go out")
    expect(bo.page.locator(".scene-card")).to_have_count(0)
    # A tap does what it was meant for, and puts the title away.
    ann.view("Log")
    expect(card).to_have_count(0)
    expect(ann.page.locator(".log-list")).to_be_visible()
    gm.make(table, "mira", "scene.begin")
    expect(ann.page.locator(".head-title")).to_contain_text("Scene 3")
    expect(card).to_have_count(0)


def test_notes_are_shown_with_their_subject(come: Come, shots: Path) -> None:
    """On a card or the page of the scene; their writer alone finds and exports them."""
    gm, ann = come(DESK), come(DESK)
    table = gm.api("POST", "/api/tables", system="c2d10", title="The quay", name="Mira")["table"]
    ann.joins(gm, table, "Ann", "Juna", {"athletics": 2})
    gm.make(table, "mira", "session.begin")
    for guest, seat in ((gm, "mira"), (ann, "ann")):
        guest.make(
            table, seat, "paper.write", title=f"Of {seat}, Juna", text="A fox.", about="juna"
        )
        for n in range(5):
            guest.make(table, seat, "paper.write", title=f"Of {seat}, {n}", text=f"Fox {n}.")
    for guest, seat in ((gm, "mira"), (ann, "ann")):
        guest.at(table, seat)
    # On a large screen the GM has the scene next to the action, with its notes about nobody.
    expect(gm.page.locator(".papers .fold")).to_have_text(
        [f"Of mira, {n}" for n in range(4, -1, -1)]
    )
    ann.page.locator(".strip").filter(has_text="Juna").click()
    card = ann.page.locator("dialog[open] .papers .fold")
    expect(card).to_have_text(["Of ann, Juna"])
    card.get_by_role("button").click()
    expect(ann.page.locator("dialog[open] .paper-text")).to_have_text("A fox.")
    ann.picture(shots / "note-on-a-card.png")
    ann.page.keyboard.press("Escape")
    for guest, seat in ((gm, "mira"), (ann, "ann")):
        guest.view("Characters")
        guest.page.locator(".papers input[type=search]").fill("fox")
        own = [*(f"Of {seat}, {n}" for n in range(4, -1, -1)), f"Of {seat}, Juna"]
        expect(guest.page.locator(".papers .fold")).to_have_text(own)
        export = guest.context.request.get(
            f"{guest.server.address}/api/tables/{table}/export?seat={seat}"
        )
        assert {seat} == {*re.findall(r"Of (\w+), Juna", export.text())}
