"""How the dice, symbols and points of this game are shown, and which panels the page has for it."""

from storypool.engine import rules as r
from storypool.systems.dune.people.sheet import STATEMENT_FROM

LOOK = {
    "d20": r.Look("d20", "d20", "D", "octagon", "plain", colour="sand"),
    "automatic": r.Look("automatic 1", "automatic 1s", "1", "octagon", "dots", colour="sand"),
    "helper": r.Look("helper's d20", "helpers' d20", "H", "octagon", "hatching", colour="white"),
    "challenge": r.Look("challenge die", "challenge dice", "C", "square", "plain", colour="white"),
    "success": r.Look("success", "successes", glyph="success", colour="help"),
    "complication": r.Look("complication", "complications", glyph="complication", colour="hinder"),
    "successes": r.Look("success", "successes", glyph="success", colour="help"),
    "complications": r.Look("complication", "complications", glyph="complication", colour="hinder"),
    "pass": r.Look("to succeed", "to succeed"),
    "harm": r.Look("point", "points", glyph="strain"),
    "special": r.Look("effect", "effects", glyph="despair", colour="hinder"),
    "momentum": r.Look("Momentum", "Momentum", glyph="momentum", colour="help"),
    "threat": r.Look("Threat", "Threat", glyph="threat-pool", colour="hinder"),
    "determination": r.Look("Determination", "Determination", glyph="determination", colour="help"),
    "advancement": r.Look("advancement point", "advancement points", glyph="hero"),
}

RANGES = {
    "range.1": "20",
    "range.2": "19–20",
    "range.3": "18–20",
    "range.4": "17–20",
    "range.5": "16–20",
}
"""The faces that are complications, by the range of a test."""

PANELS = (
    r.TraysPanel("Points", accounts=("momentum", "threat")),
    r.OddsPanel("", means=("momentum",), gm=("threat",), chances=("complication",)),
    r.SetupPanel("Before the first scene"),
    r.SidesPanel("", own=("skill", "drive"), theirs=("opponent_skill",), facing="opposes"),
    r.PrimaryPanel(""),
    # Two rows of large buttons, and the number that follows from them always in sight.
    r.RowsPanel("Skill and drive", asks=("skill", "drive"), of=("helper", "as", "who")),
    r.FigurePanel(
        "Target number",
        term="target",
        beside=("difficulty", "critical", "range"),
        words={
            "difficulty": "Difficulty",
            "critical": "Counts twice up to",
            "range": "Complications on",
            **RANGES,
        },
    ),
    r.ActionsPanel("Your move"),
    r.TrayPanel("Dice", dice=("dice.buy d20",)),
    r.MenuPanel("Spend the roll", words={"left": "Still to be settled"}),
    # Lists of places, and in each the things and the people whose trait says that they are at it.
    r.BoardPanel(
        "Zones",
        place="zone",
        beside="next",
        things="asset",
        people="place",
        state="conflict",
        flags=("defensive", "aside"),
        own=("conflict.attack asset", "asset.move asset", "asset.use asset"),
        any=(
            "conflict.attack against",
            "asset.shift asset",
            "zone.place what",
            "check.trait trait",
        ),
        here=("asset.move to", "asset.further to", "zone.join zone"),
        puts=("zone.gather", "zone.place what zone"),
        drags=("asset.shift asset to", "asset.move asset to", "zone.place what zone"),
        words={"rating": "Potency", "defensive": "defends its zone", "aside": "set aside"},
    ),
    r.SlotsPanel("Order of turns", trait="slot", of="conflict"),
    r.SheetPanel(
        "",
        rank=("rank",),
        beside=("drive",),
        words={"rank.1": "Minor", "rank.2": "Notable", "rank.3": "Major"},
    ),
    r.TracksPanel("Points of one's own", accounts=("determination", "advancement")),
    r.GoalsPanel(
        "Defeat and tasks",
        traits=("track", "task"),
        marks=("defeated",),
        words={"track": "To defeat"},
    ),
    r.ListPanel("Complications", traits=("complication",), any=("check.trait trait",)),
    r.WordsPanel(
        "On the sheet",
        traits=("statement", "focus", "talent", "trait"),
        struck="struck",
        write="sheet.write",
        least=(f"statement {STATEMENT_FROM}",),
        words={
            "statement": "Drive statements",
            "focus": "Focuses",
            "talent": "Talents",
            "trait": "Traits",
        },
    ),
    r.DrawerPanel("This test", name="test"),
    r.DrawerPanel("Threat", name="threat"),
    r.DrawerPanel("The scene", name="scene"),
    r.DrawerPanel("Generators", name="generators"),
    r.DrawerPanel("The table", name="table"),
    r.MomentPanel("A natural 1", tone="good", die="d20", faces=(1,), name="one", weight=3),
    r.MomentPanel("A natural 20", tone="bad", die="d20", faces=(20,), name="twenty", weight=3),
    r.MomentPanel(
        "The Momentum pool is full", tone="good", filled=("momentum",), name="momentum-full"
    ),
    r.MomentPanel("Defeated", tone="bad", traits=("defeated",), name="defeated", weight=3),
    r.MomentPanel(
        "Defeat resisted", tone="good", traits=("resisted",), name="resisted", cue="stand"
    ),
    r.MomentPanel("The task is done", tone="good", reached=("task",), name="done"),
    r.MomentPanel(
        "A drive is struck", tone="bad", terms=("statement struck",), name="struck", weight=1
    ),
    r.MomentPanel("A conflict begins", tone="bad", began=("conflict",), name="begins"),
    r.MomentPanel("The conflict is won", tone="good", won=("conflict",), name="over"),
    r.SCENE_OVER,
)
