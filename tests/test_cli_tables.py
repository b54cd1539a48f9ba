"""`storypool table`, `serve`, `demo`, `backup` and `restore`, with or without a server."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from storypool import systems
from storypool.cli import main
from storypool.cli.data_folder import TOKEN
from storypool.cli.offered import lines
from storypool.cli.stored_tables import StoredTables
from storypool.engine.events import Event
from storypool.engine.game.asks import Choice, ChoiceAsk
from storypool.engine.game.moves import move
from storypool.engine.game.turn import Turn
from storypool.engine.offers import offers
from storypool.engine.refusal import Refused
from storypool.engine.waiting import waiting
from storypool.live.tables import Tables
from storypool.log.disk.sqlite import SqliteStore
from storypool.web.wire import encode, offer_data, table_data
from storypool.words.languages import ENGLISH, Languages
from tests.test_suggestions_and_proposals import evening, trying

GAME = next(
    key
    for key in systems.names()
    if systems.package(key).startswith("storypool.") and systems.demo(key)
)
"""A game with an open scene that a separate server finds too."""
Say = Callable[..., tuple[int, list[dict[str, Any]]]]

ROWS = ChoiceAsk(
    "row",
    "Which?",
    lambda turn: [Choice("a", "One"), Choice("b", "Two", "2", "You have none left.")],
)


@move("toss.choose", asks=[ROWS])
def choose(turn: Turn) -> Iterator[Event]:
    """Choose a row"""
    yield turn.trait("fact", turn.text("row"))


@contextmanager
def server(folder: Path, *words: str) -> Iterator[list[str]]:
    """A separate server on a free port, with its output until it was ready."""
    command = [
        sys.executable,
        "-m",
        "storypool.cli",
        *words,
        "--data",
        str(folder),
        "--local",
        "--no-browser",
    ]
    with subprocess.Popen(
        [*command, "--port", "0", "--json"], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            output: list[str] = []
            for line in process.stdout:
                output.append(json.loads(line)["said"])
                if "Ctrl+C" in output[-1]:
                    break
            yield output
        finally:
            process.terminate()
            assert 0 == process.wait(30)


@pytest.fixture(params=["alone", "served"])
def say(
    request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Iterator[Say]:
    """Run a command with `--json` on a folder, with or without a server: its code and objects."""

    def run(*words: str) -> tuple[int, list[dict[str, Any]]]:
        code = main([*words, "--data", str(tmp_path / "data"), "--json"])
        return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    if request.param == "alone":
        yield run
    else:
        with server(tmp_path / "data", "serve"):
            yield run


def one(answer: tuple[int, list[dict[str, Any]]]) -> dict[str, Any]:
    """The only object of a successful command."""
    code, objects = answer
    assert (0, 1) == (code, len(objects)), objects
    return objects[0]


def error(answer: tuple[int, list[dict[str, Any]]]) -> tuple[int, str, str]:
    """The exit code of a refused command, with the refusal's code and field."""
    code, objects = answer
    assert ["error"] == list(objects[-1])
    return code, objects[-1]["error"]["code"], objects[-1]["error"]["field"]


