"""The log: searched, filtered by person and kind, and restored to its last position."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.guests import DESK, PHONE, Come, Party
from tests.browser.page_scripts import script

SCROLL = """(list, to) => new Promise((done) => {
    list.addEventListener('scroll', () => requestAnimationFrame(done), { once: true });
    list.scrollTo(0, to);
})"""
"""Scrolls, and waits until the page has handled it."""
SHOWS_PLACEHOLDER = script("shows-placeholder")


FOLDED = script("folded")


def test_log_is_searched_and_filtered(come: Come) -> None:
    """Words, a person or a kind leave and count matching lines; one tap restores all."""
    party = Party(come)
    party.make("ann", "table.say", text="The lock is of Hutt make.")
    party.make("bo", "table.say", text="I do not like the guards.")
    party.make("mira", "table.say", text="I know the café, and Zoë.")
    party.sit("ann")
    ann = party.ann
    ann.view("Log")
    lines = ann.page.locator(".log-entry")
    everything = lines.count()
    ann.page.get_by_role("searchbox", name="Search the log").fill("hutt lock")
    expect(lines).to_have_count(1)
    ann.read("1 line found")
    cases = json.loads((Path(__file__).parents[1] / "folding.json").read_text(encoding="utf-8"))
    del cases["half_width"]
    assert cases == ann.page.evaluate(FOLDED, cases)
    ann.page.get_by_role("searchbox", name="Search the log").fill("cafe\u0301 “ZOE”")
    ann.read("I know the café, and Zoë.")
    expect(lines).to_have_count(1)
    ann.tap("Show all")
    expect(lines).to_have_count(everything)
    ann.tap("Filter")
    ann.page.get_by_label("Which lines?").select_option("What was said")
    expect(lines).to_have_count(3)
    ann.page.get_by_label("Whose lines?").select_option("Bo")
    expect(lines).to_have_count(1)
    ann.view("Play")
    ann.view("Log")
    expect(lines).to_have_count(1)
    ann.read("I do not like the guards.")


def test_search_placeholder_is_readable(come: Come) -> None:
    """Undo and the recap are in its line if there is room, or both below it."""
    party = Party(come).sit("mira")
    gm = party.gm
    for size in (DESK, PHONE):
        gm.resize(size)
        gm.view("Log")
        for label in ("Take something back", "The whole recap"):
            expect(gm.page.locator(".log-filter").get_by_role("button", name=label)).to_be_visible()
        assert gm.page.evaluate(SHOWS_PLACEHOLDER)
    # A spectator takes nothing back: the remaining buttons fit on one line.
    sue = come(DESK)
    link = gm.api("POST", f"/api/tables/{party.id}/links", seat="mira", side="spectator")
    sue.api("POST", "/api/join", secret=link["path"].partition("#link=")[2], name="Sue")
    sue.at(party.id, "sue")
    few = sue.page.locator(".log-filter").get_by_role("button", name="Filter")
    expect(few).to_be_visible()
    assert few.evaluate("(one) => one.offsetHeight") < 48


def test_private_lines_are_marked(come: Come) -> None:
    """Hidden characters, facts, rolls and whispers have a sign with a word; others none."""
    party = Party(come, size=DESK)
    gm = party.gm
    party.make("mira", "table.say", text="The hangar is quiet.")
    party.make(
        "mira", "character.add", name="Lurker", secret=True, sheet={"stealth": 1, "agility": 2}
    )
    party.make("mira", "trait.set", text="The door is wired", secret=True)
    party.make(
        "mira",
        "check.declare",
        **{
            "as": "lurker",
            "title": "Creep closer",
            "pool": "2 ability",
            "difficulty": "easy",
            "secret": True,
        },
    )
    party.make("mira", "check.roll", faces="2 2 2")
    party.make("ann", "table.say", text="I pocket the key.", secret=True)
    party.sit("mira", "ann")
    gm.read("The door is wired")
    lines = gm.page.locator(".log-entry")
    marked = lines.filter(has=gm.page.get_by_role("img", name="Not everyone sees this"))
    for text in ("Lurker", "The door is wired", "Creep closer", "I pocket the key."):
        expect(lines.filter(has_text=text)).to_have_count(marked.filter(has_text=text).count())
        assert marked.filter(has_text=text).count()
    assert marked.filter(has=gm.page.locator(".log-tools")).count() == 1
    for text in ("The hangar is quiet.", "Captain Rusk"):
        expect(lines.filter(has_text=text)).not_to_have_count(0)
        expect(marked.filter(has_text=text)).to_have_count(0)
    ann = party.ann
    ann.view("Log")
    ann.read("I pocket the key.")
    expect(ann.page.get_by_role("img", name="Not everyone sees this")).to_have_count(1)


def test_log_keeps_its_place(come: Come) -> None:
    """After another view the reader is at the same line, or still at the end."""
    party = Party(come, size=PHONE)
    for n in range(40):
        party.make("ann", "table.say", text=f"Line number {n}.")
    ann = party.ann
    for size in (PHONE, DESK):
        ann.resize(size)
        ann.at(party.id, "ann")
        if size is PHONE:
            ann.view("Log")
        place = ann.page.locator(".log-list")
        end = place.evaluate("one => one.scrollHeight - one.clientHeight")
        assert abs(place.evaluate("one => one.scrollTop") - end) <= 1
        ann.view("Characters")
        ann.view("Log")
        assert abs(place.evaluate("one => one.scrollTop") - end) <= 1
        place.evaluate(SCROLL, 300)
        ann.view("Characters")
        ann.view("Log")
        assert 300 == place.evaluate("one => one.scrollTop")


def test_log_counts_new_lines_below(come: Come) -> None:
    """A headline counts too. A tap on the number leads to the end, where it disappears."""
    party = Party(come, size=PHONE)
    for n in range(40):
        party.make("ann", "table.say", text=f"Line number {n}.")
    ann = party.sit("ann").ann
    ann.view("Log")
    newer = ann.page.get_by_role("button", name="new line")
    party.make("bo", "table.say", text="Seen at once.")
    ann.read("Seen at once.")
    expect(newer).to_have_count(0)
    ann.page.locator(".log-list").evaluate(SCROLL, 300)
    for word in ("One", "Two"):
        party.make("bo", "table.say", text=f"{word} more.")
    expect(newer).to_have_text("2 new lines")
    party.make("mira", "scene.begin")
    expect(newer).to_have_text("4 new lines")
    newer.click()
    ann.read("Two more.")
    expect(newer).to_have_count(0)
    expect(ann.page.locator(".log").get_by_text("Two more.")).to_be_in_viewport()


def test_proposal_is_one_line_with_its_answer(come: Come) -> None:
    """A question, its answer and the effect stand together, and a no with its reason."""
    party = Party(come, size=DESK)
    party.declare()
    asked = {"die": "boost", "why": "the alarm is off already"}
    party.make("bo", "pool.add", **asked)
    party.sit("mira", "ann")
    lines = party.ann.page.locator(".log-entry")
    expect(lines.last).to_contain_text("Bo proposes")
    before = lines.count()
    party.make("mira", "proposal.accept")
    expect(lines.last).to_contain_text("Mira agrees. 1 Boost added: the alarm is off already.")
    expect(lines.last).to_contain_text("Bo proposes")
    expect(lines).to_have_count(before)
    party.make("bo", "pool.add", **asked)
    party.make("mira", "proposal.decline", why="Once is enough.")
    expect(lines.last).to_contain_text("Mira says no. Once is enough.")
    expect(lines).to_have_count(before + 1)
    # The line is still that of its records.
    party.ann.page.get_by_role("searchbox", name="Search the log").fill("once enough")
    expect(lines).to_have_count(1)


def test_players_read_that_a_scene_is_set(come: Come) -> None:
    """The GM's preparation is one line; an NPC after the first action has a line."""
    party = Party(come, size=DESK)
    party.make("mira", "scene.begin")
    for name in ("Sask", "Dock guard"):
        party.make("mira", "character.add", name=name)
    party.make("mira", "trait.set", text="It rains")
    party.sit("mira", "ann")
    gm, ann = (guest.page.locator(".log-entry") for guest in (party.gm, party.ann))
    expect(ann.filter(has_text="A fact is added: It rains.")).to_have_count(1)
    expect(ann.filter(has_text="The scene is set.")).not_to_have_count(0)
    expect(ann.filter(has_text="Sask")).to_have_count(0)
    expect(ann.filter(has_text="Dock guard")).to_have_count(0)
    expect(gm.filter(has_text="Dock guard joined the story.")).to_have_count(1)
    expect(gm.filter(has_text="The scene is set.")).to_have_count(0)
    party.declare()
    party.make("mira", "character.add", name="Stranger")
    expect(ann.filter(has_text="Stranger joined the story.")).to_have_count(1)
