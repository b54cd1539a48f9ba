"""Somebody leaves in the middle of an action: the table goes on without them, in every game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from storypool import play, systems
from storypool.check.random_game import Game
from storypool.check.waited import waited
from storypool.engine.decisions import Decision
from storypool.engine.table import Table


def under_way(key: str) -> Iterator[tuple[str, Table]]:
    """The tables of the plays of a game at which an action is open that everybody sees, with where that is."""
    for name, text in systems.plays(key).items():
        performance = play.Performance(play.read(text, name))
        for step in performance.steps():
            if any(check.seen_by is None for check in performance.table.checks.values()):
                yield f"{name}:{step.line}", performance.table


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key in systems.names() if systems.plays(key)])
def test_an_action_waits_for_somebody_who_is_here(key: str) -> None:
    """Whichever player leaves at whichever line of a play, somebody who stays is asked, and can answer."""
    system, left = systems.get(key), 0
    for place, table in under_way(key):
        masters = [seat.id for seat in table.seats.values() if seat.side == "gm" and seat.here]
        players = [seat.id for seat in table.seats.values() if seat.side == "player" and seat.here]
        for player in players if masters else ():
            # Dice that have waited for whoever leaves fall when they do.
            gone = Decision(system, table, masters[0], "seat.remove", {"seat": player}, lambda die: die.first)
            try:
                waited(Game(system, seed=0, tables=[gone.tables[-1]]))
            except Exception as error:
                raise AssertionError(f"{place}, without {player}") from error
            left += 1
    assert left
