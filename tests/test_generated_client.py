"""A generated client of the API's description is typed, and plays a check."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browsers import serving

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "docs" / "clients" / "generated.py"
OMITTED = ("/api/odds.svg", "/recap.svg", "/recap.png", "/export", "/{picture}", "/moving.gif")
"""Routes without JSON answers: the generator leaves them as bytes."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the generated package."""
    folder = tmp_path_factory.mktemp("client")
    with serving(tmp_path_factory.mktemp("described")) as house:
        (folder / "openapi.json").write_bytes(
            house.browser().ask("GET", "/api/openapi.json").content
        )
    output = _ran(
        *("-m", "openapi_python_client", "generate", "--path", "openapi.json", "--meta", "none"),
        *("--output-path", "storypool_client"),
        folder=folder,
    )
    warned = [line for line in output.splitlines() if "WARNING" in line]
    assert len(OMITTED) == len(warned), output
    assert all(any(route in line for line in warned) for route in OMITTED), output
    return folder


@pytest.mark.exhaustive
def test_generated_client_is_typed(folder: Path) -> None:
    """Its script is strictly typed, and so are models and calls from our schemas."""
    shutil.copy2(SCRIPT, folder)
    _ran(
        *("-m", "mypy", "--strict", "--cache-dir=cache", "--follow-imports=silent"),
        *("-p", "storypool_client.models", "-p", "storypool_client.api", "-m", SCRIPT.stem),
        folder=folder,
    )


@pytest.mark.exhaustive
def test_generated_client_plays_a_check(folder: Path, tmp_path: Path) -> None:
    """It joins by a link, declares and rolls; each kind of event is a class."""
    with serving(tmp_path) as house:
        gm = house.host()
        opened = gm.post(
            "/api/tables", system="starwars", name="Mona", options={"trust": "players_set"}
        )
        gm.move(opened["table"], "session.begin")
        gm.move(opened["table"], "destiny.begin")
        link = gm.post(f"/api/tables/{opened['table']}/links", side="player")
        output = _ran(str(SCRIPT), house.here, link["path"], folder=folder).splitlines()
    assert "Roll for R0-B0." == output[0]
    assert "4 dice fell." == output[1]
    assert any(line.startswith("R0-B0: ") for line in output), output


def _ran(*command: str, folder: Path) -> str:
    """The output of successful Python code in this folder with the package."""
    env = {**os.environ, "PYTHONPATH": str(folder), "MYPYPATH": str(folder), "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, f"{done.stdout}\n{done.stderr}"
    return f"{done.stdout}\n{done.stderr}"


@pytest.mark.slow
def test_description_is_the_servers(folder: Path) -> None:
    """The client's source is OpenAPI 3.1, with a schema for each kind of event."""
    described = json.loads((folder / "openapi.json").read_text(encoding="utf-8"))
    event = described["components"]["schemas"]["RecordShown"]["properties"]["event"]["anyOf"][0]
    assert "type" == event["discriminator"]["propertyName"]
    assert len(event["oneOf"]) == len(event["discriminator"]["mapping"]) > 15
