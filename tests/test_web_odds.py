"""Odds over the web: the library's numbers for permitted seats, and never on the event loop."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from storypool import systems
from storypool.engine.table import Paper
from storypool.live.tables import Tables
from storypool.odds.allowance import SURFACES
from storypool.odds.question import Question
from storypool.play import perform, read
from storypool.systems import game_stakes
from storypool.web import table_answers
from storypool.web.access import mint
from storypool.web.feeds import answering
from storypool.web.problem import problem
from storypool.web.server import Server
from storypool.web.server_settings import Limits
from storypool.web.wire import encode
from storypool.worth.weighing import Weighed, known, small_weighed, weighed, weighed_data
from tests.browsers import WAIT, Browser, House, error_of, serving
from tests.games_with_odds import TELLING, odds_of_check

pytestmark = pytest.mark.slow

GAMES = [key for key in TELLING if game_stakes.stakes(key) is not None]
"""The games whose open actions have odds."""


def example(key: str) -> Question:
    """A game's example pool with its terms."""
    given = odds_of_check(key, "example")
    return Question(systems.dice(key).NOTATION.parse(given["pool"]), given.get("terms", {}))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server."""
    with serving(tmp_path) as house:
        yield house


class Scene:
    """A table where a player is about to roll the game's example pool."""

    def __init__(self, house: House, key: str = GAMES[0], **options: str) -> None:
        begins = game_stakes.scene(key, example(key))
        assert begins is not None
        opening, rest = begins.split("\n", 1)
        settings = "".join(f" {name}={value}" for name, value in options.items())
        scene = perform(read(f"{opening}{settings}\n{rest}", "scene.play"))
        self.system, self.table, self.house = scene.system, scene.table, house
        self.id = asyncio.run(Tables(house.store).begin(scene.records))
        self.path = f"/api/tables/{self.id}"
        self.ann, self.gm = self.browser("ann"), self.browser("gm")

    def browser(self, seat: str) -> Browser:
        """The browser of a seat at this table."""
        browser = self.house.browser()
        browser.post(
            "/api/join",
            secret=mint(self.house.store, "device", table=self.id, seat=seat),
            seat=seat,
        )
        return browser


@pytest.mark.parametrize("key", GAMES)
def test_page_and_library_agree(house: House, key: str) -> None:
    """Odds at the table, of offers, of unsent forms and of the pool are the library's."""
    scene = Scene(house, key)
    shown = scene.ann.get(f"{scene.path}/odds")
    found = weighed(scene.system, scene.table, "ann")
    assert found.odds is not None
    assert found.worth
    assert (shown.pop("seq"), shown.pop("solving")) == (scene.table.seq, False)
    assert json.loads(encode(weighed_data(found))) == shown
    brief = scene.ann.get(f"{scene.path}/odds?brief=true")["worth"]
    assert [row for row in shown["worth"] if row in brief] == brief
    [key_of_first, *_] = [row["move"] for row in shown["worth"]]
    of_one = [row for row in shown["worth"] if row["move"] == key_of_first]
    assert of_one == scene.ann.get(f"{scene.path}/odds?move={key_of_first}")["worth"]
    question = found.odds.question
    pool = scene.system.notation.show(question.pool)
    plain = (
        systems.odds(key).reckon(replace(question, pool=scene.system.notation.parse(pool))).plain()
    )
    assert plain == scene.ann.post("/api/odds", system=key, pool=pool, terms=dict(question.terms))
    assert {name: value for name, value in plain.items() if name != "joint"} == shown["odds"]
    would = [
        scene.ann.post(f"{scene.path}/preview", move=row["move"], args=row["args"])
        for row in shown["worth"]
    ]
    alike = [
        one["odds"] is not None and one["odds"]["outcomes"] == row["after"] != row["before"]
        for one, row in zip(would, shown["worth"], strict=True)
    ]
    assert any(alike)


