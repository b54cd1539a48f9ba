"""Destiny Dice with Fate Accelerated, put together."""

from storypool.engine import rules as r
from storypool.systems.destinydice import (
    actions,
    arriving,
    aspects,
    fortunes,
    pool,
    printed,
    sheet,
    spends,
    taking_action,
    waits,
)
from storypool.systems.destinydice.dice import AXES, DICE, NOTATION, UPGRADES
from storypool.systems.destinydice.fight import between_zones, casting, conflict, harm
from storypool.systems.destinydice.look import LOOK, PANELS
from storypool.systems.supporting_cast import bringing
from storypool.words import house_words

PLACES = {"check.agree": r.at("actions", 12), "check.reveal": r.at("actions", 66)}
"""The places of the house's moves on the page."""

SYSTEM = r.System(
    key="destinydice",
    name="Destiny Dice with Fate Accelerated",
    about="Six open dice with symbols, and Fate points that aspects turn into dice.",
    dice=DICE,
    axes=AXES,
    notation=NOTATION,
    upgrades=UPGRADES,
    accounts=(r.Account("fate", "character"), r.Account("budget", side="gm")),
    moves=(
        *r.moves_of(taking_action, pool, aspects, actions, spends, harm, conflict, fortunes, sheet),
        *between_zones.MOVES,
        taking_action.STANDING,
        *r.placed(r.house.MOVES, PLACES),
        *casting.MOVES,
    ),
    waits=(*r.house.WAITS, *waits.WAITS),
    reactions=(
        *r.house.ADVENTURES,
        *r.reactions_of(arriving, aspects, harm, fortunes, between_zones, conflict),
        *r.house.REACTIONS,
    ),
    reader=actions.reader,
    options=(
        *r.house.OPTIONS,
        r.Option("scheme", ("letters", "colours"), "letters", system=False),
        r.Option("ratings", ("approaches", "skills"), "approaches"),
        r.Option("late_invoke", ("no", "yes"), "no"),
        r.Option("hope_success_uncancellable", ("no", "yes"), "no"),
    ),
    sheet=sheet.SHEET,
    open_entries=("stress",),
    # Aspects are true for everybody, unless the GM keeps one secret.
    sheet_traits=("stunt", "knack"),
    world="folk",
    look=LOOK,
    panels=PANELS,
    words=r.with_words(house_words(), bringing.PACKAGE, sheet.HERE)
    .also({**printed.row_words(), **arriving.brought_words()})
    .also(r.rows(sheet.HERE, "paper"), "paper"),
    sheet_rolls=sheet.sheet_rolls,
    ready=r.ready_made(sheet.HERE),
    steps=r.steps_in(sheet.HERE),
    pages=printed.notes,
)
