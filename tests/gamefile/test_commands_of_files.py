"""The commands on game files answer small, unfinished and broken files with sentences."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest

from storypool import systems
from storypool.cli import main
from storypool.contract.checking import check
from tests.gamefile.conftest import GAMES, ONE_DIE, Write, head

pytestmark = pytest.mark.slow

HEAD = 'format = 1\nkey = "small"\nname = "Small"\nabout = "A small game."\n'
DIE = "[dice.d6]\nsides = 6\n"
DONE = '[[outcome]]\nkey = "done"\nwords = "Done."\n'
POOL = "[action]\npool = { d6 = 1 }\n"
READ = POOL + "figures = { best = { highest = 1 } }\n"
FILES = {
    "nothing": "",
    "no toml": "key = ",
    "no head": DIE + POOL + DONE,
    "only a head": HEAD,
    "no action": HEAD + DIE + DONE,
    "no outcome": HEAD + DIE + POOL,
    "no dice": HEAD + "[dice]\n" + POOL + DONE,
    "nothing read": HEAD + DIE + POOL + DONE,
    "no pool": HEAD + DIE + "[action]\n" + DONE,
    "empty pool": HEAD + DIE + "[action]\npool = { d6 = 0 }\n"
    + "figures = { best = { highest = 1 } }\n" + DONE,
    "read": HEAD + DIE + READ + DONE,
    "only a count": HEAD + DIE + POOL + 'counts = { n = "dice(d6)" }\n' + DONE,
    "a count of nothing": HEAD + DIE + POOL + 'counts = { n = "1" }\n' + DONE,
    "blank faces": HEAD + '[dice.d6]\nfaces = ["", ""]\n' + POOL + DONE,
    "symbols": HEAD + '[dice.d6]\nfaces = ["", "hit"]\n' + POOL + DONE,
    "shown by a term": HEAD + '[dice.d6]\nsides = 6\nshows = { hit = "face >= need" }\n' + POOL
    + 'terms = { need = "4" }\n' + DONE,
    "a term of itself": HEAD + DIE + READ + 'terms = { n = "n + 1" }\n'
    + DONE.replace('words', 'when = "best > n"\nwords'),
    "terms of each other": HEAD + DIE + READ + 'terms = { a = "b", b = "a" }\n'
    + DONE.replace('words', 'when = "best > a"\nwords'),
    "passes": HEAD + DIE + READ + DONE.replace('words', 'passed = true\nwords'),
    "a question": HEAD + DIE + READ + '[[action.asks]]\nname = "n"\nlabel = "N"\n'
    + 'number = [1, 3]\n' + DONE,
    "a choice": HEAD + DIE + READ + '[[action.asks]]\nname = "n"\nlabel = "N"\n'
    + 'choices = { a = "A" }\n' + DONE.replace('words', 'when = "n == \'a\'"\nwords'),
    "a statement asked": HEAD + DIE + '[trait.harm]\nword = "Harm"\n' + READ
    + '[[action.asks]]\nname = "n"\nlabel = "N"\ntrait = ["harm"]\n'
    + DONE.replace('words', 'when = "n > 0"\nwords'),
    "words asked": HEAD + DIE + READ + '[[action.asks]]\nname = "n"\nlabel = "N"\ntext = true\n'
    + DONE.replace('"Done."', '"Done, {n}."'),
    "an empty group": HEAD + DIE + '[sheet.skills]\ntitle = "Skills"\nentries = {}\n' + READ
    + '[[action.asks]]\nname = "n"\nlabel = "N"\nentry = ["skills"]\n'
    + DONE.replace('words', 'when = "n > 0"\nwords'),
    "sized by nothing": HEAD + DIE + READ.replace("pool = { d6 = 1 }", 'sized = ["n"]')
    + '[[action.asks]]\nname = "n"\nlabel = "N"\nnumber = [1, 3]\n' + DONE,
    "many dice": HEAD + "[dice.d100]\nsides = 100\n" + "[action]\npool = { d100 = 30 }\n"
    + "figures = { best = { highest = 9 } }\n" + DONE,
    "a move of nothing": HEAD + DIE + READ + DONE + '[[move]]\nkey = "a"\ntitle = "A"\n',
    "a verb of nothing": HEAD + DIE + READ + DONE + '[[move]]\nkey = "a"\ntitle = "A"\ndo = [{}]\n',
    "a table of nothing": HEAD + DIE + READ + DONE + "[effects]\nwoe = []\n",
    "points": HEAD + DIE + '[points.luck]\nof = "character"\nstart = 1\n' + READ + DONE,
    "a broken scene": HEAD + 'first_scene = "nothing"\ndemo = "table other"\n' + DIE + READ + DONE,
    "other letters": HEAD.replace("Small", "Kleine Größe") + DIE + READ + DONE,
}  # fmt: skip
COMMANDS = (
    ["roll", "FILE", "1d6"],
    ["roll", "FILE", "2d6", "n=2", "--faces", "1 2"],
    ["odds", "FILE", "1d6"],
    ["odds", "FILE", "0d6"],
    ["odds", "FILE", "2d6", "--what-if"],
    ["odds", "FILE", "1d6", "--compare", "2d6", "--json"],
    ["odds", "FILE", "1d6", "--svg", "-"],
    ["odds-table", "FILE", "--rows", "1..2 d6", "--cols", "n=1..2", "--show", "done"],
    ["rules", "FILE"],
    ["words", "FILE"],
)


@pytest.mark.parametrize("name", FILES)
def test_every_command_answers_a_small_file(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each command ends with an answer or sentence, and never with internals of the program."""
    file = tmp_path / "small.game.toml"
    file.write_text(FILES[name], encoding="utf-8")
    try:
        for command in COMMANDS:
            code = main([str(file) if word == "FILE" else word for word in command])
            output = capsys.readouterr()
            assert code in (0, 1, 2), command
            if code:
                text = f"{output.out}{output.err}"
                sentence = (
                    json.loads(output.out)["error"]["text"] if "--json" in command else text.strip()
                )
                assert sentence[-1] in ".)…!?»", (command, text)
                assert "Error" not in text.replace("TOML", ""), (command, text)
    finally:
        systems.removed("small")


