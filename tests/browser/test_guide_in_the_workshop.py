"""The guide performed: each step typed into an empty workshop, and the game played there."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from playwright.sync_api import Response, expect

from tests.browser.guests import DESK, PHONE, Come, Guest, Serve
from tests.gamefile.test_guide import STEPS, file_after


def type_step(author: Guest, n: int) -> None:
    """Type a step's text at the end, and wait until the page has read it."""
    field, text = author.page.get_by_label("The text of the game"), file_after(n)

    def of_this_text(answer: Response) -> bool:
        asked: Any = answer.request.post_data_json if answer.url.endswith("/api/workshop") else None
        return asked is not None and asked["text"] == text

    with author.page.expect_response(of_this_text):
        field.press("ControlOrMeta+End")
        author.page.keyboard.insert_text(("\n" if n > 1 else "") + STEPS[n - 1][1])
    expect(field).to_have_value(text)


def in_sight(author: Guest, n: int) -> None:
    """No mistake is marked, and the shown game has the contents of the file after a step."""
    page, game = author.page, tomllib.loads(file_after(n))
    shown = page.locator("[data-side=game]")
    names = [
        *(row["title"] for row in game.get("move", ())),
        *(row["name"] for row in game.get("character", ())),
    ]
    for name in (game["name"], *(row["words"] for row in game["outcome"]), *names):
        expect(shown.get_by_text(name, exact=True).first).to_be_visible()
    expect(page.locator(".mistake, .file-mark")).to_have_count(0)
    expect(page.get_by_label("The text of the game")).not_to_have_attribute("aria-invalid", "true")


@pytest.mark.exhaustive
def test_guide_makes_a_playable_table(serve: Serve, come: Come) -> None:
    """The page alone leads from an empty text on a fresh server to the ninth step's scene."""
    server = serve()
    gm, ann = come(DESK, server), come(PHONE, server)
    gm.open("/")
    gm.api("POST", "/api/join", secret=server.link.partition("=")[2], host=True)
    gm.open("/")
    gm.page.get_by_role("link", name="Write a game").click()
    expect(gm.page.get_by_label("The text of the game")).to_have_value("")
    for n in range(1, len(STEPS) + 1):
        type_step(gm, n)
        in_sight(gm, n)
    gm.tap("Open a table with it")
    gm.see("svg.qr path")
    link = gm.page.get_by_label("The address of the link").input_value()
    gm.tap("Close")
    ann.open(link)
    ann.page.get_by_label("What shall we call you?").fill("Ann")
    ann.tap("Sit down")
    ann.top.get_by_role("button", name="Ilse Brandt", exact=False).click()
    ann.tap("Play Ilse Brandt")
    gm.tap("Start a session")
    # The scene of the ninth step: a risk that goes wrong, the harm that comes of it, and the nerve
    # to resist it.
    ann.rolls("4 5")
    ann.rolls("3 5", "move.resist")
    ann.tap("Take a risk")
    ann.top.get_by_role("radio", name="Sneak", exact=False).check(force=True)
    ann.tap("Take a risk")
    gm.offer("check.agree").click()
    ann.offer("check.roll").click()
    for guest in (gm, ann):
        guest.read("Costly: you do it, and something goes wrong.")
    gm.tap("Harm")
    gm.top.get_by_label("In a few words?").fill("A twisted ankle")
    gm.tap("Bring trouble")
    ann.tap("Wits")
    # The check was rolled with real dice, so these are asked for too.
    for die, face in enumerate((5, 2)):
        ann.top.locator(".face-row").nth(die).locator(".face-pick").nth(face - 1).click()
    ann.top.get_by_role("button", name="Take these faces").click()
    ann.see(".stage[data-phase=idle] .outcome .result")
    # 6 less the highest is 1, and the harm is gone.
    expect(ann.page.get_by_text("1 of 9", exact=True).filter(visible=True).first).to_be_visible()
    expect(
        gm.page.get_by_text("No longer true: A twisted ankle (Resist the harm).", exact=True)
    ).to_be_visible()
    traits = gm.api("GET", f"/api/tables/{gm.table}")["table"]["traits"].values()
    assert [] == [one for one in traits if one["kind"] == "harm"]
