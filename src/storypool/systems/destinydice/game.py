"""Destiny Dice with Fate Accelerated, put together."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from storypool.engine.rules import Account, CharacterSet, Option, PeriodBegan, PeriodEnded, System, house
from storypool.systems.destinydice import actions, aspects, checks, fate, harm, mooks, pool, printed, rolls, spends
from storypool.systems.destinydice.dice import AXES, DICE, NOTATION, UPGRADES
from storypool.systems.destinydice.look import LOOK, PANELS
from storypool.systems.destinydice.sheet import MOVES as SKILL_MOVES
from storypool.systems.destinydice.sheet import SHEET
from storypool.words import house as house_words

_HERE = files("storypool.systems.destinydice")
_WORDS = house_words().over(_HERE.joinpath("words.toml")).also(printed.row_words())

SYSTEM = System(
    key="destinydice",
    name="Destiny Dice with Fate Accelerated",
    about="Six open dice with symbols, and Fate points that aspects turn into dice.",
    dice=DICE,
    axes=AXES,
    notation=NOTATION,
    upgrades=UPGRADES,
    accounts=(Account("fate", "character"), Account("budget", side="gm")),
    moves=(
        *(*checks.MOVES, *pool.MOVES, *aspects.MOVES, *rolls.MOVES, *actions.MOVES, *spends.MOVES),
        *(*harm.MOVES, *fate.MOVES, *mooks.MOVES, *SKILL_MOVES, *house.MOVES),
    ),
    reactions=(
        (PeriodBegan, harm.new_scenario),
        (PeriodBegan, fate.new_session),
        (PeriodBegan, fate.new_scene),
        (CharacterSet, fate.newcomer),
        (PeriodEnded, harm.recovered),
        (PeriodEnded, fate.unanswered),
        *house.REACTIONS,
    ),
    reader=rolls.reader,
    options=(
        *house.OPTIONS,
        Option("scheme", ("letters", "colours"), "letters", system=False),
        Option("ratings", ("approaches", "skills"), "approaches"),
        Option("late_invoke", ("no", "yes"), "no"),
        Option("hope_success_uncancellable", ("no", "yes"), "no"),
    ),
    sheet=SHEET,
    look=LOOK,
    panels=PANELS,
    words=_WORDS,
    ready=tuple(tomllib.loads(_HERE.joinpath("ready.toml").read_text(encoding="utf-8"))["character"]),
    pages=printed.notes,
)