@pytest.mark.parametrize(
    ("name", "key"), [("Salt and Bell", "saltbell"), ("The Long Trail", "longtrail")]
)
def test_lab_solves_no_deck(name: str, key: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It says why, and the command that plays the evenings of the same file."""
    file = str(GAMES / f"{key}.game.toml")
    try:
        assert 2 == main(["lab", "solve", file])
        assert capsys.readouterr().err == (
            f"storypool: “{name}” deals cards, and each card that is gone makes another state: too"
            f" many to solve. Play its evenings instead: storypool lab play {file}.\n"
        )
    finally:
        systems.removed(key)


PLAY = (
    "table small\nseat gm side=gm\nseat ann hero:\nann check.declare as=hero\nann check.roll"
    " dice 5\n"
)


def test_play_finds_its_game_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A play's game is a file next to it or above, by its key; its first mistake is named."""
    plays = tmp_path / "small" / "plays"
    plays.mkdir(parents=True)
    (plays / "one.play").write_text(PLAY, encoding="utf-8")
    try:
        assert 1 == main(["play", "-q", str(plays / "one.play")])
        file = tmp_path / "anything.game.toml"
        for key in ('key = "small"', "key='small' # as TOML has it"):
            text = FILES["read"].replace('key = "small"', key, 1)
            file.write_text(text, encoding="utf-8")
            # A file of this name with another key is another game; so is one whose move has the
            # key.
            other = (
                f'{text.replace("small", "other", 1)}\n[[move]]\nkey = "small"\ntitle = "Small"\n'
            )
            (tmp_path / "small" / "small.game.toml").write_text(other, encoding="utf-8")
            (plays / "a.game.toml").write_text(other, encoding="utf-8")
            assert 0 == main(["play", "-q", str(plays / "one.play")])
            systems.removed("small")
        capsys.readouterr()
        (plays / "small.game.toml").write_text(FILES["no outcome"], encoding="utf-8")
        assert 2 == main(["play", "-q", str(plays / "one.play")])
        assert "small.game.toml, line " in capsys.readouterr().err
    finally:
        systems.removed("small")
        systems.removed("other")


def test_plays_of_the_docs_are_played() -> None:
    """Every play next to a game of the docs runs where it is."""
    files = sorted(chain.from_iterable(GAMES.glob(f"*/{name}.play") for name in ("plays/*",)))
    try:
        assert 0 == main(["play", "-q", *map(str, files[:3])])
    finally:
        for key in {file.parts[-3] for file in files}:
            systems.removed(key)


def test_broken_server_file_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each command names the line of a mistake in the folder of games."""
    (tmp_path / "small.game.toml").write_text(FILES["no outcome"], encoding="utf-8")
    monkeypatch.setenv("STORYPOOL_GAMES", str(tmp_path))
    systems.game_files.files.cache_clear()
    systems.look_again()
    try:
        for command in (
            ["roll", "small", "1d6"],
            ["rules", "small"],
            ["odds", "small", "1d6", "--json"],
        ):
            assert 2 == main(command)
            output = capsys.readouterr()
            assert "small.game.toml, line " in output.out + output.err
    finally:
        monkeypatch.delenv("STORYPOOL_GAMES")
        systems.game_files.files.cache_clear()
        systems.look_again()


def test_server_file_is_known_by_its_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in the folder of games may have any name: its game has the key that it says."""
    (tmp_path / "1-first.game.toml").write_text(FILES["read"], encoding="utf-8")
    monkeypatch.setenv("STORYPOOL_GAMES", str(tmp_path))
    systems.game_files.files.cache_clear()
    systems.look_again()
    try:
        assert "small" in systems.names()
        assert "small" == systems.get("small").key
    finally:
        monkeypatch.delenv("STORYPOOL_GAMES")
        systems.game_files.files.cache_clear()
        systems.look_again()


def test_check_reports_what_it_finds_at_once(write: Write) -> None:
    """Findings about rows come before any random game, which are counted for a terminal."""
    counted: list[int] = []
    found = check(write(head("early") + ONE_DIE + DONE), 8, enough=2, progress=counted_in(counted))
    assert "ready-made characters" in str(next(found))
    assert [] == counted
    assert [] == list(found)
    assert [0, 1] == counted


def test_check_ends_where_games_make_nothing_new(write: Write) -> None:
    """A move that is never open does not keep the check going; a thorough one names it."""
    counted: list[int] = []
    never = '[[move]]\nkey = "fly"\ntitle = "Fly"\nwho = "gm"\nonly = "round > 0"\n'
    never += '[turns]\nby = "1"\n[[character]]\nname = "Kit"\n'
    text = head("flying") + ONE_DIE + DONE + never.replace("round > 0", "round > 99")
    assert [] == list(check(write(text), 8, enough=3, progress=counted_in(counted)))
    assert len(counted) < 8


def counted_in(counted: list[int]) -> Callable[[int, int], None]:
    """A progress that notes the numbers of games."""
    return lambda done, most: counted.append(done)


def test_findings_name_the_lines_of_the_file(write: Write) -> None:
    """A finding has the line in the file, and its remedy names a key of the file."""
    text = head("early") + ONE_DIE + DONE + '\n[dice.other]\nsides = 6\nletter = "D"\n'
    text += '\n[[move]]\nkey = "shout"\ntitle = "shout"\nwho = "gm"\nwhen = "after the roll"\n'
    text += 'do = [{ symbol = "loud" }]\n'
    text += '\n[symbols.loud]\nword = "loud"\n'
    lines = text.split("\n")
    found = [str(one) for one in check(write(text), 0)]
    at = lines.index("[[move]]") + 1
    assert f"move.shout, line {at}: Its title is “shout”: begin `title` with a capital." in found
    at = lines.index("[dice.other]") + 1
    assert (
        f"other, line {at}: This die looks as d6 does: give it another `letter` or `pattern`."
        in (found)
    )
