"""The scene of a game master in one place: text to read aloud, tries, questions and people."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.guests import DESK, PHONE, Come

BOUNDS = "one => { const { left, right } = one.getBoundingClientRect(); return [left, right]; }"


def test_scene_is_one_place(come: Come) -> None:
    """A tap asks a player to try something, a question is answered there, and nothing moves.

    On a phone the same is a page of its own.
    """
    gm, ann = come(DESK), come(PHONE)
    table = gm.api("POST", "/api/tables", system="dune", title="Sel Amar", name="Mira")["table"]
    gm.api("POST", f"/api/tables/{table}/first-scene", seat="mira")
    ann.joins(gm, table, "Ann", "Ruhan", {"battle": 7, "move": 6, "duty": 8})
    gm.make(table, "mira", "question.add", text="Who is the letter for?")
    gm.make(table, "mira", "question.add", text="Who paid for it?", secret=True)
    gm.at(table, "mira")
    ann.at(table, "ann")
    scene = gm.page.locator(".side .scene-page")
    expect(scene.locator("[data-move='try.call']").first).to_be_in_viewport(ratio=1)
    expect(gm.page.locator(".opening p").filter(visible=True)).to_have_count(2)
    expect(gm.page.locator(".log-entry").last).to_be_in_viewport()
    expect(scene.locator(".scene-one")).to_have_count(2)
    columns = gm.page.locator(".middle, .right")
    before = columns.evaluate_all(f"all => all.map({BOUNDS})")
    gm.view("Log")
    expect(scene).to_have_count(0)
    gm.view("Scene")
    expect(scene).to_be_visible()
    assert before == columns.evaluate_all(f"all => all.map({BOUNDS})")
    gm.caught_up(ann.make(table, "ann", "character.add", name="Odo"))
    tried = scene.locator("li", has_text="Reach the cord")
    tried.locator("[data-move='try.call']").click()
    tried.get_by_role("button", name="Ask Ruhan").click()
    # The player's next step is this check, and its difficulty is agreed.
    expect(ann.page.locator(".dock-state")).to_contain_text(
        "Ruhan, will you try it? Reach the cord"
    )
    ann.page.locator("#primary").click()
    expect(ann.page.locator(".action-title")).to_have_text("Reach the cord before the guard does")
    expect(ann.page.locator("#primary")).to_have_attribute("data-move", "check.roll")
    # Only two 1s make four successes: 1 in 400 is not 1 %.
    gm.make(table, "mira", "check.difficulty", difficulty=4)
    expect(ann.page.locator(".odds-words")).to_contain_text("<1 %")
    hidden = scene.locator("li", has_text="Who paid for it?")
    hidden.get_by_role("textbox").fill("House Orlan.")
    hidden.get_by_role("button", name="Answer", exact=True).click()
    answered = scene.locator("li[data-hidden=true]", has_text="Who paid for it? House Orlan.")
    expect(answered).to_be_visible()
    expect(ann.page.locator("body")).not_to_contain_text("House Orlan.")
    answered.locator("[data-move='trait.show']").click()
    expect(scene.locator("li[data-hidden=false]", has_text="House Orlan.")).to_be_visible()
    # One tap shows a hidden NPC to the players; the rank in words is shown apart from the numbers.
    gm.make(table, "mira", "character.add", name="Vey", sheet="battle=5 rank=2", secret=True)
    vey = scene.locator(".scene-one", has_text="Vey")
    expect(vey).to_contain_text("Notable · hidden from the players")
    vey.locator("[data-move='character.show']").click()
    expect(vey).not_to_contain_text("hidden")
    ann.view("Characters")
    card = ann.page.locator(".person-card", has_text="Vey")
    expect(card).not_to_contain_text("Notable")
    gm.make(table, "mira", "character.show", who="vey", what="rank")
    expect(card).to_contain_text("Notable · ")
    expect(card.get_by_role("button", name="Numbers")).to_have_count(0)
    # A focus is in the players' log and on their card once it is shown.
    focus = {"who": "vey", "kind": "focus", "at": "battle", "text": "Short blades"}
    gm.make(table, "mira", "sheet.write", **focus)
    gm.make(table, "mira", "sheet.write", **{**focus, "text": "Long blades"})
    gm.make(table, "mira", "character.show", who="vey", what="Long blades")
    expect(card.locator(".words li")).to_have_text(["Battle Long blades"])
    assert "Short blades" not in ann.page.content()
    gm.resize(PHONE)
    gm.view("Scene")
    expect(scene.locator(".aloud p").first).to_be_visible()
    expect(scene.get_by_role("textbox")).to_have_count(1)
