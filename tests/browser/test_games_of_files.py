"""The page of a game in one file uses the words of the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from storypool import systems
from tests.browser.guests import DESK, PHONE, Come

GAMES = Path(__file__).parents[2] / "docs" / "games"


@pytest.fixture
def nightshift() -> Iterator[str]:
    """A game of the docs, for the duration of a test."""
    key = systems.added(GAMES / "nightshift.game.toml")
    yield key
    systems.removed(key)


@pytest.fixture
def mothcandle() -> Iterator[str]:
    """A game with an omen that belongs to neither side."""
    key = systems.added(GAMES / "mothcandle.game.toml")
    yield key
    systems.removed(key)


def test_shared_points_are_in_sight(come: Come, mothcandle: str) -> None:
    """The pool of both sides is below the trays with its cap, and follows each draw."""
    gm = come(PHONE)
    table = gm.api("POST", "/api/tables", system=mothcandle, title="The last night", name="Mira")[
        "table"
    ]
    ann = come(PHONE).joins(gm, table, "Ann", "Vesper", {"dance": 3})
    gm.make(table, "mira", "session.begin")
    ann.make(table, "ann", "check.declare", art="dance", danger=1, title="Onto the stage")
    gm.make(table, "mira", "check.agree")
    ann.at(table, "ann")
    expect(ann.page.locator(".tray-common")).to_have_text("Omens 0 of 6")
    ann.make(table, "ann", "move.beckon")
    expect(ann.page.locator(".tray-common")).to_have_text("Omens 1 of 6")


def test_action_uses_the_words_of_the_file(come: Come, nightshift: str) -> None:
    """A verbal answer is shown large, and a numbered die without the name of a symbol."""
    gm = come(PHONE)
    table = gm.api("POST", "/api/tables", system=nightshift, title="The long night", name="Mira")[
        "table"
    ]
    ann = come(PHONE).joins(gm, table, "Ann", "Ilse", {"sneak": 2})
    gm.make(table, "mira", "session.begin")
    ann.make(table, "ann", "check.declare", action="sneak", title="Over the roofs")
    gm.make(table, "mira", "check.agree")
    ann.at(table, "ann")
    expect(ann.page.locator(".figure-main dd")).to_have_text("Risky")
    ann.make(table, "ann", "check.roll", faces="6 4")
    expect(ann.page.locator(".face.numbered")).to_have_text(["6", "4"])


@pytest.fixture
def kelpwater() -> Iterator[str]:
    """A game with three actions."""
    key = systems.added(GAMES / "kelpwater.game.toml")
    yield key
    systems.removed(key)


def test_each_action_shows_its_own(come: Come, kelpwater: str) -> None:
    """A button declares it; its number, its moves and its result are on the stage, no other's."""
    gm = come(PHONE)
    table = gm.api("POST", "/api/tables", system=kelpwater, title="The coast", name="Mira")["table"]
    ann = come(PHONE).joins(gm, table, "Ann", "Runa", {"hard": 2, "body": 13})
    gm.make(table, "mira", "session.begin")
    ann.at(table, "ann")
    page, figure = ann.page, ann.page.locator(".figure-main")
    gm.make(table, "mira", "move.oath_new", text="Bring the bell back", size=8)
    dock = page.locator(".dock")
    for size in (PHONE, DESK, PHONE):
        ann.resize(size)
        for title in ("Do something", "Withstand it", "Fulfil an oath"):
            expect(dock.get_by_role("button", name=title)).to_be_in_viewport(ratio=1)
            expect(page.get_by_role("button", name=title)).to_have_count(1)
    ann.tap("Withstand it")
    page.locator("form").get_by_text("Body").click()
    page.locator("form").get_by_role("button", name="Withstand it").click()
    expect(figure).to_have_text("Show at most13")
    expect(page.get_by_role("heading", name="Withstand it")).to_be_visible()
    gm.make(table, "mira", "check.agree")
    expect(page.get_by_role("button", name="Brace yourself")).to_be_visible()
    expect(page.locator(".dice-tray")).to_have_count(0)
    ann.make(table, "ann", "check.roll", faces="7")
    ann.read("You withstand it, with 13.")
    ann.make(table, "ann", "check.close")
    ann.make(table, "ann", "check.declare", **{"as": "runa", "with": "hard"})
    expect(figure).to_have_text("Bonus0")
    expect(page.locator(".dice-tray")).to_have_count(1)


