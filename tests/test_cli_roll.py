"""`storypool roll`, the command line as such, and what it imports to answer at once."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import click
import pytest

from storypool import __version__, systems
from storypool.cli import QUICK, main, roll_answer
from storypool.cli.group import COMMANDS, run, storypool
from storypool.cli.refusals import print_refusal
from storypool.contract.material import material
from storypool.engine import folder
from storypool.engine.bag import Bag
from storypool.engine.dice import in_order, roll, symbols
from storypool.engine.refusal import Refused
from storypool.words import toml
from storypool.words.languages import Languages

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
"""What a roll may import besides our own modules."""
MAX_OWN = 21
"""How many of our own modules a roll may import: dice, notation and sentences of one game."""
UNNEEDED = (
    "storypool.engine.table",
    "storypool.engine.rules",
    "storypool.engine.game.system",
    "storypool.live.tables",
    "storypool.odds",
)
"""Our own modules that a roll has no use for."""


def imported(*words: str) -> set[str]:
    """The modules that Python imports to run this command line, from its own list."""
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
    """A roll and the version answer at once because nothing heavy is imported for them; click only
    for an option.
    """
    modules = imported(*words)
    assert "storypool.cli" in modules
    heavy = HEAVY if "--json" in words else (*HEAVY, "click")
    assert set() == {
        name for name in modules if name.partition(".")[0] in heavy or name in UNNEEDED
    }


def test_a_roll_imports_the_dice_of_one_game_and_little_else() -> None:
    """Beside the reader of TOML and what makes dataclasses, it needs a score of our own modules."""
    modules = imported("roll", "starwars", "2A1P/2D")
    own = {name for name in modules if name.partition(".")[0] == "storypool"}
    assert set() == modules - own - listed("-c", BASE) - {"runpy"}
    assert len(own) <= MAX_OWN, sorted(own)


def test_odds_import_what_counts_them_and_no_table() -> None:
    """Exact odds need fractions, what counts dice and the odds of one game; of a table they know
    the points alone.
    """
    modules = imported("odds", "starwars", "2A1P/2D")
    own = {name for name in modules if name.partition(".")[0] == "storypool"}
    assert set() == modules - own - listed(
        "-c", f"{BASE}, array, contextvars, errno, fractions"
    ) - {"runpy"}
    counting = {name for name in own if name.startswith("storypool.odds")}
    assert "storypool.odds.question" in counting
    assert len(own - counting) <= MAX_OWN + 2, sorted(own)
    assert set() == own & {*UNNEEDED} - counting


@pytest.mark.parametrize("command", QUICK)
def test_a_command_without_options_is_answered_as_with_click(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line for which click is not imported has the answer that it has with click, be it a
    refusal.
    """
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
    """The exit code of a command line that click reads, whatever is in it."""
    try:
        return run(line, Languages())
    except Refused as refused:
        return print_refusal(refused.refusal, as_json=False)


def test_a_result_reads_the_sentences_of_its_game_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often dice are read: twice in one roll of the terminal, all evening by a bot of the
    library.
    """
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


def test_dice_results_and_odds_of_the_games_need_no_game_files() -> None:
    """To roll with the games of Storypool, or to ask for their odds, the compiler of game files is
    not imported.
    """
    asked = (
        "[(systems.dice(key), systems.result(key), systems.odds(key)) for key in systems.names()]"
    )
    code = f"import sys; from storypool import systems; {asked}; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = run.stdout.split()
    assert "storypool.systems.dune.odds" in modules
    assert [] == [name for name in modules if name.startswith("storypool.gamefile")]


def test_heavy_packages_are_there_to_be_left_out() -> None:
    """The list of heavy packages names real ones, so that the test above cannot pass by a slip of
    the pen.
    """
    assert [] == [name for name in (*HEAVY, *UNNEEDED) if find_spec(name) is None]


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """`--version` names the program and its version."""
    assert 0 == main(["--version"])
    assert f"storypool {__version__}\n" == capsys.readouterr().out


def test_roll_to_read(capsys: pytest.CaptureFixture[str]) -> None:
    """A roll shows the pool as it was read, each die with its symbols, and the result in words."""
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
    """`--json` gives the pool, each die with its face and source, the symbols, the net on each
    axis, and the words.
    """
    assert 0 == main(["roll", "starwars", "AP/D", "--faces", "2,12,8", "--json"])
    rolled = json.loads(capsys.readouterr().out)
    assert {"ability": 1, "proficiency": 1, "difficulty": 1} == rolled["pool"]
    assert [
        ["ability", 2, "hand"],
        ["proficiency", 12, "hand"],
        ["difficulty", 8, "hand"],
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
    """Force dice alone come to pips, and there is nothing to pass or fail."""
    assert 0 == main(["roll", "starwars", "2F", "--faces", "7 10", "--json"])
    rolled = json.loads(capsys.readouterr().out)
    assert (None, 2, 2) == (rolled["passed"], rolled["net"]["light"], rolled["net"]["dark"])


@pytest.mark.parametrize("key", systems.names())
def test_dice_without_moves_are_those_of_the_game(key: str) -> None:
    """What a roll reads of a game is what the table uses: dice, axes, notation, and the same words
    for a result.
    """
    from storypool.engine.table import Check, Table

    light, system = systems.dice(key), systems.get(key)
    assert (system.dice, system.axes, system.notation) == (light.DICE, light.AXES, light.NOTATION)
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
    """With its terms a roll is a test: the dice show what they count for, and the result reads as
    at the table.
    """
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
def test_terms_that_no_roll_has_are_refused(
    words: list[str], field: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A term that is not known, out of bounds or only for odds is refused with its name."""
    assert 2 == main(["roll", *words, "--json"])
    error = json.loads(capsys.readouterr().out)["error"]
    assert (field, True) == (error["field"], text in error["text"])


def test_every_die_of_the_pool_is_rolled_once_and_fairly() -> None:
    """A cast holds each die of the pool once, in printed order, and in the long run every face of
    it comes up.
    """
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
    """A number below n is one of 0 to n - 1, and all of them come up."""
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
    """Bad input ends with exit code 2 and one sentence, in the one error shape when asked for
    JSON.
    """
    assert 2 == main(["roll", *words, "--json"])
    error = json.loads(capsys.readouterr().out)["error"]
    assert field == error["field"]
    assert text in error["text"]
    assert 2 == main(["roll", *words])
    output = capsys.readouterr()
    assert "" == output.out
    assert output.err.startswith("storypool: ")
    assert text in output.err


def test_every_command_is_there_and_takes_json() -> None:
    """Each command by its name is a command, says in a line what it does, and prints JSON when
    asked to.
    """
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
    """A command that is not there ends with exit code 2 and says where to look."""
    assert 2 == main(["fly"])
    assert "--help" in capsys.readouterr().err


def test_nothing_asked_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a command the help is shown, with every command in it."""
    main([])
    output = capsys.readouterr()
    assert [] == [name for name in COMMANDS if name not in output.out + output.err]


def test_an_empty_pool_throws_what_the_game_says(capsys: pytest.CaptureFixture[str]) -> None:
    """A game says what is thrown for a pool without dice, here a weight; in others nothing is."""
    assert 0 == main(["roll", "tiny", "no dice", "--faces", "3"])
    assert "1 weight" in capsys.readouterr().out
    assert 0 == main(["roll", "starwars", "no dice"])
    assert "no dice" in capsys.readouterr().out
