"""C2D10 put together: hero points against villain points."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib.resources import files

from storypool.engine.rules import Account, Option, PeriodBegan, PeriodEnded, System, TraitRemoved, TraitSet, house
from storypool.systems.c2d10 import conflicts, declaring, gains, harm, npcs, order, rolling, spends
from storypool.systems.c2d10.dice import AXES, DICE, NOTATION
from storypool.systems.c2d10.look import LOOK, PANELS
from storypool.systems.c2d10.notes import note_words, notes
from storypool.systems.c2d10.reading import reader
from storypool.systems.c2d10.sheet import entries
from storypool.words import house as house_words

_HERE = files("storypool.systems.c2d10")
_WORDS = house_words().plus(_HERE.joinpath("words.toml")).also(note_words(), "note")

# What the last scene has cost comes first; otherwise these are the house's own moves.
_OWN = {
    "session.begin": gains.begin_session,
    "scene.begin": replace(house.begin_scene, only_if=(harm.nothing_due,), rule="Strain and stress"),
    "session.end": replace(house.end_session, only_if=(harm.nothing_due,), rule="Strain and stress"),
}

SYSTEM = System(
    key="c2d10",
    name="C2D10",
    about="Pools of ten-sided dice, with hero points for the party and villain points for the Keeper.",
    dice=DICE,
    axes=AXES,
    notation=NOTATION,
    accounts=(
        Account("hero", side="players", cap=10, overflow="villain"),
        Account("villain", side="gm", cap=20, overflow="lost"),
        Account("strain", "character", cap=5, overflow="crisis"),
        Account("stress", "character", cap=5, overflow="crisis"),
        Account("crisis", "character"),
    ),
    moves=(
        *declaring.MOVES,
        *rolling.MOVES,
        *spends.MOVES,
        *harm.MOVES,
        *conflicts.MOVES,
        *order.MOVES,
        *gains.MOVES,
        *npcs.MOVES,
        *(_OWN.get(made.key, made) for made in house.MOVES),
    ),
    reactions=(
        (PeriodBegan, gains.fresh_villain_points),
        (PeriodEnded, harm.scene_counts),
        (PeriodEnded, gains.fades),
        (PeriodBegan, gains.fades),
        (TraitSet, declaring.retarget),
        (TraitRemoved, declaring.retarget),
        *house.REACTIONS,
    ),
    reader=reader,
    options=(
        *house.OPTIONS,
        Option("decay", ("scene", "session", "day"), "scene"),
        Option("reroll_blocks_gain", ("no", "yes"), "no"),
        Option("npc_bought_dice_block_gain", ("yes", "no"), "yes"),
        Option("contest_tie", ("draw", "defender", "reroll"), "draw"),
        Option("conflict_excess", ("progress_and_points", "progress_only"), "progress_and_points"),
        Option("contest_hero_gain", ("yes", "no"), "yes"),
        Option("keeper_crisis", ("no", "yes"), "no"),
    ),
    sheet=entries(),
    look=LOOK,
    panels=PANELS,
    pages=notes,
    words=_WORDS,
    ready=tuple(tomllib.loads(_HERE.joinpath("ready.toml").read_text(encoding="utf-8"))["character"]),
)
