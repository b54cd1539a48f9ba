"""Every state of the page at both screen sizes: nothing overflows, and axe finds nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.browser.guests import DESK, PHONE, PICTURES, WIDE, Come, Guest, Party, tap_face
from tests.browser.page_scripts import script
from tests.browser.test_access import Reader

Theme = Literal["light", "dark", ""]
SMALLEST = {"width": 320, "height": 640}
DICE = ["8", "12", "12", "4", "12"]
TOO_WIDE = script("too-wide")
PRIMARY = "button[data-kind='primary']:visible"


class Camera:
    """Checks guests in one window size after another, and restores the first.

    If a folder is given, each state is photographed in the guest's theme or several.
    """

    def __init__(
        self, folder: Path, *sizes: Mapping[str, int], themes: Sequence[Theme] = ("",)
    ) -> None:
        self.folder, self.sizes, self.themes = folder, sizes, themes
        self._kept, self._reader = PICTURES, Reader()

    def shoot(self, guest: Guest, state: str) -> None:
        """Check that nothing overflows sideways and axe finds nothing, once nothing moves."""
        self._shoot(guest, state, [])

    def at_the_thumb(self, guest: Guest, state: str) -> None:
        """Check it like `shoot`, and that a phone's main button is whole in the lower third."""
        self._shoot(guest, state, [size for size in self.sizes if size["width"] < WIDE])

    def _shoot(self, guest: Guest, state: str, at_the_thumb: Sequence[Mapping[str, int]]) -> None:
        for size in self.sizes:
            guest.resize(size)
            guest.awake()
            self._look(guest, state, size)
            if size in at_the_thumb:
                scope = "dialog[open] " if guest.page.locator("dialog[open]").count() else ""
                box = guest.page.locator(scope + PRIMARY).last.bounding_box()
                assert box is not None, state
                assert box["y"] >= size["height"] * 2 / 3, state
                assert box["y"] + box["height"] <= size["height"], state
        guest.resize(self.sizes[0])
        guest.awake()

    def _look(self, guest: Guest, state: str, size: Mapping[str, int]) -> None:
        if self._kept:
            self._take(guest, state, size)
        self._reader.mark(guest)
        assert [] == self._reader.violations(guest), state
        assert [] == guest.page.evaluate(TOO_WIDE), state
        assert guest.page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        ), state

    def _take(self, guest: Guest, state: str, size: Mapping[str, int]) -> None:
        for theme in self.themes:
            if theme:
                guest.page.emulate_media(color_scheme=theme)
            guest.still()
            name = f"light-{state}" if theme == "light" else state
            guest.picture(self.folder / f"{name}-{size['width']}.png")


def test_first_step_is_at_the_thumb(come: Come, shots: Path) -> None:
    """The home page of a host without a table has the most links below its main button."""
    host = come(PHONE)
    host.page.route(
        "**/api/session",
        lambda route: route.fulfill(json={**route.fetch().json(), "workshop": True}),
    )
    host.open("/")
    host.see("[href='/workshop']")
    Camera(shots, PHONE, DESK).at_the_thumb(host, "home-host")