@pytest.mark.parametrize("key", GAMES)
def test_feed_answers_watched_questions(house: House, key: str) -> None:
    """Its answers match requests, come once, and repeat only changes after a record."""
    scene = Scene(house, key)
    path, odds = scene.path, scene.ann.get(f"{scene.path}/odds?brief=true")
    moves = [
        {"move": row["move"], "args": row["args"]} for row in odds["worth"] if not row["approval"]
    ]
    seen = [(one, scene.ann.post(f"{path}/preview", **one)) for one in moves]
    would = next(
        one
        for one, then in seen
        if not then["refused"] and then["odds"] not in (None, odds["odds"])
    )
    form = {"preview": would, "once": True}
    with scene.ann.live(scene.id) as socket:
        socket.follow(scene.table.seq)
        socket.send(type="watch", questions={"odds": {"brief": True}, "form": form})
        heard = {one["name"]: one for one in (socket.hear("answer"), socket.hear("answer"))}
        assert heard["form"]["preview"] == scene.ann.post(f"{path}/preview", **would)
        del odds["seq"]
        assert heard["odds"] == {
            "type": "answer",
            "name": "odds",
            "seq": scene.table.seq,
            "odds": odds,
        }
        seq = scene.gm.move(scene.id, "table.say", text="Careful")["seq"]
        assert {"type": "answer", "name": "odds", "seq": seq} == socket.hear("answer")
        seq = scene.ann.move(scene.id, would["move"], **would["args"])["seq"]
        after = scene.ann.get(f"{path}/odds?brief=true")
        assert odds["odds"] != after["odds"]
        heard = {"odds": socket.hear("answer")}
        assert (seq, {**after, "seq": seq}) == (
            heard["odds"]["seq"],
            {**heard["odds"]["odds"], "seq": seq},
        )
        socket.send(type="watch", questions={"no": {"preview": {"move": "no.such"}}})
        error = socket.hear("answer")
        assert ("no", "unknown") == (error["name"], error["error"]["code"])


def test_wordless_preview_has_its_pool_and_odds(house: House) -> None:
    """It is refused for missing words, but shows what the move with words does."""
    scene = Scene(house, "starwars")
    path, odds = f"{scene.path}/preview", scene.ann.get(f"{scene.path}/odds")["odds"]
    would = {"move": "pool.add", "args": {"die": "setback"}}
    silent, spoken = (
        scene.gm.post(path, move="pool.add", args={"die": "setback", **why})
        for why in ({}, {"why": "Smoke"})
    )
    assert ("argument", "why", None) == (
        silent["refused"]["code"],
        silent["refused"]["field"],
        spoken["refused"],
    )
    assert (spoken["pool"], spoken["odds"]) == (silent["pool"], silent["odds"])
    assert silent["odds"] not in (None, odds)
    with scene.gm.live(scene.id) as socket:
        socket.follow(scene.table.seq)
        socket.send(type="watch", questions={"form": {"preview": would, "once": True}})
        assert silent == socket.hear("answer")["preview"]
    wrong = scene.gm.post(path, move="pool.add", args={"die": "no such die"})
    assert ("die", None, None) == (wrong["refused"]["field"], wrong["pool"], wrong["odds"])


def test_preview_waits_only_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Preview and odds are one piece of work about one table."""
    scene, turns, small = Scene(house, "starwars"), list[str](), house.app.state.server.small
    do = small.do

    async def counted(whose: str, *about: Any) -> Any:
        turns.append(whose)
        return await do(whose, *about)

    monkeypatch.setattr(small, "do", counted)
    args = {"die": "setback", "why": "Smoke"}
    assert scene.gm.post(f"{scene.path}/preview", move="pool.add", args=args)["odds"] is not None
    assert [f"gm at {scene.id}"] == turns


@pytest.mark.parametrize("late", [TimeoutError(), problem("pool.slow"), problem("busy")])
def test_preview_survives_missing_odds(
    house: House, monkeypatch: pytest.MonkeyPatch, late: Exception
) -> None:
    """It comes without odds that take too long, are too many, or find no place."""
    scene = Scene(house, "starwars")
    body = {"move": "pool.add", "args": {"die": "setback", "why": "Smoke"}}
    whole = scene.gm.post(f"{scene.path}/preview", **body)

    async def crowded(*_: Any) -> Any:
        raise late

    monkeypatch.setattr(house.app.state.server.answers, "reckoned", crowded)
    assert whole["odds"] is not None
    assert {**whole, "odds": None} == scene.gm.post(f"{scene.path}/preview", **body)


def test_busy_feed_answers_later(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long work is a large question, and work without room in the queue comes a bit later."""
    scene, tries, at_once = Scene(house), list[str](), table_answers.Answers.at_once

    async def crowded(answers: Any, *about: Any) -> Any:
        tries.append("once")
        if len(tries) == 1:
            raise problem("busy")
        return await at_once(answers, *about)

    monkeypatch.setattr(table_answers.Answers, "at_once", crowded)
    monkeypatch.setattr(answering, "AGAIN_S", 0.05)
    monkeypatch.setattr(table_answers, "SMALL", 0)
    with scene.ann.live(scene.id) as socket:
        socket.follow(scene.table.seq)
        socket.send(type="watch", questions={"odds": {}})
        assert scene.ann.get(f"{scene.path}/odds")["odds"] == socket.hear("answer")["odds"]["odds"]
    assert len(tries) > 1


