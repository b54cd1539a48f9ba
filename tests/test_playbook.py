"""Stored, described and drawn solutions: cache, sentences, maps and `storypool lab solve`."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from storypool import systems
from storypool.cli import main
from storypool.engine.refusal import Refused
from storypool.lab import Setting, evening, play, solution_cache
from storypool.lab.course import opening
from storypool.lab.evenings import Evening
from storypool.lab.playbook import Playbook
from storypool.lab.solution_cache import Kept
from storypool.lab.solutions import Solution, solution
from storypool.lab.stochastic import StochasticGame
from storypool.pictures.maps import states
from storypool.words.languages import ENGLISH


@cache
def book(left: int = 6) -> Playbook:
    """The playbook of a quickly solved evening."""
    return Playbook(solution(evening("genesys"), {"trust": "players_set"}), left)


def made() -> Solution:
    """A fresh solution of an evening with one kind of action."""
    # The first of its actions is the only one.
    which = replace(evening("genesys"), deeds=evening("genesys").deeds[:1])
    return Solution(opening(systems.get("genesys"), which, {}), {})


@pytest.mark.slow
def test_solution_is_made_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A second one reads the first's values; any other file content is replaced."""
    monkeypatch.setenv("STORYPOOL_CACHE", str(tmp_path / "new"))
    first = made().values
    [file] = (tmp_path / "new").iterdir()
    kept = json.loads(file.read_text(encoding="utf-8"))
    kept["values"][-1][0] = 99.0
    file.write_text(json.dumps(kept), encoding="utf-8")
    assert 99.0 in made().values[-1].values()
    for wrong in (
        "",
        "{}",
        "[1]",
        '{"states": [[1]], "values": [[1, 2]]}',
        '{"states": 3, "values": 4}',
        "\x00",
    ):
        file.write_text(wrong, encoding="utf-8")
        assert made().values == first
        assert solution_cache.read(file) == Kept(("players", "gm"), first)


