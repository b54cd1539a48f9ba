"""Lantern put together."""

from __future__ import annotations

from lantern import moves
from lantern.dice import AXES, DICE, NOTATION
from lantern.result import came_to
from storypool.engine import rules as r

SYSTEM = r.System(
    key="lantern",
    name="Lantern",
    about="Six-sided dice that may be pushed, and a pool of Dread that grows with every push.",
    dice=DICE,
    axes=AXES,
    notation=NOTATION,
    reader=r.reads(came_to, "success"),
    words=r.game_words("lantern"),
    accounts=(r.Account("dread", side="gm", cap=12, overflow="lost"),),
    moves=(
        *r.moves_of(moves),
        *r.rolling("Trying something", moves.dread_has_spoken),
        *r.house.MOVES,
    ),
    waits=(*r.house.WAITS, moves.waits),
    reactions=(*r.reactions_of(moves), *r.house.REACTIONS),
    options=r.house.OPTIONS,
    sheet=tuple(
        r.Entry(key, label, "ability", low=1, high=6, default=2)
        for key, label in moves.ABILITIES.items()
    ),
    look={
        "light": r.Look("light die", "light dice", "L", "square", "plain", colour="yellow"),
        "shade": r.Look("shade die", "shade dice", "S", "square", "hatching", colour="purple"),
        "success": r.Look("success", "successes", glyph="success", colour="help"),
        "failure": r.Look("failure", "failures", glyph="failure", colour="hinder"),
        "dread": r.Look("Dread", "Dread", glyph="dark", colour="hinder"),
        "pass": r.Look("passed", "passed"),
    },
    panels=(
        r.TraysPanel("Dread", accounts=("dread",)),
        r.GaugePanel("How the Dread grew", accounts=("dread",), fades="dread", by=1, at="scene"),
        r.OddsPanel("", means=("dread",)),
        r.SetupPanel("Before the first scene"),
        r.PrimaryPanel(""),
        r.ActionsPanel("Your move"),
        r.DrawerPanel("In the dark", name="dark"),
        r.DrawerPanel("The scene", name="scene"),
        r.DrawerPanel("The table", name="table"),
    ),
    ready=r.ready_made("lantern"),
    steps=r.steps_in("lantern"),
)
