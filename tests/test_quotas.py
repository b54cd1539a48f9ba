"""Limits of a server: tables, records and links, and the removal of abandoned ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from storypool import systems
from storypool.cli import main
from storypool.engine.events import Event, SeatTaken, TableOpened
from storypool.engine.sight import records_of
from storypool.engine.table import Seat
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.store import Append
from storypool.web.server_settings import Limits
from tests.browsers import House, serving
from tests.test_cli_tables import server

GAME = next(key for key in systems.names() if systems.package(key).startswith("storypool."))


@pytest.mark.slow
def test_full_server_opens_no_table(tmp_path: Path) -> None:
    """Neither a new nor an imported one opens until one is deleted; others continue."""
    with serving(tmp_path, limits=Limits(tables=2)) as house:
        party, host = house.table(), house.host()
        file = party.gm.ask("GET", f"{party.path}/export").content
        assert host.ask("POST", "/api/tables/import", file).status_code == 201
        for answer in (
            host.refused(409, "POST", "/api/tables", system="tiny", name="Mona"),
            host.ask("POST", "/api/tables/import", file).json()["error"],
        ):
            assert answer["code"] == "limit"
            assert answer["text"] == "This server has room for 2 tables, and all of them are taken."
        party.ann.move(party.id, "table.say", text="We go on")
        party.gm.post(f"{party.path}/delete", confirm="Coins")
        host.post("/api/tables", system="tiny", name="Mona")


def test_full_table_refuses_moves(tmp_path: Path) -> None:
    """It can be read and exported, and nothing is stored for a late move."""
    with serving(tmp_path, limits=Limits(records=14)) as house:
        party = _filled(house)
        error = party.ann.refused(
            409, "POST", f"{party.path}/moves", move="table.say", args={"text": "One more"}
        )
        assert (error["code"], error["text"]) == (
            "limit",
            "This table has 14 records, the most that this server keeps for one table.",
        )
        last = party.ann.get(party.path)["table"]["seq"]
        assert last >= 14
        assert party.gm.ask("GET", f"{party.path}/export").status_code == 200


def test_links_are_limited(tmp_path: Path) -> None:
    """Links fill neither the store nor others' room; a revoked one makes room."""
    with serving(tmp_path, limits=Limits(links=6)) as house:
        party = house.table()
        path = f"{party.path}/links"
        made = [party.ann.post(path, side="device") for _ in range(6)]
        error = party.ann.refused(409, "POST", path, side="device")
        assert (error["code"], error["text"]) == (
            "limit",
            "There are already 6 such links in use.",
        )
        party.bo.post(path, side="device")
        party.gm.post(path, side="player")
        assert party.ann.ask("DELETE", f"{path}/{made[0]['id']}").status_code == 200
        party.ann.post(path, side="device")


def _filled(house: House) -> Any:
    party = house.table()
    while party.ann.get(party.path)["table"]["seq"] < 14:
        party.ann.move(party.id, "table.say", text="And then")
    return party


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with an old table; tests add one of today."""
    store = SqliteStore(tmp_path / "data")
    happened: list[Event] = [TableOpened(GAME, "Long ago", {}), SeatTaken(Seat("gm", "Mona", "gm"))]
    store.append(Append("old", 0, records_of(happened, "gm", 0, 1_000_000_000_000)))
    store.close()
    return tmp_path / "data"


@pytest.fixture(params=["alone", "served"])
def swept(request: pytest.FixtureRequest, folder: Path) -> Iterator[Path]:
    """The folder with a table of today too, with or without a server."""
    assert main(["table", "new", GAME, "--title", "Today", "--data", str(folder), "--json"]) == 0
    if request.param == "alone":
        yield folder
    else:
        with server(folder, "serve"):
            yield folder


@pytest.mark.slow
def test_old_tables_are_swept_with_consent(
    swept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are listed, and go only on the host's yes; current ones are never listed."""

    def titles() -> list[str]:
        capsys.readouterr()
        assert main(["table", "list", "--data", str(swept), "--json"]) == 0
        return [one["title"] for one in json.loads(capsys.readouterr().out)["tables"]]

    def sweep(*more: str) -> str:
        capsys.readouterr()
        assert main(["table", "sweep", "--data", str(swept), *more]) == 0
        return capsys.readouterr().out

    answers = iter([False, True])

    def confirmed(asked: str) -> bool:
        print(asked)
        return next(answers)

    monkeypatch.setattr("click.confirm", confirmed)
    happened = sweep()
    assert "Long ago" in happened
    assert "1 table was played at last more than 365 days ago." in happened
    assert "Delete it for good?" in happened
    assert "0 tables are deleted." in happened
    assert "Today" not in happened
    found = json.loads(sweep("--json"))
    assert (len(found["found"]), found["deleted"]) == (1, [])
    assert sorted(titles()) == ["Long ago", "Today"]
    assert "1 table is deleted." in sweep("--days", "30")
    assert titles() == ["Today"]
    assert "0 tables were played at last" in sweep("--yes")
    assert titles() == ["Today"]
