"""Pictures of a table over HTTP: stored as pixels alone, and sent to their readers alone."""

from __future__ import annotations

import io
from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from storypool.log.export import import_records
from storypool.web.endpoints import picture_endpoints
from tests.browsers import NOW, Browser, House, Party, serving
from tests.test_examples import SPECK

pytestmark = pytest.mark.slow


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server."""
    with serving(tmp_path) as house:
        yield house


@pytest.fixture
def party(house: House) -> Party:
    """A table with a GM, two players and a spectator."""
    return house.table()


def stored(browser: Browser, party: Party, data: str = SPECK, **more: object) -> str:
    """The key of a picture that this browser stores."""
    return str(browser.post(f"{party.path}/pictures", picture=data, **more)["picture"])


def statuses(party: Party, key: str) -> list[int]:
    """The status of a picture for the GM, Ann, Bo and the spectator."""
    seats = (party.gm, party.ann, party.bo, party.vera)
    return [one.ask("GET", f"{party.path}/pictures/{key}").status_code for one in seats]


def test_picture_is_sent_to_its_readers(party: Party, house: House) -> None:
    """A handout's by its readers alone, while they have it; a portrait's by everybody."""
    key = stored(party.gm, party, use="handout")
    assert [404] * 4 == statuses(party, key)
    party.gm.move(party.id, "paper.write", title="Map", picture=key, whom=["ann"])
    assert [200, 200, 404, 404] == statuses(party, key)
    for browser in (party.bo, party.vera):
        assert key not in browser.ask("GET", f"{party.path}/log").text
        assert key not in browser.ask("GET", party.path).text
    other = house.table()
    assert [404] * 4 == statuses(other, key)
    paper = party.gm.get(party.path)["table"]["papers"].popitem()[0]
    party.gm.move(party.id, "paper.hide", id=paper)
    assert [200, 404, 404, 404] == statuses(party, key)
    face = stored(party.ann, party)
    assert face != stored(party.ann, party)
    party.ann.move(party.id, "character.portrait", who="ilse", picture=face)
    assert [200] * 4 == statuses(party, face)
    answer = party.bo.ask("GET", f"{party.path}/pictures/{face}")
    assert ("image/jpeg", "nosniff") == (
        answer.headers["content-type"],
        answer.headers["x-content-type-options"],
    )
    assert "private" in answer.headers["cache-control"]
    assert (2, 2) == Image.open(io.BytesIO(answer.content)).size
    party.ann.move(party.id, "character.portrait", who="ilse", drawn="fox")
    assert [404] * 4 == statuses(party, face)


def test_pictures_go_with_an_export(party: Party) -> None:
    """The file of each seat has the pictures that it sees, and a new table gets them."""
    face, plan = stored(party.ann, party), stored(party.gm, party, use="handout")
    party.ann.move(party.id, "character.portrait", who="ilse", picture=face)
    party.gm.move(party.id, "paper.write", title="Map", picture=plan)
    files = {
        name: browser.ask("GET", f"{party.path}/export").content
        for name, browser in (("gm", party.gm), ("bo", party.bo))
    }
    assert plan.encode() not in files["bo"]
    assert face.encode() in files["bo"]
    headers = {**party.gm.headers, **party.gm._cookie()}
    opened = party.gm.client.post("/api/tables/import", content=files["gm"], headers=headers)
    table = opened.json()["table"]
    assert {face, plan} == {*party.house.store.pictures(table)}
    spoilt = files["gm"].replace(b'"data":"', b'"data":"AAAA', 1)
    again = party.gm.client.post("/api/tables/import", content=spoilt, headers=headers)
    assert 400 == again.status_code
    assert [*import_records(files["gm"].splitlines(keepends=True))]


def test_unused_picture_is_gone_after_a_day(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the next one is stored; one that a move named stays, though another replaced it."""
    face, unused = stored(party.ann, party), stored(party.ann, party)
    party.ann.move(party.id, "character.portrait", who="ilse", picture=face)
    party.ann.move(party.id, "character.portrait", who="ilse", drawn="fox")
    fresh = stored(party.ann, party)
    assert {face, unused, fresh} == {*party.house.store.pictures(party.id)}
    later = NOW + picture_endpoints.UNNAMED_KEPT_MS + 1
    monkeypatch.setattr(party.house.app.state.server.tables, "now", lambda: later)
    last = stored(party.ann, party)
    assert {face, last} == {*party.house.store.pictures(party.id)}


def test_bad_picture_gets_its_sentence(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is stored of other files, and nothing for a spectator."""
    path = f"{party.path}/pictures"

    def refused(browser: Browser, data: bytes) -> tuple[int, str]:
        body = {"picture": b64encode(data).decode()}
        answer = browser.ask("POST", path, body)
        return answer.status_code, answer.json()["error"]["text"]

    assert (400, "That is not a picture in JPEG, PNG or WebP.") == refused(party.ann, b"<svg/>")
    assert (400, "The picture is damaged, or too much to decode.") == refused(
        party.ann, b64decode(SPECK)[:-34]
    )
    assert 403 == refused(party.vera, b64decode(SPECK))[0]
    assert {} == party.house.store.pictures(party.id)
    monkeypatch.setattr(picture_endpoints, "has_decoder", lambda: False)
    assert "storypool[pictures]" in refused(party.ann, b64decode(SPECK))[1]
    move = {"move": "character.portrait", "args": {"who": "ilse", "picture": "../../etc"}}
    assert "argument" == party.ann.refused(400, "POST", f"{party.path}/moves", **move)["code"]
