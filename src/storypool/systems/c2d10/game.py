"""C2D10 put together, with its sheet and the pages of its reference apart from the moves."""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.c2d10 import (
    conflicts,
    dc,
    declaring,
    gains,
    harm,
    initiative,
    rolling,
    sheet_rolls,
    sides,
    waits,
)
from storypool.systems.c2d10.abilities import READY_DICE
from storypool.systems.c2d10.dice import AXES, DICE, NOTATION
from storypool.systems.c2d10.look import LOOK, PANELS
from storypool.systems.c2d10.people import casting
from storypool.systems.c2d10.prices import POINTS, price
from storypool.systems.c2d10.test import reader
from storypool.systems.supporting_cast import bringing

HERE = "storypool.systems.c2d10"

# The tests after a scene come first; the others are the house's own moves.
_OWN = {
    "session.begin": gains.begin_session,
    "scene.begin": r.replace(
        r.house.begin_scene,
        only_if=(harm.nothing_due,),
        ends=conflicts.score_caution,
        rule="Strain and stress",
    ),
    "session.end": r.replace(
        r.house.end_session, only_if=(harm.nothing_due,), rule="Strain and stress"
    ),
}


def sheet() -> Iterator[r.Entry]:
    """The entries of a sheet: talents in their groups, skills with their usual talent."""
    data = r.rows(HERE, "skills")
    for group, talents in data["talents"].items():
        for key, label in talents.items():
            yield r.Entry(key, label, "talent", low=1, high=5, default=1, notes={"group": group})
    for key, row in data["skills"].items():
        yield r.Entry(
            key, row["label"], "skill", low=0, high=5, default=0, notes={"with": row["with"]}
        )
    yield r.Entry(READY_DICE, "Dice without a skill", "ready dice", low=0, high=20, default=0)


def notes(system: r.System) -> tuple[r.Note, ...]:
    """The notes of paper.toml with current prices, and the rulings, which are not printed."""
    prices = {use: _cost(use) for use in POINTS["uses"]} | POINTS["gains"]
    printed = r.notes_of(system.words, r.rows(HERE, "paper"), **prices)
    return *printed, *r.notes_of(system.words, r.rows(HERE, "notes"), printed=False)


def _cost(use: str) -> str:
    """The price of the first, and of further ones if they cost more."""
    first = [price(use, 1, before) for before in range(3)]
    if first[0] == first[1]:
        return str(first[0])
    return ", ".join([*map(str, first), "..."])


PLACES = {"check.agree": r.at("actions", 11), "check.reveal": r.at("actions", 90)}
"""The places of the house's moves on the page."""

SYSTEM = r.System(
    key="c2d10",
    name="C2D10",
    about=(
        "Pools of ten-sided dice, with hero points for the party and villain points for the Keeper."
    ),
    dice=DICE,
    axes=AXES,
    notation=NOTATION,
    accounts=(
        r.Account("hero", side="players", cap=10, overflow="villain"),
        r.Account("villain", side="gm", cap=20, overflow="lost"),
        r.Account("strain", "character", cap=5, overflow="crisis"),
        r.Account("stress", "character", cap=5, overflow="crisis"),
        r.Account("crisis", "character"),
    ),
    moves=(
        *r.moves_of(declaring, rolling, harm, conflicts, initiative, gains, sides),
        declaring.STANDING,
        *r.placed((_OWN.get(row.key, row) for row in r.house.MOVES), PLACES),
        *casting.MOVES,
    ),
    turns=initiative.ORDER.every,
    waits=(*r.house.WAITS, *waits.WAITS),
    reactions=(*r.reactions_of(harm, conflicts, gains, initiative, declaring), *r.house.REACTIONS),
    reader=reader,
    describe_terms=dc.dc_of,
    options=(
        *r.house.OPTIONS,
        r.Option("decay", ("scene", "session", "day"), "scene"),
        r.Option("reroll_blocks_gain", ("no", "yes"), "no"),
        r.Option("npc_bought_dice_block_gain", ("yes", "no"), "yes"),
        r.Option("contest_tie", ("draw", "defender", "reroll"), "draw"),
        r.Option(
            "conflict_excess", ("progress_and_points", "progress_only"), "progress_and_points"
        ),
        r.Option("contest_hero_gain", ("yes", "no"), "yes"),
        r.Option("keeper_crisis", ("no", "yes"), "no"),
    ),
    sheet=tuple(sheet()),
    open_entries=(sides.STANCE,),
    world="neon",
    look=LOOK,
    panels=PANELS,
    pages=notes,
    words=r.game_words(bringing.PACKAGE, HERE).also(
        {**r.rows(HERE, "paper"), **r.rows(HERE, "notes")}, "paper"
    ),
    sheet_rolls=sheet_rolls.sheet_rolls,
    ready=r.ready_made(HERE),
    steps=r.steps_in(HERE),
)
