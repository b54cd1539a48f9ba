"""Pages of other origins in Chromium: an allowed one plays with a token, another reads nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.page_scripts import script
from tests.browsers import Party, serving

TRY = script("other-origin")


@pytest.fixture
def elsewhere() -> Iterator[int]:
    """The port of another server on this machine, with one empty page."""

    class Empty(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = b"<!doctype html><title>bot</title><link rel=icon href=data:,>"
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Empty) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def tried(page: Page, party: Party, origin: str) -> dict[str, Any]:
    """What a page of this origin reads of the server, by what it tries."""
    page.goto(origin)
    found: dict[str, Any] = page.evaluate(
        TRY, {"server": party.house.here, "table": party.id, "secret": party.secret("player")}
    )
    return found


def test_named_origin_plays_with_a_token(browser: Browser, elsewhere: int, tmp_path: Path) -> None:
    """It joins, moves, follows the feed and reads the limits; a cookie gives it nothing."""
    named, other = f"http://127.0.0.1:{elsewhere}", f"http://localhost:{elsewhere}"
    with serving(tmp_path, origins=(named,)) as house:
        party = house.table()
        context = browser.new_context()
        try:
            cookies = [
                {"name": name, "value": value, "url": house.here}
                for name, value in party.ann.cookies.items()
            ]
            context.add_cookies(cookies)  # type: ignore[arg-type]
            page = context.new_page()
            allowed = tried(page, party, named)
            refused = tried(page, party, other)
        finally:
            context.close()
        log = party.ann.ask("GET", f"{party.path}/log?limit=1000").text
    assert {"join": 200, "move": 200, "feed": "hello", "protocol": "storypool"} == {
        name: allowed[name] for name in ("join", "move", "feed", "protocol")
    }
    assert allowed["limits"].startswith('"client";r=')
    assert "Hello from elsewhere." in log
    assert ["unread", "unread", "closed"] == [
        allowed[name] for name in ("cookie", "cookieMove", "cookieFeed")
    ]
    assert "By a cookie." not in log
    assert {"unread", "closed"} == {*refused.values()}
