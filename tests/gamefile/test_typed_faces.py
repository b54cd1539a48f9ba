"""Typed faces of real dice: each throw of a move takes its own, and reactions take none."""

from __future__ import annotations

import pytest

from storypool import systems
from storypool.engine.decisions import decide
from storypool.engine.events import DiceRolled
from storypool.engine.offers import offer
from storypool.engine.refusal import Refused
from storypool.play import perform, read
from tests.gamefile.conftest import Add, Write
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


def test_question_names_the_dice_of_an_empty_pool(added: Add) -> None:
    """A pool without dice is not what is thrown for it, so the question lists what is."""
    key = added("nightshift")
    scene = SCENE.replace("coins", "nightshift") + "seat ann ilse: sneak=SNEAK\n"
    action = scene + "ann check.declare as=ilse action=sneak\ngm check.agree\n"
    for sneak, dice in ((0, ["risk", "risk"]), (1, [])):
        table = perform(read(action.replace("SNEAK", str(sneak)))).table
        (ask,) = offer(systems.get(key), table, "ann", "check.roll", {}).asks
        assert dice == [one.value for one in ask.choices]


@pytest.mark.parametrize("faces", [(1,), (1, 2), (1, 2, 1, 1)])
def test_typed_faces_match_the_dice(faces: tuple[int, ...], write: Write) -> None:
    """A move has neither server dice next to typed ones nor faces left over."""
    game, table = systems.get(write(SMALL + THROWS)), perform(read(SCENE)).table
    with pytest.raises(Refused, match="faces"):
        decide(game, table, "gm", "move.toss", {"faces": faces}, roll=lambda die: 2)
