"""System colours, such as high contrast: meaning of backgrounds and shadows is kept."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.guests import PHONE, Come, Party
from tests.browser.page_scripts import script

LOOK = script("colours")
PUT = """(parts) => {
    const made = ([tag, given, ...inside]) => {
        const one = document.createElement(tag);
        for (const [name, value] of Object.entries(given)) one.setAttribute(name, value);
        one.append(...inside.map(made));
        return one;
    };
    document.body.append(...parts.map(made));
}"""


def either(tag: str, name: str, state: str) -> list[list[object]]:
    """Two elements of a class, only one of them in this state."""
    return [[tag, {"class": name, state: "true"}], [tag, {"class": name, state: "false"}]]


RADIOS = ({"type": "radio", "checked": ""}, {"type": "radio"})
PICKS = [
    ["label", {"class": "face-pick"}, ["input", how], ["span", {"class": "die"}]] for how in RADIOS
]
PARTS = [
    ["span", {"class": "filled"}, *either("span", "", "data-on")],
    ["div", {"class": "pool"}, *either("button", "die", "aria-pressed")],
    *PICKS,
    *either("button", "chip", "aria-pressed"),
    *either("button", "search-one", "aria-pressed"),
    ["p", {"class": "slot", "aria-current": "true"}],
    ["p", {"class": "slot"}],
    ["span", {"class": "dot"}],
]
"""Elements of games and states that this table lacks."""
PAIRS = (
    ('.filled > [data-on="true"]', '.filled > [data-on="false"]'),
    (".face-pick > :checked + .die", ".face-pick > :not(:checked) + .die"),
    ('.pool .die[aria-pressed="true"]', '.pool .die[aria-pressed="false"]'),
    ('.chip[aria-pressed="true"]', '.chip[aria-pressed="false"]'),
    ('.search-one[aria-pressed="true"]', '.search-one[aria-pressed="false"]'),
    (".slot[aria-current]", ".slot:not([aria-current])"),
    (".views .tab[aria-current]", ".views .tab:not([aria-current])"),
)
"""Selected elements and their unselected counterparts."""
DRAWN = (".dot", ".your-move::before", ".odds-bar::after")
"""Elements with only a background."""
CLEAR = "rgba(0, 0, 0, 0)"


def looks(page: Page, *selectors: str) -> list[dict[str, str]]:
    """The background, border and outline of these elements."""
    found: list[dict[str, str]] = page.evaluate(LOOK, selectors)
    return found


def test_meaning_of_backgrounds_is_kept(come: Come) -> None:
    """Selection differs, dots and bars have a colour, and toolbars hide the page below."""
    party = Party(come, size=PHONE)
    ann = party.sit("ann").ann
    page = ann.page
    try:
        page.emulate_media(forced_colors="active")
        page.wait_for_function(
            "() => [...document.styleSheets].some((one) => one.href.endsWith('/forced.css'))"
        )
        ann.weighed(party.declare())
        page.evaluate(PUT, PARTS)
        for chosen, other in PAIRS:
            one, two = looks(page, chosen, other)
            assert one != two, chosen
        canvas = looks(page, "body")[0]["ground"]
        for part in DRAWN:
            assert looks(page, part)[0]["ground"] not in (canvas, CLEAR), part
        assert canvas == looks(page, ".thumb")[0]["ground"]
        ann.view("Play")
        ann.offer("check.cancel")
        primary, plain = looks(
            page, ".dock .button[data-kind='primary']", ".dock .button:not([data-kind='primary'])"
        )
        assert primary["border"] != plain["border"]
    finally:
        page.emulate_media(forced_colors="null")
