"""New rules through the server: a preview, the adoption by a GM, and permission for texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from storypool import systems
from storypool.systems import game_files
from storypool.web.endpoints import game_endpoints
from storypool.web.server_settings import Limits, Rate
from tests.browsers import House, Party, serving
from tests.gamefile.test_file_text import SMALL
from tests.gamefile.test_taking_over import CHANGES, NEW, OLD


def seated(house: House, **game: str) -> Party:
    """A table of this game with Mona, the GM, and Ann."""
    gm = house.host()
    party = Party(house, gm.post("/api/tables", title="Coins", name="Mona", **game)["table"], gm)
    party.ann = party.join("player", "Ann")
    gm.move(party.id, "session.begin")
    party.ann.move(party.id, "character.add", name="Ilse")
    return party


def whose(party: Party) -> str:
    """The page's information on the owner of the game."""
    system = party.ann.get(party.path)["system"]
    return str(party.ann.get(f"/api/systems/{system}")["own"])


@pytest.fixture
def party(tmp_path: Path) -> Iterator[Party]:
    """A table with a game of its own."""
    with serving(tmp_path) as house:
        yield seated(house, game=OLD)


def test_changes_are_previewed_and_adopted(party: Party) -> None:
    """The GM sees them first; then all logs, offers and pages have the new game."""
    shown = party.gm.post(f"{party.path}/rules/changes", game=NEW)
    assert ([*CHANGES], None) == (shown["changes"], shown["refused"])
    assert party.gm.get(party.path)["system"] != shown["key"], "nothing is stored by looking"
    with party.ann.live(party.id) as socket:
        seq = socket.follow(party.ann.get(party.path)["seq"], offers=True)["seq"]
        old = socket.hear("offers")["table"]["system"]
        made = party.gm.post(f"{party.path}/rules", game=NEW, to=shown["key"], token="once")
        assert (
            "rules.changed"
            == next(one for one in made["records"] if CHANGES[0] in one["text"])["event"]["type"]
        )
        assert made == party.gm.post(f"{party.path}/rules", game=NEW, to=shown["key"], token="once")
        heard = socket.records(made["seq"])
        assert seq + 1 == heard[0]["seq"]
        assert [one["text"] for one in made["records"]] == [one["text"] for one in heard]
        assert all("Pray, hope" not in str(one) for one in heard), "pages get no text of a game"
        offers = socket.hear("offers")
        while offers["table"]["system"] == old:
            offers = socket.hear("offers")
        assert shown["key"] == offers["table"]["system"]
        assert "move.pray" in [one["key"] for one in offers["offers"]]
    assert "Pray" == party.ann.get(f"/api/systems/{shown['key']}")["titles"]["move.pray"]
    assert shown["key"] == party.gm.get("/api/session")["seats"][0]["system"]
    text = party.ann.ask("GET", f"{party.path}/transcript.md").text
    assert "Mona: Take over the new rules." in text


def test_rules_refusals(party: Party) -> None:
    """Only GMs may; obstacles come with the changes, and mistakes with their line."""
    new = party.gm.post(f"{party.path}/rules/changes", game=NEW)["key"]
    for path, more in (("rules/changes", {}), ("rules", {"to": new})):
        assert (
            "identity"
            == party.ann.refused(403, "POST", f"{party.path}/{path}", game=NEW, **more)["code"]
        )
        wrong = party.gm.refused(
            400, "POST", f"{party.path}/{path}", game=NEW.replace("coin = 3", "coins = 3"), **more
        )
        assert wrong["text"].startswith("Line 32 of the game"), wrong
        assert (
            413
            == party.gm.ask(
                "POST", f"{party.path}/{path}", {"game": "#" * 600_000, **more}
            ).status_code
        )
    assert (
        "another game, Cups"
        in party.gm.refused(
            400,
            "POST",
            f"{party.path}/rules/changes",
            game=SMALL.replace('"coins"', '"cups"').replace('"Coins"', '"Cups"'),
        )["text"]
    )
    assert (
        "changed again"
        in party.gm.refused(409, "POST", f"{party.path}/rules", game=NEW, to="coins-0")["text"]
    )
    nothing = party.gm.refused(409, "POST", f"{party.path}/rules", to="coins-0")
    assert "no other rules" in nothing["text"]
    party.ann.move(party.id, "check.declare")
    shown = party.gm.post(f"{party.path}/rules/changes", game=NEW)
    assert "still under way" in shown["refused"]["text"]
    refused = party.gm.refused(409, "POST", f"{party.path}/rules", game=NEW, to=new)
    assert shown["refused"] == refused
    assert {"key": "", "changes": [], "refused": None} == party.gm.post(
        f"{party.path}/rules/changes"
    )


def test_newer_server_text_is_adopted(tmp_path: Path) -> None:
    """A table of a file's game adopts its current text and names its owner."""
    file = tmp_path / f"coins{game_files.ENDING}"
    file.write_text(OLD, encoding="utf-8")
    key = systems.added(file)
    try:
        with serving(tmp_path) as house:
            party = seated(house, system=key)
            assert "" == whose(party)
            assert "" == party.gm.post(f"{party.path}/rules/changes")["key"]
            file.write_text(NEW, encoding="utf-8")
            assert "copy" == whose(party)
            shown = party.gm.post(f"{party.path}/rules/changes")
            assert [*CHANGES] == shown["changes"]
            party.gm.post(f"{party.path}/rules", to=shown["key"])
            assert "" == whose(party)
            own = seated(house, game=SMALL.replace('"coins"', '"cups"'))
            assert "own" == whose(own)
    finally:
        systems.removed(key)


def test_custom_games_are_cached_with_a_limit(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages' data of this many games are kept as sent, and others made again."""
    monkeypatch.setattr(game_endpoints, "MAX_KEPT", 2)
    key = party.gm.get(party.path)["system"]
    for system in (key, "tiny", "starwars", key):
        assert system == party.gm.get(f"/api/systems/{system}")["key"]
    assert 2 == len(party.house.app.state.server.kept)


def test_host_permits_custom_texts_online(tmp_path: Path) -> None:
    """Other GMs need an open workshop, and then have a limit."""
    for workshop in (False, True):
        limits = replace(Limits(), texts_kept=Rate(1, 0.01))
        with serving(
            tmp_path, public_url="https://table.example", workshop=workshop, limits=limits
        ) as house:
            party = seated(house, game=OLD)
            other = party.join("gm", "Milo")
            body = {"game": NEW, "to": game_files.kept(NEW)}
            if workshop:
                other.post(f"{party.path}/rules", **body)
                body = {"game": OLD, "to": game_files.kept(OLD)}
                refused = other.refused(429, "POST", f"{party.path}/rules", **body)
                assert "only a few for each player" in refused["text"]
            else:
                assert (
                    "identity"
                    == other.refused(403, "POST", f"{party.path}/rules/changes", game=NEW)["code"]
                )
                assert (
                    "identity" == other.refused(403, "POST", f"{party.path}/rules", **body)["code"]
                )
                assert {"key": "", "changes": [], "refused": None} == other.post(
                    f"{party.path}/rules/changes"
                )
