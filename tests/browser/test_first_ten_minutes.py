"""The first ten minutes of people who read nothing: they press the heaviest button in sight."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import ElementHandle, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from storypool import systems
from tests.browser.guests import DESK, Come, Guest
from tests.browser.page_scripts import script
from tests.browser.test_dock_only_evening import GAMES, READY, announced, asked, filled
from tests.fixed_set import cases

HEAVIEST, SEEN, HINTS = script("heaviest"), script("seen-text"), script("hint-in-the-way")
CHECKS = 2
"""The checks of the first ten minutes."""
MAX_PRESSES = 60
"""The number of presses that means a standstill."""
USELESS = 10_000
"""The milliseconds without a change after which a press was useless."""
OPEN = re.compile("^(None|Not yet|The GM decides)$")
"""The answers that leave a question open."""
REFUSED = ":is(.because, .field-error):visible"


class Button(NamedTuple):
    """A button in sight: its words, gold 2 or gold edges 1, its weight, and its list or row."""

    one: ElementHandle
    words: str
    gold: int
    locked: bool
    weight: int
    group: str


def in_sight(guest: Guest) -> list[Button]:
    """The buttons in sight, the heaviest first."""
    found = guest.page.evaluate_handle(HEAVIEST)
    described: list[dict[str, Any]] = found.evaluate("all => all.map(({ one, ...rest }) => rest)")
    buttons = []
    for n, rest in enumerate(described):
        one = found.get_property(str(n)).get_property("one").as_element()
        assert one is not None
        buttons.append(Button(one, **rest))
    return buttons


class Evening:
    """A GM and two players who press the heaviest button, with the faults of their pages."""

    def __init__(self, come: Come, key: str, shots: Path) -> None:
        self.key, self.shots = key, shots
        self.gm, self.ann, self.bo = come(DESK), come(), come()
        self.pressed, self.wrong = list[str](), list[str]()

    @property
    def guests(self) -> dict[str, Guest]:
        """Everybody, the players first."""
        return {"Ann": self.ann, "Bo": self.bo, "Mira": self.gm}

    def presses(self, name: str, expected: str = "") -> None:
        """Press the heaviest button, which has these words; something in sight changes."""
        guest = self.guests[name]
        # Under a resting mouse a button looks as if it were next.
        guest.page.mouse.move(0, 0)
        guest.page.wait_for_function(READY, polling=50)
        guest.still()
        guest.picture(self.shots / f"minutes-{self.key}-{len(self.pressed):02}-{name}.png")
        buttons = in_sight(guest)
        self.wrong += [f"{name}: {one} after {self.pressed[-1:]}" for one in faults(buttons)]
        heaviest = next(one for one in buttons if not one.locked)
        assert expected in heaviest.words, (name, heaviest, self.pressed[-3:])
        self.pressed.append(f"{name}: {heaviest.words}")
        before, log = guest.page.evaluate(SEEN), self.pressed[-2:]
        # A finger scrolls nothing into view.
        box = heaviest.one.bounding_box()
        assert box is not None
        guest.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        try:
            changed = f"(before) => ({SEEN})() !== before"
            guest.page.wait_for_function(changed, arg=before, timeout=USELESS)
        except PlaywrightTimeoutError:
            self.wrong.append(f"{name}: nothing changes after {log}")
        guest.page.wait_for_function(READY, polling=50)
        refusals = guest.page.locator(REFUSED)
        if refusals.count():
            self.wrong.append(f"{name}: {refusals.all_inner_texts()} after {log}")

    def fills(self, name: str) -> None:
        """Send the open form of a guest with its first answers."""
        guest = self.guests[name]
        guest.still()
        guest.picture(self.shots / f"minutes-{self.key}-{len(self.pressed):02}-{name}.png")
        self.wrong += [f"{name}: {one}" for one in faults(in_sight(guest))]
        self.pressed.append(f"{name}: form {guest.top.locator('h2').first.inner_text()}")
        for field in guest.top.locator("[data-ask]").all():
            picks = field.locator("label.pick:not(:has([aria-disabled=true]))")
            chosen = field.locator("label.pick:has(:checked)")
            if picks.count() and not chosen.filter(has_not_text=OPEN).count():
                picks.first.click()
        filled(guest)

    def sits(self, name: str, link: str) -> None:
        """Come by the link, type a name and take the first free hero."""
        guest = self.guests[name]
        guest.open(link)
        guest.page.get_by_label("What shall we call you?").fill(name)
        self.presses(name, "Sit down")
        free = guest.page.locator("dialog[open] .ready li > button")
        free.nth(["Ann", "Bo"].index(name)).click()
        self.presses(name)
        expect(guest.page.locator("dialog[open]")).to_have_count(0)
        guest.live()

    def opens(self) -> str:
        """Open a table on the page; returns the address for players."""
        self.gm.open("/")
        self.presses("Mira", "New table")
        self.gm.page.get_by_text(systems.get(self.key).name, exact=True).click()
        self.gm.page.get_by_label("What is the table called?").fill("Strangers")
        self.gm.page.get_by_label("And your name?").fill("Mira")
        self.presses("Mira", "Open the table")
        self.gm.see("svg.qr path")
        link = self.gm.page.get_by_label("The address of the link").input_value()
        self.gm.tap("Close")
        self.gm.live()
        return link

    def plays(self) -> None:
        """Press on until the checks are closed, or nothing more can be pressed."""
        for _ in range(MAX_PRESSES):
            done = announced((self.ann, self.bo, self.gm))["check.closed"]
            if done >= CHECKS:
                return
            for name, guest in self.guests.items():
                guest.page.wait_for_function(READY, polling=50)
                wrong = guest.page.evaluate(HINTS)
                self.wrong += [f"{name}: {one} after {self.pressed[-1:]}" for one in wrong]
            waiting = [name for name, guest in self.guests.items() if asked(guest)]
            name = waiting[0] if waiting else ("Ann", "Bo")[done % 2]
            if self.guests[name].page.locator("dialog[open] form").count():
                self.fills(name)
            else:
                self.presses(name)
        raise AssertionError(f"a standstill: {self.pressed} {self.wrong}")


def faults(buttons: Sequence[Button]) -> Iterator[str]:
    """The faults of the buttons in sight: locks, and rivals for the next step."""
    open_ones = [one for one in buttons if not one.locked]
    if not open_ones:
        yield "nothing can be pressed"
        return
    if buttons[0].locked:
        yield f"the heaviest is locked: {buttons[0].words}"
    gold = [one for one in open_ones if one.gold]
    if len([one for one in gold if one.gold > 1]) > 1 or len({one.group for one in gold}) > 1:
        yield f"two are gold: {[one.words for one in gold]}"
    if "Got it" in open_ones[0].words:
        yield "the hint is the heaviest"
    first, *others = open_ones
    same = [one.words for one in others if one.weight == first.weight and not one.gold]
    if not first.gold and same and not first.group:
        yield f"equally heavy as {first.words}: {same}"
    # Each die of a pool, and each line of the log, is another one.
    words = [one.words for one in open_ones if len(one.words) > 1 and "log" not in one.group]
    twice = {one for one in words if words.count(one) > 1}
    if twice:
        yield f"twice in sight: {sorted(twice)}"


@pytest.mark.parametrize("key", cases(GAMES, ["starwars"]))
def test_heaviest_buttons_lead_on(come: Come, shots: Path, key: str) -> None:
    """Nobody reads anything, and two checks of players end; no press is lost or refused."""
    evening = Evening(come, key, shots)
    link = evening.opens()
    evening.sits("Ann", link)
    evening.sits("Bo", link)
    evening.presses("Mira", "Play the first scene")
    evening.plays()
    assert [] == evening.wrong, "\n".join([*evening.wrong, *evening.pressed])