@pytest.mark.slow
def test_evening_from_the_terminal(say: Say, tmp_path: Path) -> None:
    """A table is made, played, followed, moved and retold, with and without a server."""
    made = one(
        say("table", "new", GAME, "enforcement=warn", "--title", "Hall nine", "--name", "Mo")
    )
    id = made["table"]
    assert {"gm", "player", "spectator"} == set(made["links"])
    assert all("/join#link=" in link for link in made["links"].values())
    assert ["Hall nine"] == [table["title"] for table in one(say("table", "list"))["tables"]]

    moved = one(say("table", "move", id, "session.begin", "title=One"))
    assert "Session 1 began: One." in [record["text"] for record in moved["records"]]
    one(say("table", "move", id, "trait.set", "text=The walls listen", "--seat", "mo"))
    one(say("table", "move", id, "trait.set", "text=The butler did it", "secret=yes"))

    followed = say("table", "follow", id, "--once")[1]
    assert [one for one in followed if one["seq"] <= moved["seq"]][-2:] == moved["records"][-2:]
    answer = [record["text"] for record in followed]
    assert "Mo sat down." in answer
    later = say("table", "follow", id, "--once", "--after", str(moved["seq"]))[1]
    assert [moved["seq"] + n for n in (1, 2, 3, 4)] == [record["seq"] for record in later]

    links = {
        kind: one(say("table", "link", id, *kind))
        for kind in [("--gm",), ("--player",), (), ("--seat", "Mo")]
    }
    assert ["gm", "player", "player", "device"] == [link["side"] for link in links.values()]
    assert 4 == len({link["link"] for link in links.values()})

    assert "The walls listen" in one(say("table", "transcript", id))["markdown"]
    file = tmp_path / "hall.jsonl"
    one(say("table", "export", id, str(file)))
    assert "butler" in file.read_text(encoding="utf-8")
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()[1:]]
    of_readers = ("text", "paid", "moments")
    shapes = [{key: one[key] for key in one if key not in of_readers} for one in followed]
    assert shapes == lines[: len(shapes)]
    assert ["seq", "at", "seat", "seen_by", "event", *of_readers] == list(followed[0])
    assert (2, "argument", "file") == error(say("table", "export", id, str(file)))
    again = one(say("table", "import", str(file)))["table"]
    assert {id, again} == {table["id"] for table in one(say("table", "list"))["tables"]}
    assert (
        answer
        == [record["text"] for record in say("table", "follow", again, "--once")[1]][: len(answer)]
    )


@pytest.mark.slow
def test_refusals_have_their_codes(say: Say) -> None:
    """They and exit codes separate bad input, and missing answers are listed with choices."""
    id = one(say("table", "new", GAME))["table"]
    assert (1, "when", "") == error(say("table", "move", id, "session.end"))
    assert (2, "unknown", "") == error(say("table", "move", id, "check.fly"))
    assert (2, "argument", "nonsense") == error(
        say("table", "move", id, "session.begin", "nonsense=1")
    )
    assert (2, "unknown", "") == error(say("table", "move", id, "session.begin", "--seat", "Zed"))
    assert (2, "argument", "arguments") == error(say("table", "move", id, "session.begin", "now"))
    code, [unanswered] = say("table", "move", id, "points.correct", "to=1")
    assert (2, "account") == (code, unanswered["error"]["field"])
    _, *listed = unanswered["error"]["remedy"].splitlines()
    assert ["account:", "why:"] == [line.split()[0] for line in listed]
    assert re.search(r" \[\S+ \(.+\)\]$", listed[0])
    assert 2 == error(say("table", "new", "chess"))[0]
    assert 2 == error(say("table", "new", GAME, "weather=rain"))[0]
    assert 2 == error(say("table", "new", GAME, "fast"))[0]
    assert 2 == error(say("table", "link", id, "--gm", "--seat", "GM"))[0]


@pytest.mark.slow
def test_missing_table_is_reported(say: Say, tmp_path: Path) -> None:
    """Every command about a table reports an unknown name."""
    for words in (
        ("move", "nowhere", "session.begin"),
        ("offers", "nowhere"),
        ("link", "nowhere"),
        ("follow", "nowhere", "--once"),
        ("transcript", "nowhere"),
        ("export", "nowhere", str(tmp_path / "x")),
    ):
        assert error(say("table", *words))[0] in (1, 2), words
    assert not (tmp_path / "x").exists()


def test_owner_manages_tables_without_a_server(tmp_path: Path) -> None:
    """The owner may export and delete without a GM, but needs one for links and moves."""
    store = SqliteStore(tmp_path / "data")
    id = asyncio.run(Tables(store).open(GAME, "Left", {}))
    tables = StoredTables(store, Languages())
    try:
        assert ["Left"] == [one["title"] for one in tables.listings()]
        assert b"Left" in tables.export(id, "")
        with pytest.raises(Refused):
            tables.link(id, "player", "")
        tables.delete(id, "Left")
        assert [] == tables.listings()
    finally:
        tables.close()


