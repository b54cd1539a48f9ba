"""The moving picture of the README: a check until the token turns, as an animated PNG."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

from playwright.sync_api import Browser, expect

from storypool import systems
from storypool.play import Performance, read
from tests.browser.guests import Guest
from tools.small_png import SIGNATURE, chunk, chunks, small
from tools.states import State
from tools.visits import House, visit

SCREEN = {"width": 1120, "height": 700}
SCALE = 800 / SCREEN["width"]
LOOK, READ = 1200, 2400
"""Milliseconds for a picture: one in a movement, and one with something to read."""


def frames(browser: Browser, house: House) -> Iterator[tuple[bytes, int]]:
    """The pictures of a check in the demo of Star Wars as Vessa's player sees it, with times."""
    performance = Performance(read(systems.demo("starwars") or "", "demo.play"))
    for step in performance.steps():
        if " check.close" in step.text:
            break
    ann = Guest(
        browser,
        house,
        SCREEN,
        regular=True,
        painted=True,
        color_scheme="dark",
        device_scale_factor=SCALE,
    )
    visit(ann, house, State("starwars", "check", performance.records, "ann", others=("gm",)))

    def picture(ms: int) -> tuple[bytes, int]:
        # Pending odds are dimmed, and a dock that has just changed is asleep.
        expect(ann.page.locator("[data-old=true], .dock[data-asleep=true]")).to_have_count(0)
        ann.still()
        return ann.page.screenshot(), ms

    def made(seat: str, move: str, **args: object) -> None:
        ann.caught_up(ann.make(ann.table, seat, move, **args))

    yield picture(LOOK)
    ann.page.locator("#primary").click()
    ann.page.locator("[data-ask=title] input").fill("Open the crate without a sound")
    ann.page.locator("[data-ask=skill] .chosen").click()
    ann.top.get_by_role("searchbox").fill("skul")
    ann.top.get_by_role("searchbox").press("Enter")
    ann.page.locator("[data-ask=difficulty]").get_by_text("Hard").click()
    ann.see(".would .die")
    yield picture(READ)
    ann.page.locator("dialog[open] button[type=submit]").click()
    ann.see(".pool .die")
    yield picture(LOOK)
    made("gm", "check.agree")
    ann.see("[data-move='destiny.upgrade'] .offer-effect")
    yield picture(LOOK)
    made("gm", "pool.add", die="setback", why="It is too dark to see the lock")
    made("gm", "pool.add", die="boost", why="Ilo laughs at the right moment")
    ann.see(".offer-effect")
    yield picture(READ)
    made("ann", "destiny.upgrade")
    ann.see(".point[data-state=turning]")
    yield picture(READ)
    made("gm", "destiny.pass")
    yield picture(LOOK)
    made("ann", "check.roll", faces="8 12 5 3 1 2 3 1")
    ann.see(".outcome .result")
    yield picture(READ)
    made("ann", "check.close")
    yield picture(READ)
    ann.context.close()


def animated(pictures: Sequence[tuple[bytes, int]], least: int = 20) -> bytes:
    """An animated PNG that repeats: PNG pictures of one size, each with its time in milliseconds.

    They have 256 colours, which is a quarter of the bytes.
    """
    reduced = zip(small([png for png, _ in pictures], 256), pictures, strict=True)
    [(first, _), *_] = parts = [(list(chunks(png)), max(ms, least)) for png, (_, ms) in reduced]
    head, palette = dict(first)[b"IHDR"], dict(first)[b"PLTE"]
    out = [
        SIGNATURE,
        chunk(b"IHDR", head),
        chunk(b"acTL", struct.pack(">II", len(parts), 0)),
        chunk(b"PLTE", palette),
    ]
    number = 0
    for n, (found, ms) in enumerate(parts):
        out.append(
            chunk(
                b"fcTL",
                struct.pack(">I", number) + head[:8] + struct.pack(">IIHHBB", 0, 0, ms, 1000, 0, 0),
            )
        )
        number += 1
        for data in (data for kind, data in found if kind == b"IDAT"):
            out.append(
                chunk(b"fdAT", struct.pack(">I", number) + data) if n else chunk(b"IDAT", data)
            )
            number += n > 0
    return b"".join([*out, chunk(b"IEND", b"")])
