"""The page of a game in one file uses the words of the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from storypool import systems
from tests.browser.guests import PHONE, Come

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
