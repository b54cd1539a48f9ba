"""The sheet of a character: its numbers with their rolls, and what a tap on one begins."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.guests import PHONE, Come, Gathering, Guest, MillRace, Party


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


def test_players_read_no_threshold_of_npcs(come: Come) -> None:
    """They know what an NPC has suffered, not how much more the NPC can take."""
    party = Party(come)
    numbers = {"wound-threshold": 12, "strain-threshold": 11}
    party.make("mira", "character.add", name="Oren Sask", sheet=numbers)
    party.sit("mira", "ann")
    gm, ann = (
        guest.page.locator(".person-card", has_text="Oren") for guest in (party.gm, party.ann)
    )
    party.gm.view("Characters")
    party.ann.view("Characters")
    expect(gm.locator(".track")).to_have_text(["Strain0 of 11", "Wounds0 of 12"])
    expect(ann).to_be_visible()
    expect(ann.locator(".track")).to_have_count(0)
    party.make("mira", "track.suffer", who="oren-sask", track="wounds", by=3)
    expect(ann.locator(".track")).to_have_text(["Wounds3"])
    # Heroes have no secrets from each other.
    hero = party.ann.page.locator(".person-card", has_text="Pash")
    expect(hero.locator(".track").last).to_contain_text("0 of 12")


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


def test_tap_on_named_weapon_begins_attack(come: Come) -> None:
    """It stands under its heading with its numbers; the form begins with it and its range."""
    party = Party(come)
    party.make("ann", "character.set", who="pash", sheet={"ranged-light": 1})
    weapon = {"name": "Light blaster", "damage": 7, "critical": 2, "range": "medium"}
    party.make("ann", "weapon.add", who="pash", **weapon)
    ann = party.sit("ann").ann
    sheet_of(ann, "pash")
    expect(ann.top.get_by_role("button", name="Add a weapon")).to_be_visible()
    expect(ann.top.get_by_text("Weapons", exact=True)).to_be_visible()
    ann.top.get_by_role("button", name="Light blaster: 7 damage").click()
    expect(ann.top.get_by_text("Light blaster", exact=True)).to_be_visible()
    ann.top.get_by_label("What are you trying to do?").fill("Shoot the lamp")
    ann.top.locator("[data-ask=against]").get_by_text("Captain Rusk").click()
    ann.top.locator("button[type=submit]").click()
    expect(ann.page.locator("dialog[open]")).to_have_count(0)
    expect(ann.page.locator(".action-terms")).to_have_text(
        "Ranged (light) · Agility · Average · against Captain Rusk"
    )
    checks = ann.api("GET", f"/api/tables/{party.id}?seat=ann")["table"]["checks"]
    check = next(iter(checks.values()))
    terms = check["terms"]
    assert ("ranged-light", 7, "average") == (
        terms["skill"],
        terms["damage"],
        terms["difficulty"],
    )


def test_talent_on_sheet_is_used(come: Come) -> None:
    """A talent of one's own begins its use, with the talent answered."""
    party = Party(come)
    party.make("mira", "table.settings", option="talents", value="own")
    party.make("ann", "track.suffer", who="pash", track="strain", by=6)
    party.make("ann", "destiny.talent", talent="second-wind", **{"as": "pash"})
    party.make("mira", "proposal.accept")
    ann = party.sit("ann").ann
    sheet_of(ann, "pash")
    ann.top.locator(".words-list button").click()
    expect(ann.top.get_by_role("heading", name="Use a talent or an ability")).to_be_visible()


def test_dune_sheet_has_target_numbers(come: Come) -> None:
    """Each skill has its target number with the highest drive; a tap begins the test with it."""
    table = Gathering(come, "dune", "Arrakeen", PHONE)
    table.player("Ann", "Ruhan", {"battle": 7, "move": 6, "duty": 8, "faith": 4})
    table.make("mira", "session.begin")
    ann = table.sit("ann").ann
    ann.page.locator(".strip[data-character=ruhan]").click()
    row = ann.top.get_by_role("button", name="Move 14")
    expect(row).to_contain_text("14 with Duty")
    row.click()
    expect(ann.top.get_by_role("heading", name="Make a test")).to_be_visible()
    expect(ann.top.locator("form")).to_contain_text("Move")