@pytest.mark.exhaustive
def test_first_minute(come: Come, shots: Path) -> None:
    """Home, a new table, its invitation, joining, the choice of a character, and the wait."""
    camera, gm, ann = Camera(shots, PHONE, DESK), come(PHONE), come(PHONE)
    gm.open("/")
    gm.see("#primary")
    camera.at_the_thumb(gm, "home-empty")
    gm.tap("New table")
    gm.page.get_by_text("Star Wars narrative dice").click()
    gm.page.get_by_label("What is the table called?").fill("Thursdays at Mira's")
    camera.at_the_thumb(gm, "new-table")
    gm.tap("House rules")
    gm.see("dialog[open] select")
    camera.at_the_thumb(gm, "new-table-rules")
    gm.tap("Open the table")
    gm.see("svg.qr path")
    camera.shoot(gm, "invitation")
    link = gm.page.get_by_label("The address of the link").input_value()
    gm.tap("Close")
    camera.at_the_thumb(gm, "before-the-session")
    ann.open(link)
    ann.page.get_by_label("What shall we call you?").fill("Ann")
    camera.at_the_thumb(ann, "join")
    ann.tap("Sit down")
    ann.see("dialog[open] .ready")
    camera.at_the_thumb(ann, "whom-you-play")
    ann.tap("Just watch for now")
    ann.see(".nobody")
    camera.shoot(ann, "plays-nobody")
    ann.tap("Who are you playing?")
    ann.page.get_by_role("button", name="Vessa Orn", exact=False).click()
    ann.tap("Play Vessa Orn")
    gm.tap("Start a session")
    expect(ann.page.locator(".dock")).to_contain_text("Roll a Force die")
    # To continue without those who have not rolled is not a gold step.
    expect(gm.page.locator("#primary[data-move='destiny.begin']")).to_have_attribute(
        "data-kind", "wide"
    )
    camera.at_the_thumb(ann, "destiny")
    ann.tap("Roll for Destiny")
    ann.see(".loose .fallen[data-falling=false]")
    gm.see(".loose")
    camera.at_the_thumb(ann, "destiny-rolled")
    other = come(PHONE)
    other.open(link)
    other.tap("I am Ann")
    other.see(".claim-code")
    camera.shoot(other, "claim-waits")
    ann.see(".claim-code")
    camera.shoot(ann, "claim-asks")
    ann.tap("Let them in")
    other.live()
    gm.open("/")
    gm.see(".table-card")
    camera.at_the_thumb(gm, "home")
    # Where there is a table to go on with, that is the next step, and not a new one.
    gold = gm.page.locator("[data-kind=primary]")
    expect(gold).to_have_text("Continue: Thursdays at Mira's")
    gold.click()
    expect(gm.page.locator(".head-words h1")).to_have_text("Thursdays at Mira's")


@pytest.mark.exhaustive
def test_action_from_start_to_recap(come: Come, shots: Path) -> None:
    """An action from its declaration to its result and recap, from both sides."""
    camera = Camera(shots, PHONE, DESK, themes=("light", "dark"))
    party = Party(come, size=PHONE, color_scheme="dark").sit()
    gm, ann, bo = party.gm, party.ann, party.bo
    camera.at_the_thumb(ann, "idle")
    ann.tap("Make a check")
    ann.page.locator("[data-ask=skill] .chosen").click()
    ann.top.get_by_role("searchbox").fill("sk")
    camera.at_the_thumb(ann, "declare-search")
    ann.top.get_by_role("searchbox").press("Enter")
    ann.page.locator("[data-ask=difficulty]").get_by_text("Average").click()
    ann.see(".would .die")
    ann.tap("More options")
    ann.see(".dice-dials")
    camera.at_the_thumb(ann, "declare")
    ann.tap("Cancel")
    party.declare()
    party.make("mira", "pool.add", die="boost", why="the alarm is off already")
    ann.weighed(party.make("mira", "pool.add", die="setback", why="it is dark in here"))
    expect(ann.page.locator(".pool .die")).to_have_count(7)
    ann.see(".offer-effect")
    camera.at_the_thumb(ann, "building")
    ann.tap("More about these odds")
    ann.see(".heat")
    expect(ann.page.locator(".curve thead th")).to_have_count(4)
    camera.shoot(ann, "pictures")
    ann.tap("More about these odds")
    ann.page.locator(".pool .die").first.click()
    ann.see(".origin")
    camera.shoot(ann, "die-tapped")
    ann.page.locator(".pool .die").first.click()
    ann.offer("destiny.upgrade").click()
    expect(gm.page.locator(".dock")).to_contain_text("Answer with a dark point")
    # A tapped die says what brought it, and nothing of an upgrade of other dice.
    ann.page.locator(".pool [data-key=boost-1] .die").click()
    expect(ann.page.locator(".origin")).to_contain_text("+1 Boost: the alarm is off already.")
    expect(ann.page.locator(".origin")).not_to_contain_text("upgrade")
    ann.page.locator(".pool [data-key=proficiency-1] .die").click()
    expect(ann.page.locator(".origin")).to_contain_text("1 Ability upgraded")
    ann.page.locator(".pool [data-key=proficiency-1] .die").click()
    camera.at_the_thumb(gm, "window-of-the-gm")
    ann.offer("destiny.fact").press("Enter")
    ann.see(".because")
    camera.shoot(ann, "refused")
    ann.tap("Ask the GM")
    camera.shoot(ann, "asks")
    bo.offer("pool.add").click()
    bo.page.locator("[data-ask=why] input").fill("she has done this before")
    camera.at_the_thumb(bo, "propose")
    bo.page.locator("dialog[open] button[type=submit]").press("Enter")
    gm.pull()
    gm.see(".proposal")
    camera.shoot(gm, "drawer")
    # A window that was large in between has closed it.
    if gm.page.locator("dialog.drawer[open]").count():
        gm.tap("Close")
    gm.offer("destiny.upgrade").click()
    ann.tap("I rolled real dice")
    ann.see(".face-row")
    camera.at_the_thumb(ann, "faces")
    rows = ann.page.locator(".face-row")
    for i, face in enumerate(["7", "12", "3", "12", "8", "3", "1"][: rows.count()]):
        tap_face(rows.nth(i), int(face))
    ann.page.locator("dialog[open] button[type=submit]").press("Enter")
    for guest, who in ((ann, "ann"), (gm, "gm"), (bo, "bo")):
        guest.see(".outcome .result")
        camera.shoot(guest, f"result-{who}")
    ann.page.locator(".offers-place").scroll_into_view_if_needed()
    camera.shoot(ann, "spend-menu")
    gm.view("Log")
    gm.tap("The whole recap")
    gm.see(".session-luck")
    camera.shoot(gm, "recap")


