"""The pool that the form of a check previews is the one rolled, hidden or open."""

from __future__ import annotations

import pytest

from storypool import systems
from storypool.engine.decisions import decide
from storypool.engine.events import CheckOpened
from storypool.live.previews import previewed
from storypool.play import perform, read

PROMISED = """table starwars trust=players_set
seat gm   side=gm
seat gm   guard: brawn=3
seat ann  pash: agility=3
points light=0 dark=0
ann  check.declare as=pash pool="3P/1D" against=guard skill=ranged-light
ann  check.roll dice 10 10 12 1
ann  spend.buy row=setback-target with=triumph
ann  check.close
"""


@pytest.mark.parametrize(("secret", "setbacks"), [(False, 1), (True, 0)])
def test_preview_has_the_rolled_pool(secret: bool, setbacks: int) -> None:
    """A promised Setback is previewed and rolled in an open check, and not in a hidden one."""
    game, table = systems.get("starwars"), perform(read(PROMISED, "a play")).table
    args = {"as": "guard", "characteristic": "brawn", "difficulty": "easy", "secret": secret}
    would = previewed(game, table, "gm", "check.declare", args).check
    [opened] = [
        one
        for one in decide(game, table, "gm", "check.declare", args, roll=None)
        if isinstance(one, CheckOpened)
    ]
    assert would is not None
    assert setbacks == would.pool["setback"] == opened.check.pool["setback"]
