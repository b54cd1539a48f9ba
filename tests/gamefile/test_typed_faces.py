"""Typed faces of real dice: each throw of a move takes its own, and reactions take none."""

from __future__ import annotations

import pytest

from storypool import systems
from storypool.engine.decisions import decide
from storypool.engine.events import DiceRolled
from storypool.engine.refusal import Refused
from storypool.play import perform, read
from tests.gamefile.conftest import Write
from tests.gamefile.test_file_text import SMALL

THROWS = """
[[move]]
key = "toss"
title = "Toss three"
do = [{ throw = { coin = 1 } }, { throw = { coin = 2 } }, { gain = "luck" }]

[[whenever]]
on = "points"
points = "luck"
when = "luck > 2"
do = [{ throw = { coin = 2 } }]
"""
SCENE = "table coins\nseat gm side=gm\ngm session.begin\n"


def test_each_throw_takes_its_own_faces(write: Write) -> None:
    """Of three faces the first throw takes one, the second two; reactions use the server."""
    game, table = systems.get(write(SMALL + THROWS)), perform(read(SCENE)).table
    events = decide(game, table, "gm", "move.toss", {"faces": (1, 2, 1)}, roll=lambda die: 2)
    rolled = [event.rolled for event in events if isinstance(event, DiceRolled)]
    assert [[(one.face, one.source) for one in dice] for dice in rolled] == [
        [(1, "hand")],
        [(2, "hand"), (1, "hand")],
        [(2, "server"), (2, "server")],
    ]


@pytest.mark.parametrize("faces", [(1,), (1, 2), (1, 2, 1, 1)])
def test_typed_faces_match_the_dice(faces: tuple[int, ...], write: Write) -> None:
    """A move has neither server dice next to typed ones nor faces left over."""
    game, table = systems.get(write(SMALL + THROWS)), perform(read(SCENE)).table
    with pytest.raises(Refused, match="faces"):
        decide(game, table, "gm", "move.toss", {"faces": faces}, roll=lambda die: 2)