@pytest.mark.exhaustive
def test_other_views_of_the_table(come: Come, shots: Path) -> None:
    """The log, characters and table panel; spectators; many dice; many points."""
    camera = Camera(shots, PHONE, SMALLEST, DESK)
    party = Party(come, size=PHONE)
    for n in range(4):
        party.declare(f"Door number {n + 1}")
        party.make("ann", "check.cancel")
    party.make("mira", "table.say", text="A long silence.", secret=True)
    party.make("ann", "track.suffer", who="pash", track="strain", by=3)
    party.make("bo", "initiative.roll", **{"as": "oska", "with": "cool"})
    party.make("mira", "initiative.roll", **{"as": "captain-rusk", "with": "cool"})
    party.make("mira", "initiative.next")
    party.sit("mira", "ann")
    gm, ann = party.gm, party.ann
    for view in ("Log", "Characters", "Table"):
        for guest, who in ((ann, "ann"), (gm, "gm")):
            guest.view(view)
            camera.shoot(guest, f"{view.lower()}-{who}")
    for title in ("House rules", "Download, archive or delete"):
        gm.tap(title)
    camera.shoot(gm, "table-gm-open")
    gm.tap("Delete the table")
    gm.see("dialog[open]")
    camera.shoot(gm, "delete")
    gm.tap("Cancel")
    link = gm.api("POST", f"/api/tables/{party.id}/links", seat="mira", side="spectator")
    watcher = come(PHONE)
    watcher.api("POST", "/api/join", secret=link["path"].partition("#link=")[2], name="Vera")
    watcher.at(party.id, "vera")
    camera.shoot(watcher, "spectator-calm")
    for account in ("light", "dark"):
        party.make("mira", "points.correct", account=account, to=7, why="many")
    title = "A very long plan with many parts that goes on and on, and on"
    party.make("mira", "initiative.end")
    party.make("ann", "check.declare", title=title, pool="14A9P8B/12D9C8S")
    for guest in (ann, watcher):
        expect(guest.page.locator(".pool .die")).to_have_count(60)
    ann.view("Play")
    camera.shoot(ann, "crowd")
    expect(watcher.page.locator(".dock-state")).to_contain_text("Waiting for")
    camera.shoot(watcher, "spectator")
