"""Destiny Dice with Fate Accelerated, put together."""

from __future__ import annotations

from storypool.engine.rules import (
    Account,
    CharacterSet,
    CheckClosed,
    Option,
    PeriodBegan,
    PeriodEnded,
    System,
    house,
    moves_of,
    ready_made,
    rows,
    with_words,
)
from storypool.systems.destinydice import (
    actions,
    arriving,
    aspects,
    checks,
    conflict,
    fortunes,
    harm,
    pool,
    printed,
    sheet,
    spends,
    waits,
)
from storypool.systems.destinydice.dice import AXES, DICE, NOTATION, UPGRADES
from storypool.systems.destinydice.look import LOOK, PANELS
from storypool.words import house_words

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
        *moves_of(checks, pool, aspects, actions, spends, harm, conflict, fortunes, sheet),
        checks.STANDING,
        *house.MOVES,
    ),
    waits=(*house.WAITS, *waits.WAITS),
    reactions=(
        (PeriodBegan, harm.new_scenario),
        (PeriodBegan, fortunes.fresh_points),
        (CharacterSet, arriving.arrived),
        (CharacterSet, fortunes.newcomer),
        (CharacterSet, conflict.joined),
        (CheckClosed, conflict.acted),
        (PeriodEnded, harm.recovered),
        (PeriodEnded, fortunes.unanswered),
        *house.REACTIONS,
    ),
    reader=actions.reader,
    options=(
        *house.OPTIONS,
        Option("scheme", ("letters", "colours"), "letters", system=False),
        Option("ratings", ("approaches", "skills"), "approaches"),
        Option("late_invoke", ("no", "yes"), "no"),
        Option("hope_success_uncancellable", ("no", "yes"), "no"),
    ),
    sheet=sheet.SHEET,
    look=LOOK,
    panels=PANELS,
    words=with_words(house_words(), sheet.HERE)
    .also({**printed.row_words(), **arriving.brought_words()})
    .also(rows(sheet.HERE, "paper"), "paper"),
    ready=ready_made(sheet.HERE),
    pages=printed.notes,
)
