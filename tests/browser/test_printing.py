"""Printing: the rules of each game on one or two sheets, and a table's characters."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.guests import PAINTED, PHONE, Come, Party
from tests.browser.page_scripts import script
from tests.fixed_set import cases

MARGIN = 68
"""Both margins of a sheet, in screen pixels."""
A4 = {"width": 794 - MARGIN, "height": 1123 - MARGIN}
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
OTHER_FONTS = script("other-fonts")


def sheets(page: Page, file: Path) -> int:
    """The number of A4 sheets of a page, which is kept as a PDF and a picture."""
    page.evaluate(PAINTED)
    page.emulate_media(media="print")
    page.pdf(path=file, format="A4", prefer_css_page_size=True)
    page.set_viewport_size({"width": A4["width"], "height": A4["height"]})
    page.screenshot(path=file.with_suffix(".png"), full_page=True)
    return len(re.findall(rb"/Type\s*/Page\b", file.read_bytes()))


@pytest.mark.parametrize(
    "key", cases(("c2d10", "destinydice", "dune", "genesys", "starwars"), ("dune",))
)
def test_printed_rules_fit_two_sheets(come: Come, shots: Path, key: str) -> None:
    """They fit in black on white without our source names, and on a phone with large text."""
    reader = come(PHONE)
    reader.open(f"/api/systems/{key}/reference")
    reader.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert 0 == reader.page.evaluate(WIDER)
    # Until the fonts have come, and where they do not, there are others, which may be wider.
    reader.page.evaluate(OTHER_FONTS, "monospace")
    assert 0 == reader.page.evaluate(WIDER)
    reader.page.evaluate(OTHER_FONTS, None)
    reader.page.evaluate("document.documentElement.style.fontSize = ''")
    assert sheets(reader.page, shots / f"rules-{key}.pdf") in (1, 2)
    assert 0 == reader.page.evaluate(WIDER)
    text = reader.page.locator("main").inner_text()
    assert [] == re.findall(r"\bseed\b|\.md\b", text)
    assert "The steps of a" in text
    filled = """() => [...document.querySelectorAll('body *')]
        .filter(one => one.checkVisibility())
        .filter(one => getComputedStyle(one).backgroundColor !== 'rgba(0, 0, 0, 0)')
        .map(one => one.outerHTML)"""
    assert [] == reader.page.evaluate(filled)


def test_characters_are_printed(come: Come, shots: Path) -> None:
    """Each character has a sheet with its player's needs; secrets are only on the GM's."""
    party = Party(come, size=PHONE)
    party.make("mira", "character.add", name="The spy", secret=True)
    party.make("ann", "track.suffer", who="pash", track="strain", by=3)
    party.make("mira", "trait.set", text="The lights are out")
    for guest, seat, spies in ((party.gm, "mira", 1), (party.ann, "ann", 0)):
        guest.at(party.id, seat)
        guest.view("Table")
        with guest.context.expect_page() as opened:
            guest.page.get_by_role("link", name="Print the characters").click()
        guest.page = opened.value
        guest.page.locator(".sheet").first.wait_for()
        assert ["Pash", "Oska"] == guest.page.locator(".sheet h3").all_inner_texts()[:2]
        # Neither are the GM's characters on a player's.
        assert (
            spies
            == guest.page.get_by_text("The spy").count()
            == guest.page.get_by_text("Captain Rusk").count()
        )
        pash = guest.page.locator(".sheet").first
        assert "played by Ann" in pash.inner_text()
        assert "Skulduggery" in pash.inner_text()
        guest.read("The lights are out")
        assert 0 == guest.page.evaluate(WIDER)
        assert 1 == sheets(guest.page, shots / f"characters-{seat}.pdf")
