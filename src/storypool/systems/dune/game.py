"""Dune put together, with its options and its reference."""

from collections.abc import Callable
from functools import partial

from storypool.engine import rules as r
from storypool.systems.dune import (
    adventures,
    contests,
    determination,
    drives,
    pools,
    skill_test_rolls,
    skill_tests,
    tasks,
)
from storypool.systems.dune.conflict import assets, attacks, conflicts, turns
from storypool.systems.dune.dice import AXES, DICE, NOTATION
from storypool.systems.dune.look import LOOK, PANELS
from storypool.systems.dune.people import (
    abilities,
    advancement,
    casting,
    generators,
    npcs,
    sheet,
    sheet_rolls,
)
from storypool.systems.dune.waits import waits
from storypool.systems.supporting_cast import bringing
from storypool.systems.twod20 import challenge
from storypool.words import house_words

HERE = "storypool.systems.dune"

NO_CAP = "none"


def cap(option: str, default: str) -> Callable[[r.Table, str], int | None]:
    """A cap that an option of the table sets; "none" is no cap at all."""

    def most(table: r.Table, owner: str) -> int | None:
        value = table.options.get(option, default)
        return None if value == NO_CAP else int(value)

    return most


OPTIONS = (
    *r.house.OPTIONS,
    r.Option("momentum_cap", ("6", "4", "8", NO_CAP), "6"),
    r.Option("momentum_decay", ("scene", "round", "none"), "scene"),
    r.Option("threat_start", ("2", "0", "1", "3"), "2"),
    r.Option("determination_start", ("1", "0", "3"), "1"),
    r.Option("determination_cap", ("3", "5", NO_CAP), "3"),
    r.Option("threat_substitution", ("seed", "immediate_only", "any"), "seed"),
    r.Option("minor_npc_determination", ("no", "yes"), "no"),
    r.Option("peril_threshold", ("3", "4"), "3"),
    r.Option("contest_style", ("dune", "srd"), "dune"),
    r.Option("advance_limits", ("no", "yes"), "no"),
    r.Option("asset_prices", ("no", "yes"), "no"),
    r.Option("cost_can_be_ignored", ("no", "yes"), "no"),
    r.Option("challenge_dice", ("no", "yes"), "no"),
)


def notes(system: r.System) -> tuple[r.Note, ...]:
    """The ladder of Difficulty, the notes of paper.toml, and the rulings, which are not printed."""
    words = system.words
    ladder = tuple(
        (str(n), words[f"level.{n}"], words[f"level.{n}.note"].partition(": ")[2]) for n in range(6)
    )
    paper = {key: note for key, note in r.rows(HERE, "paper").items() if key != "ladder"}
    test, *others = r.notes_of(
        words,
        paper,
        trait=pools.TRAIT.n,
        initiative=turns.KEEP_PRICE,
        further=assets.FURTHER.n,
        lasting=attacks.LASTING.n,
        point=attacks.PRESS,
        complication=pools.COMPLICATION,
        determination=determination.NPC_PRICE,
    )
    rulings = r.notes_of(words, r.rows(HERE, "notes"), printed=False)
    return test, r.Note(words["paper.ladder"], "", (), ladder), *others, *rulings


SYSTEM = r.System(
    key="dune",
    name="Dune, and the 2d20 family",
    about=(
        "A few d20 against skill and drive; Momentum that the players share, facing the GM's"
        " Threat."
    ),
    dice=DICE,
    axes=AXES,
    notation=NOTATION,
    accounts=(
        r.Account("momentum", side="players", cap=cap("momentum_cap", "6"), overflow="lost"),
        r.Account("threat", side="gm"),
        r.Account("determination", "character", cap=cap("determination_cap", "3"), overflow="lost"),
        r.Account("advancement", "character"),
    ),
    moves=(
        *r.moves_of(
            skill_tests,
            contests,
            skill_test_rolls,
            pools,
            drives,
            sheet,
            determination,
            conflicts,
        ),
        *r.moves_of(
            turns,
            assets,
            attacks,
            tasks,
            advancement,
            abilities,
            npcs,
            generators,
            challenge,
            adventures,
        ),
        *assets.ZONES,
        r.standing(
            r.replace(skill_tests.DIFFICULTY, needed=True),
            skill_tests.RANGE,
            rule="Difficulty Levels",
        ),
        *r.house.MOVES,
        *casting.MOVES,
    ),
    waits=(*r.house.WAITS, waits),
    reactions=(
        *r.house.ADVENTURES,
        *r.reactions_of(adventures, sheet, skill_tests, contests, skill_test_rolls, attacks),
        *r.reactions_of(advancement, turns),
        *r.house.REACTIONS,
    ),
    reader=lambda words: partial(skill_test_rolls.read, words),
    bind=skill_test_rolls.bind,
    options=OPTIONS,
    sheet=sheet.SHEET,
    # A trait is true for everybody whom it helps or hinders.
    sheet_traits=("statement", "focus", "talent", "ability"),
    world="desert",
    look=LOOK,
    panels=PANELS,
    words=r.with_words(house_words(), bringing.PACKAGE, "storypool.systems.twod20", HERE)
    .also(npcs.IDEAS, "idea")
    .also(generators.HOOKS, "hook")
    .also(sheet.BROUGHT, "brings")
    .also(pools.SUGGESTIONS, "complication.suggestion")
    .also({**r.rows(HERE, "paper"), **r.rows(HERE, "notes")}, "paper"),
    pages=notes,
    sheet_rolls=sheet_rolls.sheet_rolls,
    ready=r.ready_made(HERE),
    steps=r.steps_in(HERE),
)