def test_odds_depend_on_the_rules_reads() -> None:
    """They are cached after an irrelevant record, with equal values, and otherwise not."""
    for key in GAMES:
        begins = game_stakes.scene(key, example(key))
        assert begins is not None
        scene = perform(read(begins, "scene.play"))
        table, found = scene.table, weighed(scene.system, scene.table, "ann")
        aside: dict[str, Any] = {
            "undo_to": 1,
            "redo_to": 2,
            "undo_seen_by": frozenset({"gm"}),
            "redo_seen_by": frozenset({"gm"}),
        }
        aside |= {
            "open_undo_to": 1,
            "last_move": "table.say",
            "papers": {"pa1": Paper("pa1", "A note")},
            "last_seat": "gm",
            "dice_at": 3,
            "seq": 10**6,
        }
        other = replace(table, **aside)
        assert found is known(other, "ann")
        assert found == small_weighed(
            scene.system, replace(other, checks=dict(other.checks)), "ann"
        )
        for one in fields(table):
            if one.name not in {*aside, "binding", "system", "title"}:
                changed = replace(table, **{one.name: copy(getattr(table, one.name))})
                is_same = getattr(changed, one.name) is getattr(table, one.name)
                assert is_same or known(changed, "ann") is None, one.name


@pytest.mark.parametrize("key", GAMES)
def test_odds_may_be_private_to_the_gm(house: House, key: str) -> None:
    """A player gets no odds there from any endpoint of the table."""
    scene = Scene(house, key, odds="gm")
    shown = scene.ann.get(f"{scene.path}/odds")
    assert (None, [], None) == (shown["odds"], shown["worth"], shown["answered"])
    [row, *_] = weighed(scene.system, Scene(house, key).table, "ann").worth
    assert scene.ann.post(f"{scene.path}/preview", move=row.move, args=row.args)["odds"] is None
    assert scene.gm.get(f"{scene.path}/odds")["odds"]


