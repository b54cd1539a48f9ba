"""The checks of every request, and the headers of every answer."""

from __future__ import annotations

import itertools
import json
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from storypool.web.network.gate import HEADERS, POLICY
from storypool.web.network.limits import Buckets
from storypool.web.server_settings import Limits, Rate, Settings
from tests.browsers import WAIT, House, Party, error_of, serving
from tests.gamefile.test_file_text import SMALL

pytestmark = pytest.mark.slow


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server."""
    with serving(tmp_path) as house:
        yield house


@pytest.fixture
def party(house: House) -> Party:
    """A table with people at it."""
    return house.table()


def test_policy_is_strict() -> None:
    """It allows only the page's own scripts, styles, fonts and requests."""
    assert POLICY == (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
        "connect-src 'self'; img-src 'self' data:; manifest-src 'self'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'"
    )  # fmt: skip


def test_every_answer_has_the_headers(party: Party) -> None:
    """Pages, files, refusals and unchanged files all have the security headers."""
    ann = party.ann
    etag = ann.ask("GET", "/static/page.js").headers["etag"]
    answers = [
        *(ann.ask("GET", path) for path in ("/", "/join", "/t/abc", "/static/page.js")),
        *(ann.ask("GET", path) for path in ("/help/interface", "/api/openapi.json", "/api")),
        *(ann.ask("GET", path) for path in ("/api/systems", "/api/words")),
        *(ann.ask("GET", path) for path in (party.path, f"{party.path}/log")),
        ann.ask("GET", "/api/docs"),
        ann.ask("GET", "/static/page.js", headers={"If-None-Match": etag}),
        ann.ask("GET", "/nowhere"),
        ann.ask("PATCH", "/api/tables"),
        ann.ask("POST", f"{party.path}/moves", b"{"),
        ann.ask("POST", f"{party.path}/moves", {"move": "check.roll"}),
        ann.ask("POST", f"{party.path}/moves", {}, {"Sec-Fetch-Site": "cross-site"}),
        ann.ask("GET", "/", headers={"Host": "evil.example"}),
    ]  # fmt: skip
    assert [200] * 11 + [307, 304, 404, 405, 400, 409, 403, 400] == [
        answer.status_code for answer in answers
    ]
    for answer in answers:
        for name, value in HEADERS.items():
            assert value == answer.headers[name], answer.request.url
        assert answer.headers["cache-control"]
        assert "server" not in answer.headers
        assert "cross-origin-opener-policy" not in answer.headers


def test_table_answers_are_not_cached(party: Party) -> None:
    """No cache keeps what a seat may see."""
    for path in (party.path, f"{party.path}/log", f"{party.path}/export", "/api/session"):
        assert "no-store" == party.ann.ask("GET", path).headers["cache-control"]


def test_every_error_has_one_shape(party: Party) -> None:
    """Malformed, forbidden, refused, missing or oversized: one object with a reason."""
    moves, ann = f"{party.path}/moves", party.ann
    cases = [
        (400, "malformed", ann.ask("POST", moves, b"{")),
        (400, "malformed", ann.ask("POST", moves, b"[]")),
        (
            400,
            "malformed",
            ann.ask("POST", moves, b'{"move": "a"}', {"Content-Type": "text/plain"}),
        ),
        (400, "malformed", ann.ask("POST", moves, {"move": 7})),
        (400, "malformed", ann.ask("POST", moves, {"move": "a", "colour": "blue"})),
        (400, "malformed", ann.ask("GET", f"{party.path}/log?after=many")),
        (400, "malformed", ann.ask("GET", f"{party.path}/log?limit=0")),
        (400, "unknown", ann.ask("POST", moves, {"move": "fly"})),
        (
            400,
            "argument",
            ann.ask("POST", moves, {"move": "check.declare", "args": {"as": "nobody"}}),
        ),
        (403, "identity", ann.ask("POST", moves, {"move": "session.end"})),
        (409, "when", ann.ask("POST", moves, {"move": "check.roll"})),
        (404, "absent", ann.ask("GET", "/api/nothing")),
        (404, "absent", ann.ask("GET", "/static/../app.py")),
        (404, "absent", ann.ask("GET", "/static/%2e%2e/app.py")),
        (405, "method", ann.ask("DELETE", moves)),
        (413, "limit", ann.ask("POST", moves, b" " * 70_000)),
    ]
    for status, code, answer in cases:
        assert code == error_of(answer, status)["code"], answer.text
    assert "move" == error_of(cases[3][2], 400)["field"]
    assert "colour" == error_of(cases[4][2], 400)["field"]
    assert "GET, HEAD, POST" == ", ".join(
        sorted(ann.ask("PUT", "/api/tables").headers["allow"].split(", "))
    )


