"""How the dice, their symbols and the points are shown: the seed's colours, and shapes and letters besides."""

from __future__ import annotations

from storypool.engine.rules import (
    ActionsPanel,
    BoxesPanel,
    DrawerPanel,
    Look,
    MenuPanel,
    MomentPanel,
    OddsPanel,
    PrimaryPanel,
    SetupPanel,
    SidesPanel,
    SlotsPanel,
    TracksPanel,
    TraysPanel,
)

LOOK = {
    "skill": Look("Skill", "Skill", "S", "square", "plain", "green"),
    "expertise": Look("Expertise", "Expertise", "E", "square", "plain", "blue"),
    "aid": Look("Aid", "Aid", "A", "square", "plain", "white"),
    "difficulty": Look("Difficulty", "Difficulty", "D", "square", "hatching", "purple"),
    "challenge": Look("Challenge", "Challenge", "C", "square", "hatching", "red"),
    "hindrance": Look("Hindrance", "Hindrance", "H", "square", "hatching", "black"),
    "success": Look("Success", "Successes", "+", glyph="success", colour="help"),
    "failure": Look("Failure", "Failures", "−", glyph="failure", colour="hinder"),
    "advantage": Look("Advantage", "Advantages", "○", glyph="advantage", colour="help"),
    "disadvantage": Look("Disadvantage", "Disadvantages", "⊗", glyph="threat", colour="hinder"),
    "hope": Look("Hope", "Hopes", "★", glyph="triumph", colour="help"),
    "despair": Look("Despair", "Despairs", "☠", glyph="despair", colour="hinder"),
    "succeed": Look("succeeded", "succeeded"),
    "margin": Look("Margin", "Margin"),
    "fate": Look("Fate point", "Fate points", glyph="fate", colour="help"),
    "budget": Look("GM Fate point", "GM Fate points", glyph="fate", colour="hinder"),
}

PANELS = (
    TraysPanel("Points", accounts=("budget",)),
    OddsPanel("", means=("advantage",), chances=("hope", "despair")),
    SetupPanel("Before the first scene", moves=("session.begin",)),
    SidesPanel("", own=("approach",), theirs=("by",)),
    PrimaryPanel(
        "", moves=("harm.absorb", "check.roll", "outcome.take", "check.close", "check.declare", "session.begin")
    ),
    ActionsPanel(
        "Your move",
        moves=(
            *(
                "compel.accept",
                "compel.refuse",
                "check.agree",
                "check.defend",
                "check.oppose",
                "aspect.invoke",
                "stunt.use",
                "check.help",
            ),
            *("pool.add", "harm.fall", "check.reveal", "check.cancel", "compel.offer", "conflict.concede"),
        ),
    ),
    SlotsPanel("Turns", trait="slot", notes=("turn",), moves=("conflict.next", "conflict.end")),
    MenuPanel("Spend the roll", moves=("spend.buy",)),
    TracksPanel("Fate points", accounts=("fate",), full=("refresh",)),
    BoxesPanel("Stress", trait="stress", count="stress", moves=("stress.toggle",)),
    DrawerPanel("The pool", moves=("pool.remove",), name="pool"),
    DrawerPanel("Characters", moves=("aspect.add", "stunt.add"), name="characters"),
    DrawerPanel(
        "The scene",
        moves=(
            "scene.begin",
            "conflict.begin",
            "check.standing",
            "mook.add",
            "recovery.rest",
            "trait.set",
            "trait.remove",
        ),
        name="scene",
    ),
    DrawerPanel(
        "The table", moves=("points.correct", "skill.add", "skill.strike", "scenario.end", "session.end"), name="table"
    ),
    MomentPanel("Hope", tone="good", symbols=("hope",), name="hope"),
    MomentPanel("Despair", tone="bad", symbols=("despair",), name="despair"),
    MomentPanel("Taken out", tone="bad", traits=("taken-out",), name="taken-out"),
    MomentPanel("The conflict is over", tone="good", traits=("conflict-over",), name="over"),
)
