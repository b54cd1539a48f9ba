"""The dice of Lantern, how they cancel, and how a pool is written."""

from __future__ import annotations

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.engine.notation import Notation

LIGHT = Die("light", (Bag(dread=1), Bag(), Bag(), Bag(), Bag(), Bag(success=1)))
SHADE = Die("shade", (Bag(), Bag(), Bag(), Bag(), Bag(), Bag(failure=1)))
DICE = (LIGHT, SHADE)

AXES = Axes(
    {"success": Bag(success=1), "failure": Bag(success=-1), "dread": Bag(dread=1)},
    {"success": "failure"},
)

NOTATION = Notation(("light",), ("shade",), {"letters": {"L": "light", "S": "shade"}})
