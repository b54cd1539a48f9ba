"""Finding games: names without imports, single imports, and invalid names."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from storypool import systems
from storypool.engine.refusal import Refused
from storypool.systems import game_stakes


def test_names_are_listed_without_importing_a_game() -> None:
    """The list of games imports none, and loading one imports no other."""
    code = (
        "import json, sys; from storypool import systems; names = systems.names(); before ="
        " sorted(sys.modules);systems.get('genesys'); print(json.dumps([names, before,"
        " sorted(sys.modules)]))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names, before, after = json.loads(run.stdout)
    assert {"genesys", "starwars"} <= set(names)
    assert ["storypool.systems.game_files"] == [
        name for name in before if name.startswith("storypool.systems.")
    ]
    assert "storypool.systems.genesys.game" in after
    assert [] == [name for name in after if name.startswith("storypool.systems.starwars")]


def test_every_game_is_found_by_its_key() -> None:
    """Each game is found once by its own key, and shared packages are not games."""
    found = systems.find()
    assert list(systems.names()) == list(found) == sorted(found)
    assert [] == [key for key, system in found.items() if system.key != key]
    assert not {"narrative", "answers"} & set(found)


def test_folder_without_game_file_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shared or leftover folders without `game.py` are not games."""
    for name in ("chess/game.py", "shared/dice.py", "bare/words.toml"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("", encoding="utf-8")
    elsewhere = set(systems.names()) - {
        folder.name for place in systems.__path__ for folder in Path(place).iterdir()
    }
    monkeypatch.setattr(systems, "__path__", [str(tmp_path)])
    systems.look_again()
    try:
        assert {"chess", *elsewhere} == set(systems.names())
    finally:
        monkeypatch.undo()
        systems.look_again()


@pytest.mark.parametrize("ask", [systems.get, systems.dice, systems.odds])
def test_unknown_game_is_an_error(ask: object) -> None:
    """The error lists the games."""
    assert callable(ask)
    with pytest.raises(
        systems.UnknownSystem, match=r"“narrative” here; the games are: .*genesys, .*starwars"
    ) as unknown:
        ask("narrative")
    assert ("narrative", systems.names()) == (unknown.value.key, unknown.value.known)


def test_game_without_odds_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Odds are optional: a request gets a sentence, and actions have none to weigh."""
    monkeypatch.setattr(systems, "_is_there", lambda module: False)
    with pytest.raises(Refused, match="has no odds"):
        systems.odds("genesys")
    assert game_stakes.stakes("genesys") is None
