"""Programs at a table from the docs alone: a bot's first minute, and bots in every game."""

from __future__ import annotations

import asyncio
import doctest
import importlib.util
import re
import shlex
from collections import Counter
from contextlib import aclosing, suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest

from storypool import systems
from storypool.client import Refused, connect
from storypool.engine.events import CheckClosed
from storypool.web.server_settings import Limits, Rate
from tests.browsers import House, serving
from tests.fixed_set import cases

ROOT = Path(__file__).resolve().parent.parent
GUIDE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
FREE = Rate(1e9, 1e9)
NO_LIMITS = Limits(
    client=FREE, session=FREE, joins=FREE, new_tables=FREE, texts_read=FREE, texts_kept=FREE
)
GAMES = [key for key in systems.names() if systems.get(key).ready and systems.first_scene(key)]
ROUNDS = 16


def client(name: str) -> ModuleType:
    """A program of the docs."""
    path = ROOT / "docs" / "clients" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _opened(house: House, key: str, **options: str) -> tuple[str, dict[str, str]]:
    """An open table's address, and a link for each side."""
    host = house.host()
    opened = host.post("/api/tables", system=key, name="Host", options=options)
    path = f"/api/tables/{opened['table']}"
    return path, {
        side: host.post(f"{path}/links", side=side)["path"]
        for side in ("gm", "player", "spectator")
    }


@pytest.mark.slow
@pytest.mark.parametrize("key", cases(GAMES, ("genesys",)))
def test_bots_play_an_evening(key: str, tmp_path: Path) -> None:
    """A GM bot and a player bot finish actions, and each is asked and answers."""
    bots, made = client("bot"), Counter[tuple[str, str]]()

    async def play(house: House) -> None:
        _, links = _opened(house, key)
        async with (
            connect(house.here + links["gm"], "Mona") as gm,
            connect(house.here + links["player"], "Ann") as player,
        ):
            mona, ann = bots.Bot(gm), bots.Bot(player)
            for bot in (mona, ann):
                await bot.arrive()
            assert await mona.make("session.begin", {})
            for _ in range(ROUNDS):
                for bot in (ann, mona):
                    if move := await bot.turn(await bot.seat.look()):
                        made[bot.seat.me.name, move] += 1
            events = [line.record.event for line in await gm.log()]
        ended = [event.how for event in events if isinstance(event, CheckClosed)]
        assert ended.count("done") >= 3, made
        assert {"Ann", "Mona"} <= {name for name, _ in made}
        assert len({move for _, move in made}) >= 4, made

    with serving(tmp_path, limits=NO_LIMITS) as house:
        asyncio.run(play(house))


def test_smaller_programs_do_as_the_page_says(tmp_path: Path) -> None:
    """One answers for a player, one leads the game, and one posts the recap of what all saw."""
    posted = list[str]()

    async def play(house: House) -> None:
        _, links = _opened(house, "starwars")
        link = {side: house.here + one for side, one in links.items()}
        running = [
            asyncio.create_task(one)
            for one in (
                client("game_master").lead(link["gm"], "Mona"),
                client("ten_lines").play(link["player"], "Ann"),
                client("recap").post(link["spectator"], "Post", posted.append),
            )
        ]
        async with connect(link["player"], "Bo") as bo, aclosing(bo.follow()) as feed:
            ready = (await bo.game())["ready"][0]
            await bo.make("character.add", name=ready["name"], sheet=ready["sheet"])
            declared = False
            async for news in feed:
                offer = news.offers["check.declare"]
                if not declared and offer.is_open:
                    declared = True
                    await offer(title="Past the guards", skill="stealth")
                elif news.mine:
                    with suppress(Refused):
                        await news.answer(news.mine[0])
                if any(isinstance(one.record.event, CheckClosed) for one in news.records):
                    break
        # The game master would begin the next session.
        running[0].cancel()
        async with connect(link["gm"], "Gia") as gia:
            await gia.make("session.end")
        await asyncio.wait_for(running[2], 60)
        running[1].cancel()

    with serving(tmp_path, limits=NO_LIMITS) as house:
        asyncio.run(play(house))
    assert "Past the guards" in posted[0]


def test_page_shows_the_programs_as_they_are() -> None:
    """What the page quotes is in the file that a test runs."""
    page = (ROOT / "docs" / "client.md").read_text(encoding="utf-8")
    programs = [file.read_text(encoding="utf-8") for file in (ROOT / "docs/clients").glob("*.py")]
    quoted = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert quoted
    assert all(any(code in program for program in programs) for code in quoted)


def test_first_minute_of_a_bot(tmp_path: Path) -> None:
    """Each request of the guide gets the guide's answer."""
    block = re.search(r"## A bot's first minute\n.*?```console\n(.*?)```", GUIDE, re.DOTALL)
    assert block is not None
    steps = re.findall(
        r"^\$ (.*?)\n((?:(?!\$ ).*\n)*)", block[1].replace("\\\n", " "), re.MULTILINE
    )
    assert len(steps) >= 7
    check = doctest.OutputChecker()
    with serving(tmp_path, limits=NO_LIMITS) as house:
        path, links = _opened(house, "starwars", trust="players_set")
        host = house.host()
        host.post("/api/join", secret=links["gm"].rpartition("=")[2], name="Mona")
        host.move(path.rpartition("/")[2], "session.begin")
        host.move(path.rpartition("/")[2], "destiny.begin")
        last: dict[str, Any] = {}
        known = {"SERVER": house.here, "SECRET": links["player"].rpartition("=")[2]}
        for command, expected in steps:
            if not command.startswith("curl "):
                # What a person would copy from the answer before.
                name, _, _ = command.partition("=")
                known[name] = last[name.lower()]
                continue
            heard = _asked(command, known)
            assert check.check_output(
                expected.strip(), heard, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
            ), heard
            last = httpx.Response(200, text=heard).json() if heard.startswith("{") else {}


def _asked(command: str, known: dict[str, str]) -> str:
    """The answer to a curl command; of a feed its first two events."""
    filled = re.sub(r"\$([A-Z]+)", lambda name: known[name[1]], command)
    words = iter(shlex.split(filled)[1:])
    headers, data, url = dict[str, str](), None, ""
    for word in words:
        if word == "-H":
            name, _, value = next(words).partition(": ")
            headers[name] = value
        elif word == "-d":
            data = next(words)
        elif not word.startswith("-"):
            url = word
    method = "GET" if data is None else "POST"
    with httpx.stream(method, url, headers=headers, content=data) as answer:
        if "event-stream" not in answer.headers["content-type"]:
            return answer.read().decode()
        events = answer.iter_text()
        heard = ""
        while heard.count("\n\n") < 2:
            heard += next(events)
        return "\n\n".join(heard.split("\n\n")[:2])
