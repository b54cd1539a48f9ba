"""Safe taps: a second tap does nothing unintended, and a discarded answer can be restored."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.guests import DESK, PHONE, Come, Guest, Party
from tests.browser.page_scripts import script
from tests.browser.test_interruptions import moves

ROLL = ":is(.dock .button[data-move='check.roll'], .offer-place[data-move='check.roll'] .offer)"

# The page's own clock is between the taps: on a slow machine it is late for both, the tap and
# whatever wakes up.
TAPS = """([x, y, pause]) => new Promise((done) => {
    const tap = () => {
        const there = document.elementFromPoint(x, y);
        const how = { bubbles: true, cancelable: true, clientX: x, clientY: y };
        there.dispatchEvent(new PointerEvent('pointerdown', how));
        there.dispatchEvent(new MouseEvent('click', how));
    };
    tap();
    setTimeout(() => { tap(); done(); }, pause);
})"""


def twice(guest: Guest, selector: str, pause: int = 200) -> None:
    """Tap one place twice, like a hasty thumb."""
    # Others' additions to the dock are asleep for a moment.
    expect(guest.see(selector)).to_be_enabled()
    guest.see(selector).scroll_into_view_if_needed()
    guest.still()
    box = guest.page.locator(selector).filter(visible=True).first.bounding_box()
    assert box is not None
    guest.page.evaluate(TAPS, [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, pause])


class TwoTaps:
    """A table of Dune where Ann is about to roll."""

    def __init__(self, come: Come) -> None:
        skilled = {
            "communicate": 8,
            "battle": 4,
            "discipline": 4,
            "move": 4,
            "understand": 4,
            "power": 8,
            "duty": 4,
        }
        self.gm = come(PHONE)
        self.id: str = self.gm.api(
            "POST", "/api/tables", system="dune", title="The dinner", name="Mira"
        )["table"]
        self.ann = come(PHONE).joins(self.gm, self.id, "Ann", "Ysolde", skilled)
        self.gm.make(self.id, "mira", "session.begin")
        self.ann.at(self.id, "ann")
        chosen = {"skill": "communicate", "drive": "power", "difficulty": 0}
        self.ann.make(self.id, "ann", "check.declare", title="Ask for the salt", **chosen)
        self.gm.make(self.id, "mira", "check.agree")


def awake(guest: Guest) -> None:
    """Wait until nothing is asleep and earlier messages have arrived."""
    expect(guest.page.locator(".shield, .dock[data-asleep]")).to_have_count(0)
    guest.up_to_date()


def test_double_tap_on_roll_keeps_the_dune_test(come: Come) -> None:
    """The rolled test stays open: the successor of Roll is asleep for a moment."""
    table = TwoTaps(come)
    ann = table.ann
    # Two dice that leave a decision: with two 20s, for one, the roll would end automatically.
    ann.rolls("5 6")
    for size in (PHONE, DESK):
        ann.resize(size)
        twice(ann, ROLL)
        ann.see(".outcome .result")
        awake(ann)
        made = [
            one["event"]["move"]
            for one in ann.log(table.id, "ann")
            if one["event"] and one["event"].get("move")
        ]
        assert "check.roll" == made[-1]
        ann.caught_up(table.gm.make(table.id, "mira", "table.undo"))
        ann.awake()


def test_double_tap_on_roll_loses_nothing(come: Come) -> None:
    """The results can still be spent, however quick the second tap is."""
    party = Party(come, size=PHONE).sit("ann")
    ann = party.ann
    # A success with an Advantage to spend.
    ann.rolls("2 2 6 1 1")
    party.declare()
    party.make("ann", "destiny.pass")
    party.make("mira", "destiny.pass")
    rolls = 0
    for size in (PHONE, DESK):
        ann.resize(size)
        for pause in (120, 200, 400):
            twice(ann, ROLL, pause)
            ann.see(".outcome .result")
            awake(ann)
            rolls += 1
            made = [
                moves(ann, party, "ann", key)
                for key in ("check.roll", "spend.waive", "check.close")
            ]
            assert [rolls, 0, 0] == made
            # The guard sees no tap of a script, so the second may have opened whatever came there.
            if ann.page.locator("dialog[open]").count():
                ann.page.keyboard.press("Escape")
                expect(ann.page.locator("dialog[open]")).to_have_count(0)
            ann.caught_up(party.make("mira", "table.undo"))
            ann.awake()


# Frames are drawn when the test says so, and what comes after half a second or more comes then too.
HELD = """
const [set, clear, draw] = [setTimeout, clearTimeout, requestAnimationFrame];
const [frames, timers] = [[], new Map()];
let n = 0;
window.setTimeout = (work, wait, ...more) => {
  if (!window.held || !(wait >= 500)) return set(work, wait, ...more);
  timers.set(--n, work);
  return n;
};
window.clearTimeout = (one) => timers.delete(one) || clear(one);
window.requestAnimationFrame = (work) => (window.held ? frames.push(work) : draw(work));
window.passTime = () => [...timers].forEach(([one, work]) => timers.delete(one) && work());
window.drawFrame = () => frames.splice(0).forEach((work) => work(performance.now()));
"""


def test_dock_sleep_starts_when_painted(come: Come) -> None:
    """A slow phone accepts no tap on the successor of Roll as it appears, however late."""
    table = TwoTaps(come)
    ann = table.ann
    ann.prepare(HELD)
    ann.at(table.id, "ann")
    ann.awake()
    expect(ann.see(ROLL)).to_be_enabled()
    ann.page.evaluate("window.held = true")
    ann.make(table.id, "ann", "check.roll", faces="5 6")
    dock = ann.page.locator(".dock[data-asleep]")
    expect(dock).to_have_count(1)
    # The page has had time for its effects, and its clock goes on, but nothing has been painted.
    ann.page.evaluate("new Promise((done) => setTimeout(done, 200)).then(passTime)")
    expect(dock).to_have_count(1)
    for _ in range(2):
        expect(dock).to_have_count(1)
        ann.page.evaluate("drawFrame()")
    ann.page.evaluate("passTime()")
    expect(dock).to_have_count(0)


def test_early_tap_is_explained(come: Come) -> None:
    """New dock content accepts no tap at once, and a note at the finger says so."""
    table = TwoTaps(come)
    ann = table.ann
    ann.prepare(HELD)
    ann.at(table.id, "ann")
    ann.awake()
    expect(ann.see(ROLL)).to_be_enabled()
    ann.page.evaluate("window.held = true")
    ann.make(table.id, "ann", "check.roll", faces="5 6")
    box = ann.page.locator(".dock[data-asleep] .dock-row .button").first.bounding_box()
    assert box is not None
    ann.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(ann.page.locator(".swallowed")).to_have_text("Too soon: tap again")
    expect(ann.page.locator(".swallowed")).to_be_in_viewport(ratio=1)
    ann.page.evaluate("passTime()")
    expect(ann.page.locator(".swallowed")).to_have_count(0)
    made = [
        one["event"]["move"]
        for one in ann.log(table.id, "ann")
        if one["event"] and one["event"].get("move")
    ]
    assert "check.roll" == made[-1]


def test_rising_sheet_is_asleep(come: Come) -> None:
    """Two taps on its button leave the sheet open with nothing chosen, even through the veil."""
    ann = Party(come, size=PHONE).sit("ann").ann
    for size in (PHONE, DESK):
        ann.resize(size)
        ann.still()
        box = ann.see("#primary").bounding_box()
        assert box is not None
        ann.page.mouse.click(box["x"] + 60, box["y"] + 20)
        # The moment in which it opens is the worst.
        ann.page.wait_for_selector("dialog[open]")
        ann.page.mouse.click(box["x"] + 60, box["y"] + 20)
        ann.page.wait_for_timeout(100)
        expect(ann.page.locator("dialog[open]")).to_have_count(1)
        ann.still()
        # A form has its first answers once it is weighed.
        ann.page.wait_for_selector("dialog[open] form:not([aria-busy])")
        chosen = ann.page.locator("dialog[open] :checked").count()
        # Opened again without a second tap, the form begins with as many answers.
        ann.page.keyboard.press("Escape")
        ann.page.locator("#primary").press("Enter")
        ann.page.wait_for_selector("dialog[open]")
        ann.still()
        expect(ann.page.locator("dialog[open] :checked")).to_have_count(chosen)
        ann.tap("Cancel")
        expect(ann.page.locator("dialog[open]")).to_have_count(0)


def test_sheet_covers_the_page_at_once(come: Come) -> None:
    """The sheet opens in the step of the request, so nothing below it is pressed."""
    gm = come(PHONE)
    gm.open("/")
    covers = """async (opener) => {
        opener.focus();
        opener.click();
        await Promise.resolve();
        return document.querySelector('dialog[open]') !== null;
    }"""
    opener = gm.page.get_by_role("button", name="This device").first
    assert opener.evaluate(covers)
    expect(gm.page.locator("dialog[open] h2")).to_be_focused()
    gm.page.keyboard.press("Escape")
    expect(opener).to_be_focused()


def test_same_button_is_never_slowed(come: Come) -> None:
    """A stepper counts every tap."""
    party = Party(come).sit("ann")
    ann = party.ann
    ann.view("Characters")
    ann.page.get_by_role("button", name="Edit Pash").click()
    more = ann.page.get_by_role("button", name="More: Brawn")
    more.click()
    box = more.bounding_box()
    assert box is not None
    for _ in range(4):
        ann.page.mouse.click(box["x"] + 20, box["y"] + 20)
    # The first one sets the usual number.
    expect(ann.page.get_by_role("textbox", name="Brawn")).to_have_value("6")


def test_other_seats_change_sleeps_in_the_dock(come: Come) -> None:
    """New content is asleep for a reader who is about to tap the old one."""
    party = Party(come).sit("ann")
    ann = party.ann
    expect(ann.page.locator("#primary")).to_have_attribute("data-move", "check.declare")
    expect(ann.page.locator(".dock[data-asleep]")).to_have_count(0)
    ann.page.evaluate(
        """() => {
            const find = (selector) => document.querySelector(selector);
            const asleep = () => Boolean(find(".dock[data-asleep]"));
            const state = () => [find("#primary")?.dataset.move, asleep()];
            window.slept = [];
            new MutationObserver(() => window.slept.push(state()))
                .observe(find(".table"), { subtree: true, childList: true, attributes: true });
        }"""
    )
    party.declare()
    expect(ann.page.locator("#primary")).not_to_have_attribute("data-move", "check.declare")
    expect(ann.page.locator(".dock[data-asleep]")).to_have_count(0)
    slept = ann.page.evaluate("window.slept")
    assert any(asleep for move, asleep in slept if move != "check.declare")


# A line that comes above moves all that is below it down, as a move by another seat does.
SHIFT = """(n) => new Promise((done) => {
    const more = document.createElement("div");
    more.style.height = `${n}px`;
    document.querySelector(".offers-place").prepend(more);
    requestAnimationFrame(() => requestAnimationFrame(done));
})"""


COUNT = script("count-clicks")


class Press:
    """A finger or a mouse, pressed on the first of Ann's offers and lifted later."""

    def __init__(self, come: Come, touch: bool) -> None:
        self.ann = Party(come, size=PHONE).sit("ann").ann
        self.button = self.ann.page.locator(".offers .offer:not([aria-disabled])").first
        self.button.scroll_into_view_if_needed()
        self.ann.still()
        box = self.button.bounding_box()
        assert box is not None
        self.x, self.y = box["x"] + 40, box["y"] + box["height"] / 2
        self.hand = self.ann.page.context.new_cdp_session(self.ann.page) if touch else None

    def down(self) -> None:
        """Press."""
        if self.hand:
            self.hand.send(
                "Input.dispatchTouchEvent",
                {"type": "touchStart", "touchPoints": [{"x": self.x, "y": self.y}]},
            )
        else:
            self.ann.page.mouse.move(self.x, self.y)
            self.ann.page.mouse.down()

    def up(self) -> None:
        """Release."""
        if self.hand:
            self.hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        else:
            self.ann.page.mouse.up()


@pytest.mark.parametrize(
    ("touch", "held"), [(False, 0), (True, 0), (False, 3500)], ids=["mouse", "finger", "for long"]
)
def test_press_survives_a_moving_page(come: Come, touch: bool, held: int) -> None:
    """A button that moves during a press still works, and its successor does not react."""
    press = Press(come, touch)
    title = press.button.locator(".offer-title").inner_text().splitlines()[0]
    press.down()
    press.ann.page.evaluate(SHIFT, 150)
    press.ann.page.wait_for_timeout(held)
    press.up()
    expect(press.ann.page.locator("dialog[open] h2")).to_have_text(title)


def test_sliding_off_a_button_cancels(come: Come) -> None:
    """Releasing outside the button does nothing, nor does a button that has gone."""
    press = Press(come, touch=False)
    page = press.ann.page
    page.evaluate(COUNT)
    press.down()
    page.mouse.move(press.x, press.y + 300)
    press.up()
    press.down()
    press.button.evaluate("(button) => button.closest('.offer-place').remove()")
    page.evaluate(SHIFT, 1)
    press.up()
    assert 0 == page.evaluate("window.pressed")