def test_refusal_lists_each_missing_answer(party: Party) -> None:
    """A move without needed answers is refused with all of their questions, keys and choices."""

    def missing(**args: object) -> list[tuple[str, list[str]]]:
        move = {"move": "points.correct", "args": args}
        answer = party.gm.ask("POST", f"{party.path}/moves", move)
        assert "argument" == error_of(answer, 400)["code"]
        asks = answer.json().get("missing", [])
        return [(ask["name"], [one["value"] for one in ask["choices"]]) for ask in asks]

    points = ["luck", "doom", "ilse.nerve", "ilse.strain"]
    account, to, why = (("account", points), *((name, list[str]()) for name in ("to", "why")))
    assert [account, to, why] == missing()
    assert [account, why] == missing(to=1)
    assert [to, why] == missing(account="luck")
    assert [] == missing(account="luck", to="many", why="so"), "a wrong answer is not a missing one"
    assert [] == missing(colour="blue")


def test_broken_game_is_a_plain_error(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unexpected error is a plain 500 without internals, and the server goes on."""

    async def broken(*_: object) -> None:
        raise RuntimeError("secret inside")

    browser = house.browser()
    monkeypatch.setattr(house.app.state.server.tables, "listings", broken)
    answer = browser.ask("GET", "/api/session")
    assert "internal" == error_of(answer, 500)["code"]
    assert "inside" not in answer.text
    assert POLICY == answer.headers["content-security-policy"]
    assert 200 == browser.ask("GET", "/api").status_code


SITES = (None, "same-origin", "same-site", "cross-site", "none")
ORIGINS = (None, "own", "https://evil.example", "null")


def test_origin_of_browser_requests_is_checked(party: Party) -> None:
    """`Sec-Fetch-Site` decides, else `Origin`; others and neither are refused."""
    body = json.dumps({"move": "table.say", "args": {"text": "hello"}}).encode()
    for site, origin in itertools.product(SITES, ORIGINS):
        named = party.house.here if origin == "own" else origin
        headers = {"Sec-Fetch-Site": site, "Origin": named}
        party.ann.headers = {name: value for name, value in headers.items() if value is not None}
        answer = party.ann.ask("POST", f"{party.path}/moves", body)
        wanted = site == "same-origin" if site else origin == "own"
        assert (200 if wanted else 403) == answer.status_code, (site, origin)
        if not wanted:
            assert "origin" == error_of(answer, 403)["code"]
        assert 200 == party.ann.ask("GET", party.path).status_code


def test_every_unsafe_address_is_guarded(party: Party) -> None:
    """No changing request is accepted without its origin."""
    document = party.ann.get("/api/openapi.json")
    unsafe = [
        (
            method,
            path.format(
                table=party.id, claim="c", link="l", of="ann", system="tiny", name="n", session=1
            ),
        )
        for path, operations in document["paths"].items()
        for method in operations
        if method != "get"
    ]
    party.ann.headers = {}
    assert len(unsafe) > 12
    for method, path in unsafe:
        assert "origin" == error_of(party.ann.ask(method.upper(), path, {}), 403)["code"], path


def test_origin_includes_scheme_and_port(party: Party) -> None:
    """Other ports and schemes are other sites; the public address is this one."""
    for origin in (
        "http://127.0.0.1",
        f"https://127.0.0.1:{party.house.port}",
        "http://127.0.0.1:1",
        "http://[",
    ):
        party.ann.headers = {"Origin": origin}
        party.ann.refused(
            403, "POST", f"{party.path}/moves", move="table.say", args={"text": "hello"}
        )


def test_program_needs_no_origin(party: Party) -> None:
    """A bearer token is not sent automatically, so it works from anywhere."""
    headers = {
        "Authorization": f"Bearer {party.token('player', 'Bot')}",
        "Sec-Fetch-Site": "cross-site",
    }
    body = {"move": "table.say", "args": {"text": "beep"}}
    assert (
        200
        == party.house.client.post(f"{party.path}/moves", json=body, headers=headers).status_code
    )


def test_only_known_hosts_are_answered(tmp_path: Path) -> None:
    """A foreign name that points here is refused; our addresses and public name are not."""
    with serving(
        tmp_path, public_url="https://table.example/", lan="192.168.1.20", hosts=("play.lan",)
    ) as house:
        browser, port = house.browser(), house.port
        ours = (
            "127.0.0.1",
            f"127.0.0.1:{port}",
            f"localhost:{port}",
            "192.168.1.20:8230",
            "TABLE.example",
            "play.lan",
        )
        others = (
            "evil.example",
            f"127.0.0.1.evil.example:{port}",
            "10.0.0.1",
            "",
            "[",
            "localhost.evil.example",
            "0.0.0.0",
        )
        for name in ours:
            assert 200 == browser.ask("GET", "/api", headers={"Host": name}).status_code, name
        for name in others:
            error = error_of(browser.ask("GET", "/api", headers={"Host": name}), 400)
            assert "host" == error["code"], name
            assert "https://table.example," in error["remedy"]
        none = house.raw(b"GET /api HTTP/1.0\r\n\r\n")
        assert none.startswith(b"HTTP/1.1 400")
        public = {"Origin": "https://table.example", "Host": "table.example"}
        browser.headers = {}
        assert 200 == browser.ask("POST", "/api/qr", {"text": "abc"}, public).status_code
        assert (
            200
            == browser.ask(
                "POST", "/api/qr", {"text": "abc"}, {**public, "Host": f"127.0.0.1:{port}"}
            ).status_code
        )


def test_rate_limit_is_temporary(tmp_path: Path) -> None:
    """A client or session past its limit gets 429 with the wait, and others go on."""
    limits = replace(Limits(), session=Rate(12, 0.01))
    with serving(tmp_path, limits=limits) as house:
        party = house.table()
        answers = [party.bo.ask("GET", party.path) for _ in range(14)]
        late = answers[-1]
        assert "limit" == error_of(late, 429)["code"]
        assert int(late.headers["retry-after"]) > 1
        assert 200 == party.vera.ask("GET", party.path).status_code
    with serving(tmp_path, limits=replace(Limits(), client=Rate(5, 0.01))) as house:
        statuses = [house.browser().ask("GET", "/api").status_code for _ in range(7)]
        assert [200] * 5 + [429] * 2 == statuses


def test_secrets_and_new_tables_have_limits(tmp_path: Path) -> None:
    """Trying secrets or opening tables is slowed long before the general limit."""
    with serving(
        tmp_path, limits=replace(Limits(), joins=Rate(3, 0.01), new_tables=Rate(2, 0.01))
    ) as house:
        browser = house.browser()
        tries = [
            browser.ask("POST", "/api/join", {"secret": f"guess {n}"}).status_code for n in range(5)
        ]
        assert [401, 401, 401, 429, 429] == tries
        opened = [
            browser.ask("POST", "/api/tables", {"system": "tiny"}).status_code for _ in range(3)
        ]
        assert [201, 201, 429] == opened


def test_custom_games_have_session_limits(tmp_path: Path) -> None:
    """Each session has its number of texts read and kept; the host has no limit."""
    limits = replace(Limits(), texts_read=Rate(2, 0.01), texts_kept=Rate(1, 0.01))
    with serving(tmp_path, workshop=True, limits=limits) as house:
        ann, bo, host = house.browser(), house.browser(), house.host()
        # A browser has a session once it has a seat.
        for one in (ann, bo):
            one.post("/api/tables", system="tiny", title="Coins")
        read = [ann.ask("POST", "/api/workshop", {"text": SMALL}) for _ in range(3)]
        assert [200, 200, 429] == [one.status_code for one in read]
        assert "only a few for each player" in error_of(read[-1], 429)["text"]
        assert int(read[-1].headers["retry-after"]) > 1
        assert 429 == ann.ask("POST", "/api/workshop/sheet", {"text": SMALL}).status_code
        kept = [ann.ask("POST", "/api/tables", {"game": SMALL}).status_code for _ in range(2)]
        assert [201, 429] == kept, "what a table keeps is counted apart"
        assert 201 == ann.ask("POST", "/api/tables", {"system": "tiny"}).status_code, (
            "a listed game is no text"
        )
        assert 200 == bo.ask("POST", "/api/workshop", {"text": SMALL}).status_code
        assert [200] * 4 == [
            host.ask("POST", "/api/workshop", {"text": SMALL}).status_code for _ in range(4)
        ]
        assert [201] * 3 == [
            host.ask("POST", "/api/tables", {"game": SMALL}).status_code for _ in range(3)
        ]


def test_only_host_opens_custom_games_online(tmp_path: Path) -> None:
    """Even with a public workshop, only the host opens a table of its result."""
    with serving(tmp_path, workshop=True, public_url="https://table.example") as house:
        visitor = house.browser()
        assert 200 == visitor.ask("POST", "/api/workshop", {"text": SMALL}).status_code
        assert "identity" == visitor.refused(403, "POST", "/api/tables", game=SMALL)["code"]
        assert 201 == house.host().ask("POST", "/api/tables", {"game": SMALL}).status_code


def test_bucket_refills() -> None:
    """Each bucket has a burst and a rate, and gives the time to wait."""
    now = 0.0
    buckets = Buckets("client", Rate(2, 0.5), lambda: now)
    assert [0, 0, 2] == [buckets.wait("ann"), buckets.wait("ann"), buckets.wait("ann")]
    assert 0 == buckets.wait("bo")
    now = 2.0
    assert [0, 2] == [buckets.wait("ann"), buckets.wait("ann")]
    now = 1000.0
    assert [0, 0, 2] == [buckets.wait("ann"), buckets.wait("ann"), buckets.wait("ann")]


def test_sizes_have_limits(party: Party) -> None:
    """Too long names, titles, texts, tokens, pools and bodies are refused by field."""
    secret = party.secret("player")
    cases = [
        ("/api/join", {"secret": secret, "name": "x" * 41}, "name"),
        ("/api/tables", {"system": "tiny", "title": "x" * 81}, "title"),
        (f"{party.path}/moves", {"move": "table.say", "token": "x" * 101}, "token"),
        ("/api/qr", {"text": "x" * 401}, "text"),
        ("/api/notation", {"system": "tiny", "text": "x" * 501}, "text"),
    ]
    for path, body, field in cases:
        assert field == party.ann.refused(400, "POST", path, **body)["field"], path
    too_long = {"move": "table.say", "args": {"text": "x" * 401}}
    assert "400" in party.ann.refused(400, "POST", f"{party.path}/moves", **too_long)["text"]
    pool = {"move": "check.declare", "args": {"as": "ilse", "pool": "1000 coin"}}
    assert party.ann.refused(400, "POST", f"{party.path}/moves", **pool)["code"] == "argument"


def test_endless_body_is_cut_off(party: Party) -> None:
    """A body of unknown length is refused as soon as it is too long."""
    chunk = b"1000\r\n" + b" " * 4096 + b"\r\n"
    head = (
        f"POST {party.path}/moves HTTP/1.1\r\nHost: 127.0.0.1:{party.house.port}\r\nSec-Fetch-Site:"
        " same-origin\r\nContent-Type: application/json\r\nTransfer-Encoding:"
        " chunked\r\nConnection: close\r\n\r\n"
    )
    answer = party.house.raw(head.encode() + chunk * 20 + b"0\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 413")


def test_odd_json_is_refused(party: Party) -> None:
    """Deep nesting, bad text and huge numbers are malformed requests."""
    for body in (
        b"[" * 30_000,
        b'{"move":"\xff"}',
        b'{"move":"a","args":{"x":' + b"[" * 20_000,
        b'{"move": NaN}',
        b"",
    ):
        error_of(party.ann.ask("POST", f"{party.path}/moves", body), 400)
    huge = (
        b'{"move":"points.correct","args":{"account":"luck","to":' + b"9" * 4000 + b',"why":"x"}}'
    )
    error_of(party.gm.ask("POST", f"{party.path}/moves", huge), 400)


def test_nothing_secret_is_logged(party: Party, capfd: pytest.CaptureFixture[str]) -> None:
    """No output of the server has a secret, a token, a query or a table's path."""
    secret = party.secret("player")
    party.house.browser().post("/api/join", secret=secret, name="Cy")
    party.ann.ask("GET", f"{party.path}/log?seat=ann&after=2")
    party.ann.ask("POST", f"{party.path}/moves", b"{")
    with party.ann.live(party.id, "?seat=ann") as socket:
        socket.hear("hello")
    out, err = capfd.readouterr()
    assert ("", "") == (out, err)


def test_static_files_are_cached_by_content(house: House) -> None:
    """The shell's files share a hash and are cached for ever; others are revalidated."""
    browser = house.browser()
    shell = browser.ask("GET", "/")
    assert ("no-cache", "text/html; charset=utf-8") == (
        shell.headers["cache-control"],
        shell.headers["content-type"],
    )
    path = shell.text.partition('src="')[2].partition('"')[0]
    assert path.startswith("/static/")
    kept = browser.ask("GET", path)
    assert (200, "text/javascript; charset=utf-8") == (
        kept.status_code,
        kept.headers["content-type"],
    )
    assert "immutable" in kept.headers["cache-control"]
    asked = browser.ask("GET", "/static/page.js")
    assert ("no-cache", kept.headers["etag"]) == (
        asked.headers["cache-control"],
        asked.headers["etag"],
    )
    assert "gzip" == asked.headers["content-encoding"]
    assert (
        "content-encoding"
        not in browser.ask("GET", path, headers={"Accept-Encoding": "identity"}).headers
    )
    assert (
        304 == browser.ask("GET", path, headers={"If-None-Match": kept.headers["etag"]}).status_code
    )
    assert shell.text == browser.ask("GET", "/t/anything").text == browser.ask("GET", "/join").text
    error_of(browser.ask("GET", "/static/000000000000/page.js"), 404)


def test_public_address_can_be_opened() -> None:
    """It is the public or network address; only a local server says localhost."""
    assert (
        "https://table.example"
        == Settings(public_url="https://table.example/", lan="192.168.1.20").base
    )
    assert "http://192.168.1.20:8231" == Settings(8231, lan="192.168.1.20").base
    assert "http://[fd00::1]:8230" == Settings(lan="fd00::1").base
    assert "http://localhost:8230" == Settings(local=True).base


def test_cut_body_is_no_error(party: Party, caplog: pytest.LogCaptureFixture) -> None:
    """A client that hangs up while sending leaves no traceback."""
    head = (
        f"POST {party.path}/moves HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length:"
        " 99\r\nSec-Fetch-Site: same-origin\r\n"
    )
    with socket.create_connection(("127.0.0.1", party.house.port), timeout=WAIT) as wire:
        wire.sendall(head.encode() + b'Content-Type: application/json\r\n\r\n{"move')
        wire.shutdown(socket.SHUT_WR)
        while wire.recv(65536):
            pass
    assert party.gm.get(party.path)["seq"]
    assert [] == [record for record in caplog.records if record.name == "storypool.web"]


def test_invalid_chunks_are_no_error(party: Party, caplog: pytest.LogCaptureFixture) -> None:
    """Invalid chunks end the connection, and leave no traceback."""
    head = (
        f"OPTIONS /api/odds HTTP/1.1\r\nHost: 127.0.0.1:{party.house.port}\r\nTransfer-Encoding:"
        " chunked\r\n\r\n"
    )
    party.house.raw(head.encode() + b"x\r\n\r\n")
    assert party.gm.get(party.path)["seq"]
    assert [] == [record for record in caplog.records if record.name == "storypool.web"]
