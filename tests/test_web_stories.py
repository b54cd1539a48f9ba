"""The page of a story: what everybody saw, for people with the link, until it is revoked."""

from __future__ import annotations

import asyncio
import io
import json
import re
import struct
from collections.abc import Callable, Iterator

import pytest
from PIL import Image

from storypool import systems
from storypool.engine.dice import Rolled
from storypool.engine.events import Record
from storypool.live.tables import Tables
from storypool.log.store import Append
from storypool.play import perform, read
from storypool.web.access import mint
from storypool.web.prints.moving_roll import MAX_BYTES, moving_apart
from storypool.web.prints.story_picture import MAX_DICE, roll_parts
from storypool.words.languages import ENGLISH
from storypool.worth.session_story import Throw
from tests.browsers import Browser, House, serving
from tests.fair_logs import cheated, face_changed, honest
from tests.test_examples import SPECK

PLAY = """
table c2d10 trust=players_set
seat gm side=gm
seat ann mira: systems=3 logic=3
seat vera side=spectator
points hero=3 villain=2
gm scene.begin title='The old gate'
ann check.declare as=mira pool='4 d10' dc=2 title='Open the gate'
ann dice.buy
ann check.roll dice 7 8 1 1 1
ann check.close
ann table.say text='I knew that this lock was older than the town'
gm npc.add name=Zyxwv dice=3 secret=yes
gm check.declare as=zyxwv dc=1 title=Zyxwv secret=yes
gm check.roll dice 9 9 9
gm check.close
gm trait.set text='Zyxwv holds the key' secret=yes
gm paper.write title='Zyxwv writes' text=Zyxwv whom=ann
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server."""
    with serving(tmp_path_factory.mktemp("stories")) as house:
        yield house


def seated(house: House, text: str = PLAY) -> tuple[str, dict[str, Browser]]:
    """A table with this history, and the browser of each seat."""
    played = perform(read(text))
    table = asyncio.run(Tables(house.store).begin(played.records))
    browsers = {seat: house.browser() for seat in played.table.seats}
    for seat, browser in browsers.items():
        secret = mint(house.store, "device", table=table, seat=seat)
        browser.post("/api/join", secret=secret, seat=seat)
    return table, browsers


def outside(house: House, path: str, status: int = 200) -> str:
    """The text of a page, for a reader without a session."""
    answer = house.browser().ask("GET", path)
    assert status == answer.status_code, answer.text
    return answer.text


def test_page_shows_what_everybody_saw(house: House) -> None:
    """It has the title, the roll, the spend and the last lines, without a script in it."""
    table, seats = seated(house)
    stories = f"/api/tables/{table}/stories"
    assert [""] * 2 == [one["path"] for one in seats["ann"].get(stories)]
    made = seats["ann"].post(stories, session=1)
    assert made["url"] == house.here + made["path"]
    assert made == seats["gm"].post(stories, session=1)
    page = outside(house, made["path"])
    for text in ("The old gate", "mira: Open the gate", "1 hero point", "older than the town"):
        assert text in page
    assert ["mira: Open the gate"] == re.findall(r"<h3><bdi>([^<]*)", page)
    assert 5 == page.count('class="story-die"')
    assert [] == re.findall(r"<style|\sstyle=|\son\w+=|<script[^>]*>[^<]", page)
    assert "noindex" in page


def test_page_keeps_the_odds_of_the_gm(house: House) -> None:
    """Where the GM keeps odds from the players, no chance is on it; the last rolls are."""
    table, seats = seated(house, PLAY.replace("trust", "odds=gm trust"))
    page = outside(house, seats["gm"].post(f"/api/tables/{table}/stories", session=1)["path"])
    assert ("%" in page, "mira: Open the gate" in page) == (False, True)


def test_campaign_lists_its_sessions(house: House) -> None:
    """The latest comes first, with those who were there; an undone one is not listed."""
    table, seats = seated(house)
    gm, stories = seats["gm"], f"/api/tables/{table}/stories"
    path = gm.post(stories)["path"]
    gm.move(table, "session.end")
    gm.move(table, "session.begin")
    listed = seats["vera"].get(stories)
    assert [(0, [], 0), (2, ["mira"], 0), (1, ["mira"], 1)] == [
        (one["session"], one["people"], one["spent"]) for one in listed
    ]
    assert ["Session 2", "Session 1"] == re.findall(r">(Session \d)</a>", outside(house, path))
    assert "Open the gate" in outside(house, f"{path}?session=1")
    assert "Open the gate" not in outside(house, f"{path}?session=2")
    gm.move(table, "table.undo")
    assert ["Session 1"] == re.findall(r">(Session \d)</a>", outside(house, path))
    outside(house, f"{path}?session=2", 404)


