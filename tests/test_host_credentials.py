"""The host's lasting links and tokens: named, with rights, and revoked one by one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from storypool.cli import main
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.store import Store
from storypool.web.serving.host_links import host_link
from tests.browsers import House, serving

PUBLIC = "https://table.example"
NEW = {"system": "tiny", "title": "Coins", "name": "Mona"}

Asked = Callable[..., httpx.Response]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store, with a token for the terminal."""
    with closing(SqliteStore(tmp_path / "data")) as store:
        host_link(store, tmp_path)
        yield store


@pytest.fixture
def house(store: Store, tmp_path: Path) -> Iterator[House]:
    """A running server on the internet, where only the host opens tables."""
    with serving(tmp_path, store, public_url=PUBLIC) as house:
        yield house


def asking(house: House, token: str) -> Asked:
    """A program with a token."""

    def ask(method: str, path: str, **body: object) -> httpx.Response:
        bearer = {"Authorization": f"Bearer {token}"}
        sent = body if method == "POST" else None
        return house.client.request(method, path, json=sent, headers=bearer)

    return ask


def token(house: House, name: str, *rights: str) -> Asked:
    """A program with a new lasting token."""
    made = house.host().post("/api/host/tokens", name=name, rights=list(rights))
    assert (name, list(rights)) == (made["name"], made["rights"])
    return asking(house, made["token"])


def join(house: House, secret: str) -> Asked:
    """A program that comes by a link of the host."""
    came = asking(house, secret)("POST", "/api/join", host=True, program=True)
    return asking(house, came.json()["token"])


def is_host(program: Asked) -> bool:
    """Whether a program has all rights of the host."""
    session: dict[str, Any] = program("GET", "/api/session").json()
    return bool(session.get("host"))


def test_token_has_its_rights_alone(house: House) -> None:
    """Each right opens its requests, and every other one of the host is refused."""
    mine = house.host().post("/api/tables", **NEW)["table"]
    requests: dict[str, tuple[int, str, str, dict[str, object]]] = {
        "open": (201, "POST", "/api/tables", dict(NEW)),
        "watch": (200, "GET", "/api/host/figures", {}),
        "mint": (201, "POST", "/api/host/tokens", {"name": "more", "rights": ["all"]}),
        "link": (201, "POST", "/api/host/links", {}),
        "list": (200, "GET", "/api/host/credentials", {}),
        "gm": (201, "POST", f"/api/tables/{mine}/links", {"side": "gm"}),
        "workshop": (200, "GET", "/api/workshop/games", {}),
    }
    for right, allowed in {"open": {"open"}, "watch": {"watch"}, "all": {*requests}}.items():
        program = token(house, right, right)
        for name, (status, method, path, body) in requests.items():
            answer = program(method, path, **body)
            expected = {status} if name in allowed else {403, 404}
            assert answer.status_code in expected, (right, name, answer.text)
        titles = [one["title"] for one in program("GET", "/api/tables").json()]
        assert len(titles) == {"open": 1, "watch": 2, "all": 3}[right]
        session = program("GET", "/api/session").json()
        assert (right in ("open", "all"), right == "all") == (session["may_open"], session["host"])


def test_figures_are_text_for_prometheus(house: House) -> None:
    """They have the types that a scraper needs, and nobody without the right gets them."""
    answer = token(house, "prometheus", "watch")("GET", "/api/host/figures")
    assert "# TYPE storypool_moves_total counter" in answer.text
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    house.browser().refused(403, "GET", "/api/host/figures")


def test_credentials_last_over_starts(store: Store, house: House, tmp_path: Path) -> None:
    """Lasting tokens, links and those who came by them go on; what came by a start's link ends."""
    lasting = house.host().post("/api/host/links", name="laptop")
    assert f"{PUBLIC}{lasting['path']}" == lasting["url"]
    secret = lasting["path"].removeprefix("/#host=")
    programs = [token(house, "bot", "all"), join(house, secret)]
    passing = join(house, host_link(store, tmp_path).path.removeprefix("/#host="))
    assert [True, True, True] == [is_host(one) for one in (*programs, passing)]
    house.app.state.server.access.forget()
    host_link(store, tmp_path)
    assert [True, True, False] == [is_host(one) for one in (*programs, passing)]
    assert is_host(join(house, secret))


