"""Genesys narrative dice with Story Points, put together."""

from storypool.engine import rules as r
from storypool.systems.genesys import pool
from storypool.systems.genesys.dice import AXES, DICE, NOTATION
from storypool.systems.narrative import arriving, family, printed, sheet_rolls
from storypool.systems.narrative.fight.adversaries import adversary_moves
from storypool.systems.narrative.fight.castings import moves_of_people
from storypool.systems.narrative.fight.injuries import DIE
from storypool.systems.narrative.look import LOOK
from storypool.systems.narrative.points import point_moves
from storypool.systems.narrative.reading import came_to
from storypool.systems.narrative.sheet import TRACKS, sheet
from storypool.systems.narrative.symbol_dice import UPGRADES
from storypool.systems.narrative.waits import waits

HERE = "storypool.systems.genesys"


SYSTEM = r.System(
    key="genesys",
    name="Genesys narrative dice",
    about="Six dice with symbols, and Story Points that cross over between the players and the GM.",
    dice=(*DICE, DIE),
    axes=AXES,
    notation=NOTATION,
    upgrades=UPGRADES,
    accounts=(r.Account("players", side="players"), r.Account("gm", side="gm"), *TRACKS),
    moves=(
        *point_moves("story", "Story Points", HERE),
        *family.MOVES,
        *adversary_moves(HERE),
        *moves_of_people(HERE),
    ),
    reactions=(*r.reactions_of(pool), *family.REACTIONS, arriving.arriving(HERE)),
    waits=(*r.house.WAITS, waits("story")),
    reader=r.reads(came_to, "success"),
    options=(
        *family.OPTIONS,
        # This game's own book says one for each side (starwars.md 1.9).
        r.Option("destiny_limit", ("player", "side"), "side"),
        r.Option("conversion", ("end_of_action", "immediate"), "end_of_action"),
        r.Option("gm_start", ("one", "per_player"), "one"),
        r.Option("carry_over", ("no", "yes"), "no"),
    ),
    sheet=sheet(HERE),
    sheet_traits=family.SHEET_TRAITS,
    world="realms",
    look={
        **LOOK,
        "players": r.Look("Story Point", "Story Points", glyph="light", colour="help"),
        "gm": r.Look("GM Story Point", "GM Story Points", glyph="dark", colour="hinder"),
    },
    panels=family.panels("story", ("players", "gm")),
    pages=printed.pages(HERE),
    sheet_rolls=sheet_rolls.sheet_rolls("story"),
    words=family.words(HERE),
    ready=r.ready_made(HERE),
    steps=r.steps_in(HERE),
)
