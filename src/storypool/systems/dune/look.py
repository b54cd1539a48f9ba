"""How the dice, symbols and points of this game are shown, and which panels the page has for it."""

from __future__ import annotations

from storypool.engine.rules import Look, Panel

LOOK = {
    "d20": Look("d20", "d20", "D", "octagon", "plain", "sand"),
    "automatic": Look("automatic 1", "automatic 1s", "1", "octagon", "dots", "sand"),
    "helper": Look("helper's d20", "helpers' d20", "H", "octagon", "hatching", "white"),
    "challenge": Look("challenge die", "challenge dice", "C", "square", "plain", "white"),
    "success": Look("success", "successes", glyph="success", colour="help"),
    "complication": Look("complication", "complications", glyph="complication", colour="hinder"),
    "successes": Look("success", "successes", glyph="success", colour="help"),
    "complications": Look("complication", "complications", glyph="complication", colour="hinder"),
    "pass": Look("passed", "passed"),
    "harm": Look("point", "points", glyph="strain"),
    "special": Look("effect", "effects", glyph="despair", colour="hinder"),
    "momentum": Look("Momentum", "Momentum", glyph="momentum", colour="help"),
    "threat": Look("Threat", "Threat", glyph="threat-pool", colour="hinder"),
    "determination": Look("Determination", "Determination", glyph="determination", colour="help"),
    "advancement": Look("advancement point", "advancement points", glyph="hero"),
}

PANELS = (
    Panel("trays", "Points", {"accounts": ("momentum", "threat")}),
    Panel("odds", "", {"means": ("momentum",), "chances": ("complication",)}),
    Panel("setup", "Before the first scene", {"moves": ("session.begin",)}),
    Panel(
        "primary",
        "",
        {"moves": ("contest.oppose", "drive.accept", "check.roll", "track.score", "check.close", "check.declare")},
    ),
    # Two rows of large buttons, and the number that follows from them always in sight.
    Panel("rows", "Skill and drive", {"asks": ("skill", "drive"), "of": ("helper", "as")}),
    Panel(
        "figure",
        "Target number",
        {"term": "target", "beside": ("difficulty", "critical", "range")},
        words={"difficulty": "Difficulty", "critical": "Critical up to", "range": "Complication range"},
    ),
    Panel(
        "actions",
        "Your move",
        {
            "moves": (
                "dice.buy",
                "check.drive",
                "check.simple",
                "check.assist",
                "determination.one",
                "determination.declare",
                "check.trait",
                "drive.refuse",
                "conflict.attack",
                "asset.move",
                "asset.use",
                "initiative.keep",
                "defeat.resist",
                "threat.escalate",
                "challenge.roll",
                "check.cancel",
            )
        },
    ),
    Panel(
        "menu",
        "Spend the roll",
        {
            "moves": (
                "complication.suffer",
                "complication.ignore",
                "momentum.trait",
                "momentum.ask",
                "track.lasting",
                "asset.further",
                "asset.shift",
                "asset.keep",
                "determination.reroll",
                "determination.act",
                "check.at_cost",
            )
        },
    ),
    # Lists of places, and in each the things and the people whose trait says that they are at it.
    Panel(
        "board",
        "Zones",
        {
            "place": "zone",
            "beside": "next",
            "things": "asset",
            "people": "place",
            "state": "conflict",
            "turn": "side",
            "over": "acted",
            "who": "who",
            "flags": ("defensive", "aside"),
            "own": ("conflict.attack asset", "asset.move asset", "asset.use asset"),
            "any": ("conflict.attack against", "asset.shift asset", "zone.place what"),
            "here": ("asset.move to", "asset.further to", "zone.join zone"),
        },
        words={"rating": "Potency", "defensive": "defends its zone", "aside": "set aside"},
    ),
    Panel("tracks", "Points of one's own", {"accounts": ("determination", "advancement")}),
    Panel("goals", "Defeat and tasks", {"traits": ("track", "task"), "marks": ("defeated",)}),
    Panel(
        "words",
        "On the sheet",
        {"traits": ("statement", "focus", "talent", "trait"), "struck": "struck"},
        words={"statement": "Drive statements", "focus": "Focuses", "talent": "Talents", "trait": "Traits"},
    ),
    Panel(
        "drawer",
        "This test",
        {"moves": ("check.difficulty", "threat.harder", "drive.offer", "ability.use")},
        name="test",
    ),
    Panel(
        "drawer",
        "Threat",
        {"moves": ("threat.circumstances", "threat.environment", "threat.trait", "threat.house", "house.add")},
        name="threat",
    ),
    Panel(
        "drawer",
        "The scene",
        {
            "moves": (
                "scene.begin",
                "conflict.begin",
                "zone.add",
                "zone.join",
                "conflict.end",
                "task.begin",
                "trait.set",
                "trait.remove",
            )
        },
        name="scene",
    ),
    Panel("drawer", "Generators", {"moves": ("npc.make", "npc.ability", "hook.roll")}, name="generators"),
    Panel(
        "drawer",
        "The table",
        {"moves": ("advance.award", "points.correct", "adventure.begin", "session.end")},
        name="table",
    ),
)
