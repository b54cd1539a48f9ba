"""Odds over the web: the same numbers as the library's, for those who may know, and never on the event loop."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx
import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.odds.packing import Packed, Packing
from storypool.odds.question import Question
from storypool.web import odds_endpoints
from storypool.web.server_settings import Limits
from storypool.worth.weighing import Weighed
from tests.browsers import WAIT, Browser, House, Party, serving

POOL = "2 ability 1 proficiency vs 2 difficulty"
BAG = Bag(ability=2, proficiency=1, difficulty=2)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server."""
    with serving(tmp_path) as house:
        yield house


class Scene:
    """A table of the real game: an action is open, both sides have points."""

    def __init__(self, house: House, **options: str) -> None:
        self.gm: Browser = house.browser()
        opened = self.gm.post("/api/tables", system="starwars", title="The lock", name="Mona", options=options)
        self.id, self.path = opened["table"], f"/api/tables/{opened['table']}"
        self.ann: Browser = Party(house, self.id, self.gm).join("player", "Ann")
        self.ann.move(self.id, "character.add", name="Pash")
        self.gm.move(self.id, "session.begin")
        self.gm.move(self.id, "destiny.begin")
        for account in ("light", "dark"):
            self.gm.move(self.id, "points.correct", account=account, to=2, why="the start")
        self.ann.move(self.id, "check.declare", **{"as": "pash", "pool": POOL})


def test_the_page_and_the_library_say_the_same(house: House) -> None:
    """The odds at the table, those of the pool by its notation, of a form before it is sent, and of the library."""
    scene = Scene(house)
    told = scene.ann.get(f"{scene.path}/odds")
    plain = systems.odds("starwars").reckon(Question(BAG)).plain()
    assert plain == scene.ann.post("/api/odds", system="starwars", pool=POOL)
    assert {key: value for key, value in plain.items() if key != "joint"} == told["odds"]
    [upgrade] = [row for row in told["worth"] if row["move"] == "destiny.upgrade"]
    after = systems.odds("starwars").reckon(Question(BAG + Bag(ability=-1, proficiency=1))).plain()["outcomes"]
    assert (plain["outcomes"], after, {"light": 1}) == (upgrade["before"], upgrade["after"], upgrade["price"])
    assert Fraction(upgrade["answered"]["success"]) < Fraction(after["success"])
    would = scene.ann.post(f"{scene.path}/preview", move="destiny.upgrade", args={})
    assert after == would["odds"]["outcomes"]


def test_odds_may_be_the_game_masters_alone(house: House) -> None:
    """A player learns no odds there, by no door of the table."""
    scene = Scene(house, odds="gm")
    told = scene.ann.get(f"{scene.path}/odds")
    assert (None, [], None) == (told["odds"], told["worth"], told["answered"])
    assert scene.ann.post(f"{scene.path}/preview", move="destiny.upgrade", args={})["odds"] is None
    assert scene.gm.get(f"{scene.path}/odds")["odds"]


def test_a_game_that_tells_no_odds_has_none(house: House) -> None:
    """Where a game has nothing to say of its actions, its table says nothing, and works."""
    party = house.table()
    party.ann.move(party.id, "check.declare", **{"as": "ilse", "pool": "2 coin"})
    assert party.ann.get(f"{party.path}/odds")["odds"] is None
    assert party.ann.post(f"{party.path}/preview", move="luck.spend", args={})["odds"] is None


def test_strangers_get_none(house: House) -> None:
    """Odds of a table are for those who sit at it."""
    scene = Scene(house)
    house.browser().refused(401, "GET", f"{scene.path}/odds")
    house.host().refused(404, "GET", f"{scene.path}/odds")


DEAR = "12P10B/12C10S"
"""A pool with less than a million results, whose counting costs more than two seconds."""


