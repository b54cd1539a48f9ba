"""How the dice, their symbols and the points are shown, and what stands where on the page."""

from __future__ import annotations

from storypool.rules import Look, Panel

_TROUBLE = {
    "success": Look("success", "successes", glyph="success", colour="help"),
    "setback": Look("setback", "setbacks", glyph="setback", colour="hinder"),
    "complication": Look("complication", "complications", glyph="complication", colour="hinder"),
    "mess": Look("mess", "messes", glyph="despair", colour="hinder"),
}
_AXES = {"successes": "success", "zeros": "setback", "crisis_zeros": "complication", "messes": "mess"}

LOOK = {
    "d10": Look("D10", "D10", "D", "pentagon", "plain", "blue"),
    "crisis": Look("crisis", "crisis", "C", "pentagon", "dots", "orange", glyph="complication"),
    "rival": Look("opposing D10", "opposing D10", "R", "pentagon", "hatching", "purple"),
    "rival-crisis": Look("opposing crisis die", "opposing crisis dice", "X", "pentagon", "dots", "red"),
    **_TROUBLE,
    **{f"rival-{symbol}": look for symbol, look in _TROUBLE.items()},
    **{axis: _TROUBLE[symbol] for axis, symbol in _AXES.items()},
    **{f"rival_{axis}": _TROUBLE[symbol] for axis, symbol in _AXES.items()},
    "hero": Look("hero point", "hero points", glyph="hero", colour="help"),
    "villain": Look("villain point", "villain points", glyph="villain", colour="hinder"),
    "pass": Look("passed", "passed"),
    "active": Look("won", "won"),
    "progress": Look("progress", "progress"),
    "hero_points": Look("hero point", "hero points", glyph="hero"),
    "strain": Look("strain", "strain", glyph="strain"),
    "stress": Look("stress", "stress", glyph="strain"),
}

PANELS = (
    Panel("trays", "Points", {"accounts": ("hero", "villain")}),
    # Both pools over the session, where each point came from, and what the end of the table's period takes next.
    Panel(
        "gauge", "Hero and villain points", {"accounts": ("hero", "villain"), "fades": "hero", "by": 1, "at": "decay"}
    ),
    Panel("odds", "", {"means": ("hero_points",), "chances": ("setback", "complication")}),
    Panel("figure", "DC", {"term": "target"}),
    Panel("setup", "Before the first scene", {"moves": ("session.begin",)}),
    Panel(
        "primary",
        "",
        {
            "moves": (
                "crisis.answer",
                "check.roll",
                "check.pass",
                "check.close",
                "track.test",
                "check.declare",
                "session.begin",
            )
        },
    ),
    Panel(
        "actions",
        "Your move",
        {
            "moves": (
                "dice.buy",
                "check.trait",
                "check.dc",
                "check.call",
                "contest.answer",
                "contest.declare",
                "information.seek",
                "circumstance.change",
                "circumstance.create",
                "asset.create",
                "initiative.roll",
                "asset.add",
                "check.cancel",
            )
        },
    ),
    Panel(
        "menu",
        "After the roll",
        {
            "moves": (
                "check.reroll",
                "success.buy",
                "initiative.seize",
                "trouble.take",
                "trouble.ignore",
                "information.grant",
                "crisis.inflict",
            )
        },
    ),
    Panel("track", "The conflict", {"trait": "progress"}),
    Panel("list", "Circumstances", {"trait": "circumstance"}, name="circumstances"),
    Panel("list", "Assets", {"trait": "asset"}, name="assets"),
    Panel(
        "tracks",
        "Strain and stress",
        {"accounts": ("strain", "stress", "crisis"), "up": "track.suffer", "down": "track.recover"},
    ),
    Panel("slots", "Order", {"trait": "slot", "moves": ("initiative.next",)}),
    Panel("drawer", "Villain points", {"moves": ("dire.situation", "dire.circumstance")}, name="villain"),
    Panel("drawer", "The conflict", {"moves": ("conflict.open", "circumstance.set", "conflict.end")}, name="conflict"),
    Panel(
        "drawer",
        "The scene",
        {"moves": ("scene.begin", "npc.add", "npc.stance", "day.begin", "trait.set", "trait.remove")},
        name="scene",
    ),
    Panel("drawer", "The table", {"moves": ("points.correct", "session.end")}, name="table"),
)
