"""The rows on `rolled` that change how a roll reads, as far as its odds can follow them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from graphlib import CycleError, TopologicalSorter

from storypool.gamefile.file_format.expressions import Expression
from storypool.gamefile.file_format.readable_names import ACTION, OUTCOME
from storypool.gamefile.file_format.row_checks.effect_tables import nested_rows
from storypool.gamefile.file_format.schema import AskRow, DoRow, GameFile, WheneverRow
from storypool.gamefile.file_rolls.step_dice import sizes_read

__all__ = ["dependent_terms", "followed_rows", "follows_again", "left_out", "read_names"]
__all__ += ["terms_in_order"]

CHANGES = ("set", "shift", "symbol")
"""The verbs that change how a roll reads."""
TAKEN_BACK = ("gain", "lose", "throw", *CHANGES)
"""The verbs whose effect is taken back and follows again when the dice of a roll roll again."""


def follows_again(game: GameFile, row: WheneverRow) -> bool:
    """Whether what a roll brings by this row is taken back, and follows again, with a re-roll."""
    return row.on == "rolled" and all(
        do.verb in TAKEN_BACK or do.step in game.points for do in row.do
    )


def terms_in_order(game: GameFile) -> Mapping[str, Expression]:
    """The terms of the action, each after those it is made of; a circle keeps their order."""
    terms = game.action.terms
    parts = {name: sorted(one.names & terms.keys()) for name, one in terms.items()}
    try:
        return {name: terms[name] for name in TopologicalSorter(parts).static_order()}
    except CycleError:
        return terms


def followed_rows(game: GameFile, numbers: tuple[str, ...]) -> tuple[WheneverRow, ...]:
    """The rows that change a roll and read nothing but its action and these `numbers`.

    Odds do not know characters and the table, so they leave out rows that read those.
    """
    asks = {ask.name: ask for ask in game.action.asks}
    terms = {*asks, *game.action.terms}
    fixed = {name for name, ask in asks.items() if not (ask.choices or ask.number)}
    known = {*terms, *numbers, ACTION, OUTCOME}
    found = []
    for row in game.whenever:
        if not follows_again(game, row) or not any(do.verb in CHANGES for do in row.do):
            continue
        thrown = {name for do in row.do for name in do.figures}
        thrown |= {f"thrown_{name}" for name in numbers}
        changed = {do.set or do.shift for do in row.do} - {""}
        read = {name for one in _expressions(game, row) for name in one.names}
        made = [game.action.terms[name] for name in dependent_terms(game, changed)]
        read_by_terms = {name for one in made for name in one.names}
        every = (*_expressions(game, row), *made)
        counted = {function for one in every for function, _ in one.counts}
        if (
            read <= known | thrown
            and read_by_terms <= terms
            and not changed & fixed
            and counted <= {"dice"}
            and not any(one.counts for one in made)
            and not any(do.throw.keys() & game.deck.keys() for do in row.do)
            and not any(_is_entry(asks, one) for one in every)
        ):
            found.append(row)
    return tuple(found)


def left_out(game: GameFile, followed: tuple[WheneverRow, ...], terms: frozenset[str]) -> str:
    """The part that follows a roll and changes its reading, but is not in its odds.

    `thrown`: dice thrown besides; `rolled`: what else follows; "" where odds count everything. The
    `terms` are those by which dice are read.
    """
    rows = [row for row in game.whenever if row.on == "rolled" and row not in followed]
    done = [[*row.do, *_consulted(game, row)] for row in rows]
    changing = [one for one in done if any(map(partial(_changes, terms), one))]
    if not changing:
        return ""
    return "thrown" if any(do.throw for one in changing for do in one) else "rolled"


def _consulted(game: GameFile, row: WheneverRow) -> Iterator[DoRow]:
    for do in row.do:
        for _, effect in nested_rows(game, do.consult):
            yield from effect.do


def _changes(terms: frozenset[str], do: DoRow) -> bool:
    """Whether a row changes how a roll reads."""
    return do.verb in ("again", "symbol") or (do.set or do.shift) in terms


def _is_entry(asks: Mapping[str, AskRow], expression: Expression) -> bool:
    """Whether an expression reads which entry of the sheet is meant, which odds do not know."""
    named = [asks[name] for name, _ in expression.texts if name in asks]
    return any(ask.entry or ask.trait for ask in named)


def dependent_terms(game: GameFile, changed: set[str]) -> set[str]:
    """The terms that are made of these, directly or by others."""
    found = set[str]()
    for _ in game.action.terms:
        more = {
            name for name, one in game.action.terms.items() if one.names & (changed | found)
        } - found
        if not more:
            break
        found |= more
    return found


def read_names(game: GameFile, rows: tuple[WheneverRow, ...]) -> set[str]:
    """The names that these rows read or change, also by terms that follow."""
    changed = {do.set or do.shift for row in rows for do in row.do} - {""}
    made = dependent_terms(game, changed)
    read = {name for row in rows for one in _expressions(game, row) for name in one.names}
    return changed | made | read | {name for one in made for name in game.action.terms[one].names}


def _expressions(game: GameFile, row: WheneverRow) -> Iterator[Expression]:
    yield from filter(None, [row.when])
    for do in row.do:
        if do.verb in ("gain", "lose"):
            continue
        yield from filter(None, (do.when, do.n, do.to))
        yield from do.throw.values()
        yield from sizes_read(game, do)