@pytest.mark.slow
def test_offers_from_the_terminal(
    say: Say, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Offers, views and odds of a seat are printed as data and as lines."""
    id = one(say("table", "new", "starwars"))["table"]
    one(say("table", "move", id, "session.begin"))
    shown = one(say("table", "offers", id))
    assert ["seq", "seat", "table", "offers", "waits", "odds"] == list(shown)
    assert {"session.begin": "when", "table.say": ""} == {
        offer["key"]: (offer["closed"] or {"code": ""})["code"]
        for offer in shown["offers"]
        if offer["key"] in ("session.begin", "table.say")
    }
    assert "sight" in {
        offer["closed"]["code"]
        for offer in one(say("table", "offers", id, "--check", "x"))["offers"]
    }
    assert 0 == main(["table", "offers", id, "--data", str(tmp_path / "data")])
    answer = capsys.readouterr().out
    assert "table.say  Write in the log\n    text: What do you want to say?\n" in answer
    assert "session.begin" not in answer


def test_lines_explain_waits() -> None:
    """Suggestions, odds, closed choices, GM questions and priced proposals are lines."""
    here = evening(choose)
    here.make("ann", "fact.add", text="A hatch")
    trying(here, weight=2)
    [check] = here.table.checks
    odds = {"check": check, "odds": {"outcomes": {"heads": "1/4"}}}

    def answer(seat: str) -> list[str]:
        table = table_data(here.table, here.table.seats[seat], here.system)
        offered = [offer_data(one) for one in offers(here.system, here.table, seat)]
        waits = waiting(here.system, here.table, seat)
        shown = json.loads(
            encode({"table": table, "offers": offered, "waits": waits, "odds": odds})
        )
        return list(lines(shown, here.system, ENGLISH.program))

    ann = answer("ann")
    assert f"Pash: a toss ({check}), 2 coin vs 2 weight" == ann[0]
    assert [
        "  25.00% heads, if agreed",
        "Waiting for the GM to agree: Weights 2.",
        "Waiting for the GM to answer you: “A hatch”.",
    ] == ann[1:4]
    assert any(line.endswith(": Ann proposes: A hatch  [1 luck]") for line in ann)
    assert (
        "    not now: The GM has not agreed yet: Weights 2. Points and dice wait until then." in ann
    )
    assert "      b  Two (2) not now: You have none left." in ann
    assert "    weight: Weights (needs the GM's OK)" in ann
    gm = answer("mona")
    assert "Your move: Ann suggests Weights 2: agree, or decide otherwise." == gm[2]
    assert "check.agree  Agree to what is suggested" in gm
    assert "    weight: Weights" in gm


@pytest.mark.slow
def test_override_is_recorded(say: Say) -> None:
    """A GM overrides a rule's refusal in the terminal, and its sentence is logged."""
    id = one(say("table", "new", GAME))["table"]
    code, [refused] = say("table", "move", id, "scene.begin")
    assert 1 == code
    records = one(say("table", "move", id, "scene.begin", "--override"))["records"]
    assert refused["error"]["text"] in records[0]["text"]


@pytest.mark.slow
def test_backup_and_restore(say: Say, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A backup works with or without a server, and is restored to a folder without one."""
    id = one(say("table", "new", GAME))["table"]
    file, other = tmp_path / "all.backup", tmp_path / "other"
    one(say("backup", str(file)))
    assert (1, "storage", "") == error(say("backup", str(file)))
    assert 0 == main(["restore", str(file), "--data", str(other), "--json"])
    assert 0 == main(["table", "list", "--data", str(other), "--json"])
    restored = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert [id] == [table["id"] for table in restored["tables"]]


@pytest.mark.slow
def test_restore_protects_a_folder_in_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """While a server runs, its tables are not replaced, and no second server starts."""
    assert 0 == main(["table", "new", GAME, "--data", str(tmp_path / "data")])
    assert 0 == main(["backup", str(tmp_path / "b"), "--data", str(tmp_path / "data")])
    with server(tmp_path / "data", "serve"):
        capsys.readouterr()
        assert 1 == main(["restore", str(tmp_path / "b"), "--data", str(tmp_path / "data")])
        assert "in use" in capsys.readouterr().err
        assert 1 == main(["serve", "--data", str(tmp_path / "data"), "--local", "--no-browser"])
        assert "in use" in capsys.readouterr().err


@pytest.mark.slow
def test_following_shows_others_moves(tmp_path: Path) -> None:
    """A running server's records are printed as they happen, in each following terminal."""
    folder = str(tmp_path / "data")
    with server(tmp_path / "data", "serve"):
        made = subprocess.run(
            [
                sys.executable,
                "-m",
                "storypool.cli",
                "table",
                "new",
                GAME,
                "--data",
                folder,
                "--json",
            ],
            capture_output=True,
            text=True,
            check=True,
        )
        id = json.loads(made.stdout)["table"]
        command = [sys.executable, "-m", "storypool.cli", "table", "follow", id, "--data", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as reader:
            try:
                assert reader.stdout is not None
                assert "was opened" in reader.stdout.readline()
                assert 0 == main(
                    ["table", "move", id, "session.begin", "title=Late", "--data", folder]
                )
                for line in reader.stdout:
                    if "Late" in line:
                        break
                assert "Session 1 began: Late." in line
            finally:
                reader.terminate()


@pytest.mark.slow
def test_host_token_ends_with_the_server(tmp_path: Path) -> None:
    """Only this user can read the host's token, which is gone after the server stops."""
    with server(tmp_path / "data", "serve"):
        mode = (tmp_path / "data" / TOKEN).stat().st_mode
        assert sys.platform == "win32" or 0 == mode & 0o077
    assert not (tmp_path / "data" / TOKEN).exists()


@pytest.mark.slow
def test_demo_starts_in_a_scene(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The demo serves a table with an open action, a link per seat, and a recent log."""
    folder = str(tmp_path / "data")
    with server(tmp_path / "data", "demo") as output:
        links = [text for text in output if "/join#link=" in text]
        assert ["GM", "Ann", "Bo"] == [text.split()[0] for text in links]
        main(["table", "list", "--data", folder, "--json"])
        [table] = json.loads(capsys.readouterr().out)["tables"]
        assert 0 == main(
            [
                "table",
                "move",
                table["id"],
                "table.say",
                "text=Ready",
                "--seat",
                "Ann",
                "--data",
                folder,
            ]
        )
        assert "Ann: “Ready”" in capsys.readouterr().out
        # An action is open: no scene begins meanwhile.
        assert 1 == main(["table", "move", table["id"], "scene.begin", "--data", folder])
        assert "An action is still going on" in capsys.readouterr().err


def test_missing_scene_lists_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game without its own scene names the games with one."""
    assert 2 == main(
        ["demo", "chess", "--data", str(tmp_path / "d"), "--local", "--no-browser", "--port", "0"]
    )
    assert GAME in capsys.readouterr().err


def test_readable_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without `--json` there are links by side, a dated list and the log in sentences."""
    # The command looks for tables nearby: those of other tests are further away.
    home = tmp_path / "home"
    home.mkdir()
    folder = ["--data", str(home / "data")]
    assert 2 == main(["table", "list", *folder])
    assert "storypool table new" in capsys.readouterr().err
    assert 0 == main(["table", "new", GAME, "--title", "Hall nine", *folder])
    assert "  player    /join#link=" in capsys.readouterr().out
    assert 0 == main(["table", "list", *folder])
    id, _, _, system, title = capsys.readouterr().out.split(maxsplit=4)
    assert (GAME, "Hall nine") == (system, title.strip())
    assert 0 == main(["table", "follow", id, *folder])
    answer = capsys.readouterr()
    assert "    1  The table “Hall nine” was opened." in answer.out
    assert "no server is running" in answer.err
