"""Destiny Dice with Fate Accelerated, put together."""

from __future__ import annotations

from storypool.engine import rules as r
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
        *r.moves_of(checks, pool, aspects, actions, spends, harm, conflict, fortunes, sheet),
        checks.STANDING,
        *r.house.MOVES,
    ),
    waits=(*r.house.WAITS, *waits.WAITS),
    reactions=(
        (r.PeriodBegan, harm.new_scenario),
        (r.PeriodBegan, fortunes.fresh_points),
        (r.CharacterSet, arriving.arrived),
        (r.CharacterSet, fortunes.newcomer),
        (r.CharacterSet, conflict.joined),
        (r.CheckClosed, conflict.acted),
        (r.PeriodEnded, harm.recovered),
        (r.PeriodEnded, fortunes.unanswered),
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
    look=LOOK,
    panels=PANELS,
    words=r.with_words(house_words(), sheet.HERE)
    .also({**printed.row_words(), **arriving.brought_words()})
    .also(r.rows(sheet.HERE, "paper"), "paper"),
    ready=r.ready_made(sheet.HERE),
    pages=printed.notes,
)