def test_credentials_are_revoked_one_by_one(house: House) -> None:
    """A token ends with its seats, a link with the host's rights of those who came by it."""
    host = house.host()
    link = host.post("/api/host/links", name="laptop")["path"].removeprefix("/#host=")
    bot, other, laptop = token(house, "bot", "open"), token(house, "2", "all"), join(house, link)
    tables = [one("POST", "/api/tables", **NEW).json()["table"] for one in (bot, laptop)]
    assert {"bot", "2", "laptop"} == {one["name"] for one in host.get("/api/host/credentials")}
    assert 200 == host.ask("DELETE", "/api/host/credentials/bot").status_code
    assert 401 == bot("GET", f"/api/tables/{tables[0]}").status_code
    assert 200 == host.ask("DELETE", "/api/host/credentials/laptop").status_code
    assert 401 == asking(house, link)("POST", "/api/join").status_code
    assert not is_host(laptop)
    assert 200 == laptop("GET", f"/api/tables/{tables[1]}").status_code
    assert is_host(other)
    assert "2" in host.refused(404, "DELETE", "/api/host/credentials/bot")["remedy"]


def test_new_link_takes_the_place_of_the_old(house: House) -> None:
    """The old one ends, and those who came by it stay; a token of that name is left alone."""
    host = house.host()
    old, new = (host.post("/api/host/links")["path"].removeprefix("/#host=") for _ in range(2))
    assert 401 == asking(house, old)("POST", "/api/join").status_code
    came = join(house, new)
    host.post("/api/host/links")
    assert is_host(came)
    assert ["session", "link"] == [one["kind"] for one in host.get("/api/host/credentials")]
    token(house, "bot", "open")
    rights: dict[str, object] = {"rights": ["all"]}
    for path, more in (("links", {}), ("tokens", rights)):
        refused = host.refused(409, "POST", f"/api/host/{path}", name="bot", **more)
        assert "called “bot”" in refused["text"]
        refused = host.refused(400, "POST", f"/api/host/{path}", name="a/b", **more)
        assert "a letter or a digit" in refused["remedy"]
    host.refused(409, "POST", "/api/host/tokens", name="host", **rights)
    host.refused(400, "POST", "/api/host/tokens", name="none", rights=[])


def test_commands_work_with_and_without_a_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A token is printed alone, no list has a secret, and the store has only hashes."""
    data = ["--data", str(tmp_path / "data")]
    assert 2 == main(["host", "link", *data])
    assert "There are no tables" in capsys.readouterr().err
    SqliteStore(tmp_path / "data").close()

    def ran(*words: str, code: int = 0) -> str:
        assert code == main(["host", *words, *data])
        return capsys.readouterr().out.strip()

    assert "no lasting link" in ran("tokens")
    secrets = [ran("token", "bot", "--right", "open", "--right", "watch")]
    secrets += [ran("link").removeprefix("/#host=")]
    assert ["bot", "host"] == [one["name"] for one in json.loads(ran("tokens", "--json"))]
    with (
        closing(SqliteStore(tmp_path / "data")) as store,
        serving(tmp_path, store, public_url=PUBLIC) as house,
    ):
        store.lock.publish(house.here)
        assert not is_host(asking(house, secrets[0]))
        assert is_host(join(house, secrets[1]))
        host_link(store, tmp_path / "data")
        made = json.loads(ran("token", "served", "--right", "all", "--json"))
        assert is_host(asking(house, made["token"]))
        assert ran("link", "phone").startswith(f"{PUBLIC}/#host=")
        listed = ran("tokens")
        assert "open, watch" in listed
        assert "“served” is revoked." == ran("revoke", "served")
        ran("revoke", "served", code=2)
    secrets.append(made["token"])
    kept = b"".join(file.read_bytes() for file in (tmp_path / "data").iterdir())
    for secret in secrets:
        assert secret not in listed
        assert secret.encode() not in kept


SERVED = """
import os, sys, uvicorn
from storypool.cli import main
there = os.fstat(1)
if "journal" in sys.argv[1]:
    os.environ["JOURNAL_STREAM"] = f"{there.st_dev}:{there.st_ino}"
uvicorn.Server.run = lambda *_, **__: None
sys.exit(main(["serve", "--local", "--port", "0", "--no-browser", *sys.argv[2:]]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("output", "options", "has_link"),
    [
        ("a pipe", [], True),
        ("a pipe", ["--no-link"], False),
        ("the journal", [], False),
        ("the journal", ["--link"], True),
    ],
)
def test_journal_has_no_link(
    output: str, options: list[str], has_link: bool, tmp_path: Path
) -> None:
    """There the start names the command that prints one, and no working link is made."""
    words = [sys.executable, "-c", SERVED, output, *options, "--data", str(tmp_path)]
    ran = subprocess.run(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ}
    )
    assert has_link == ("#host=" in ran.stdout), ran.stdout
    assert has_link != (f"storypool host link --data {tmp_path}" in ran.stdout)
    with closing(SqliteStore(tmp_path)) as store:
        assert has_link == any(grant.kind == "host" for grant in store.grants(table=""))
