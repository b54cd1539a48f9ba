"""People and things are put on a board by mouse, finger, keyboard, and from the list."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.guests import DESK, PHONE, Come, Guest
from tests.browser.test_dune_duel import Duel


def yard(come: Come) -> Duel:
    """A duel with three zones in a row; the poison is at the gate."""
    duel = Duel(come, "Ivo")
    for zone, beside in (("Gate", {}), ("Yard", {"next": "Gate"}), ("Tower", {"next": "Yard"})):
        duel.make("mira", "zone.add", text=zone, **beside)
    duel.ann.caught_up(duel.make("ann", "zone.place", what="Poison", zone="Gate"))
    return duel


def place(guest: Guest, name: str) -> Locator:
    head = guest.page.locator(".place-name .name", has_text=re.compile(f"^{name}$"))
    return guest.page.locator(".place").filter(has=head)


def grip(guest: Guest, name: str) -> Locator:
    return guest.page.get_by_role("button", name=f"Move {name}", exact=True)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_person_is_dragged_to_a_place(come: Come, size: dict[str, int]) -> None:
    """They follow the pointer, and the move is made where it is dropped, and nowhere else."""
    duel = yard(come)
    ann = duel.ann
    ann.resize(size)
    grip(ann, "Vell").hover()
    ann.page.mouse.down()
    place(ann, "Yard").hover()
    expect(ann.page.locator(".board-ghost")).to_have_text("Vell")
    expect(place(ann, "Yard")).to_have_attribute("data-reach", "yes")
    ann.page.mouse.up()
    expect(place(ann, "Yard")).to_contain_text("Vell")
    expect(ann.page.locator(".board-ghost")).to_have_count(0)
    expect(place(duel.gm, "Yard")).to_contain_text("Vell")
    texts = [one["text"] for one in duel.gm.log(duel.id, "mira")[-8:]]
    assert "Vell: In Yard." in texts
    # Dropped where it cannot go it stays, and the place says why.
    grip(ann, "Poison").hover()
    ann.page.mouse.down()
    place(ann, "Tower").hover()
    expect(place(ann, "Tower")).to_have_attribute("data-reach", "no")
    ann.page.mouse.up()
    expect(place(ann, "Tower").locator(".place-why")).to_contain_text("Yard")
    expect(place(ann, "Gate")).to_contain_text("Poison")


def test_thing_is_put_by_two_taps(come: Come) -> None:
    """Its grip lights the places that it reaches; the others have the reason; escape lets go."""
    duel = yard(come)
    ann = duel.ann
    grip(ann, "Poison").focus()
    ann.page.keyboard.press("Enter")
    expect(place(ann, "Yard")).to_have_attribute("data-reach", "yes")
    expect(place(ann, "Tower")).to_have_attribute("data-reach", "no")
    expect(place(ann, "Tower")).to_contain_text("Yard")
    expect(place(ann, "Tower").get_by_role("button", name="Put Poison here")).to_have_count(0)
    ann.page.keyboard.press("Escape")
    expect(place(ann, "Yard")).not_to_have_attribute("data-reach", "yes")
    grip(ann, "Poison").click()
    place(ann, "Yard").get_by_role("button", name="Put Poison here").click()
    # To move an asset is a test, which begins with the answers of the two taps.
    expect(ann.page.locator(".action-title")).to_have_text("Move Poison to Yard")


def test_range_bands_of_star_wars(come: Come) -> None:
    """Everybody is placed at once; then one goes a zone at a time, and the page says the range."""
    gm = come(DESK)
    id: str = gm.api("POST", "/api/tables", system="starwars", title="The yard", name="Mira")[
        "table"
    ]
    ann = come(PHONE).joins(gm, id, "Ann", "Pash", {"agility": 3, "willpower": 2})
    gm.make(id, "mira", "session.begin")
    gm.make(id, "mira", "character.add", name="Guard", sheet={"willpower": 2, "agility": 2})
    gm.make(id, "mira", "zone.add", text="Gate, Yard, Tower")
    gm.at(id, "mira")
    gm.page.locator(".board [data-move='zone.gather'] button").first.click()
    gm.page.get_by_role("dialog").get_by_role("button", name="Place everybody").click()
    expect(place(gm, "Tower")).to_contain_text("Guard")
    for faces, seat, who in (([1, 1], "mira", "guard"), ([3, 3], "ann", "pash")):
        guest = gm if seat == "mira" else ann
        guest.make(id, seat, "initiative.roll", **{"as": who, "with": "vigilance"}, faces=faces)
    gm.make(id, "mira", "initiative.next")
    ann.at(id, "ann")
    expect(place(ann, "Tower")).to_contain_text("long range from Pash")
    grip(ann, "Pash").hover()
    ann.page.mouse.down()
    place(ann, "Yard").hover()
    expect(place(ann, "Yard")).to_have_attribute("data-reach", "yes")
    expect(place(ann, "Tower")).to_have_attribute("data-reach", "no")
    ann.page.mouse.up()
    expect(place(ann, "Yard")).to_contain_text("Pash")
    # The next one by two taps.
    grip(ann, "Pash").click()
    expect(place(ann, "Tower")).to_have_attribute("data-reach", "yes")
    place(ann, "Tower").get_by_role("button", name="Put Pash here").click()
    expect(place(gm, "Tower")).to_contain_text("Pash")
    expect(place(ann, "Gate")).to_contain_text("long range from Pash")
    texts = [one["text"] for one in gm.log(id, "mira")[-4:]]
    assert ["Pash goes to Yard.", "Pash goes to Tower."] == [one for one in texts if "goes" in one]
