"""Every game with a board: hidden places stay hidden, and its panel names moves that there are."""

from __future__ import annotations

import random

import pytest

from storypool import systems
from storypool.contract.hidden_work import hidden_work
from storypool.contract.random_game import Game
from storypool.engine import house
from storypool.engine.decisions import decide
from storypool.engine.game.panels import BoardPanel
from storypool.engine.table import Side
from storypool.play import LocalTable
from storypool.systems import game_files
from tests.gamefile.conftest import head, mistakes, sit

ACTION = '[action]\npool = { d6 = 1 }\n[[outcome]]\nkey = "done"\nwords = "Done."\n'
SEATS: tuple[tuple[str, Side], ...]
SEATS = (("Mona", "gm"), ("Ann", "player"), ("Vera", "spectator"))
FILE = f"{head('ferry')}{ACTION}"


def boards(key: str) -> list[BoardPanel]:
    """The boards of a game."""
    return [panel for panel in systems.get(key).panels if isinstance(panel, BoardPanel)]


WITH_BOARDS = [key for key in systems.names() if boards(key)]


def test_games_with_places_have_boards() -> None:
    """Four of the games have zones."""
    assert {"starwars", "genesys", "destinydice", "dune"} <= {*WITH_BOARDS}


@pytest.mark.parametrize("key", WITH_BOARDS)
def test_hidden_places_stay_hidden(key: str) -> None:
    """Players get the same log, table and offers whether or not the GM moves a hidden NPC."""
    system = systems.get(key)
    game = Game(system, 1, random.Random(key))
    game.keep([house.open_table(system, "A table", {})], "")
    for name, side in SEATS:
        game.keep([house.take_seat(system, game.table, name, side)], name.lower())
    secret = game.word(["mona"])
    for seat, move, args in (
        ("mona", "session.begin", {}),
        ("ann", "character.add", {"name": "Pash"}),
        ("mona", "character.add", {"name": secret, "secret": True}),
        ("mona", "zone.add", {"text": "Gate, Yard, Tower"}),
        ("mona", "zone.gather", {}),
        ("mona", "zone.place", {"what": secret, "zone": "Yard"}),
    ):
        game.keep(decide(system, game.table, seat, move, args, roll=game.roll), seat)
    places = {trait.about: trait.seen_by for trait in game.table.of_kind("place")}
    assert {"pash": None, secret.lower(): ("@gm",)} == places
    moved = [hidden_work(game, random.Random(f"{key} {n}")) for n in range(3)]
    assert sum(moved) > 0


def test_wrong_zones_of_a_file() -> None:
    """A row that cannot be meant gets a sentence."""
    for rows, what in (
        ('[zones]\nrow = ["A", "A"]', "different names"),
        ('[zones]\nranges = ["near, far"]', "without commas"),
        ("[zones]\nfar = -1", "0 to 12 zones"),
        ("[zones]\nonce = true", "counts rounds"),
        ('[zones]\n[trait.place]\nword = "Place"', "has a meaning of its own"),
    ):
        assert what in str(mistakes(f"{FILE}{rows}\n")[0].what)


def test_zones_of_a_file() -> None:
    """The form begins with its row; where the GM moves everybody, players propose it."""
    rows = '[zones]\nrow = ["Deck", "Hold"]\nmoved_by = "gm"\n'
    table = sit(systems.get(game_files.kept(FILE + rows)))
    assert "Deck, Hold" == table.offer("mona", "zone.add").asks[0].preset
    table.make("mona", "zone.add", {"text": "Deck, Hold"})
    table.make("ann", "zone.place", {"what": "kit", "zone": "Deck"})
    table.make("ann", "zone.place", {"what": "kit", "zone": "Hold"})
    assert ["zone.place"] == [one.move for one in table.state.proposals.values()]
    assert "zone.move" not in table.system.by_key


def test_zones_without_a_gm() -> None:
    """Another player, if there is one, agrees to a second placing."""
    system = systems.get(game_files.kept(FILE.replace("[dice", "gm = false\n[dice") + "[zones]\n"))
    table = LocalTable(system, random.Random(1).randint)
    table.sit("Ann")
    table.make("ann", "session.begin")
    table.make("ann", "character.add", {"name": "Kit"})
    table.make("ann", "zone.add", {"text": "Deck, Hold"})
    for zone in ("Deck", "Hold"):
        table.make("ann", "zone.place", {"what": "kit", "zone": zone})
    assert not table.state.proposals
    table.sit("Bo")
    table.make("ann", "zone.place", {"what": "kit", "zone": "Deck"})
    assert ["zone.place"] == [one.move for one in table.state.proposals.values()]
