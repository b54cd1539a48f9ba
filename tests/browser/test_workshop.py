"""The workshop: a mistake is marked at its line, a game is seen as it is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from storypool import systems
from tests.browser.guests import DESK, PHONE, Come, Guest, Serve
from tests.browser.test_screens import Camera

FILE = Path(__file__).parents[2] / "docs" / "games" / f"nightshift{systems.ENDING}"


@pytest.fixture
def author(come: Come, serve: Serve) -> Guest:
    """The host of a server, in the workshop."""
    server = serve()
    guest = come(DESK, server)
    guest.open("/")
    guest.api("POST", "/api/join", secret=server.link.partition("=")[2], host=True)
    guest.open("/")
    guest.page.get_by_role("link", name="Write a game").click()
    guest.read("The game appears here while you write.")
    return guest


def test_a_mistake_is_marked_and_corrected(author: Guest, shots: Path) -> None:
    """A wrong name is marked at its line with the nearest one; corrected, the dice show at once."""
    text, page, camera = FILE.read_text(encoding="utf-8"), author.page, Camera(shots, DESK, PHONE)
    wrong = text.replace("sides = 6", "sidse = 6")
    line = wrong[: wrong.index("sidse")].count("\n") + 1
    field = page.get_by_label("The text of the game")
    field.fill(wrong)
    mistake = page.get_by_role("button", name=f"Line {line}: “sidse” is not known here; did you mean “sides”?")
    expect(mistake).to_be_visible()
    expect(page.locator(f".file-mark[data-line='{line}']")).to_be_visible()
    camera.shoot(author, "workshop-mistake")
    mistake.click()
    assert "sidse = 6" == page.evaluate("getSelection().toString()")
    field.fill(text)
    expect(page.get_by_role("heading", name="Nightshift")).to_be_visible()
    assert ["1", "2", "3", "4", "5", "6, sixes"] == [
        one.get_attribute("aria-label") for one in page.locator(".faces [role=img]").all()
    ]
    expect(page.locator(".mistake")).to_have_count(0)
    camera.shoot(author, "workshop-game")
    author.resize(PHONE)
    author.tap("Game")
    camera.shoot(author, "workshop-game-phone")
