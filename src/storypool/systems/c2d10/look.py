"""How the dice, their symbols and the points are shown, and what stands where on the page."""

from __future__ import annotations

from dataclasses import replace

from storypool.engine.rules import (
    ActionsPanel,
    DrawerPanel,
    FigurePanel,
    GaugePanel,
    ListPanel,
    Look,
    MenuPanel,
    MomentPanel,
    OddsPanel,
    PrimaryPanel,
    SetupPanel,
    SidesPanel,
    SlotsPanel,
    TrackPanel,
    TracksPanel,
    TraysPanel,
)
from storypool.systems.c2d10.dice import COUNTED
from storypool.systems.c2d10.prices import POINTS

_TROUBLE = {
    "success": Look("success", "successes", glyph="success", colour="help"),
    "setback": Look("setback", "setbacks", glyph="setback", colour="hinder"),
    "complication": Look("complication", "complications", glyph="complication", colour="hinder"),
    "mess": Look("mess", "messes", glyph="despair", colour="hinder"),
}
_AXES = {axis: _TROUBLE[symbol] for symbol, axis in COUNTED.items()}

LOOK = {
    "d10": Look("D10", "D10", "D", "pentagon", "plain", "blue", numbered=True),
    "crisis": Look("crisis", "crisis", "C", "pentagon", "dots", "orange", glyph="complication", numbered=True),
    "rival": Look("opposing D10", "opposing D10", "R", "pentagon", "hatching", "purple", numbered=True),
    "rival-crisis": Look("opposing crisis die", "opposing crisis dice", "X", "pentagon", "dots", "red", numbered=True),
    **_TROUBLE,
    **{f"rival-{symbol}": look for symbol, look in _TROUBLE.items()},
    **_AXES,
    **{
        f"rival_{axis}": replace(look, word=f"opposing {look.word}", plural=f"opposing {look.plural}", colour="hinder")
        for axis, look in _AXES.items()
    },
    "hero": Look("hero point", "hero points", glyph="hero", colour="help"),
    "villain": Look("villain point", "villain points", glyph="villain", colour="hinder"),
    "pass": Look("passed", "passed"),
    "active": Look("won", "won"),
    "progress": Look("progress", "progress"),
    "hero_points": Look("hero point", "hero points", glyph="hero"),
    "villain_points": Look("villain point", "villain points", glyph="villain"),
    "strain": Look("strain", "strain", glyph="strain"),
    "stress": Look("stress", "stress", glyph="strain"),
}

PANELS = (
    TraysPanel("Points", accounts=("hero", "villain")),
    # Both pools over the session, where each point came from, and what the end of the table's period takes next.
    GaugePanel(
        "Hero and villain points", accounts=("hero", "villain"), fades="hero", by=POINTS["losses"]["hero"], at="decay"
    ),
    OddsPanel("", means=("hero_points", "villain_points"), chances=("setback", "complication", "mess")),
    FigurePanel("DC", term="target"),
    SetupPanel("Before the first scene", moves=("session.begin",)),
    SidesPanel("", own=("skill", "talent"), theirs=("by_skill", "by_talent")),
    PrimaryPanel(
        "",
        moves=(
            "crisis.answer",
            "check.roll",
            "check.pass",
            "check.close",
            "track.test",
            "check.declare",
            "session.begin",
        ),
    ),
    ActionsPanel(
        "Your move",
        moves=(
            "dice.buy",
            "check.agree",
            "check.dc",
            "check.trait",
            "check.call",
            "trouble.take",
            "trouble.ignore",
            "information.grant",
            "contest.answer",
            "contest.declare",
            "information.seek",
            "circumstance.change",
            "circumstance.create",
            "asset.create",
            "initiative.roll",
            "asset.add",
            "check.count",
            "check.reveal",
            "check.cancel",
        ),
    ),
    MenuPanel(
        "After the roll",
        moves=(
            "check.reroll",
            "success.buy",
            "initiative.seize",
            "crisis.inflict",
        ),
        rows=("check.reroll", "success.buy", "initiative.seize"),
        words={"left": "Still to be settled"},
    ),
    TrackPanel(
        "The conflict",
        trait="progress",
        of="conflict",
        terms=("stake", "their_stake"),
        words={"stake": "At stake for the heroes:", "their_stake": "For the other side:"},
    ),
    ListPanel("Circumstances", trait="circumstance", name="circumstances"),
    ListPanel("Assets", trait="asset", name="assets", words={"rating": "quality"}),
    TracksPanel("Strain and stress", accounts=("strain", "stress", "crisis"), up="track.suffer", down="track.recover"),
    SlotsPanel("Order", trait="slot", notes=("turn", "acts-next"), moves=("initiative.next",)),
    DrawerPanel("Villain points", moves=("dire.situation", "dire.circumstance"), name="villain"),
    DrawerPanel("The conflict", moves=("conflict.open", "circumstance.set", "conflict.end"), name="conflict"),
    DrawerPanel(
        "The scene",
        moves=("scene.begin", "check.standing", "npc.add", "npc.stance", "day.begin", "trait.set", "trait.remove"),
        name="scene",
    ),
    DrawerPanel("The table", moves=("points.correct", "session.end"), name="table"),
    MomentPanel("A complication", tone="bad", symbols=("complication",), name="complication"),
    MomentPanel("The conflict is over", tone="good", ended=("conflict",), name="over"),
    MomentPanel("A crisis", tone="bad", gained=("crisis",), name="crisis"),
    MomentPanel("The hero points brim over", tone="bad", filled=("hero",), name="hero-full"),
    MomentPanel("The villain points brim over", tone="good", filled=("villain",), name="villain-full"),
)
