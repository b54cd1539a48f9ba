"""The appearance of dice, symbols and points, and the places of the page."""

from storypool.engine import rules as r
from storypool.systems.c2d10.dice import COUNTED
from storypool.systems.c2d10.prices import POINTS

_TROUBLE = {
    "success": r.Look("success", "successes", glyph="success", colour="help"),
    "setback": r.Look("setback", "setbacks", glyph="setback", colour="hinder"),
    "complication": r.Look("complication", "complications", glyph="complication", colour="hinder"),
    "mess": r.Look("mess", "messes", glyph="despair", colour="hinder"),
}


def _opposing(look: r.Look) -> r.Look:
    return r.replace(
        look, word=f"opposing {look.word}", plural=f"opposing {look.plural}", colour="hinder"
    )


_AXES = {
    **{axis: _TROUBLE[symbol] for symbol, axis in COUNTED.items()},
    # Their meaning depends on the result, so trouble is only drawn where it is settled.
    "zeros": r.Look("zero", "zeros"),
    "messes": r.Look("crisis nine", "crisis nines"),
}

LOOK = {
    "d10": r.Look("D10", "D10", "D", "pentagon", "plain", colour="blue", numbered=True),
    "crisis": r.Look(
        "crisis",
        "crisis",
        "C",
        "pentagon",
        "dots",
        colour="orange",
        glyph="complication",
        numbered=True,
    ),
    "rival": r.Look(
        "opposing D10", "opposing D10", "R", "pentagon", "hatching", colour="purple", numbered=True
    ),
    "rival-crisis": r.Look(
        "opposing crisis die",
        "opposing crisis dice",
        "X",
        "pentagon",
        "dots",
        colour="red",
        numbered=True,
    ),
    **_TROUBLE,
    **{f"rival-{symbol}": look for symbol, look in _TROUBLE.items()},
    **_AXES,
    **{f"rival_{axis}": _opposing(look) for axis, look in _AXES.items()},
    "hero": r.Look("hero point", "hero points", glyph="hero", colour="help"),
    "villain": r.Look("villain point", "villain points", glyph="villain", colour="hinder"),
    "pass": r.Look("to pass", "to pass"),
    "active": r.Look("to win", "to win"),
    "progress": r.Look("progress by", "progress by"),
    "hero_points": r.Look("hero point", "hero points", glyph="hero"),
    "villain_points": r.Look("villain point", "villain points", glyph="villain"),
    "strain": r.Look("strain", "strain", glyph="strain"),
    "stress": r.Look("stress", "stress", glyph="strain"),
}

PANELS = (
    r.TraysPanel("Points", accounts=("hero", "villain")),
    # Both pools over the session, the source of each point, and the next loss.
    r.GaugePanel(
        "Hero and villain points",
        accounts=("hero", "villain"),
        fades="hero",
        by=POINTS["losses"]["hero"],
        at="decay",
    ),
    r.OddsPanel(
        "", means=("hero_points", "villain_points"), chances=("setback", "complication", "mess")
    ),
    r.FigurePanel("DC", term="target", why="why"),
    r.SetupPanel("Before the first scene"),
    r.SidesPanel("", own=("skill", "talent"), theirs=("by_skill", "by_talent")),
    r.PrimaryPanel(""),
    r.ActionsPanel("Your move"),
    r.TrayPanel("Dice", dice=("dice.buy d10",)),
    r.MenuPanel("Re-roll, or spend points", words={"left": "Still to be settled"}),
    r.TrackPanel(
        "The conflict",
        trait="progress",
        of="conflict",
        terms=("stake", "their_stake"),
        beside=("circumstance", "setback", "complication", "mess"),
        words={"stake": "At stake for the heroes:", "their_stake": "For the other side:"},
    ),
    r.ListPanel("Dire situations", traits=("dire",), name="dire", recap=("dire",)),
    r.ListPanel("Circumstances", traits=("circumstance",), name="circumstances"),
    r.ListPanel("Assets", traits=("asset",), name="assets", words={"rating": "quality"}),
    r.ListPanel("Bonuses", traits=("bonus",), name="bonuses"),
    r.ListPanel("What went wrong", traits=("setback", "complication", "mess"), name="troubles"),
    r.TracksPanel(
        "Strain and stress",
        accounts=("strain", "stress", "crisis"),
        up="track.suffer",
        down="track.recover",
    ),
    r.SheetPanel("", beside=("talent",), folded=("skill",)),
    r.SlotsPanel("Order", trait="slot", notes=("turn", "acts-next")),
    r.DrawerPanel("Villain points", name="villain"),
    r.DrawerPanel("The conflict", name="conflict"),
    r.DrawerPanel("The scene", name="scene"),
    r.DrawerPanel("The table", name="table"),
    # One that is ignored for points never comes true.
    r.MomentPanel(
        "A complication",
        tone="bad",
        symbols=("complication",),
        kept=("complication",),
        name="complication",
        cue="knot",
        weight=1,
    ),
    r.MomentPanel("A conflict begins", tone="bad", began=("conflict",), name="begins"),
    r.MomentPanel("The conflict is over", tone="good", ended=("conflict",), name="over"),
    r.MomentPanel(
        "A crisis", tone="bad", gained=("crisis",), name="crisis", cue="tremor", weight=3
    ),
    r.MomentPanel("The hero points are full", tone="good", filled=("hero",), name="hero-full"),
    r.MomentPanel(
        "The villain points are full", tone="good", filled=("villain",), name="villain-full"
    ),
    r.SCENE_OVER,
)
