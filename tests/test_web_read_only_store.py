"""A read-only server: tables show, moves are refused in a sentence, and the page says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from storypool.engine.refusal import Refusal
from storypool.live.tables import Tables
from storypool.log.disk.reading import ReadingStore
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.memory import MemoryStore
from storypool.log.store import (
    Store,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreNewer,
    StoreReadOnly,
    StoreUnreachable,
)
from storypool.web import problem
from storypool.web.app import app
from storypool.web.server import Server
from storypool.web.server_settings import Settings
from storypool.web.serving import serve
from storypool.words import Phrase
from storypool.words.languages import ENGLISH
from tests.browsers import Browser, Party, serving

pytestmark = pytest.mark.slow

FULL = StoreFull(Phrase("log.full", path="there"))
NOTICE = (
    "The disk of this server is full, so tables can be read and exported, and nothing new is kept."
    " The host makes room and starts the server again; nothing is lost, and what you have typed"
    " stays here."
)


@pytest.fixture
def played(tmp_path: Path) -> tuple[str, str]:
    """The id of a table in a data folder, and its GM's cookie."""
    with closing(SqliteStore(tmp_path / "data")) as store, serving(tmp_path, store) as house:
        party = house.table()
        return party.id, next(iter(party.gm.cookies.values()))


@pytest.fixture
def party(tmp_path: Path, played: tuple[str, str]) -> Iterator[Party]:
    """That table on a server that can only read it."""
    with closing(ReadingStore(tmp_path / "data", FULL)) as store, serving(tmp_path, store) as house:
        gm = house.browser()
        gm.cookies = {f"storypool-{house.port}": played[1]}
        yield Party(house, played[0], gm)


def test_tables_show_and_are_exported(party: Party) -> None:
    """A former seat reads and exports the table, its log and its story."""
    assert ["Mona", "Ann", "Bo", "Vera"] == [
        one["name"] for one in party.gm.get(party.path)["table"]["seats"].values()
    ]
    assert party.gm.get(f"{party.path}/log")["records"]
    assert ["Coins"] == [one["title"] for one in party.gm.get("/api/tables")]
    for what in ("export", "transcript.md", "sheets"):
        assert 200 == party.gm.ask("GET", f"{party.path}/{what}").status_code
    assert party.gm.get(f"{party.path}/offers")["offers"]


def test_changes_are_refused_with_a_sentence(party: Party) -> None:
    """Moves, seats, tables and marks get reason and remedy, or the rules' own refusal."""
    before = party.gm.get(f"{party.path}/log")
    move = {"move": "table.say", "args": {"text": "Good evening"}}
    secret = party.secret("player")
    refused = [
        party.gm.refused(503, "POST", f"{party.path}/moves", **move, token="t"),
        party.gm.refused(503, "POST", f"{party.path}/moves", **move, token="t"),
        party.house.browser().refused(503, "POST", "/api/join", secret=secret, name="Cy"),
        party.house.host().refused(
            503, "POST", "/api/tables", system="tiny", title="More", name="Mona"
        ),
        party.gm.refused(503, "POST", f"{party.path}/close", closed=True, confirm="Coins"),
        party.gm.refused(503, "POST", f"{party.path}/delete", confirm="Coins"),
    ]
    assert {NOTICE} == {f"{error['text']} {error['remedy']}" for error in refused}
    assert {"storage"} == {error["code"] for error in refused}
    assert 409 == party.gm.ask("POST", f"{party.path}/moves", {"move": "session.begin"}).status_code
    assert before == party.gm.get(f"{party.path}/log")


def test_page_shows_the_read_only_store(party: Party) -> None:
    """It is in the session for the home page, and news of the feed for the table."""
    assert [NOTICE] == party.gm.get("/api/session")["notices"]
    assert [NOTICE] == party.house.browser().get("/api/session")["notices"]
    assert [NOTICE] == notices_of(party.gm, party.id)


def notices_of(browser: Browser, table: str) -> list[str]:
    """The notices for a page that follows a table."""
    with browser.live(table) as live:
        live.follow()
        return list(live.hear("notices")["texts"])


