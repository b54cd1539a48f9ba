"""`storypool roll`, the command line in general, and the imports of a quick answer."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
import pytest

from storypool import __version__, systems
from storypool.cli import QUICK, built_from, main, roll_answer
from storypool.cli.built_from import version_with_commit
from storypool.cli.group import COMMANDS, run, storypool
from storypool.cli.refusals import print_refusal
from storypool.contract.material import material
from storypool.engine import folder
from storypool.engine.bag import Bag
from storypool.engine.dice import in_order, roll, symbols
from storypool.engine.refusal import Refused
from storypool.words import toml
from storypool.words.languages import Languages

ROOT = Path(__file__).resolve().parent.parent
HEAVY = (
    "apsw",
    "asyncio",
    "http",
    "msgspec",
    "rich",
    "sqlite3",
    "ssl",
    "starlette",
    "uvicorn",
    "websockets",
)
"""Packages that take longer to import than a roll may take."""
BASE = "import dataclasses, importlib.util, tomllib"
"""The allowed imports of a roll besides our own modules."""
MAX_OWN = 21
"""The most own modules of a roll: dice, notation and sentences of one game."""
UNNEEDED = (
    "storypool.engine.table",
    "storypool.engine.rules",
    "storypool.engine.game.system",
    "storypool.live.tables",
    "storypool.odds",
)
"""Own modules that a roll does not need."""


def imported(*words: str) -> set[str]:
    """The modules of a command line, from Python's own list of imports."""
    return listed("-m", "storypool.cli", *words)


def listed(*words: str) -> set[str]:
    """The modules that Python imports with these arguments."""
    run = subprocess.run(
        [sys.executable, "-X", "importtime", *words], capture_output=True, text=True, check=True
    )
    lines = (line for line in run.stderr.splitlines() if line.startswith("import time:"))
    return {line.rpartition("|")[2].strip() for line in lines}


@pytest.mark.parametrize(
    "words", [("--version",), ("roll", "starwars", "2A1P/2D"), ("roll", "genesys", "2A", "--json")]
)
def test_quick_commands_import_nothing_heavy(words: tuple[str, ...]) -> None:
    """A roll and the version import nothing slow; click is only for options."""
    modules = imported(*words)
    assert "storypool.cli" in modules
    heavy = HEAVY if "--json" in words else (*HEAVY, "click")
    assert set() == {
        name for name in modules if name.partition(".")[0] in heavy or name in UNNEEDED
    }


def test_roll_imports_one_games_dice() -> None:
    """Besides the TOML reader and dataclasses, it needs a score of our own modules."""
    modules = imported("roll", "starwars", "2A1P/2D")
    own = {name for name in modules if name.partition(".")[0] == "storypool"}
    assert set() == modules - own - listed("-c", BASE) - {"runpy"}
    assert len(own) <= MAX_OWN, sorted(own)


def test_odds_import_no_table() -> None:
    """Exact odds need fractions, counting and one game's odds; of a table only the points."""
    modules = imported("odds", "starwars", "2A1P/2D")
    own = {name for name in modules if name.partition(".")[0] == "storypool"}
    assert set() == modules - own - listed(
        "-c", f"{BASE}, array, bisect, contextvars, errno, fractions"
    ) - {"runpy"}
    counting = {name for name in own if name.startswith("storypool.odds")}
    assert "storypool.odds.question" in counting
    assert len(own - counting) <= MAX_OWN + 2, sorted(own)
    assert set() == own & {*UNNEEDED} - counting


