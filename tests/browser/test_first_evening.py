"""A GM who reads only the game masters' page plays a first scene by its steps."""

from __future__ import annotations

import pytest

from tests.browser.first_evening import GAMES, GM, PLAYERS, play
from tests.browser.guests import DESK, Come
from tools.visits import House


@pytest.mark.parametrize("game", GAMES, ids=GAMES.get)
def test_steps_lead_through_an_evening(come: Come, house: House, game: str) -> None:
    """The page has each button, field and answer by its name, and the described results."""
    guests = {GM: come(DESK), **{name: come() for name in PLAYERS}}
    guests[GM].open("/")
    done = list(play(game, guests, house.dice))
    assert len(done) >= 16