@pytest.fixture
def packed(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The dice of each joint distribution that is computed from here on."""
    done: list[object] = []

    def pack(packing: Packing, dice: Mapping[Any, int]) -> Packed:
        done.append(dice)
        return whole(packing, dice)

    whole = Packing.pack
    monkeypatch.setattr(Packing, "pack", pack)
    return done


def test_what_takes_longer_than_there_is_time_for_is_not_begun(house: House, packed: list[object]) -> None:
    """By what it costs, which is known before; the sentence names the limit, and nothing was counted."""
    error = house.browser().refused(413, "POST", "/api/odds", system="starwars", pool=DEAR)
    assert ("limit", "pool") == (error["code"], error["field"])
    assert "2.36 seconds, and at most 2.00" in error["text"]
    assert not packed
    assert house.browser().post("/api/odds", system="starwars", pool="30A30B")["joint"]
    assert packed


@pytest.mark.parametrize(("field", "text"), [("pool", "2Q"), ("against", "61A"), ("against", " ")])
def test_a_pool_that_cannot_be_read_is_named(house: House, field: str, text: str) -> None:
    """The error says which of the two it is, as the terminal does."""
    error = house.browser().refused(400, "POST", "/api/odds", **{"system": "starwars", "pool": "1A", field: text})
    assert ("argument", field) == (error["code"], error["field"])


def test_as_many_dice_as_can_be_written_have_odds(tmp_path: Path) -> None:
    """The time is the limit, not the number: a contest of sixty dice against sixty is reckoned where there is time."""
    asked = {"system": "starwars", "pool": "30A30B", "against": "30A30B"}
    with serving(tmp_path, limits=replace(Limits(), odds=WAIT)) as house:
        outcomes = house.browser().post("/api/odds", **asked)["outcomes"]
    assert outcomes["active"] == outcomes["opponent"]


def test_only_one_is_reckoned_at_a_time(tmp_path: Path, stuck: Stuck) -> None:
    """Work that was given up goes on until it is over: nothing else is begun beside it."""
    with serving(tmp_path, limits=replace(Limits(), odds=0.05)) as house:
        scene = Scene(house)
        for seat in (scene.ann, scene.gm, scene.ann):
            assert seat.get(f"{scene.path}/odds")["too_many"] is True
        assert 1 == stuck.times
        stuck.over.set()


class Stuck:
    """Reckoning that is under way until it is let go."""

    def __init__(self) -> None:
        self.begun, self.over = threading.Event(), threading.Event()
        self.times = 0

    def __call__(self, *_: object) -> Weighed:
        self.times += 1
        self.begun.set()
        self.over.wait(WAIT)
        return Weighed()


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> Stuck:
    """Reckoning that does not end by itself."""
    work = Stuck()
    monkeypatch.setattr(odds_endpoints, "weighed", work)
    return work


def test_a_long_reckoning_keeps_nobody_waiting(tmp_path: Path, stuck: Stuck) -> None:
    """While odds are worked out the server answers everybody else, and moves are made."""
    with serving(tmp_path) as house, ThreadPoolExecutor(1) as others:
        scene = Scene(house)
        cookies = "; ".join(f"{name}={value}" for name, value in scene.ann.cookies.items())
        address = f"{house.here}{scene.path}/odds"
        waiting = others.submit(httpx.get, address, headers={"Cookie": cookies}, timeout=WAIT, trust_env=False)
        assert stuck.begun.wait(WAIT)
        scene.gm.move(scene.id, "table.say", text="Meanwhile")
        assert scene.ann.get(scene.path)["table"]["seq"] > 0
        assert waiting.result(WAIT).json()["too_many"] is True
        stuck.over.set()


def test_odds_that_take_too_long_are_given_up(tmp_path: Path, stuck: Stuck) -> None:
    """When the deadline passes the table is told that these are too many dice for exact odds."""
    limits = replace(Limits(), odds=0.05)
    with serving(tmp_path, limits=limits) as house:
        scene = Scene(house)
        told = scene.ann.get(f"{scene.path}/odds")
        assert (None, True) == (told["odds"], told["too_many"])
        stuck.over.set()
