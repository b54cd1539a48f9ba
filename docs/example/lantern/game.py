"""Lantern put together."""

from __future__ import annotations

from lantern import moves
from lantern.dice import AXES, DICE, NOTATION
from lantern.result import reader
from storypool.engine.rules import (
    Account,
    ActionsPanel,
    DrawerPanel,
    Entry,
    GaugePanel,
    Look,
    OddsPanel,
    PeriodEnded,
    PrimaryPanel,
    SetupPanel,
    System,
    TraysPanel,
    house,
    moves_of,
    ready_made,
    with_words,
)
from storypool.words import house_words

SYSTEM = System(
    key="lantern",
    name="Lantern",
    about="Six-sided dice that may be pushed, and a pool of Dread that grows with every push.",
    dice=DICE,
    axes=AXES,
    notation=NOTATION,
    reader=reader,
    words=with_words(house_words(), "lantern"),
    accounts=(Account("dread", side="gm", cap=12, overflow="lost"),),
    moves=(*moves_of(moves), *house.MOVES),
    waits=(*house.WAITS, moves.waits),
    reactions=((PeriodEnded, moves.ebbs), *house.REACTIONS),
    options=house.OPTIONS,
    sheet=tuple(Entry(key, label, "ability", 1, 6, 2) for key, label in moves.ABILITIES.items()),
    look={
        "light": Look("light die", "light dice", "L", "square", "plain", "yellow"),
        "shade": Look("shade die", "shade dice", "S", "square", "hatching", "purple"),
        "success": Look("success", "successes", glyph="success", colour="help"),
        "failure": Look("failure", "failures", glyph="failure", colour="hinder"),
        "dread": Look("Dread", "Dread", glyph="dark", colour="hinder"),
        "pass": Look("passed", "passed"),
    },
    panels=(
        TraysPanel("Dread", accounts=("dread",)),
        GaugePanel("How the Dread grew", accounts=("dread",), fades="dread", by=1, at="scene"),
        OddsPanel("", means=("dread",)),
        SetupPanel("Before the first scene", moves=("session.begin",)),
        PrimaryPanel("", moves=("check.roll", "check.close", "check.declare", "session.begin")),
        ActionsPanel("Your move", moves=("dread.dim", "dread.wait", "check.push", "pool.add", "check.cancel")),
        DrawerPanel("In the dark", moves=("horror.lurk", "horror.reveal"), name="dark"),
        DrawerPanel("The table", moves=("scene.begin", "points.correct", "session.end"), name="table"),
    ),
    ready=ready_made("lantern"),
)