def test_hidden_things_are_on_no_page(house: House) -> None:
    """Neither a hidden character, nor its roll, nor a secret or a paper is in any byte."""
    table, seats = seated(house)
    face = seats["gm"].post(f"/api/tables/{table}/pictures", picture=SPECK)["picture"]
    seats["gm"].move(table, "character.portrait", who="zyxwv", picture=face)
    page = seats["gm"].post(f"/api/tables/{table}/stories", session=1)["path"]
    campaign = seats["gm"].post(f"/api/tables/{table}/stories")["path"]
    for path in (page, campaign, f"{campaign}?session=1"):
        assert "zyxwv" not in outside(house, path).lower()
        assert face not in outside(house, path)
    outside(house, f"{page}/portraits/{face}", 404)
    shown = seats["ann"].post(f"/api/tables/{table}/pictures", picture=SPECK)["picture"]
    seats["ann"].move(table, "character.portrait", who="mira", picture=shown)
    assert shown in outside(house, page)
    picture = house.browser().ask("GET", f"{page}/portraits/{shown}")
    assert (200, "image/jpeg") == (picture.status_code, picture.headers["content-type"])


OPEN_ROLL, HIDDEN_ROLL = "Open the gate", "Zyxwv"


def rolls(browser: Browser, table: str) -> dict[str, int]:
    """The records of the rolls that a seat sees, by the title of the action."""
    records = browser.get(f"/api/tables/{table}/log")["records"]
    titles = {
        one["event"]["check"]["id"]: one["event"]["check"]["title"]
        for one in records
        if one["event"] and one["event"]["type"] == "check.opened"
    }
    return {
        titles[one["event"]["check"]]: one["seq"]
        for one in records
        if one["event"] and one["event"]["type"] == "dice.rolled"
    }


def test_pictures_show_what_everybody_saw(house: House) -> None:
    """They are the same, byte for byte, as those of a table without hidden things."""
    found = []
    for text in (PLAY, PLAY[: PLAY.index("gm npc.add")]):
        table, seats = seated(house, text)
        page = seats["ann"].post(f"/api/tables/{table}/stories", session=1)["path"]
        seq = rolls(seats["gm"], table)[OPEN_ROLL]
        paths = (f"{page}/picture.png", f"{page}/throws/{seq}.gif")
        found.append([house.browser().ask("GET", path) for path in paths])
        moving = f"/api/tables/{table}/rolls/{seq}/moving.gif"
        for seat in ("gm", "ann", "vera"):
            assert found[-1][1].content == seats[seat].ask("GET", moving).content
    for one, other in zip(*found, strict=True):
        assert (200, other.content) == (one.status_code, one.content)
    painted, moved = found[0]
    assert "cross-origin" == moved.headers["cross-origin-resource-policy"]
    assert (1200, 630) == struct.unpack(">II", painted.content[16:24])
    with Image.open(io.BytesIO(moved.content)) as picture:
        assert ("GIF", 480) == (picture.format, picture.width)
        assert picture.n_frames > 12  # type: ignore[attr-defined]
    assert len(moved.content) < MAX_BYTES


def test_hidden_roll_moves_for_its_seats_alone(house: House) -> None:
    """The GM may keep it; others get nothing, and no page has it. An undone roll is gone."""
    table, seats = seated(house)
    page = seats["gm"].post(f"/api/tables/{table}/stories", session=1)["path"]
    seqs = rolls(seats["gm"], table)
    path = f"/api/tables/{table}/rolls/{seqs[HIDDEN_ROLL]}/moving.gif"
    assert "image/gif" == seats["gm"].ask("GET", path).headers["content-type"]
    seats["ann"].refused(404, "GET", path)
    outside(house, f"{page}/throws/{seqs[HIDDEN_ROLL]}.gif", 404)
    outside(house, f"{page}/throws/1.gif", 404)
    seats["gm"].refused(404, "GET", f"/api/tables/{table}/rolls/x/moving.gif")
    seats["gm"].move(table, "table.undo", to=seqs[OPEN_ROLL] - 1)
    outside(house, f"{page}/throws/{seqs[OPEN_ROLL]}.gif", 404)
    assert "older than the town" not in outside(house, page)


