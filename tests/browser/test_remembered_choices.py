"""Remembered choices of the reader: the last skill, and hints no longer needed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.guests import DESK, PHONE, Come, Party


def test_last_skill_is_on_top(come: Come) -> None:
    """In a long list it precedes trained skills, also on a later visit.

    Without a skill there are no dice, so the question is not optional.
    """
    party = Party(come)
    ann = party.ann
    ann.at(party.id, "ann")
    for expected in ("Skulduggery", "Charm"):
        ann.offer("check.declare").click()
        skill = ann.page.locator("dialog[open] [data-ask=skill]")
        expect(ann.page.locator("dialog[open] [data-ask=title]")).to_contain_text("(optional)")
        expect(skill.locator(".label")).to_have_text("Skill")
        skill.locator(".chosen").click()
        expect(skill.locator(".search-one").first).to_contain_text(expected)
        skill.get_by_role("searchbox").fill("charm")
        skill.locator(".search-one").first.click()
        with ann.page.expect_response("**/moves"):
            ann.page.locator("dialog[open] button[type=submit]").press("Enter")
        expect(ann.page.locator("dialog[open]")).to_have_count(0)
        party.make("ann", "check.cancel")
        ann.page.reload()
        ann.live()


def test_conflicting_try_keeps_its_form(come: Come) -> None:
    """During another action the form can be kept, and is the next step right after it."""
    party = Party(come).sit("ann")
    ann = party.ann
    ann.offer("check.declare").click()
    form = ann.page.locator("dialog[open]")
    form.get_by_label("What are you trying to do?").fill("Slip past the guard")
    party.make("bo", "check.declare", title="Force the door", skill="charm", difficulty="easy")
    expect(form.get_by_role("alert")).to_contain_text("Keep what you wrote")
    expect(form.locator("[data-kind=primary]")).to_have_count(0)
    form.get_by_role("button", name="Keep it for later").click()
    party.make("mira", "check.cancel")
    ann.page.locator("#primary", has_text="Next: Slip past the guard").click()
    expect(form.get_by_label("What are you trying to do?")).to_have_value("Slip past the guard")


def test_hint_goes_after_its_use(come: Come) -> None:
    """A player who has tapped a die no longer sees the hint for it."""
    party = Party(come)
    ann = party.ann
    # With points the dock has several rows, and no hint.
    for account in ("light", "dark"):
        party.make("mira", "points.correct", account=account, to=0, why="for the test")
    ann.at(party.id, "ann")
    party.declare()
    expect(ann.page.locator("[data-hint=dock]")).to_be_visible()
    ann.tap("Got it")
    ann.page.reload()
    expect(ann.page.locator("[data-hint=pool]")).to_be_visible()
    ann.page.locator(".pool .die").first.click()
    expect(ann.page.locator("[data-hint=pool]")).to_have_count(0)
    ann.page.reload()
    expect(ann.page.locator("[data-hint=points]")).to_be_visible()
    expect(ann.page.locator("[data-hint=pool]")).to_have_count(0)
    # This player's own character stays on a phone, and so do the points.
    expect(ann.page.locator(".mine")).to_be_visible()
    expect(ann.page.locator(".table-head")).to_have_css("position", "sticky")
    # On a large screen it is whole, next to the next step: there it pushes nothing down.
    ann.resize(DESK)
    expect(ann.page.locator(".drawer-place, .side .log").first).to_be_visible()
    whole = "one => [one.getBoundingClientRect(), one.scrollWidth > one.clientWidth]"
    hint, cut = ann.see("[data-hint=points] .grow").evaluate(whole)
    dock, _ = ann.see(".dock").evaluate(whole)
    assert not cut
    assert dock["top"] <= hint["top"] < hint["bottom"] <= dock["bottom"]


def test_form_starts_with_common_answers(come: Come) -> None:
    """A question with a preset is not called optional, and manual numbers are folded."""
    ann = come(PHONE)
    table = ann.api("POST", "/api/tables", system="dune", title="The gates", name="Mira")["table"]
    ann.make(table, "mira", "session.begin")
    ann.make(table, "mira", "character.add", name="Odo", sheet={"move": 6, "duty": 7})
    ann.at(table, "mira")
    ann.offer("check.declare").click()
    form = ann.page.locator("dialog[open]")
    expect(form.locator("[data-ask=skill] legend")).to_have_text("Skill")
    expect(form.locator("[data-ask=target]")).to_have_count(0)
    ann.tap("More options")
    expect(form.locator(".fold [data-ask=target]")).to_be_visible()


def test_strip_names_ambiguous_signs(come: Come) -> None:
    """Strain and stress share a sign in C2D10, so the strip has their words."""
    gm, ann = come(PHONE), come(PHONE)
    table = gm.api("POST", "/api/tables", system="c2d10", title="The gates", name="Mira")["table"]
    ann.joins(gm, table, "Ann", "Odo", {"strength": 2})
    ann.at(table, "ann")
    strip = ann.page.locator(".mine .strip")
    expect(strip).to_contain_text("Strain")
    expect(strip).to_contain_text("Stress")


@pytest.mark.parametrize(("system", "hints"), [("starwars", 1), ("destinydice", 0)])
def test_hint_about_shared_points_needs_some(come: Come, system: str, hints: int) -> None:
    """Where the points at the top are the GM's alone, no hint says that they are shared."""
    gm = come(PHONE)
    gm.prepare("""localStorage.setItem('storypool.hints', '["dock", "pool"]')""")
    table = gm.api("POST", "/api/tables", system=system, title="Late", name="Mira")["table"]
    gm.make(table, "mira", "session.begin")
    gm.at(table, "mira")
    gm.still()
    expect(gm.page.locator("[data-hint=points]")).to_have_count(hints)