def test_texts_of_a_sheet_are_edited_with_its_numbers(come: Come) -> None:
    """The pencil has a field for each text and an empty one for another; one button saves all.

    A drive that is too low for a statement has no field for one. A refused text says why, and what
    was saved before it is not written twice.
    """
    table = Gathering(come, "dune", "Arrakeen", PHONE)
    table.player("Ann", "Ruhan", {"battle": 7, "move": 6, "duty": 8, "faith": 4})
    table.make("ann", "sheet.write", who="ruhan", kind="focus", at="battle", text="Short blades")
    ann = table.sit("ann").ann
    ann.page.locator(".strip[data-character=ruhan]").click()
    ann.tap("Edit Ruhan")
    field = ann.top.get_by_label
    field("Focuses: Battle").first.fill("Long blades")
    field("Talents").fill("Sleeps with one eye open")
    field("Talents").last.fill("Reads the feet")
    faith = field("Drive statements: Faith")
    expect(field("Drive statements: Duty")).to_be_visible()
    expect(faith).to_have_count(0)
    ann.top.get_by_role("button", name="More: Faith").click(click_count=2)
    faith.fill("The desert keeps its own")
    # A written text stays in sight.
    ann.top.get_by_role("button", name="Less: Faith").click()
    ann.tap("Save the sheet")
    expect(ann.top.get_by_role("alert")).to_contain_text("Faith is below 6")
    ann.top.get_by_role("button", name="More: Faith").click()
    ann.tap("Save the sheet")
    expect(ann.top.locator("form")).to_have_count(0)
    traits = ann.api("GET", f"/api/tables/{table.id}?seat=ann")["table"]["traits"].values()
    texts = ["Long blades", "Reads the feet", "Sleeps with one eye open"]
    assert [*texts, "The desert keeps its own"] == sorted(one["text"] for one in traits)
    ann.tap("Add an asset")
    expect(ann.top.get_by_role("heading", name="Add an asset")).to_be_visible()


def test_destiny_approach_and_stunt(come: Come) -> None:
    """An approach has its dice and begins an action; what the table does not rate is left out."""
    table = MillRace(come, clever=3, lore=3)
    table.make("ann", "stunt.add", text="Fine print", who="juna")
    ann = table.sit("ann").ann
    sheet = sheet_of(ann, "juna")
    expect(sheet.get_by_role("button", name="Clever").locator(".small-pool")).to_have_attribute(
        "aria-label", "2 Skill, 1 Expertise"
    )
    expect(sheet.get_by_text("Skills")).to_have_count(0)
    ann.tap("Edit Juna")
    expect(ann.top.get_by_role("textbox", name="Clever")).to_have_value("3")
    expect(ann.top.get_by_text("Lore")).to_have_count(0)
    ann.tap("Cancel")
    sheet.get_by_role("button", name="Clever").click()
    expect(ann.top.get_by_role("heading", name="Take an action")).to_be_visible()


def test_sheet_is_edited_on_its_page(come: Come) -> None:
    """The pencil turns the sheet into fields with dice that follow; the button saves the sheet."""
    party = Party(come).sit("ann")
    ann = party.ann
    sheet_of(ann, "pash")
    ann.tap("Edit Pash")
    stealth = ann.top.locator("li", has_text="Stealth")
    ann.top.get_by_role("button", name="More: Agility").click()
    expect(stealth.locator(".small-pool")).to_have_attribute("aria-label", "4 Ability")
    ann.top.get_by_label("Name", exact=True).fill("Pash the Quick")
    # A closed sheet keeps its unsaved numbers.
    ann.tap("Close")
    ann.page.locator(".strip[data-character=pash]").click()
    ann.tap("Edit Pash")
    expect(ann.top.get_by_role("textbox", name="Agility")).to_have_value("4")
    ann.tap("Save the sheet")
    expect(ann.top.get_by_role("heading", name="Pash the Quick")).to_be_visible()
    character = ann.api("GET", f"/api/tables/{party.id}?seat=ann")["table"]["characters"]["pash"]
    assert 4 == character["sheet"]["agility"]


def test_bare_sheet_starts_from_template(come: Come) -> None:
    """The numbers of a ready-made character fill a sheet that has none."""
    party = Party(come)
    party.make("ann", "character.add", name="Kest")
    ann = party.sit("ann").ann
    ann.page.locator(".strip[data-character=kest]").click()
    ann.tap("Edit Kest")
    expect(ann.top.get_by_role("textbox", name="Brawn")).to_have_value("2")
    ann.tap("Brakka Doon")
    expect(ann.top.get_by_role("textbox", name="Brawn")).to_have_value("4")
    ann.tap("Save the sheet")
    expect(ann.top.locator(".sheet-entry").first).to_be_visible()
    character = ann.api("GET", f"/api/tables/{party.id}?seat=ann")["table"]["characters"]["kest"]
    assert (4, "Kest") == (character["sheet"]["brawn"], character["name"])


def test_numbers_that_wait_lead_back(come: Come) -> None:
    """A hero made by hand is led to their numbers; left for later, the sheet leads there again."""
    party = Party(come)
    party.make("mira", "character.leave", who="pash")
    ann = party.sit("ann").ann
    ann.page.locator(".dock").get_by_role("button", name="Who are you playing?").click()
    ann.top.get_by_label("Or make your own").fill("Vel")
    ann.tap("Play")
    expect(ann.top.get_by_role("textbox", name="Brawn")).to_have_value("2")
    ann.tap("Numbers can wait")
    expect(ann.page.locator("dialog[open]")).to_have_count(0)
    strip = ann.page.locator(".strip[data-character=vel]")
    expect(strip).to_contain_text("no numbers yet")
    strip.click()
    ann.tap("Fill in the numbers")
    ann.tap("Save the sheet")
    expect(ann.top.locator(".sheet-entry").first).to_be_visible()
    ann.tap("Close")
    expect(strip).not_to_contain_text("no numbers yet")
