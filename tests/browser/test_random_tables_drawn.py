"""Random play of every game that passes the contract is drawn by the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path

import pytest

from storypool import systems
from storypool.engine.table import Check, Table
from storypool.odds.question import Worth
from storypool.systems import game_stakes
from tests.browser.guests import DESK, Come
from tests.installed_games import example, installed
from tools.drawn import random_states, troubles
from tools.states import states
from tools.visits import House

GAMES = (
    *(key for key in systems.playable() if systems.package(key).startswith("storypool.systems")),
    "tiny",
    "lantern",
)
STATES = 20
"""The number of drawn states of each game."""


@pytest.mark.exhaustive
@pytest.mark.parametrize("key", GAMES)
def test_random_play_is_drawn(key: str, house: House, come: Come, tmp_path: Path) -> None:
    """No page raises, and the server answers all requests."""
    if key == "lantern":
        example(tmp_path)
    with installed(tmp_path, key) if key == "lantern" else nullcontext():
        drawn = random_states(key, 0, STATES)
        assert [] == list(troubles(come(DESK, regular=True), house, drawn))


def test_failing_page_is_found(house: House, come: Come, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's missing worth of an offer, after a failed computation, is found."""

    def fails(key: str, table: Table, check: Check) -> Iterator[Worth]:
        raise ZeroDivisionError
        yield Worth("", {}, {"pass": Fraction(0)}, {"pass": Fraction(0)})

    (state,) = (one for one in states("genesys") if one.name == "roll-player")
    monkeypatch.setattr(game_stakes, "further", fails)
    found = list(troubles(come(DESK, regular=True), house, iter([state])))
    assert any("ZeroDivisionError" in one for one in found), found
