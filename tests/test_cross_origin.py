"""Pages of other origins: those that a host names use the interface with tokens, others do not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from storypool.cli.public_url import Origin
from storypool.engine.refusal import Refused
from tests.browsers import House, Party, error_of, serving

BOT, OTHER = "https://bot.example", "https://evil.example"
PREFLIGHT = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type",
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server that lets the pages of one other origin in."""
    with serving(tmp_path_factory.mktemp("cross"), origins=(BOT,)) as house:
        yield house


@pytest.fixture(scope="module")
def party(house: House) -> Party:
    """A table with people at it."""
    return house.table()


def asked(
    house: House, method: str, path: str, origin: str, token: str = "", **more: Any
) -> httpx.Response:
    """The answer to a page of this origin, with the headers that a browser adds."""
    headers: dict[str, str] = {"Origin": origin, "Sec-Fetch-Site": "cross-site"}
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    headers |= more.pop("headers", {})
    answer = house.client.request(method, path, headers=headers, **more)
    house.client.cookies.clear()
    assert "access-control-allow-credentials" not in answer.headers
    return answer


def test_preflight_names_methods_and_headers(house: House, party: Party) -> None:
    """A preflight names methods and headers for an allowed origin, and for no other."""
    allowed = asked(house, "OPTIONS", f"{party.path}/moves", BOT, headers=PREFLIGHT)
    assert 204 == allowed.status_code
    assert BOT == allowed.headers["access-control-allow-origin"]
    assert "GET, POST, DELETE" == allowed.headers["access-control-allow-methods"]
    assert "Authorization" in allowed.headers["access-control-allow-headers"]
    assert int(allowed.headers["access-control-max-age"]) > 0
    for path, origin, headers in (
        (f"{party.path}/moves", OTHER, PREFLIGHT),
        (f"{party.path}/moves", "null", PREFLIGHT),
        (f"{party.path}/moves", BOT, {}),
        ("/", BOT, PREFLIGHT),
        ("/help", BOT, PREFLIGHT),
    ):
        refused = asked(house, "OPTIONS", path, origin, headers=headers)
        assert 405 == refused.status_code, (path, origin)
        assert "access-control-allow-methods" not in refused.headers


def test_page_plays_with_a_token(house: House, party: Party) -> None:
    """A page of an allowed origin joins by a link, makes moves and reads their answers."""
    secret = party.secret("player")
    body: dict[str, Any] = {"name": "Robo", "program": True}
    joined = asked(house, "POST", "/api/join", BOT, secret, json=body)
    token = joined.json()["token"]
    body = {"move": "table.say", "args": {"text": "Hello from elsewhere."}}
    made = asked(house, "POST", f"{party.path}/moves", BOT, token, json=body)
    assert 200 == made.status_code
    assert BOT == made.headers["access-control-allow-origin"]
    assert {"RateLimit", "Retry-After"} < {
        *made.headers["access-control-expose-headers"].split(", ")
    }
    refused = asked(house, "POST", f"{party.path}/moves", BOT, token, json={"move": "fly"})
    assert "unknown" == error_of(refused, 400)["code"]
    assert BOT == refused.headers["access-control-allow-origin"]
    assert "origin" in made.headers["vary"].lower()


def test_cookies_do_not_count_from_elsewhere(house: House, party: Party) -> None:
    """An allowed origin reads nothing with a player's cookie, changes nothing, and sets none."""
    cookie = party.ann._cookie()
    body = {"move": "table.say", "args": {"text": "By a cookie."}}
    assert 401 == asked(house, "GET", party.path, BOT, headers=cookie).status_code
    moves = f"{party.path}/moves"
    assert 403 == asked(house, "POST", moves, BOT, headers=cookie, json=body).status_code
    assert "By a cookie." not in party.ann.ask("GET", f"{party.path}/log").text
    joined = asked(house, "POST", "/api/join", BOT, party.secret("player"), json={"name": "Eve"})
    assert 200 == joined.status_code
    assert "set-cookie" not in joined.headers


def test_other_origins_stay_outside(house: House, party: Party) -> None:
    """They may read nothing, and change nothing without a token."""
    for origin in (OTHER, "null", "https://bot.example.evil.example", "http://bot.example"):
        read = asked(house, "GET", "/api/systems", origin)
        assert "access-control-allow-origin" not in read.headers
        assert "origin" in read.headers["vary"].lower(), "a cache keeps the answers apart"
        sent = asked(house, "POST", "/api/odds", origin, json={"system": "tiny", "pool": "1 coin"})
        assert "origin" == error_of(sent, 403)["code"]
        assert "origin" not in asked(house, "GET", "/", origin).headers.get("vary", "").lower()


@pytest.mark.parametrize(
    ("origin", "protocols", "status"),
    [
        (BOT, ["storypool", "token.{token}"], 101),
        (BOT, ["storypool", "token.x"], 401),
        (BOT, ["storypool"], 403),
        (BOT, [], 403),
        (OTHER, ["storypool", "token.{token}"], 403),
    ],
)
def test_live_feed_takes_a_token_as_protocol(
    house: House, party: Party, origin: str, protocols: list[str], status: int
) -> None:
    """A page cannot send a header with a handshake: a second subprotocol holds its token."""
    token = party.token("player", f"Robo {status} {len(protocols)} {origin}"[:40])
    offered: Any = [one.format(token=token) for one in protocols] or None
    try:
        with house.browser().live(
            party.id, headers={"Origin": origin}, subprotocols=offered
        ) as feed:
            assert "hello" == feed.hear()["type"]
            assert "storypool" == feed.connection.subprotocol
            found = 101
    except InvalidStatus as refused:
        found = refused.response.status_code
    assert status == found


def test_nothing_changes_without_the_option(tmp_path: Path) -> None:
    """No header speaks of origins, and no preflight is answered."""
    with serving(tmp_path) as house:
        assert 405 == asked(house, "OPTIONS", "/api/odds", BOT, headers=PREFLIGHT).status_code
        answer = asked(house, "GET", "/api", BOT)
        assert [] == [name for name in answer.headers if name.startswith("access-control")]
        assert "vary" not in answer.headers


def test_option_takes_origins_alone() -> None:
    """A mistyped origin is refused with what to write."""
    assert "https://bot.example" == Origin().convert("HTTPS://Bot.example:443/", None, None)
    assert "http://127.0.0.1:5173" == Origin().convert("http://127.0.0.1:5173", None, None)
    for wrong in ("*", "null", "bot.example", "https://bot.example/page", "https://*.example", ""):
        with pytest.raises(Refused, match="No page comes from"):
            Origin().convert(wrong, None, None)
