"""Ready-made people, copies, encounters and packs, all on a phone."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.browser.guests import PHONE, Come, Guest
from tests.browser.test_access import missed, violations

FIGHTER = {"brawn": 3, "melee": 2, "damage": 6, "soak": 3, "wound-threshold": 12}


def chosen(form: Locator, ask: str, typed: str) -> None:
    """Answer a question of a form with the first choice that has what is typed."""
    field = form.locator(f"[data-ask={ask}]")
    field.locator(".select").click()
    field.get_by_role("searchbox").fill(typed)
    field.get_by_role("searchbox").press("Enter")
    expect(field.locator(".select")).to_contain_text(typed)


def sent(gm: Guest, form: Locator) -> None:
    """Send a form."""
    form.locator("button[type=submit]").click()
    expect(form).to_have_count(0)


def table_of(gm: Guest, title: str) -> str:
    """A new table of a GM, in a session."""
    opened = gm.api("POST", "/api/tables", system="starwars", title=title, name="Mira")
    gm.make(opened["table"], "mira", "session.begin")
    return str(opened["table"])


def test_people_are_found_copied_and_prepared(come: Come, tmp_path: Path) -> None:
    """A GM finds one by search, copies it, prepares a fight of both, and takes it elsewhere.

    A player sees only who has come in the open.
    """
    gm, ann = come(PHONE), come(PHONE)
    table, other = table_of(gm, "The gate"), table_of(gm, "The other gate")
    ann.joins(gm, table, "Ann", "Pash", FIGHTER)
    gm.at(table, "mira")
    ann.at(table, "ann")
    form = gm.page.locator("dialog[open] form.form")
    gm.tool("character.bring")
    chosen(form, "person", "Dock guards")
    sent(gm, form)
    gm.tool("character.copy")
    form.get_by_label("Under which name?").fill("Gate guards")
    form.get_by_label("Only for the GM's eyes?").check()
    assert [] == [*missed(gm), *violations(gm)]
    sent(gm, form)
    ann.view("Characters")
    seen = ann.page.locator("body")
    expect(seen).to_contain_text("Dock guards")
    expect(seen).not_to_contain_text("Gate guards")
    gm.page.keyboard.press("Escape")
    gm.view("Scene")
    gm.page.locator("[data-opens=encounters]").click()
    screen = gm.page.locator(".encounters")
    screen.locator("[data-move='encounter.prepare']").click()
    form.get_by_label("Title").fill("At the gate")
    chosen(form, "who1", "Gate guards")
    # How even it is follows the answers.
    expect(form).to_contain_text("Harder for the players: the best attack of Pash on Gate guards")
    form.get_by_role("button", name="More: How many are they?").first.click()
    expect(form).to_contain_text("They stand 7 such hits")
    chosen(form, "who2", "Records clerks")
    form.get_by_label("Where?").fill("Behind the crates")
    assert [] == [*missed(gm), *violations(gm)]
    sent(gm, form)
    card = screen.locator("[data-encounter]")
    expect(card).to_contain_text("5 × Gate guards")
    expect(card).to_contain_text("Behind the crates")
    expect(card).to_contain_text("They stand")
    assert [] == [*missed(gm), *violations(gm)]
    screen.get_by_text("Packs").click()
    with gm.page.expect_download() as download:
        screen.get_by_role("link", name="Save the pack").click()
    pack = tmp_path / download.value.suggested_filename
    download.value.save_as(pack)
    card.locator("[data-move='encounter.bring']").click()
    expect(card).to_contain_text("brought in 1 time")
    expect(seen).to_contain_text("Gate guards")
    expect(seen).to_contain_text("Records clerks")
    assert "At the gate" not in ann.page.content()
    assert "At the gate" not in str(ann.api("GET", f"/api/tables/{table}/log?seat=ann"))
    gm.at(other, "mira")
    gm.view("Scene")
    gm.page.locator("[data-opens=encounters]").click()
    screen.get_by_text("Packs").click()
    screen.locator("input[type=file]").set_input_files(pack)
    expect(screen.locator("[data-pack] li")).to_have_text(
        ["At the gate", "Dock guards", "Gate guards"]
    )
    assert [] == [*missed(gm), *violations(gm)]
    screen.locator("[data-move='pack.take']").click()
    expect(card).to_contain_text("5 × Gate guards")
    expect(card).to_contain_text("no player’s character has the numbers")
