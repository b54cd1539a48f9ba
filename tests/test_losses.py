"""Moves that accept something bad are marked as losses, so that no front end recommends them."""

from __future__ import annotations

from random import Random

import pytest

from storypool.engine.offers import offer
from storypool.gamefile.compiled import compiled
from storypool.play import LocalTable, perform, read
from storypool.systems import get
from tests.gamefile.conftest import GAMES, mistakes

HIT = """\
table destinydice
seat gm side=gm
seat ann juna: name=Juna
gm session.begin
"""
LOSSES = {
    "c2d10": {"track.suffer", "trouble.take"},
    "destinydice": {"harm.absorb", "harm.fall"},
    "dune": {"complication.suffer", "defeat.accept"},
    "genesys": {"track.suffer"},
    "starwars": {"track.suffer"},
}


@pytest.mark.parametrize("key", sorted(LOSSES))
def test_moves_that_accept_harm_are_losses(key: str) -> None:
    """Taking trouble, damage or a complication is a loss, and no other move of the game is."""
    assert LOSSES[key] == {move.key for move in get(key).moves if move.loss}


def test_moves_of_files_can_be_losses() -> None:
    """A file marks its own with `loss`, its offers carry it, and its reference says it."""
    text = (GAMES / "copperweather.game.toml").read_text(encoding="utf-8")
    system = compiled(text).system
    assert ["move.accept"] == [move.key for move in system.moves if move.loss]
    table = LocalTable(system, Random(1).randint)
    table.sit("Ann")
    assert ["move.accept"] == [one.key for one in table.offers("ann") if one.loss]
    moves = {row[0]: row[1] for note in system.notes for row in note.rows}
    assert "a player, any time, a loss" == moves["Accept the compel"]
    [wrong] = mistakes(text.replace("loss = true", 'loss = "yes"', 1))
    assert 'True or false is expected here instead of "yes".' == str(wrong.what)


@pytest.mark.parametrize(("key", "is_loss"), [("harm.fall", True), ("check.declare", False)])
def test_offer_carries_the_loss(key: str, is_loss: bool) -> None:
    """An offer says it, whether it is open or closed."""
    table = perform(read(HIT)).table
    assert is_loss is offer(get(table.system), table, "ann", key, {}).loss
