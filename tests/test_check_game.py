"""`storypool check-game`, and games of packages: listed, played, checked and explained."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from storypool import systems
from storypool.cli import main
from storypool.cli.reference import reference
from tests.browsers import serving
from tests.installed_games import KEY, copied, installed

ROOT = Path(__file__).parent.parent

FAULTS: dict[str, tuple[str, str, str, str]] = {
    "no docstring": (
        "game.py",
        '    """Toss the coins"""\n',
        "",
        r"game\.py: This cannot be imported .*check\.roll needs a docstring.*\(game\.py:\d+\)",
    ),
    "no SYSTEM": (
        "game.py",
        "SYSTEM = r.System(",
        "GAME = r.System(",
        r"game\.py: There is no SYSTEM in it",
    ),
    "two moves with one key": (
        "game.py",
        '"nerve.lose",',
        '"check.close",',
        r"check\.close: Two moves have this key: give each a key of its own",
    ),
    "a key that is no noun and verb": (
        "game.py",
        '"nerve.lose"',
        '"nerve"',
        r"nerve: A move has a key noun\.verb",
    ),
    "an account that is none in a price": (
        "game.py",
        "price=r.Bag(luck=1),\n    approval",
        "price=r.Bag(fortune=1),\n    approval",
        (
            r"fact\.add: Its price names “fortune”, but the accounts of this game are luck, doom,"
            r" nerve"
        ),
    ),
    "a price that is worked out and not said": (
        "game.py",
        "price=r.Bag(luck=1),\n    approval",
        "price=lambda turn: r.Bag(luck=1),\n    approval",
        r"fact\.add: Its price is a plain function: make it `worded`, such as",
    ),
    "a limit that is worked out and not said": (
        "game.py",
        'limit=r.Limit("luck", ("check",)),',
        'limit=lambda turn: (r.Limit("luck", ("check",)),),',
        r"luck\.spend: Its limit is a plain function: make it `worded`, such as",
    ),
    "a condition without a sentence": (
        "game.py",
        '"nerve.lose",',
        '"nerve.lose",\n    when=lambda turn: None,',
        (
            r"nerve\.lose: No sentence can be read from its condition <lambda>: refuse with"
            r" turn\.no or turn\.firm"
        ),
    ),
    "choices that raise": (
        "game.py",
        "r.characters())],",
        "lambda t: [r.Choice(c.id, c.sheet['nerves']) for c in t.table.characters.values()])],",
        r"nerve\.lose: The choices of its question “who” raise KeyError: 'nerves' \(game\.py:\d+\)",
    ),
    "a tray with a die that is none": (
        "game.py",
        "    options=r.house.OPTIONS,\n",
        '    options=r.house.OPTIONS,\n    panels=(r.TrayPanel("", dice=("check.roll d7",)),),\n',
        r"tray: This panel names the die “d7”, but the dice of this game are",
    ),
    "a tray with a question that is none": (
        "game.py",
        "    options=r.house.OPTIONS,\n",
        '    options=r.house.OPTIONS,\n    panels=(r.TrayPanel("", dice=("check.roll x y",)),),\n',
        r"tray: This panel names the question “y”, which “check\.roll” does not ask",
    ),
    "a panel with a move that is none": (
        "game.py",
        "    options=r.house.OPTIONS,\n",
        '    options=r.house.OPTIONS,\n    panels=(r.PrimaryPanel("", moves=("check.rol",)),),\n',
        r"primary: This panel names the move “check\.rol”, which does not exist",
    ),
    "a sentence that is none": (
        "words.toml",
        'title = "a toss"',
        'titel = "a toss"',
        r"There is no sentence “toss\.title”: write it in words\.toml",
    ),
    "a sentence with a number that is none": (
        "words.toml",
        'tails = "Tails by {n}."',
        'tail = "Tails by {n}."',
        r"There is no sentence “toss\.tails”: write it in words\.toml",
    ),
    "a limit without a sentence": (
        "words.toml",
        'luck = "Luck was pushed already in this action."',
        'lucky = "Luck was pushed already in this action."',
        r"luck\.spend: Its limit has no sentence: write “no\.limit\.luck” in words\.toml",
    ),
    "a play that fails": (
        "plays/nerve-goes.play",
        "=> ilse.nerve 0",
        "=> ilse.nerve 1",
        r"plays/nerve-goes\.play:6: found ilse\.nerve 0, expected ilse\.nerve 1",
    ),
    "a play with another sentence": (
        "plays/nerve-goes.play",
        "gm  nerve.lose who=ilse => ilse.nerve 0",
        "gm  offers nerve.lose => title Flinch",
        (
            r"plays/nerve-goes\.play:6: found nerve\.lose with this title: “Lose a point of nerve”,"
            r" expected “Flinch”"
        ),
    ),
    "a play that cannot be read": (
        "plays/nerve-goes.play",
        "seat gm  side=gm",
        "seat gm  side=judge",
        r"plays/nerve-goes\.play:2: .*gm\|player\|spectator",
    ),
    "a balance above its cap": (
        "game.py",
        'yield turn.trait("fact", turn.text("text"))',
        'yield r.PointsSet("nerve", next(iter(turn.table.characters)), 9, 9, "a fault")',
        (
            rf"{KEY}, seed \d+, try \d+ of 150, .*fact\.add.*nerve is 9, and its cap is 3: change"
            r" .* Turn\.change"
        ),
    ),
    "a body that raises": (
        "game.py",
        "for account, n in check.owed.items():",
        "for account, n in check.debts.items():",
        (
            rf"{KEY}, seed \d+, try \d+ of 150, .*check\.(close|roll)"
            r" .*AttributeError.*\(game\.py:\d+\)"
        ),
    ),
    "a die without a look": (
        "game.py",
        '        "spark": r.Look(',
        '        "sparks": r.Look(',
        r"spark: This has no look",
    ),
    "a character off the sheet": (
        "ready.toml",
        "wits = 4",
        "wits = 40",
        r"Ilse: This ready-made character has 40 of “wits”, which goes from 1 to 6",
    ),
    "a check.toml that is not known": (
        "check.toml",
        "[words]",
        "[word]",
        r"check\.toml: It cannot be read: \[word\] is not known.*",
    ),
    "a move that somebody else may make": (
        "game.py",
        '"nerve.lose",',
        '"nerve.lose",\n    by=["gm"],',
        r"vectors/permissions\.json: Who may make nerve\.lose: gm; it was gm, player before\. "
        rf"If you meant the change, `storypool check-game {KEY} --count` writes it\.",
    ),
    "a move that is open less often": (
        "game.py",
        '"nerve.lose",',
        '"nerve.lose",\n    when=r.building,',
        r"vectors/perft\.json: Moves open to ann at a table at rest: \d+; it was \d+ before\.",
    ),
    "counts that cannot be read": (
        "vectors/perft.json",
        '"open"',
        '"opened"',
        r"vectors: Counting the open moves raises KeyError: 'open'",
    ),
    "an old reference": (
        "reference.md",
        "Coins",
        "Pennies",
        (
            rf"reference\.md: It is out of date: `storypool rules {KEY} > .*reference\.md` writes"
            r" it again"
        ),
    ),
}
"""Faults of a game: the file, the replacement, and words of the finding."""


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_fault_is_found_and_described(
    fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each finding has its place and remedy, and the exit code is 1."""
    file, old, new, sentence = FAULTS[fault]
    folder = copied(tmp_path, {file: (old, new)})
    # Only what a seed repeats takes games at random to find, and only a wrong count takes counting.
    games = "6" if "seed" in sentence else "0"
    if "vectors" not in sentence:
        shutil.rmtree(folder / "vectors")
    with installed(tmp_path):
        assert 1 == main(["check-game", KEY, "--games", games])
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if re.search(sentence, line)], lines
    assert lines[-1].startswith(f"Problems in {KEY}: ")