@pytest.mark.slow
def test_solution_sentences_are_cached(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """They are read without solving; outdated or unreadable ones are made again."""
    monkeypatch.setenv("STORYPOOL_CACHE", str(tmp_path))
    first = Playbook(made(), 6).leaflet().text()
    [file] = tmp_path.glob("*.6.json")
    with monkeypatch.context() as patched:
        patched.setattr(StochasticGame, "attempts", None)
        assert first == Playbook(made(), 6).leaflet().text()
    for wrong in ("", "[]", "{}", "3", "[[[0, 0], [[1]]]]", "[[[0, 0], 1]]"):
        file.write_text(wrong, encoding="utf-8")
        assert first == Playbook(made(), 6).leaflet().text()
    Playbook(made(), 5).leaflet()
    assert 3 == len(list(tmp_path.iterdir()))


@pytest.mark.slow
def test_solution_works_without_a_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An unwritable cache only loses the file."""
    expected = made().values
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    monkeypatch.setenv("STORYPOOL_CACHE", str(blocked / "below"))
    assert made().values == expected
    assert not solution_cache.write(
        blocked / "below" / "x.json", Kept(("light", "dark"), [{(1, 2): 0.5}])
    )


def test_different_evening_has_its_own_file() -> None:
    """Options and actions distinguish files, and an equal evening shares one."""
    which = evening("genesys")
    longer = replace(which, actions=which.actions + 1)
    rarer = replace(which, deeds=which.deeds[1:])
    options = [{}, {"conversion": "immediate"}]
    files = {
        solution_cache.file_of(one, described)
        for one in (which, longer, rarer)
        for described in options
    }
    assert len(files) == 6
    assert solution_cache.file_of(which, {}) == solution_cache.file_of(replace(which), {})


@pytest.mark.slow
def test_sentences_match_the_solution() -> None:
    """Each described state's spends and keeps are on the right side of the sentence."""
    seen = set()
    for state in book().states:
        decisions = list(book().decisions(state))
        for habit in book().habits(state):
            here = [one for one in decisions if (one.side, one.own) == (habit.side, habit.own)]
            taken = [one.gains for one in here if one.spends]
            assert habit.least == min(taken, default=None)
            assert habit.share == pytest.approx(
                sum(one.chance for one in here if one.spends) / sum(one.chance for one in here)
            )
            if habit.sharp and habit.least is not None:
                assert all(one.gains < habit.least for one in here if not one.spends)
            seen.add((habit.side, habit.own))
        assert len(book().sentences(state)) >= 1 + len(book().habits(state))
    assert len(seen) == 4


@pytest.mark.slow
def test_solution_gain_matches_the_odds() -> None:
    """A point's gain in an action's graph is that of the pool's odds."""
    found = {one.gains for one in book().decisions((4, 0)) if one.side == "players" and one.own}
    game = systems.get("genesys")
    pairs = (("1P2A/1D", "2P1A/1D"), ("1P1A/1D", "2P/1D"), ("2P1A/3D", "3P/3D"))
    for before, after in pairs:
        gain = float(
            game.odds(after).p(success=lambda n: n > 0)
            - game.odds(before).p(success=lambda n: n > 0)
        )
        assert any(one == pytest.approx(gain, abs=1e-12) for one in found), (before, found)


def test_map_has_each_known_state() -> None:
    """Each has a cell with its worth, others none, and the table has equal numbers."""
    first, second = book().pictures()
    for picture in (first, second):
        assert picture.svg().startswith("<svg")
        cells = [cell for _, *row in picture.table.rows for cell in row]
        assert "" in cells
        assert any(not isinstance(cell, str) for cell in cells)
    many = {(a, b): Fraction(a, 30) for a in range(30) for b in range(3)}
    drawn = states("Worth", "So many", ("light", "dark"), many, ENGLISH)
    shown = [row[0] for row in drawn.table.rows]
    assert (len(shown), shown[0], shown[-1]) == (9, "0", "29")


@pytest.mark.slow
def test_terminal_prints_a_solution(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Text, JSON, picture and page have the solution's numbers."""
    page, drawn = tmp_path / "page.html", tmp_path / "map.svg"
    assert 0 == main(
        ["lab", "solve", "genesys", "--left", "6", "--html", str(page), "--svg", str(drawn)]
    )
    described = capsys.readouterr().out
    assert all(line in described for state in book().states for line in book().sentences(state))
    assert 0 == main(["lab", "solve", "genesys", "--left", "6", "--json"])
    data = json.loads(capsys.readouterr().out)
    [start] = data["starts"]
    at = data["states"].index(start["state"])
    assert data["values"][-1][at] == book().solution.values[-1][tuple(start["state"])]
    assert len(data["values"]) == 1 + data["actions"]
    assert page.read_text(encoding="utf-8").count("<svg") == 2
    assert drawn.read_text(encoding="utf-8").startswith("<svg")


def crowded() -> Evening:
    """An evening with a fourth character with points."""
    which = evening("destinydice")
    return replace(
        which, table=which.table.replace("Mona session", "seat Di dora: clever=1\nMona session")
    )


def test_unsolved_evenings_are_refused_early() -> None:
    """Nobody can play by a missing solution on any number of cores, says a sentence."""
    for cores in (1, 2):
        with pytest.raises(Refused) as no:
            play(crowded(), 2, settings=(Setting(players="solved"),), cores=cores)
        assert "evening" == no.value.refusal.field
        assert no.value.refusal.text.startswith("4 purses")


@pytest.mark.slow
def test_characters_points_are_described() -> None:
    """Each character has a sentence and a map, in states where all have equal points."""
    which = replace(evening("destinydice"), scenes=1, actions=2)
    lean = Solution(opening(systems.get("destinydice"), which, {}), {})
    described = Playbook(lean, 2)
    assert all(state[1:] == (state[1],) * 3 for state in described.states)
    assert 4 == len({state[1] for state in described.states})
    [poor] = [state for state in described.states if state[1] == 1 and state[0] == 0]
    lines = described.sentences(poor)
    assert "0 GM Fate points and 1 Fate point each" in lines[0]
    for who, pool in (("Juna", "juna.fate"), ("Pell", "pell.fate"), ("Tovi", "tovi.fate")):
        worth = lean.point(poor, 2, pool)
        assert worth is not None
        assert worth > 0
        assert any(
            line.startswith(f"One more Fate point for {who} is worth {100 * worth:.1f} %")
            for line in lines
        )
    titles = [picture.title for picture in described.pictures()]
    assert titles[1:] == [
        f"What one more Fate point for {who} is worth" for who in ("Juna", "Pell", "Tovi")
    ]
    assert titles[0] == "What one more GM Fate point is worth"


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (["nogame"], "system"),
        (["genesys", "--evening", "long"], "evening"),
        (["genesys", "--left", "19"], "left"),
        (["genesys", "--set", "conversion"], "set"),
        (["genesys", "--set", "conversion=never"], "conversion"),
        (["genesys", "--svg", "-", "--json"], ""),
    ],
)
def test_unsolvable_evening_is_refused(
    words: list[str], field: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence gives the reason and its question."""
    assert 2 == main(["lab", "solve", *words, *([] if "--json" in words else ["--json"])])
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["text"]
    assert field == error["field"]