@pytest.fixture
def debts(tmp_path: Path) -> Iterator[str]:
    """The game of the docs with heat, and nerve that may be negative."""
    text = (
        (GAMES / "nightshift.game.toml")
        .read_text(encoding="utf-8")
        .replace('"nightshift"', '"debts"', 1)
    )
    nerve = (
        '[points.nerve]\nof = "character"\nword = "nerve"\nplural = "nerve"\nfloor = -3\ncap = "2 +'
        ' sneak"\n\n'
    )
    file = tmp_path / "debts.game.toml"
    file.write_text(
        text.replace("[points.heat]", f"{nerve}[points.heat]\nfloor = -2", 1), encoding="utf-8"
    )
    key = systems.added(file)
    yield key
    systems.removed(key)


def test_debt_is_in_sight(come: Come, debts: str) -> None:
    """The card and trays show a debt or zero as a number, next to a computed cap."""
    gm = come(PHONE)
    table = gm.api("POST", "/api/tables", system=debts, title="The long night", name="Mira")[
        "table"
    ]
    ann = come(PHONE).joins(gm, table, "Ann", "Ilse", {"sneak": 2})
    gm.make(table, "mira", "session.begin")
    ann.at(table, "ann")
    nerve = ann.page.locator(".strip-point[title=nerve], .strip-point", has_text="Nerve").first
    expect(nerve).to_contain_text("0 of 4")
    gm.make(table, "mira", "character.set", who="ilse", sheet="sneak=1")
    expect(nerve).to_contain_text("0 of 3")
    gm.make(table, "mira", "points.correct", account="ilse.nerve", to=-2, why="A long night")
    expect(nerve).to_contain_text("-2")
    gm.make(table, "mira", "points.correct", account="heat", to=-1, why="A quiet night")
    expect(ann.page.locator(".tray-place", has_text="Heat").locator(".count")).to_have_text("-1")


NARRATED = """
format = 1
key = "told"
name = "Told"
about = "A game."
[dice.d6]
sides = 6
[dice.wild]
sides = 6
explodes = 6
[action]
pool = { d6 = 1, wild = 1 }
figures = { best = { highest = 1, of = ["d6"] } }
terms = { more = 0 }
counts = { total = "best + more" }
[[outcome]]
key = "done"
words = "Done: {total}."
[points.luck]
of = "character"
word = "luck"
plural = "luck"
start = 3
[trait.harm]
word = "Harm"
by = "rules"
of = "character"
[[move]]
key = "push"
title = "Push"
who = "actor"
when = "before the roll"
price = { luck = 1 }
do = [{ add = "d6" }]
[[move]]
key = "call"
title = "Call"
who = "actor"
when = "before the roll"
do = [{ add = "d6" }]
[[whenever]]
on = "rolled"
when = "best == 6"
do = [{ throw = { d6 = 1 }, figures = { a = { highest = 1 } } }, { shift = "more", n = "a" }]
why = "A six more"
[[move]]
key = "cost"
title = "Pay the cost"
who = "actor"
when = "after the roll"
due = true
limit = "once an action"
asks = [
  { name = "what", label = "What do you lose?", choices = { luck = "Luck", blood = "Blood" } },
]
do = [
  { when = "what == 'luck'", lose = "luck" },
  { when = "what == 'blood'", make = "harm", text = "A cut" },
]
[[move]]
key = "ask"
title = "Ask the oracle"
who = "anybody"
asks = [{ name = "question", label = "What do you ask?", text = true }]
do = [
  { throw = { d6 = 1 }, figures = { r = { highest = 1 } } },
  { consult = "oracle", n = "r" },
]
[[effects.oracle]]
at = 1
words = "The oracle nods."
"""


