"""What a table of a narrative dice game waits for, of whom, and which moves answer it."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine.rules import Check, Turn, Wait, WaitRule, actor_of, gms, players_with_a_character, priced
from storypool.systems.narrative import windows
from storypool.systems.narrative.checks import unpaid
from storypool.systems.narrative.rolling import HELPING, HINDERING, gm_spends_all


def waits(prefix: str) -> WaitRule:
    """Return the waits of a game whose moves about its points begin with `prefix`."""

    def of_actions(turn: Turn) -> Iterator[Wait]:
        for check in turn.table.checks.values():
            yield from _building(turn, check, prefix) if check.phase == "build" else _rolled(turn, check)

    return of_actions


def _building(turn: Turn, check: Check, prefix: str) -> Iterator[Wait]:
    """The difficulty, the point for what is impossible, the windows, the roll."""
    actor, table = actor_of(turn.table, check), turn.table
    if not check.text("difficulty"):
        yield Wait("difficulty", gms(table), ("check.difficulty",), check.id)
    if unpaid(check):
        yield Wait("attempt", actor, (f"{prefix}.attempt",), check.id)
    spends = (f"{prefix}.pass", f"{prefix}.upgrade")
    for window in windows.waiting(turn, check, check.windows)[:1]:
        whom = tuple(seat.id for seat in windows.deciders(turn, check, window))
        if window == "players":
            yield Wait("point.players", whom, (f"{prefix}.pass_all", *spends), check.id)
        else:
            rolls = ("check.roll",) if whom == actor else ()
            yield Wait("point", whom, (*rolls, *spends), check.id)
        return
    yield Wait("roll", actor, ("check.roll",), check.id)


def _rolled(turn: Turn, check: Check) -> Iterator[Wait]:
    """The symbols, those of whoever rolled first; then the end of the action."""
    actor, table = actor_of(turn.table, check), turn.table
    masters = gms(table)
    others = masters if check.side == "players" else tuple(seat.id for seat in players_with_a_character(table))
    spenders = ((actor, HELPING), (masters if gm_spends_all(turn, check) else others, HINDERING))
    for whom, symbols in spenders:
        left = check.left.only(symbols)
        if left:
            values = {"left": priced(turn, left)}
            yield Wait("spend", whom, ("spend.buy", "spend.free", "spend.waive"), check.id, values=values)
    yield Wait("close", actor, ("check.close",), check.id)
