"""What the page remembers of its reader: the skill that was used last, and which hints are not
needed.
"""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.guests import DESK, PHONE, Come, Party


def test_the_skill_that_was_used_last_is_on_top(come: Come) -> None:
    """In a long list what was chosen last comes first, before what the character is trained in,
    also on a later visit.

    Without a skill there are no dice, so nothing says that the question may stay open.
    """
    party = Party(come)
    ann = party.ann
    ann.at(party.id, "ann")
    for expected in ("Charm", "Skulduggery"):
        ann.offer("check.declare").click()
        skill = ann.page.locator("dialog[open] [data-ask=skill]")
        expect(ann.page.locator("dialog[open] [data-ask=title]")).to_contain_text("(optional)")
        expect(skill.locator(".label")).to_have_text("Skill")
        skill.locator(".chosen").click()
        expect(skill.locator(".search-one").first).to_contain_text(expected)
        skill.get_by_role("searchbox").fill("skul")
        skill.locator(".search-one").first.click()
        with ann.page.expect_response("**/moves"):
            ann.page.locator("dialog[open] button[type=submit]").press("Enter")
        expect(ann.page.locator("dialog[open]")).to_have_count(0)
        party.make("ann", "check.cancel")
        ann.page.reload()
        ann.live()


def test_who_tries_at_once_with_another_keeps_the_form(come: Come) -> None:
    """While another action goes first the form offers to be kept, and the moment that is done it is
    the next step.
    """
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


def test_a_hint_goes_when_what_it_is_about_is_used(come: Come) -> None:
    """A player who has tapped a die sees no hint to do so, and the hint does not come back."""
    party = Party(come)
    ann = party.ann
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
    # What is this player's own stays on a phone, and so do the points.
    expect(ann.page.locator(".mine")).to_be_visible()
    expect(ann.page.locator(".table-head")).to_have_css("position", "sticky")
    # On a large screen it is whole, beside the next step: there it pushes nothing down.
    ann.resize(DESK)
    expect(ann.page.locator(".drawer-place, .side .log").first).to_be_visible()
    whole = "one => [one.getBoundingClientRect(), one.scrollWidth > one.clientWidth]"
    hint, cut = ann.see("[data-hint=points] .grow").evaluate(whole)
    dock, _ = ann.see(".dock").evaluate(whole)
    assert not cut
    assert dock["top"] <= hint["top"] < hint["bottom"] <= dock["bottom"]


def test_a_form_begins_with_what_most_people_answer(come: Come) -> None:
    """A question that begins with an answer is not called optional, and numbers by hand are folded
    away.
    """
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


def test_a_strip_names_what_its_sign_does_not_tell_apart(come: Come) -> None:
    """Strain and stress have one sign in C2D10, so the strip says their words."""
    gm, ann = come(PHONE), come(PHONE)
    table = gm.api("POST", "/api/tables", system="c2d10", title="The gates", name="Mira")["table"]
    ann.joins(gm, table, "Ann", "Odo", {"strength": 2})
    ann.at(table, "ann")
    strip = ann.page.locator(".mine .strip")
    expect(strip).to_contain_text("Strain")
    expect(strip).to_contain_text("Stress")