@pytest.mark.parametrize("command", QUICK)
def test_command_without_options_matches_click(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line without click has the same answer as with click, even a refusal."""
    monkeypatch.setattr(roll_answer, "randbelow", lambda n: n // 2)
    for line in (
        ["starwars", "2A", "1P/2D"],
        ["dune", "2d20", "target=14"],
        ["gone.game.toml", "2A"],
        ["dune", "?"],
    ):
        quickly = main([command, *line]), capsys.readouterr()
        assert quickly == (click_answer([command, *line]), capsys.readouterr())
        assert ("gone.game.toml" in line or "?" in line) is bool(quickly[0])


def click_answer(line: list[str]) -> int:
    """The exit code of any command line, as read by click."""
    try:
        return run(line, Languages())
    except Refused as refused:
        return print_refusal(refused.refusal, as_json=False)


def test_result_reads_its_sentences_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often dice are read, in a terminal's roll or a bot's evening."""
    opened: list[str] = []

    def read(file: str) -> dict[str, Any]:
        opened.append(file)
        return toml(file)

    monkeypatch.setattr("storypool.words.toml", read)
    pool = Bag({"ability": 2})
    rolled = roll(pool, systems.dice("starwars").DICE, lambda n: 0)
    folder._words_alone.cache_clear()
    assert systems.result("starwars").result(pool, rolled) == systems.result("starwars").result(
        pool, rolled
    )
    assert ["reading/words.toml", "starwars/words.toml"] == [
        "/".join(file.split("/")[-2:]) for file in opened
    ]


def test_built_in_games_need_no_file_compiler() -> None:
    """Rolls and odds of Storypool's games import no compiler of game files."""
    asked = (
        "[(systems.dice(key), systems.result(key), systems.odds(key)) for key in systems.names()]"
    )
    code = f"import sys; from storypool import systems; {asked}; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = run.stdout.split()
    assert "storypool.systems.dune.odds" in modules
    assert [] == [name for name in modules if name.startswith("storypool.gamefile")]


def test_heavy_packages_exist() -> None:
    """The list of heavy packages has real names, so a typo cannot hide an import."""
    assert [] == [name for name in (*HEAVY, *UNNEEDED) if find_spec(name) is None]


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """`--version` names the program, its version, and the commit of a checkout."""
    assert 0 == main(["--version"])
    printed = capsys.readouterr().out
    assert printed == f"storypool {version_with_commit()}\n"
    assert 0 == main(["--version", "--help"])
    assert printed == capsys.readouterr().out
    if (ROOT / ".git").exists():
        words = ["git", "rev-parse", "--short=10", "HEAD"]
        head = subprocess.check_output(words, cwd=ROOT, text=True).strip()
        assert re.fullmatch(
            re.escape(f"storypool {__version__} (commit {head}") + r"\+?\)\n", printed
        )


@pytest.mark.parametrize(
    ("archived", "noted", "commit"),
    [
        ("3435c2443025affe", None, " (commit 3435c24430)"),
        ("$Format:%H$", {"vcs_info": {"commit_id": "3435c2443025affe"}}, " (commit 3435c24430)"),
        ("$Format:%H$", {"dir_info": {"editable": True}}, ""),
        ("$Format:%H$", None, ""),
    ],
)
def test_commit_of_an_installed_package(
    archived: str,
    noted: Mapping[str, object] | None,
    commit: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """A release has it from its archive, an install from a repository from the installer's note."""

    class Installed:
        def read_text(self, name: str) -> str | None:
            return json.dumps(noted) if noted and name == "direct_url.json" else None

    monkeypatch.setattr(built_from, "ARCHIVED", archived)
    monkeypatch.setattr(built_from, "CHECKOUT", tmp_path)
    monkeypatch.setattr(built_from, "distribution", lambda name: Installed())
    assert f"{__version__}{commit}" == version_with_commit()


def test_readable_roll(capsys: pytest.CaptureFixture[str]) -> None:
    """A roll shows the pool as read, each die with its symbols, and the result in words."""
    assert 0 == main(
        ["roll", "starwars", "2 ability 1 proficiency vs 2 difficulty", "--faces", "4 6 12 2 7"]
    )
    pool, *dice, words = capsys.readouterr().out.splitlines()
    assert "2 ability 1 proficiency vs 2 difficulty" == pool
    assert [
        ["ability", "4", "2", "success"],
        ["ability", "6", "advantage"],
        ["proficiency", "12", "triumph"],
        ["difficulty", "2", "failure"],
        ["difficulty", "7", "2", "threat"],
    ] == [line.split() for line in dice]
    assert "Success by 2" in words
    assert "1 Threat" in words
    assert "Triumph" in words


def test_roll_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` gives the pool, dice with face and source, symbols, net axes and words."""
    assert 0 == main(["roll", "starwars", "AP/D", "--faces", "2,12,8", "--json"])
    rolled = json.loads(capsys.readouterr().out)
    assert {"ability": 1, "proficiency": 1, "difficulty": 1} == rolled["pool"]
    assert [
        {"die": "ability", "face": 2, "source": "hand"},
        {"die": "proficiency", "face": 12, "source": "hand"},
        {"die": "difficulty", "face": 8, "source": "hand"},
    ] == rolled["rolled"]
    assert {"success": 1, "triumph": 1, "failure": 1, "threat": 1} == rolled["symbols"]
    assert {
        "success": 1,
        "advantage": -1,
        "triumph": 1,
        "despair": 0,
        "light": 0,
        "dark": 0,
    } == rolled["net"]
    assert rolled["passed"] is True


def test_force_dice_alone_do_not_succeed(capsys: pytest.CaptureFixture[str]) -> None:
    """Force dice alone give pips, which neither pass nor fail."""
    assert 0 == main(["roll", "starwars", "2F", "--faces", "7 10", "--json"])
    rolled = json.loads(capsys.readouterr().out)
    assert (None, 2, 2) == (rolled["passed"], rolled["net"]["light"], rolled["net"]["dark"])


@pytest.mark.parametrize("key", systems.names())
def test_roll_uses_the_games_dice(key: str) -> None:
    """A roll shares dice, axes, notation and result words with the table."""
    from storypool.engine.table import Check, Table

    light, system = systems.dice(key), systems.get(key)
    # A table has further dice for what no pool rolls.
    assert light.DICE == system.dice[: len(light.DICE)]
    assert (system.axes, system.notation) == (light.AXES, light.NOTATION)
    dice = [die for die in light.DICE if die.name not in material(key).apart]
    pool = Bag({die.name: 1 + n % 2 for n, die in enumerate(dice)})
    for _ in range(20):
        lie = roll_answer.cast(in_order(pool, light.DICE))
        outcome = system.read(Table(system=key), Check("c", "", "players", pool=pool), lie)
        assert (outcome.passed, outcome.net, outcome.words) == systems.result(key).result(pool, lie)


@pytest.mark.parametrize(
    ("words", "dice", "output"),
    [
        (
            ["dune", "2d20", "target=14", "focus=4", "difficulty=2", "--faces", "3 11"],
            ["d20 3 2 success", "d20 11 success"],
            "Success: 3 successes against Difficulty 2, with 1 to spare.",
        ),
        (
            ["dune", "2d20", "target=14", "--faces", "20 15"],
            ["d20 20 complication", "d20 15 -"],
            "Failure: 0 successes against Difficulty 1. 1 complication.",
        ),
        (
            ["dune", "2d20", "target=9", "ones=1", "assist=11:5", "--faces", "12 5"],
            ["d20 12 -", "automatic 1 2 success", "helper 5 2 success"],
            "Success: 4 successes against Difficulty 1, with 3 to spare.",
        ),
        (
            ["c2d10", "3d10", "dc=2", "crisis=1", "--faces", "0 7 9"],
            ["d10 0 setback", "d10 7 success", "crisis 9 2 success, mess"],
            "Passed with 1 to spare: 3 successes against DC 2, with a mess.",
        ),
        (
            ["c2d10", "1d10 vs 1d10", "contest_tie=defender", "--faces", "7 8"],
            ["d10 7 success", "rival 8 rival-success"],
            "1 success against 1: the defender wins.",
        ),
        (
            [
                "destinydice",
                "1 expertise / 2 difficulty",
                "hope_success_uncancellable=yes",
                "--faces",
                "6 1 1",
            ],
            ["expertise 6 hope", "difficulty 1 -", "difficulty 1 -"],
            "Success by 1, with 1 Hope.",
        ),
    ],
)
def test_roll_takes_the_terms_of_odds(
    words: list[str], dice: list[str], output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With terms a roll is a test: dice show their value, and the result reads as at a table."""
    assert 0 == main(["roll", *words])
    _, *lines, last = capsys.readouterr().out.splitlines()
    assert (dice, output) == ([" ".join(line.split()) for line in lines], last)
    assert 0 == main(["roll", *words, "--json"])
    rolled = json.loads(capsys.readouterr().out)
    assert output == rolled["words"]
    assert dict(word.split("=") for word in words if "=" in word) == rolled["terms"]


@pytest.mark.parametrize(
    ("words", "field", "text"),
    [
        (["starwars", "2A", "target=3"], "target", "Nothing here depends on “target”."),
        (["dune", "2d20", "focus=3"], "target", "has to be given"),
        (
            ["dune", "2d20", "target=14", "reroll=failed"],
            "reroll",
            "a single roll does not depend on it",
        ),
        (["dune", "2d20", "target=99"], "target", "from 1 to 20, not “99”"),
        (["c2d10", "2d10", "rerolls=3"], "rerolls", "a single roll does not depend on it"),
        (["c2d10", "2d10", "dc=2", "dc=3"], "dc", "given twice"),
        (
            ["c2d10", "2d10", "contest_tie=draw"],
            "contest_tie",
            "Nothing here depends on “contest_tie”.",
        ),
    ],
)
def test_invalid_roll_terms_are_refused(
    words: list[str], field: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unknown, out-of-bounds or odds-only term is refused by name."""
    assert 2 == main(["roll", *words, "--json"])
    error = json.loads(capsys.readouterr().out)["error"]
    assert (field, True) == (error["field"], text in error["text"])


def test_every_die_is_rolled_once_and_fairly() -> None:
    """A roll has each die of the pool once in printed order, and all faces come up in time."""
    dice = systems.dice("starwars").DICE
    pool = systems.dice("starwars").NOTATION.parse("2A1P/2D")
    seen = {die: set[int]() for die in pool}
    for _ in range(300):
        lie = roll_answer.cast(in_order(pool, dice))
        assert ["ability", "ability", "proficiency", "difficulty", "difficulty"] == [
            one.die for one in lie
        ]
        assert {"server"} == {one.source for one in lie}
        symbols(lie, dice)
        for one in lie:
            seen[one.die].add(one.face)
    assert {"ability": 8, "proficiency": 12, "difficulty": 8} == {
        die: len(faces) for die, faces in seen.items()
    }


@pytest.mark.parametrize("n", [1, 6, 12])
def test_chance_stays_in_its_range(n: int) -> None:
    """A number below n is one of 0 to n - 1, and all of them occur."""
    assert set(range(n)) == {roll_answer.randbelow(n) for _ in range(400)}


@pytest.mark.parametrize(
    ("words", "field", "text"),
    [
        (["chess", "2A"], "system", ", ".join(systems.names())),
        (["starwars", "2Q"], "pool", "“Q” is not a die of this game"),
        (["starwars", "2A", "--faces", "1"], "faces", "This pool has 2 dice"),
        (["starwars", "2A", "--faces", "1 9"], "faces", "faces 1 to 8, not 9"),
        (["starwars", "2A", "--faces", "1 x"], "faces", "faces 1 to 8, not x"),
        (["starwars"], "pool", "POOL"),
        ([], "system", "SYSTEM"),
    ],
)
def test_bad_input(
    words: list[str], field: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bad input has exit code 2 and one sentence, in the common error shape with `--json`."""
    assert 2 == main(["roll", *words, "--json"])
    error = json.loads(capsys.readouterr().out)["error"]
    assert field == error["field"]
    assert text in error["text"]
    assert 2 == main(["roll", *words])
    output = capsys.readouterr()
    assert "" == output.out
    assert output.err.startswith("storypool: ")
    assert text in output.err


def test_every_command_supports_json() -> None:
    """Each command exists, has a summary line, and prints JSON on request."""
    context = click.Context(storypool)
    for name in COMMANDS:
        command = storypool.get_command(context, name)
        assert command is not None
        assert command.get_short_help_str(), name
        for one in command.commands.values() if isinstance(command, click.Group) else (command,):
            if one.name == "sit":
                continue  # It is a conversation.
            options = {option for param in one.params for option in param.opts}
            assert "--json" in options, one.name
            assert (one.help or "").strip(), one.name


def test_unknown_command(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown command has exit code 2 and names the help."""
    assert 2 == main(["fly"])
    assert "--help" in capsys.readouterr().err


def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    """The help lists every command."""
    main([])
    output = capsys.readouterr()
    assert [] == [name for name in COMMANDS if name not in output.out + output.err]


def test_empty_pool_follows_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    """A game may roll something for an empty pool, here a weight; others roll nothing."""
    assert 0 == main(["roll", "tiny", "no dice", "--faces", "3"])
    assert "1 weight" in capsys.readouterr().out
    assert 0 == main(["roll", "starwars", "no dice"])
    assert "no dice" in capsys.readouterr().out
