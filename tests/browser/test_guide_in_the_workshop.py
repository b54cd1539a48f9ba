"""The guide performed: steps and chapters typed into an empty workshop, and the games played."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from playwright.sync_api import Response, expect

from tests.browser.guests import DESK, PHONE, Come, Guest, Serve
from tests.gamefile.test_guide import STEPS, chapter_after, file_after

ACTIONS = (
    ("Try something", ("Bold",), "check.roll"),
    ("Get past somebody", ("Ruhan", "Bold"), "check.roll"),
    ("Cross in the dark", ("Bold",), "check.roll"),
    ("Bring something home", ("Patient",), "check.close"),
)
"""Of each chapter an action: its button, the answers of its form, and the move that ends it."""


@pytest.fixture
def author(serve: Serve, come: Come) -> Guest:
    """The host of a fresh server, before an empty text in the workshop."""
    server = serve()
    author = come(DESK, server)
    author.open("/")
    author.api("POST", "/api/join", secret=server.link.partition("=")[2], host=True)
    author.open("/")
    author.page.get_by_role("link", name="Write a game").click()
    expect(author.page.get_by_label("The text of the game")).to_have_value("")
    return author


def type_below(author: Guest, text: str) -> None:
    """Type below what stands in the workshop until it is this text, and wait for its answer."""
    field = author.page.get_by_label("The text of the game")

    def of_this_text(answer: Response) -> bool:
        asked: Any = answer.request.post_data_json if answer.url.endswith("/api/workshop") else None
        return asked is not None and asked["text"] == text

    before = field.input_value()
    if not text.startswith(before):
        field.fill("")
        before = ""
    with author.page.expect_response(of_this_text):
        field.press("ControlOrMeta+End")
        author.page.keyboard.insert_text(text.removeprefix(before))
    expect(field).to_have_value(text)


def in_sight(author: Guest, text: str) -> None:
    """No mistake is marked, and the shown game has what the file has."""
    page, game = author.page, tomllib.loads(text)
    shown = page.locator("[data-side=game]")
    names = [
        *(row["words"] for row in game.get("outcome", ())),
        *(row["title"] for row in game.get("move", ())),
        *(row["name"] for row in game.get("character", ())),
    ]
    for name in (game["name"], *names):
        expect(shown.get_by_text(name, exact=True).filter(visible=True).first).to_be_visible()
    expect(page.locator(".mistake, .file-mark")).to_have_count(0)
    expect(page.get_by_label("The text of the game")).not_to_have_attribute("aria-invalid", "true")


@pytest.mark.exhaustive
def test_guide_makes_a_playable_table(author: Guest, come: Come) -> None:
    """The page alone leads from an empty text on a fresh server to the ninth step's scene."""
    gm, ann = author, come(PHONE, author.server)
    for n in range(1, len(STEPS) + 1):
        type_below(gm, file_after(n))
        in_sight(gm, file_after(n))
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
    ann.tap("Wits", exact=False)
    # The check was rolled with real dice, so these are asked for too.
    for die, face in enumerate((5, 2)):
        ann.top.locator(".face-row").nth(die).locator(".face-pick").nth(face - 1).click()
    ann.top.get_by_role("button", name="Take these faces").click()
    ann.see(".stage[data-phase=idle] .outcome .result")
    # 6 less the highest is 1, and the harm is gone.
    expect(ann.page.get_by_text("1 of 9", exact=True).filter(visible=True).first).to_be_visible()
    expect(
        gm.page.get_by_text(
            "No longer true of Ilse Brandt: A twisted ankle (Resist the harm).", exact=True
        )
    ).to_be_visible()
    traits = gm.api("GET", f"/api/tables/{gm.table}")["table"]["traits"].values()
    assert [] == [one for one in traits if one["kind"] == "harm"]


@pytest.mark.exhaustive
def test_chapters_make_playable_tables(author: Guest, come: Come) -> None:
    """Each is typed below the last without a mistake, shows its odds, and has an action to take."""
    ann = come(PHONE, author.server)
    for n, (title, answers, last) in enumerate(ACTIONS, 1):
        text = chapter_after(n)
        type_below(author, text)
        in_sight(author, text)
        if "[dice" in text:
            author.tap(title)
            expect(author.page.get_by_label("The dice of a roll")).not_to_have_value("")
            [action] = [one for one in tomllib.loads(text)["action"] if one["title"] == title]
            expect(author.page.locator(".rungs p .small")).to_have_text(
                [row["words"] for row in action["outcome"]]
            )
        else:
            expect(author.page.get_by_label("The dice of a roll")).to_have_count(0)
        author.tap("Open a table with it")
        author.see("svg.qr path")
        table, seat = author.table, author.page.url.partition("seat=")[2].partition("&")[0]
        author.tap("Close")
        link = author.api("POST", f"/api/tables/{table}/links", seat=seat, side="player")
        ann.api("POST", "/api/join", secret=link["path"].partition("#link=")[2], name="Ann")
        sheet = tomllib.loads(text)["sheet"]["ways"]["entries"]
        ann.make(table, "ann", "character.add", name="Ilse", sheet=dict.fromkeys(sheet, 2))
        author.make(table, seat, "session.begin")
        if "toller" in text:
            author.make(table, seat, "npc.bring", kind="toller", name="Ruhan")
        ann.at(table, "ann")
        ann.tap(title)
        for answer in answers:
            ann.top.get_by_role("radio", name=answer, exact=False).check(force=True)
        ann.tap(title)
        if last == "check.close":
            author.offer("check.agree").click()
        ann.offer(last).click()
        if last == "check.close":
            author.read("Ilse: You bring it home.")
        else:
            ann.see(".outcome .result")
        author.open("/workshop")