def test_full_disk_is_reported_until_it_has_room(tmp_path: Path) -> None:
    """A failed move warns every page of the server, and the next stored one ends it."""
    with (
        closing(SqliteStore(tmp_path / "data", max_bytes=200_000)) as store,
        serving(tmp_path, store) as house,
    ):
        party = house.table()
        assert [] == party.ann.get("/api/session")["notices"]
        with party.ann.live(party.id) as live:
            live.follow()
            move: dict[str, Any] = {"move": "table.say", "args": {"text": "x" * 200}}
            store._writer.pragma("max_page_count", store._writer.pragma("page_count"))
            while (answer := party.bo.ask("POST", f"{party.path}/moves", move)).status_code == 200:
                pass
            assert 503 == answer.status_code
            [notice] = live.hear("notices")["texts"]
            assert str(tmp_path) not in answer.text + notice
            assert "no room left" in notice
            assert [notice] == party.vera.get("/api/session")["notices"]
            store._writer.pragma("max_page_count", 1_000_000)
            party.bo.post(f"{party.path}/moves", **move)
            assert [] == live.hear("notices")["texts"]
            assert [] == party.vera.get("/api/session")["notices"]


@pytest.mark.parametrize(
    "kind", [StoreError, StoreFull, StoreReadOnly, StoreDamaged, StoreNewer, StoreUnreachable]
)
def test_answers_hide_the_hosts_details(kind: type[StoreError]) -> None:
    """Path, address and version stay in the server's log, and clients read a remedy."""
    log = [id for id in ENGLISH.program if id.startswith("log.") and "{" in ENGLISH.program[id]]
    assert log
    for id in log:
        values = dict.fromkeys(re.findall(r"{(\w+)}", ENGLISH.program[id]), "/srv/secret")
        found = problem.problem_for(kind(Phrase(id, **values)))
        assert found is not None
        assert 503 == found.status
        assert b"secret" not in found.response(ENGLISH.program).body
        assert found.refusal.remedy


def test_host_notices_are_for_the_host(tmp_path: Path) -> None:
    """Only the host reads about a failed backup."""
    with serving(tmp_path) as house:
        party, host = house.table(), house.host()
        server: Server = house.app.state.server
        serve._backed_up(server.notices, FULL)
        [notice] = host.get("/api/session")["notices"]
        assert "Last night's backup failed. The server's own log says why." == notice
        assert [] == party.gm.get("/api/session")["notices"]
        serve._backed_up(server.notices, None)
        assert [] == host.get("/api/session")["notices"]


@pytest.mark.parametrize("fails", ["open", "link"])
def test_unwritable_folder_is_served(
    tmp_path: Path, played: tuple[str, str], monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    """The host gets a link although the store or the link file cannot be written."""

    def full(*_: object) -> None:
        raise StoreFull(Phrase("log.full", path="there"))

    monkeypatch.setattr(SqliteStore, "__init__" if fails == "open" else "grant", full)
    store, places = serve._opened(tmp_path / "data", "", ENGLISH, None)
    with closing(store):
        assert isinstance(store, ReadingStore)
        assert ["/#host="] == [place.path[:7] for place in places]
        assert played[0] == store.listings()[0].id
        server: Server = app(Tables(store), Settings()).state.server
        assert [NOTICE] == server.notices.texts(ENGLISH.program, host=False)


def test_writable_server_has_no_notice() -> None:
    """A real notice has words in each language, and is shown once."""
    store: Store = MemoryStore()
    server: Server = app(Tables(store), Settings()).state.server
    changes = list[int]()
    server.notices.changed = lambda: changes.append(1)
    assert [] == server.notices.texts(ENGLISH.program, host=True)
    for _ in range(2):
        server.notices.show(
            "a", Refusal.of("storage", StoreReadOnly(Phrase("log.reading.read_only")))
        )
    server.notices.clear("a")
    server.notices.clear("a")
    assert 2 == len(changes)
