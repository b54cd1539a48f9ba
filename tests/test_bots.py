"""Programs at a table from the docs alone: a bot's first minute, and bots in every game."""

from __future__ import annotations

import doctest
import importlib.util
import re
import shlex
from collections import Counter
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest

from storypool import systems
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


@pytest.fixture(scope="module")
def bots() -> ModuleType:
    """The bot of the docs."""
    spec = importlib.util.spec_from_file_location("bot", ROOT / "docs" / "clients" / "bot.py")
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
    return path, {side: host.post(f"{path}/links", side=side)["path"] for side in ("gm", "player")}


@pytest.mark.slow
@pytest.mark.parametrize("key", cases(GAMES, ("genesys",)))
def test_bots_play_an_evening(bots: ModuleType, key: str, tmp_path: Path) -> None:
    """A GM bot and a player bot finish actions, and each is asked and answers."""
    with serving(tmp_path, limits=NO_LIMITS) as house:
        path, links = _opened(house, key)
        mona, ann = (
            bots.Bot(house.here, links[side], name)
            for side, name in (("gm", "Mona"), ("player", "Ann"))
        )
        with closing(mona.http), closing(ann.http):
            assert mona.make("session.begin", {})
            at_it = [who for _ in range(ROUNDS) for who in ((ann, "Ann"), (mona, "Mona"))]
            made = Counter((name, move) for who, name in at_it if (move := who.turn()))
            log = mona.http.get(f"{path}/log?limit=1000").json()["records"]
    ended = [
        one["event"]["how"]
        for one in log
        if one["event"] and one["event"]["type"] == "check.closed"
    ]
    assert ended.count("done") >= 3, made
    assert {"Ann", "Mona"} <= {name for name, _ in made}
    assert len({move for _, move in made}) >= 4, made


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
