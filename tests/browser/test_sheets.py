"""The sheet of a character: its numbers with their rolls, and what a tap on one begins."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.guests import Come, Guest, Party


def sheet_of(guest: Guest, who: str) -> Locator:
    """The open sheet of one's own character, once its rolls are there."""
    guest.page.locator(f".strip[data-character={who}]").click()
    sheet = guest.see("dialog[open] .living-sheet")
    expect(sheet.locator(".small-pool").first).to_be_visible()
    return sheet


def test_tap_on_skill_begins_check(come: Come) -> None:
    """Own skills have their dice and come first; a tap opens the check with the skill answered."""
    party = Party(come).sit("ann")
    ann = party.ann
    sheet = sheet_of(ann, "pash")
    rows = sheet.get_by_role("button", name="Skulduggery")
    expect(rows.locator(".small-pool")).to_have_attribute("aria-label", "2 Ability, 1 Proficiency")
    expect(sheet.get_by_role("button", name="Stealth")).to_have_count(0)
    rows.click()
    expect(ann.top.get_by_role("heading", name="Make a check")).to_be_visible()
    ann.top.get_by_label("What are you trying to do?").fill("Slice the lock")
    ann.top.locator("button[type=submit]").click()
    expect(ann.page.locator("dialog[open]")).to_have_count(0)
    checks = ann.api("GET", f"/api/tables/{party.id}?seat=ann")["table"]["checks"]
    terms = next(iter(checks.values()))["terms"]
    assert ("skulduggery", "cunning") == (terms["skill"], terms["characteristic"])


def test_other_skills_are_folded(come: Come) -> None:
    """Skills without a rank are one tap away, with the dice of their characteristic."""
    ann = Party(come).sit("ann").ann
    sheet = sheet_of(ann, "pash")
    sheet.get_by_role("button", name="more").click()
    dice = sheet.get_by_role("button", name="Stealth").locator(".small-pool")
    expect(dice).to_have_attribute("aria-label", "3 Ability")


def test_sheet_of_others_begins_nothing(come: Come) -> None:
    """A player reads the dice of another hero, and none of the GM's characters."""
    party = Party(come).sit("ann")
    body = {"seat": "ann", "character": "oska"}
    rolls = party.ann.api("POST", f"/api/tables/{party.id}/sheet", **body)["rolls"]
    assert {""} == {roll["move"] for roll in rolls}
    body["character"] = "captain-rusk"
    assert [] == party.ann.api("POST", f"/api/tables/{party.id}/sheet", **body)["rolls"]


def test_tap_on_weapon_begins_attack(come: Come) -> None:
    """It begins the check with the best skill of combat, and the target is the next question."""
    party = Party(come)
    party.make("ann", "character.set", who="pash", sheet={"damage": 6, "ranged-light": 1})
    ann = party.sit("ann").ann
    weapon = sheet_of(ann, "pash").get_by_role("button", name="Damage of the weapon")
    expect(weapon).to_contain_text("Ranged (light)")
    weapon.click()
    ann.top.get_by_label("What are you trying to do?").fill("Shoot the lamp")
    ann.top.locator("[data-ask=against]").get_by_text("Captain Rusk").click()
    ann.top.locator("button[type=submit]").click()
    expect(ann.page.locator("dialog[open]")).to_have_count(0)
    checks = ann.api("GET", f"/api/tables/{party.id}?seat=ann")["table"]["checks"]
    check = next(iter(checks.values()))
    assert ("ranged-light", 6) == (check["terms"]["skill"], check["terms"]["damage"])
    assert check["against"] == "captain-rusk"
