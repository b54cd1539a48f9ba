"""Star Wars narrative dice with Destiny Points, put together."""

from storypool.engine import rules as r
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
from storypool.systems.starwars import destiny, force
from storypool.systems.starwars.dice import AXES, DICE, NOTATION

HERE = "storypool.systems.starwars"

SYSTEM = r.System(
    key="starwars",
    name="Star Wars narrative dice",
    about="Seven dice with symbols, and Destiny Points that turn over between light and dark.",
    dice=(*DICE, DIE),
    axes=AXES,
    notation=NOTATION,
    upgrades=UPGRADES,
    accounts=(
        r.Account("light", side="players"),
        r.Account("dark", side="gm"),
        *TRACKS,
        force.CONFLICT,
    ),
    moves=(
        *r.moves_of(destiny),
        *point_moves("destiny", "Using Destiny Points", HERE),
        *r.moves_of(force),
        *family.MOVES,
        *adversary_moves(HERE),
        *moves_of_people(HERE),
    ),
    reactions=(*r.reactions_of(destiny), *family.REACTIONS, arriving.arriving(HERE)),
    waits=(
        *r.house.WAITS,
        destiny.waits,
        waits("destiny", ("force.use",), ("force.light", "force.other")),
    ),
    reader=lambda words: force.reader(words, r.reads(came_to, "success")(words)),
    options=(
        *family.OPTIONS,
        r.Option("destiny_limit", ("player", "side"), "player"),
        r.Option("late_rolls", ("override", "add"), "override"),
        r.Option("conflict", ("no", "yes"), "no"),
    ),
    sheet=(*sheet(HERE), force.RATING, force.DARK_SIDE),
    sheet_traits=family.SHEET_TRAITS,
    world="noir",
    look={
        **LOOK,
        "force": r.Look("Force", "Force", "F", "hexagon", "dots", colour="white"),
        "light": r.Look("light point", "light points", glyph="light", colour="help"),
        "dark": r.Look("dark point", "dark points", glyph="dark", colour="hinder"),
        "conflict": r.Look("Conflict", "Conflict", glyph="complication"),
    },
    outcomes={"light": r.Look("chance of a light pip", "light pips", glyph="light", colour="help")},
    panels=family.panels("destiny", ("light", "dark")),
    pages=printed.pages(HERE),
    sheet_rolls=sheet_rolls.sheet_rolls("destiny", force.sheet_rolls),
    words=family.words(HERE),
    ready=r.ready_made(HERE),
    steps=r.steps_in(HERE),
)
