"""Star Wars narrative dice with Destiny Points, put together."""

from __future__ import annotations

from importlib.resources import files

from storypool.engine.rules import Account, Look, Option, PeriodBegan, System
from storypool.systems.narrative import family
from storypool.systems.narrative.dice import UPGRADES
from storypool.systems.narrative.look import LOOK
from storypool.systems.narrative.points import point_moves, read_talents, talent_words
from storypool.systems.narrative.reading import reader
from storypool.systems.narrative.sheet import TRACKS, read_sheet
from storypool.systems.starwars import destiny, force
from storypool.systems.starwars.dice import AXES, DICE, NOTATION

_HERE = files("storypool.systems.starwars")
_TALENTS = read_talents(_HERE.joinpath("talents.toml"))
_WORDS = family.words(_HERE.joinpath("words.toml")).also(talent_words(_TALENTS))

SYSTEM = System(
    key="starwars",
    name="Star Wars narrative dice",
    about="Seven dice with symbols, and Destiny Points that turn over between light and dark.",
    dice=DICE,
    axes=AXES,
    notation=NOTATION,
    upgrades=UPGRADES,
    accounts=(
        Account("light", side="players"),
        Account("dark", side="gm"),
        *TRACKS,
        Account("conflict", "character"),
    ),
    moves=(
        *destiny.MOVES,
        *point_moves("destiny", "Using Destiny Points", _TALENTS),
        *force.MOVES,
        *family.MOVES,
    ),
    reactions=((PeriodBegan, destiny.new_pool), *family.REACTIONS),
    reader=lambda words: force.reader(words, reader(words)),
    options=(
        *family.OPTIONS,
        Option("destiny_limit", ("player", "side"), "player"),
        Option("late_rolls", ("override", "add"), "override"),
        Option("conflict", ("no", "yes"), "no"),
    ),
    sheet=(
        *read_sheet(files("storypool.systems.narrative").joinpath("skills.toml"), _HERE.joinpath("skills.toml")),
        force.RATING,
    ),
    look={
        **LOOK,
        "force": Look("Force", "Force", "F", "hexagon", "dots", "white"),
        "light": Look("light point", "light points", glyph="light", colour="help"),
        "dark": Look("dark point", "dark points", glyph="dark", colour="hinder"),
        "conflict": Look("Conflict", "Conflict", glyph="complication"),
    },
    panels=family.panels(
        "destiny", ("light", "dark"), ("destiny.roll", "destiny.begin"), ("force.use", "force.light", "force.other")
    ),
    words=_WORDS,
    ready=family.ready_made(_HERE.joinpath("ready.toml")),
)
