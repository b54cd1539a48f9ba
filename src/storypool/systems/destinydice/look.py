"""The appearance of the dice, symbols and points: the seed's colours, shapes, letters."""

from storypool.engine import rules as r
from storypool.systems.destinydice.fight.between_zones import BOARD
from storypool.systems.destinydice.sheet import OUT

LOOK = {
    "skill": r.Look("Skill", "Skill", "S", "square", "plain", colour="green"),
    "expertise": r.Look("Expertise", "Expertise", "E", "square", "plain", colour="blue"),
    "aid": r.Look("Aid", "Aid", "A", "square", "plain", colour="white"),
    "difficulty": r.Look("Difficulty", "Difficulty", "D", "square", "hatching", colour="purple"),
    "challenge": r.Look("Challenge", "Challenge", "C", "square", "hatching", colour="red"),
    "hindrance": r.Look("Hindrance", "Hindrance", "H", "square", "hatching", colour="black"),
    "success": r.Look("Success", "Successes", "+", glyph="success", colour="help"),
    "failure": r.Look("Failure", "Failures", "−", glyph="failure", colour="hinder"),
    "advantage": r.Look("Advantage", "Advantages", "○", glyph="advantage", colour="help"),
    "disadvantage": r.Look("Disadvantage", "Disadvantages", "⊗", glyph="threat", colour="hinder"),
    "hope": r.Look("Hope", "Hope", "★", glyph="triumph", colour="help"),
    "despair": r.Look("Despair", "Despair", "☠", glyph="despair", colour="hinder"),
    "succeed": r.Look("success", "success"),
    "margin": r.Look("Margin", "Margin"),
    "fate": r.Look("Fate point", "Fate points", glyph="fate", colour="help"),
    "free": r.Look("free invoke", "free invokes", glyph="fate", colour="help"),
    "budget": r.Look("GM Fate point", "GM Fate points", glyph="fate", colour="hinder"),
}

PANELS = (
    r.TraysPanel("Points", accounts=("budget",)),
    r.OddsPanel("", means=("advantage",), chances=("hope", "despair")),
    r.SetupPanel("Before the first scene"),
    r.SidesPanel("", own=("approach",), theirs=("by",)),
    # The end of an action is in its result, not its terms.
    r.TermsPanel(
        "",
        terms=(
            "action",
            "row",
            "approach",
            "known",
            "aspect",
            "versus",
            "zone",
            "by_hand",
            "difficulty",
            "by",
            "theirs",
        ),
    ),
    r.PrimaryPanel(""),
    r.ActionsPanel("Your move"),
    BOARD,
    r.SlotsPanel("Turns", trait="slot", notes=("turn",), out=OUT),
    r.TrayPanel("Dice", dice=("pool.add aid die", "pool.add hindrance die")),
    r.MenuPanel("Spend the roll"),
    r.ListPanel(
        "In play",
        traits=("aspect", "boost", "consequence", "effect", "ally"),
        passing=True,
        hurts=("consequence",),
        any=("aspect.invoke aspect",),
        recap=("effect",),
    ),
    r.TracksPanel("Fate points", accounts=("fate",), full=("refresh",)),
    r.SheetPanel(
        "",
        folded=("skill",),
        only=("approach ratings approaches", "skill ratings skills"),
    ),
    r.BoxesPanel("Stress", trait="stress", count="stress", moves=("stress.toggle",)),
    r.DrawerPanel("The pool", name="pool"),
    r.DrawerPanel("Characters", name="characters"),
    r.DrawerPanel("The scene", name="scene"),
    r.DrawerPanel("The table", name="table"),
    r.MomentPanel("Hope", tone="good", symbols=("hope",), name="hope", cue="star", weight=3),
    r.MomentPanel("Despair", tone="bad", symbols=("despair",), name="despair", weight=3),
    r.MomentPanel("Taken out", tone="bad", traits=("taken-out",), name="taken-out", weight=3),
    r.MomentPanel("Conceded", tone="bad", traits=("conceded",), name="conceded", cue="dusk"),
    r.MomentPanel("A conflict begins", tone="bad", began=("slot",), name="begins"),
    r.MomentPanel("The conflict is over", tone="good", traits=("conflict-over",), name="over"),
    r.SCENE_OVER,
)