def test_waiting_question_uses_the_newest_table(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a move during its wait the answer is about the new state."""
    scene, started, go_on = Scene(house), threading.Event(), threading.Event()

    def held(*about: Any) -> Weighed:
        started.set()
        assert go_on.wait(WAIT)
        return small_weighed(*about)

    monkeypatch.setattr(table_answers, "small_weighed", held)

    def ask(seat: str) -> int:
        token = mint(house.store, "program", table=scene.id, seat=seat)
        header = {"Authorization": f"Bearer {token}"}
        answer = httpx.get(
            f"{house.here}{scene.path}/odds", headers=header, timeout=WAIT, trust_env=False
        )
        return int(answer.json()["seq"])

    with ThreadPoolExecutor() as threads:
        first = threads.submit(ask, "ann")
        assert started.wait(WAIT)
        second, end = threads.submit(ask, "gm"), time.monotonic() + WAIT
        while not house.app.state.server.small._waiting and time.monotonic() < end:
            time.sleep(0.01)
        seq = scene.gm.move(scene.id, "table.say", text="Careful")["seq"]
        go_on.set()
        assert seq > first.result(WAIT)
        assert seq == second.result(WAIT)


def test_table_of_a_game_without_odds_works(house: House) -> None:
    """Its actions have no odds."""
    party = house.table()
    party.ann.move(party.id, "check.declare", **{"as": "ilse", "pool": "2 coin"})
    assert party.ann.get(f"{party.path}/odds")["odds"] is None
    assert party.ann.post(f"{party.path}/preview", move="luck.spend", args={})["odds"] is None


def test_strangers_get_no_odds(house: House) -> None:
    """Odds of a table are for its seats."""
    scene = Scene(house)
    house.browser().refused(401, "GET", f"{scene.path}/odds")
    house.host().refused(404, "GET", f"{scene.path}/odds")


@pytest.mark.parametrize("key", GAMES)
def test_unreadable_pool_is_named(house: House, key: str) -> None:
    """The error says which of the two it is, as in the terminal."""
    given, [die, *_] = odds_of_check(key, "example"), systems.dice(key).DICE
    asked = {"system": key, "pool": given["pool"], "terms": given.get("terms", {})}
    for field, text in (
        ("pool", "2 zebra"),
        ("against", f"{(SURFACES.dice or 0) + 1} {die.name}"),
        ("against", " "),
    ):
        error = house.browser().refused(400, "POST", "/api/odds", **asked | {field: text})
        assert ("argument", field) == (error["code"], error["field"])


def test_odds_are_computed_one_at_a_time(tmp_path: Path, stuck: Stuck) -> None:
    """Abandoned work finishes before the next, and nobody waits for ever."""
    with serving(tmp_path, limits=replace(Limits(), odds=0.05, patience=0.05)) as house:
        scene = Scene(house)
        assert scene.ann.get(f"{scene.path}/odds")["too_many"] is True
        for seat in (scene.gm, scene.ann):
            error = seat.refused(429, "GET", f"{scene.path}/odds")
            assert "Many people are asking for slow answers just now." == error["text"]
        assert 1 == stuck.times
        stuck.over.set()


def test_small_questions_pass_large_ones(tmp_path: Path) -> None:
    """During a large pool small ones are answered, and other large ones wait for a limited time."""
    large = "5 ability 6 proficiency 4 difficulty 5 challenge"
    with serving(
        tmp_path, games=lambda: ("starwars",), limits=replace(Limits(), patience=0.05, share=1)
    ) as house:
        server: Server = house.app.state.server
        server.large._busy = True
        assert house.browser().post("/api/odds", system="starwars", pool="2 ability 1 difficulty")[
            "joint"
        ]
        answer = house.browser().ask("POST", "/api/odds", {"system": "starwars", "pool": large})
        assert "Try again in a few seconds." == error_of(answer, 429)["remedy"]
        assert int(answer.headers["retry-after"]) > 0
        server.large.share = 0
        error = house.browser().refused(429, "POST", "/api/odds", system="starwars", pool=large)
        assert "You are already waiting for several slow answers." == error["text"]
        server.large.share, server.large._busy = 1, False
        error = house.browser().refused(
            413, "POST", "/api/odds", system="starwars", pool=large.replace("5", "15")
        )
        assert ("limit", "pool") == (error["code"], error["field"])


class Stuck:
    """A computation that is pending until released."""

    def __init__(self) -> None:
        self.started, self.over = threading.Event(), threading.Event()
        self.times = 0

    def __call__(self, *_: object) -> Weighed:
        self.times += 1
        self.started.set()
        self.over.wait(WAIT)
        return Weighed()


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> Stuck:
    """A computation that does not end alone."""
    work = Stuck()
    monkeypatch.setattr(table_answers, "small_weighed", work)
    return work


@pytest.mark.slow
def test_long_computation_delays_nobody(tmp_path: Path, stuck: Stuck) -> None:
    """Meanwhile the server answers everybody else, and moves are made."""
    with serving(tmp_path) as house, ThreadPoolExecutor(1) as others:
        scene = Scene(house)
        cookies = "; ".join(f"{name}={value}" for name, value in scene.ann.cookies.items())
        address = f"{house.here}{scene.path}/odds"
        waiting = others.submit(
            httpx.get, address, headers={"Cookie": cookies}, timeout=WAIT, trust_env=False
        )
        assert stuck.started.wait(WAIT)
        scene.gm.move(scene.id, "table.say", text="Meanwhile")
        assert scene.ann.get(scene.path)["table"]["seq"] > 0
        stuck.over.set()
        assert waiting.result(WAIT).json()["too_many"] is False


def test_slow_odds_are_abandoned(tmp_path: Path, stuck: Stuck) -> None:
    """After the deadline the table reads that there are too many dice for exact odds."""
    limits = replace(Limits(), odds=0.05)
    with serving(tmp_path, limits=limits) as house:
        scene = Scene(house)
        shown = scene.ann.get(f"{scene.path}/odds")
        assert (None, True) == (shown["odds"], shown["too_many"])
        stuck.over.set()
