"""Dune put together: d20s against skill and drive, Momentum facing Threat, Determination, conflicts, advancement."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from storypool.engine.rules import (
    Account,
    CharacterSet,
    MoveMade,
    Option,
    PeriodBegan,
    PeriodEnded,
    PointsSet,
    System,
    house,
)
from storypool.systems.dune import (
    actions,
    advancement,
    assets,
    attacks,
    checks,
    closing,
    complications,
    conflicts,
    contests,
    determination,
    drives,
    npcs,
    periods,
    pools,
    rolling,
)
from storypool.systems.dune.dice import AXES, DICE, NOTATION
from storypool.systems.dune.look import LOOK, PANELS
from storypool.systems.dune.reading import bind, reader
from storypool.systems.dune.sheet import SHEET
from storypool.systems.twod20.dice import WORDS
from storypool.words import house as house_words

_HERE = files("storypool.systems.dune")
_WORDS = (
    house_words()
    .plus(WORDS)
    .plus(_HERE.joinpath("words.toml"))
    .also(npcs.row_words())
    .also(complications.SUGGESTIONS, "complication.suggestion")
)

OPTIONS = (
    *house.OPTIONS,
    Option("momentum_cap", ("6", "4", "8", periods.NO_CAP), "6"),
    Option("momentum_decay", ("scene", "round", "none"), "scene"),
    Option("threat_start", ("2", "0", "1", "3"), "2"),
    Option("determination_start", ("1", "0", "3"), "1"),
    Option("determination_cap", ("3", "5", periods.NO_CAP), "3"),
    Option("threat_substitution", ("seed", "immediate_only", "any"), "seed"),
    Option("minor_npc_determination", ("no", "yes"), "no"),
    Option("peril_threshold", ("3", "4"), "3"),
    Option("contest_style", ("dune", "srd"), "dune"),
    Option("advance_limits", ("no", "yes"), "no"),
    Option("asset_prices", ("no", "yes"), "no"),
    Option("challenge_dice", ("no", "yes"), "no"),
)

SYSTEM = System(
    key="dune",
    name="Dune, and the 2d20 family",
    about="A few d20 against skill and drive; Momentum that the players share, facing the game master's Threat.",
    dice=DICE,
    axes=AXES,
    notation=NOTATION,
    accounts=(
        Account("momentum", side="players", cap=periods.cap("momentum_cap", "6"), overflow="lost"),
        Account("threat", side="gm"),
        Account("determination", "character", cap=periods.cap("determination_cap", "3"), overflow="lost"),
        Account("advancement", "character"),
    ),
    moves=(
        *checks.MOVES,
        *contests.MOVES,
        *rolling.MOVES,
        *closing.MOVES,
        *pools.MOVES,
        *complications.MOVES,
        *drives.MOVES,
        *determination.MOVES,
        *conflicts.MOVES,
        *assets.MOVES,
        *actions.MOVES,
        *attacks.MOVES,
        *advancement.MOVES,
        *npcs.MOVES,
        *periods.MOVES,
        *house.MOVES,
    ),
    reactions=(
        (PeriodBegan, periods.first_adventure),
        (PeriodBegan, periods.start_values),
        (PeriodBegan, periods.decay),
        (PeriodEnded, periods.decay),
        (PeriodEnded, periods.unanswered),
        (CharacterSet, periods.newcomer),
        (MoveMade, periods.taken_over),
        (PointsSet, advancement.peril),
        *house.REACTIONS,
    ),
    reader=reader,
    bind=bind,
    options=OPTIONS,
    sheet=SHEET,
    look=LOOK,
    panels=PANELS,
    words=_WORDS,
    ready=tuple(tomllib.loads(_HERE.joinpath("ready.toml").read_text(encoding="utf-8"))["character"]),
)
