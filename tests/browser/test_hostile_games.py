"""Names and sentences of a game file are text in the page: nothing runs or is fetched."""

from __future__ import annotations

import os
import random
from urllib.parse import urlsplit

import pytest

from storypool.gamefile import Unread
from storypool.gamefile.compiled import compiled
from tests.browser.guests import DESK, Come, Serve
from tests.browser.test_injected import FOUND
from tools.torture.game_texts import game_text

FILES = int(os.environ.get("STORYPOOL_HOSTILE", "3"))
"""The number of hostile files on the page."""


def taken() -> list[str]:
    """Valid hostile files with markup in their sentences."""
    found, n = list[str](), 0
    while len(found) < FILES:
        n += 1
        text = game_text(random.Random(f"in a page {n}"))
        if "evil.example" in text or "window.ran" in text:
            try:
                compiled(text)
            except Unread:
                continue
            found.append(text)
    return found


@pytest.mark.parametrize(
    "policy",
    [pytest.param(False, id="none"), pytest.param(True, id="policy", marks=pytest.mark.exhaustive)],
)
def test_file_never_becomes_markup(come: Come, serve: Serve, policy: bool) -> None:
    """In the workshop and at its table, with and without the page's policy."""
    server = serve()
    guest = come(DESK, server, bypass_csp=not policy)
    page, elsewhere = guest.page, list[str]()
    here = urlsplit(server.address).netloc
    page.on(
        "request",
        lambda sent: (
            elsewhere.append(sent.url) if urlsplit(sent.url).netloc not in ("", here) else None
        ),
    )
    guest.open("/")
    guest.api("POST", "/api/join", secret=server.link.partition("=")[2], host=True)
    wrong = list[object]()
    for text in taken():
        guest.open("/workshop")
        page.get_by_label("The text of the game").fill(text)
        guest.read("What a roll comes to")
        guest.still()
        wrong += page.evaluate(FOUND)
        opened = guest.api("POST", "/api/tables", title="A table", name="Mona", game=text)
        id = opened["table"]
        for move, args in (
            ("session.begin", {}),
            ("character.add", {"name": "Pash"}),
            ("check.declare", {}),
        ):
            url = f"{server.address}/api/tables/{id}/moves"
            body = {"seat": "mona", "move": move, "args": args}
            page.request.post(url, data=body, headers={"Origin": server.address})
        guest.open(f"/t/{id}?seat=mona")
        guest.see(".table")
        for view in ("Log", "Characters", "Table"):
            guest.view(view)
            guest.still()
            wrong += page.evaluate(FOUND)
    assert ([], []) == (wrong, elsewhere)