@pytest.mark.slow
def test_sound_game_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A sound game is reported to people and programs, with exit code 0."""
    copied(tmp_path)
    with installed(tmp_path):
        assert 0 == main(["check-game", KEY, "--games", "2", "--seed", "5"])
        assert f"{KEY} keeps every promise" in capsys.readouterr().out
        assert 0 == main(["check-game", KEY, "--games", "0", "--json"])
        assert {"system": KEY, "wrong": []} == json.loads(capsys.readouterr().out)


@pytest.mark.slow
def test_missing_reference_names_its_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command in a finding writes the missing page."""
    folder = copied(tmp_path)
    (folder / "reference.md").unlink()
    with installed(tmp_path):
        assert 1 == main(["check-game", KEY, "--games", "0", "--json"])
        [found] = json.loads(capsys.readouterr().out)["wrong"]
        assert (
            "reference.md",
            f"It is missing: `storypool rules {KEY} > {folder}/reference.md` writes it.",
        ) == (
            found["where"],
            found["text"],
        )
        (folder / "reference.md").write_text(reference(systems.get(KEY)), encoding="utf-8")
        assert 0 == main(["check-game", KEY, "--games", "0"])


@pytest.mark.slow
def test_missing_counts_name_their_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command in a finding writes missing numbers, which then hold."""
    folder = copied(tmp_path)
    before = {
        file.name: file.read_text(encoding="utf-8") for file in (folder / "vectors").iterdir()
    }
    shutil.rmtree(folder / "vectors")
    with installed(tmp_path):
        assert 0 == main(["check-game", KEY, "--games", "0"])
        capsys.readouterr()
        assert 0 == main(["check-game", KEY, "--count"])
        assert sorted(str(folder / "vectors" / name) for name in before) == sorted(
            capsys.readouterr().out.split()
        )
        assert before == {
            file.name: file.read_text(encoding="utf-8") for file in (folder / "vectors").iterdir()
        }
        assert 0 == main(["check-game", KEY, "--games", "0"])


def test_unknown_game_lists_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown game is bad input, with the known games in the report."""
    assert 2 == main(["check-game", "chess"])
    assert "There is no game called “chess” here" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        (
            "ENGINE = 0",
            "was made for version 0 of the engine, and this is version 1: install the version of",
        ),
        (
            "",
            (
                "does not say which version of the engine it was made for: write ENGINE = 1 in the"
                " __init__.py of coins"
            ),
        ),
        (
            "import nothing_of_this_name",
            "which cannot be imported: No module named 'nothing_of_this_name'",
        ),
    ],
)
def test_game_for_another_engine_is_refused(
    engine: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An incompatible game gets a sentence wherever it is requested, and is not offered."""
    copied(tmp_path, {"__init__.py": ("ENGINE = 1", engine)})
    with installed(tmp_path):
        assert KEY in systems.names()
        assert KEY not in systems.playable()
        for asked in (
            ["roll", KEY, "2C"],
            ["rules", KEY],
            ["check-game", KEY],
            ["odds", KEY, "2C"],
        ):
            assert 2 == main(asked)
            assert message in capsys.readouterr().err
        play = tmp_path / "x.play"
        play.write_text(f"table {KEY}\nseat gm side=gm\n", encoding="utf-8")
        assert 1 == main(["play", str(play)])
        assert message in capsys.readouterr().err


def test_packaged_game_is_listed_and_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An installed game is listed and played like any other, in terminal and server."""
    copied(tmp_path)
    with installed(tmp_path):
        assert KEY in systems.names()
        assert 0 == main(["roll", KEY, "2C/W", "--faces", "1 1 1"])
        assert "Heads by 2." in capsys.readouterr().out
        for name in sorted(systems.plays(KEY)):
            assert 0 == main(["play", "-q", str(tmp_path / "coins_elsewhere" / "plays" / name)])
        with serving(tmp_path, games=systems.playable) as house:
            gm = house.browser()
            assert KEY in [game["key"] for game in gm.get("/api/systems")]
            table = gm.post("/api/tables", system=KEY, title="Coins", name="Mona")["table"]
            gm.move(table, "session.begin")
            gm.move(table, "character.add", name="Brute")
            gm.move(table, "check.declare", **{"as": "brute", "pool": "2C"})
            gm.move(table, "check.roll")
            assert "Heads by 2." in json.dumps(gm.get(f"/api/tables/{table}"))


@pytest.mark.slow
def test_packaged_game_is_found_by_the_command(tmp_path: Path) -> None:
    """A separate process finds, rolls and checks a game announced by its package."""
    copied(tmp_path)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(tmp_path)])}

    def say(*words: str) -> str:
        command = [sys.executable, "-W", "error", "-m", "storypool.cli", *words]
        done = subprocess.run(
            command, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=60
        )
        assert (0, "") == (done.returncode, done.stderr)
        return done.stdout

    assert "Tails by 0." in say("roll", KEY, "2C", "--faces", "1 2")
    assert "keeps every promise" in say("check-game", KEY, "--games", "1")


def test_packages_are_searched_only_if_needed() -> None:
    """A roll of a built-in game reads no entry point, so it stays quick."""
    own = next(key for key in systems.names() if systems.package(key).startswith("storypool."))
    code = f"import sys; from storypool import systems; systems.dice({own!r}); print(*sys.modules)"
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    )
    assert "importlib.metadata" not in done.stdout.split()
