"""The page of a story: what everybody saw, for people with the link, until it is revoked."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator

import pytest

from storypool.live.tables import Tables
from storypool.play import perform, read
from storypool.web.access import mint
from tests.browsers import Browser, House, serving
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
