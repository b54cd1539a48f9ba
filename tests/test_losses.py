"""Moves that accept something bad are marked as losses, so that no front end recommends them."""

from __future__ import annotations

import pytest

from storypool.engine.offers import offer
from storypool.play import perform, read
from storypool.systems import get

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


@pytest.mark.parametrize(("key", "is_loss"), [("harm.fall", True), ("check.declare", False)])
def test_offer_carries_the_loss(key: str, is_loss: bool) -> None:
    """An offer says it, whether it is open or closed."""
    table = perform(read(HIT)).table
    assert is_loss is offer(get(table.system), table, "ann", key, {}).loss
