"""Portraits and pictures on the page: a drawing, a cropped picture, and a picture for Ann alone."""

from __future__ import annotations

import io
import re
from pathlib import Path

from PIL import Image
from playwright.sync_api import FilePayload, expect

from tests.browser.guests import DESK, PHONE, Come
from tests.browser.test_access import missed, violations


def photo() -> FilePayload:
    """A picture of a camera: its left half is red, its right half blue."""
    image, file = Image.new("RGB", (900, 600), "red"), io.BytesIO()
    image.paste("blue", (450, 0, 900, 600))
    image.save(file, "JPEG")
    return {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": file.getvalue()}


def test_portrait_stands_where_the_initial_stood(come: Come, shots: Path) -> None:
    """A drawing by one tap, a picture cropped by keyboard; all see it, and the GM shows another."""
    gm, ann, bo = come(DESK), come(PHONE), come(PHONE)
    table = gm.api("POST", "/api/tables", system="c2d10", title="The quay", name="Mira")["table"]
    ann.joins(gm, table, "Ann", "Juna", {"athletics": 2})
    bo.joins(gm, table, "Bo", "Teodor", {"athletics": 2})
    gm.make(table, "mira", "session.begin")
    for guest, seat in ((gm, "mira"), (ann, "ann"), (bo, "bo")):
        guest.at(table, seat)
    expect(bo.page.locator(".person img")).to_have_count(0)
    ann.view("Characters")
    ann.page.get_by_role("button", name="Edit Juna").click()
    sheet = ann.page.locator("dialog[open]")
    sheet.get_by_role("button", name="Change a portrait").click()
    sheet.get_by_role("button", name="A fox").click()
    face = bo.page.locator(".people-here .person img")
    expect(face).to_have_attribute("src", "/static/faces/fox.svg")
    # It fills the disc of its person and covers nothing next to it.
    for one in bo.page.locator(".person:has(img)").filter(visible=True).all():
        disc, inside = one.bounding_box(), one.locator("img").bounding_box()
        assert disc
        assert inside
        assert disc["width"] - 8 <= inside["width"] <= disc["width"]
    expect(sheet.get_by_role("button", name="A fox")).to_have_attribute("aria-pressed", "true")
    assert [] == [*missed(ann), *violations(ann)]
    sheet.locator("input[type=file]").set_input_files(photo())
    crop = sheet.locator("canvas")
    crop.focus()
    for _ in range(12):
        ann.page.keyboard.press("ArrowLeft")
    middle = "one => [...one.getContext('2d').getImageData(128, 128, 1, 1).data].slice(0, 3)"
    ann.until(f"() => (({middle})(document.querySelector('canvas')))[0] > 200")
    assert [] == [*missed(ann), *violations(ann)]
    sheet.get_by_role("button", name="Use this picture").click()
    expect(face).to_have_attribute("src", re.compile(rf"/api/tables/{table}/pictures/\w+\?seat=bo"))
    box = face.bounding_box()
    assert box is not None
    assert box["width"] == box["height"] < 36
    # The left half of the picture alone was in the circle.
    colour = bo.page.evaluate(
        "async () => { const one = document.querySelector('.people-here .person img');"
        " await one.decode(); const canvas ="
        " document.createElement('canvas'); canvas.width = canvas.height = 9; const drawn ="
        " canvas.getContext('2d'); drawn.drawImage(one, 0, 0, 9, 9);"
        " return [...drawn.getImageData(4, 4, 1, 1).data]; }"
    )
    assert colour[0] > 200 > 60 > colour[2]
    ann.page.keyboard.press("Escape")
    # A picture for Ann alone: Bo's browser gets neither it nor its key.
    gm.view("Characters")
    gm.page.locator(".papers input[type=file]").last.set_input_files(photo())
    form = gm.page.locator("dialog form")
    form.get_by_label("Title").fill("The quillon")
    form.get_by_label("Ann").check()
    form.locator("button[type=submit]").click()
    held = ann.page.locator("dialog.held-paper")
    shown = held.get_by_role("img", name="The quillon")
    ann.until("() => document.querySelector('.held-paper img')?.naturalWidth === 900")
    address = str(shown.get_attribute("src")).replace("seat=ann", "seat=bo")
    assert 404 == bo.context.request.get(f"{bo.server.address}{address}").status
    assert "quillon" not in bo.page.content()
    ann.still()
    assert [] == [*missed(ann), *violations(ann)]
    held.get_by_role("button", name="Put it away").click()
    expect(held).to_have_count(0)
    # And later in the log.
    ann.view("Log")
    ann.picture(shots / "handout-in-the-log.png")
    ann.page.get_by_role("log").get_by_role("button", name="Show it large: The quillon").click()
    expect(shown).to_be_visible()
