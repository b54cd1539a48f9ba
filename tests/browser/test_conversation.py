"""Making a character step by step, at a game of the house and at a game of one file."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from storypool import systems
from tests.browser.guests import PHONE, Come, Guest
from tests.browser.test_access import missed, press, tab_to, violations
from tests.gamefile.conftest import GAMES


def arrived(come: Come, game: str) -> tuple[Guest, Guest, str]:
    """The GM, a new player who is asked whom they play, and their table."""
    gm, ann = come(PHONE), come(PHONE)
    table = gm.api("POST", "/api/tables", system=game, title="The quay", name="Mira")["table"]
    link = gm.api("POST", f"/api/tables/{table}/links", seat="mira", side="player")
    ann.api("POST", "/api/join", secret=link["path"].partition("#link=")[2], name="Ann")
    ann.open(f"/t/{table}?seat=ann&who")
    return gm, ann, table


def on_step(ann: Guest, n: int, of: int) -> None:
    """Wait for this step, and look at it with axe; nothing overflows sideways."""
    expect(ann.top.get_by_text(f"Step {n} of {of}", exact=True)).to_be_in_viewport()
    assert [] == [*missed(ann), *violations(ann)]
    sheet = ann.page.locator("dialog[open]").last
    assert sheet.evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_steps_make_a_character(come: Come) -> None:
    """Choices show odds of the draft, a reload loses nothing, and texts follow the one move."""
    gm, ann, table = arrived(come, "starwars")
    ann.tap("Answer a few questions About three minutes", exact=False)
    on_step(ann, 1, 5)
    expect(ann.top.locator(".choice").first).to_contain_text("Fly through falling rocks: 69 %")
    tab_to(ann, "[type=radio]")
    press(ann, "ArrowDown", 3)
    expect(ann.top.get_by_label("A slicer", exact=False)).to_be_checked()
    ann.tap("Next")
    on_step(ann, 2, 5)
    expect(ann.top.get_by_role("heading", name="What you are good at")).to_be_focused()
    ann.tap("Back")
    on_step(ann, 1, 5)
    ann.top.get_by_text("A pilot", exact=True).click()
    ann.tap("Next")
    mending = ann.top.locator(".choice", has_text="Making things run")
    expect(mending).to_contain_text("Mend an engine in flight: 38 % instead of 32 %")
    mending.click()
    ann.tap("Next")
    ann.top.get_by_text("A light blaster", exact=True).click()
    ann.top.get_by_label("What is it called?").fill("Old Faithful")
    # The answers and the step are there after a reload.
    ann.page.reload()
    ann.page.get_by_role("button", name="Who are you playing?").first.click()
    expect(ann.top.get_by_role("button", name="Start again")).to_be_visible()
    ann.tap("Go on with your character", exact=False)
    on_step(ann, 3, 5)
    expect(ann.top.get_by_label("What is it called?")).to_have_value("Old Faithful")
    ann.tap("Next")
    on_step(ann, 4, 5)
    ann.top.get_by_text("A debt", exact=True).click()
    # Numbers that are typed replace those of the choices.
    ann.tap("Show the numbers")
    ann.top.get_by_role("textbox", name="Cunning").fill("4")
    ann.tap("Next")
    on_step(ann, 5, 5)
    ann.tap("Make your character")
    ann.read("Your character needs a name.")
    ann.top.get_by_label("The name").fill("Vey Oran")
    ann.top.get_by_label("A fox").check()
    ann.tap("Make Vey Oran")
    expect(ann.page.locator("dialog[open]")).to_have_count(0)
    state = ann.api("GET", f"/api/tables/{table}?seat=ann")["table"]
    [who], [weapon], [note] = (
        list(state[key].values()) for key in ("characters", "traits", "papers")
    )
    numbers = [who["sheet"][key] for key in ("agility", "cunning", "mechanics", "ranged-light")]
    assert ["Vey Oran", "fox", [4, 4, 1, 1]] == [who["name"], who["picture"], numbers]
    assert weapon["text"].startswith("Old Faithful")
    assert ["vey-oran", ["ann"]] == [note["about"], note["seen_by"]]
    assert note["text"] not in str(gm.log(table, "mira"))


def test_steps_of_a_file_are_its_groups(come: Come) -> None:
    """They begin with a ready character; numbers show their odds, and words are on the sheet."""
    key = systems.added(GAMES / "cinderrow.game.toml")
    try:
        _, ann, table = arrived(come, key)
        ann.tap("Answer a few questions", exact=False)
        on_step(ann, 1, 4)
        first = ann.top.locator(".choice").first
        expect(first).to_contain_text(re.compile(r"Do something risky \(\w+\): \d+ %"))
        first.click()
        ann.tap("Next")
        on_step(ann, 2, 4)
        first = ann.top.locator(".dice-dials > li").first
        expect(first).to_contain_text(re.compile(r"Do something risky: \d+ %"))
        before = first.inner_text()
        first.get_by_role("button").last.click()
        expect(first).not_to_have_text(before)
        ann.tap("Next")
        on_step(ann, 3, 4)
        ann.top.locator("textarea").first.fill("Always late")
        ann.tap("Next")
        ann.top.get_by_label("The name").fill("Ilse")
        ann.tap("Make Ilse")
        expect(ann.page.locator("dialog[open]")).to_have_count(0)
        [who] = ann.api("GET", f"/api/tables/{table}?seat=ann")["table"]["characters"].values()
        assert "Always late" in who["sheet"].values()
    finally:
        systems.removed(key)
