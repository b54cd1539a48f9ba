"""Dune put together: d20s against skill and drive, Momentum facing Threat, Determination, conflicts, advancement."""

from __future__ import annotations

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
    moves_of,
    ready_made,
    with_words,
)
from storypool.systems.dune import (
    advancement,
    assets,
    attacks,
    checks,
    conflicts,
    determination,
    drives,
    npcs,
    periods,
    pools,
    rolling,
)
from storypool.systems.dune.dice import AXES, DICE, NOTATION
from storypool.systems.dune.look import LOOK, PANELS
from storypool.systems.dune.sheet import SHEET
from storypool.words import house as house_words

_WORDS = with_words(house_words(), "storypool.systems.twod20", "storypool.systems.dune")

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
        *moves_of(
            checks,
            rolling,
            pools,
            drives,
            determination,
            conflicts,
            assets,
            attacks,
            advancement,
            npcs,
            periods,
        ),
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
    reader=rolling.reader,
    bind=rolling.bind,
    options=OPTIONS,
    sheet=SHEET,
    look=LOOK,
    panels=PANELS,
    words=_WORDS.also(npcs.row_words()).also(pools.SUGGESTIONS, "complication.suggestion"),
    ready=ready_made("storypool.systems.dune"),
)