def test_large_pool_moves_within_its_bytes() -> None:
    """A hundred dice are a picture of at most 500 kB, which shows the first and counts the rest."""
    system = systems.get("c2d10")
    (die,) = (one for one in system.dice if one.name == "d10")
    rolled = tuple(Rolled("d10", n % 10) for n in range(100))
    throw = Throw(1, "W" * 40, "W" * 80, rolled=rolled, dice=(die,) * 100, words="W " * 300)
    words = ENGLISH.program
    parts = roll_parts(throw, "W" * 90, system=system, words=words, world="neon", hues={})
    assert MAX_DICE == len(parts["dice"])  # type: ignore[arg-type]
    assert "+ 76" in str(parts["before"])
    assert len(asyncio.run(moving_apart(json.dumps(parts)))) <= MAX_BYTES


def test_pictures_need_the_extra(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it the page reads as before, and names no picture."""
    table, seats = seated(house)
    page = seats["gm"].post(f"/api/tables/{table}/stories", session=1)["path"]
    monkeypatch.setattr("storypool.web.prints.raster.find_spec", lambda name: None)
    assert "install storypool[pictures]" in outside(house, f"{page}/picture.png", 400)
    read = outside(house, page)
    assert ("og:image" in read, "mira: Open the gate" in read) == (False, True)


@pytest.mark.parametrize(("cheat", "says"), [(None, "✓ Verified"), (face_changed, "was changed")])
def test_page_has_the_proof_of_rolls(
    house: House, cheat: Callable[[list[Record]], None] | None, says: str
) -> None:
    """A verified roll has a mark, and a changed one says so."""
    records = cheated(cheat, honest()) if cheat else honest()
    table = f"proof-{says[:1]}"
    house.store.append(Append(table, 0, records))
    gm = house.browser()
    gm.post("/api/join", secret=mint(house.store, "device", table=table, seat="mona"), seat="mona")
    page = outside(house, gm.post(f"/api/tables/{table}/stories", session=1)["path"])
    assert 3 == page.count('class="story-throw')
    assert says in page


def test_link_is_revoked_with_a_sentence(house: House) -> None:
    """Its maker or the GM ends it; the page is gone at once, and a new link has another key."""
    table, seats = seated(house)
    stories = f"/api/tables/{table}/stories"
    path = seats["gm"].post(stories, session=1)["path"]
    key = path.rpartition("/")[2]
    assert not seats["ann"].get(stories)[1]["may_end"]
    seats["ann"].refused(403, "DELETE", f"{stories}/1")
    seats["vera"].refused(403, "POST", stories, session=1)
    seats["ann"].refused(404, "POST", stories, session=7)
    assert key not in str([vars_of(one) for one in house.store.grants(table=table)])
    assert {"done": True} == seats["gm"].ask("DELETE", f"{stories}/1").json()
    assert "taken this link back" in outside(house, path, 404)
    outside(house, f"{path}/portraits/fox", 404)
    seats["gm"].refused(404, "DELETE", f"{stories}/1")
    assert path != seats["ann"].post(stories, session=1)["path"]
    outside(house, path, 404)


def vars_of(grant: object) -> list[object]:
    """The fields of a grant."""
    return [getattr(grant, name) for name in type(grant).__dataclass_fields__]  # type: ignore[attr-defined]


def test_key_is_no_token(house: House) -> None:
    """It opens its page and nothing else: it joins no table, and no session has it."""
    table, seats = seated(house)
    path = seats["gm"].post(f"/api/tables/{table}/stories")["path"]
    key = path.rpartition("/")[2]
    browser = house.browser()
    browser.refused(401, "POST", "/api/join", secret=key)
    browser.headers["Authorization"] = f"Bearer {key}"
    browser.refused(401, "GET", f"/api/tables/{table}")
    outside(house, f"{path}?session=2", 404)
    session = seats["gm"].post(f"/api/tables/{table}/stories", session=1)["path"]
    outside(house, f"{session}?session=2", 404)


def test_campaign_without_a_session_is_empty(house: House) -> None:
    """A table that has only been opened has a page, without any session."""
    host = house.host()
    path = (
        f"/api/tables/{host.post('/api/tables', system='starwars', name='Host')['table']}/stories"
    )
    assert [0] == [one["session"] for one in host.get(path)]
    assert 200 == house.client.get(host.post(path, session=0)["path"]).status_code