def test_stage_shows_the_effects_of_moves(come: Come, tmp_path: Path) -> None:
    """Question, dice and answer are on the stage; so are dice that explode, the cost and harm."""
    file = tmp_path / "narrated.game.toml"
    file.write_text(NARRATED, encoding="utf-8")
    key = systems.added(file)
    try:
        gm = come(DESK)
        table = gm.api("POST", "/api/tables", system=key, title="The road", name="Mira")["table"]
        ann = come(PHONE).joins(gm, table, "Ann", "Kit", {})
        gm.make(table, "mira", "session.begin")
        gm.at(table, "mira")
        ann.at(table, "ann")
        ann.make(table, "ann", "move.ask", question="Is it far?")
        for guest in (gm, ann):
            narrated = guest.page.locator(".loose-told")
            expect(narrated).to_have_text(["Ann: Ask the oracle. “Is it far?”", "The oracle nods."])
        ann.make(table, "ann", "check.declare", title="On")
        taps = ann.page.locator(".tray-die")
        expect(taps).to_have_count(2)
        expect(taps.first).to_contain_text("Push")
        taps.first.click()
        expect(ann.page.locator(".pool .die")).to_have_count(3)
        expect(taps.nth(1)).to_contain_text("Call")
        expect(ann.page.locator(".tray-more")).to_have_count(0)
        ann.make(table, "ann", "check.roll", faces="6 2 6")
        lines = gm.page.locator(".result-spends > span")
        # Exploding dice, and those that a row throws, have a line each.
        expect(lines).to_have_count(2)
        expect(lines.first).to_contain_text("It explodes, and the program rolls on")
        expect(lines.first.locator(".die").first).to_be_attached()
        expect(lines.nth(1)).to_contain_text("A six more")
        expect(lines.nth(1).locator(".die")).to_have_count(1)
        expect(ann.page.locator(".dock-state")).to_have_text("Pay the cost. What do you lose?")
        ann.page.locator(".chips").get_by_role("button", name="Blood").click()
        expect(lines.nth(2)).to_have_text("Ann: Pay the cost. Kit: A cut (harm).")
        expect(ann.page.locator(".mine .strip-carried")).to_have_text("A cut")
    finally:
        systems.removed(key)


def test_several_answers_of_an_action_are_words(come: Come, tmp_path: Path) -> None:
    """They are ticked in its form, as many as it asks for, and stand below its title."""
    text = (GAMES / "nightshift.game.toml").read_text(encoding="utf-8")
    question = """[[action.asks]]
name = "wants"
label = "Which two do you want?"
choices = { quick = "To be quick", quiet = "To stay quiet", clean = "No traces" }
choose = 2

[[action.asks]]
name = "position"
"""
    file = tmp_path / "wants.game.toml"
    file.write_text(
        text.replace('[[action.asks]]\nname = "position"\n', question, 1)
        .replace('key = "nightshift"', 'key = "wants"', 1)
        .replace('entry = "actions"\n', 'entry = "actions"\ndefault = "sneak"\n', 1)
        .replace("table nightshift", "table wants"),
        encoding="utf-8",
    )
    key = systems.added(file)
    try:
        gm = come(PHONE)
        opened = gm.api("POST", "/api/tables", system=key, title="The long night", name="Mira")
        table = opened["table"]
        ann = come(PHONE).joins(gm, table, "Ann", "Ilse", {"sneak": 2})
        gm.make(table, "mira", "session.begin")
        ann.at(table, "ann")
        ann.offer("check.declare").click()
        form = ann.page.locator("dialog[open]")
        for label in ("No traces", "To be quick"):
            form.get_by_label(label).check()
        expect(form.get_by_label("To stay quiet")).to_be_disabled()
        with ann.page.expect_response("**/moves"):
            form.locator("button[type=submit]").press("Enter")
        expect(ann.page.locator(".action-terms")).to_contain_text("To be quick, No traces")
    finally:
        systems.removed(key)
