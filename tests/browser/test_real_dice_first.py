"""Real dice next to a roll: from the start, at their pictures, and first for the evening."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.guests import Come, Guest, Party, tap_face

HAND = "I rolled real dice"
"""The label of the button next to a roll."""


def enter(guest: Guest, *faces: int) -> None:
    """Tap the face of each die in the open form, and take them."""
    rows = guest.page.locator("dialog[open] .face-row")
    expect(rows).to_have_count(len(faces))
    for i, face in enumerate(faces):
        tap_face(rows.nth(i), face)
    guest.tap("Take these faces")
    expect(guest.page.locator("dialog[open]")).to_have_count(0)


def dock_texts(guest: Guest) -> list[str]:
    """The texts of the dock's row from its start to its end."""
    return guest.page.locator(".dock-row :is(.button, .offer-title)").all_inner_texts()


def test_real_dice_need_no_pass_first(come: Come) -> None:
    """One tap passes for the player, and the faces are asked for when the GM has answered."""
    party = Party(come, regular=True)
    ann = party.sit("ann").ann
    ann.caught_up(party.declare())
    ann.awake()
    assert ["Roll, spend no point", "Real dice", "Upgrade a die with a point"] == dock_texts(ann)
    boxes = [
        box
        for one in ann.page.locator(".dock-row > *").all()
        if (box := one.bounding_box()) is not None
    ]
    assert max(box["y"] for box in boxes) < min(box["y"] + box["height"] for box in boxes)
    ann.tap(HAND)
    ann.read("waiting for the GM")
    expect(ann.page.locator("dialog[open]")).to_have_count(0)
    party.make("mira", "destiny.pass")
    enter(ann, 2, 2, 1, 1, 1)
    ann.read("Success by 2")


def test_real_dice_are_first_for_the_evening(come: Come) -> None:
    """A player who typed real dice finds them as the main button, until the program rolls."""
    party = Party(come, regular=True)
    ann = party.sit("ann").ann
    ann.caught_up(party.ready())
    ann.awake()
    assert ["Roll the dice", "Real dice"] == dock_texts(ann)
    ann.tap(HAND)
    enter(ann, 1, 1, 1, 1, 1)
    ann.read("Failure.")
    ann.caught_up(party.declare("Climb out"))
    ann.awake()
    expect(ann.page.locator("#primary")).to_have_text("Real dice")
    ann.page.locator("#primary").click()
    party.make("mira", "destiny.pass")
    expect(ann.page.locator("dialog[open] .face-row")).to_have_count(5)
    ann.tap("Close")
    expect(ann.page.locator("#primary")).to_have_text("Real dice")
    # The program may roll these all the same, and does so from then on.
    ann.tap("Roll the dice")
    expect(ann.page.locator(".outcome .result")).to_be_visible()
