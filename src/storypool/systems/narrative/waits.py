"""What a table of a narrative dice game waits for, of whom, and which moves answer it."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine.rules import (
    Character,
    Check,
    Table,
    Turn,
    Wait,
    WaitRule,
    actor_of,
    gms,
    here,
    idle,
    in_session,
    player_of,
    players_with_a_character,
    priced,
    yours,
)
from storypool.systems.narrative import windows
from storypool.systems.narrative.checks import unpaid
from storypool.systems.narrative.rolling import HELPING, HINDERING, gm_spends_all, in_words, nothing_left_to_others
from storypool.systems.narrative.sheet import unsettled
from storypool.systems.narrative.slots import present, ready_to_act, slots, unrolled


def waits(prefix: str, powers: tuple[str, ...] = (), pips: tuple[str, ...] = ()) -> WaitRule:
    """Return the waits of a game whose moves about its points begin with `prefix`.

    `powers` are its further moves that open an action; `pips` those that use what else its dice show.
    """

    def of_a_game(turn: Turn) -> Iterator[Wait]:
        for check in turn.table.checks.values():
            yield from _building(turn, check, prefix) if check.phase == "build" else _rolled(turn, check, pips)
        yield from _beyond(turn)
        if in_session(turn) is None and idle(turn) is None:
            yield from _contests(turn)
            yield from _order(turn, ("check.declare", *powers))

    return of_a_game


def _building(turn: Turn, check: Check, prefix: str) -> Iterator[Wait]:
    """The difficulty, the point for what is impossible, the windows, the roll."""
    actor, table = actor_of(turn.table, check), turn.table
    if not check.text("difficulty"):
        yield Wait(
            "difficulty.npc" if check.side == "gm" else "difficulty", gms(table), ("check.difficulty",), check.id
        )
    if unpaid(check):
        yield Wait("attempt", actor, (f"{prefix}.attempt", "check.cancel"), check.id, values=_point(turn, actor))
    for window in windows.waiting(turn, check, check.windows)[:1]:
        whom = tuple(seat.id for seat in windows.deciders(turn, check, window))
        yield _window(turn, check, window, whom, prefix)
        return
    yield Wait("roll", actor, ("check.roll",), check.id)


def _window(turn: Turn, check: Check, window: str, whom: tuple[str, ...], prefix: str) -> Wait:
    """Whose point it is: whoever rolls passes by rolling, and one player may pass for all."""
    spends, values = (f"{prefix}.pass", f"{prefix}.upgrade"), _point(turn, whom)
    if whom == actor_of(turn.table, check):
        return Wait("point", whom, ("check.roll", "check.ready", *spends), check.id, values=values)
    if window == "gm":
        return Wait("point.gm", whom, spends, check.id, values=values)
    alone = window == "target" and turn.option("pass_for_all") == "nobody"
    passes = spends if alone else (f"{prefix}.pass_all", *spends)
    return Wait(f"point.{window}", whom, passes, check.id, values=values)


def _point(turn: Turn, whom: tuple[str, ...]) -> dict[str, object]:
    """The word for a point of these seats."""
    side = "gm" if any(turn.table.seats[id].side == "gm" for id in whom) else "players"
    return {"point": turn.word(windows.purses(turn, side)[0])}


def _rolled(turn: Turn, check: Check, pips: tuple[str, ...]) -> Iterator[Wait]:
    """The pips and the symbols, those of whoever rolled first; then the end of the action.

    The last to spend ends it, so that nobody has to; the end is waited for where nobody has anything to spend.
    """
    actor, table = actor_of(turn.table, check), turn.table
    masters, all_to_gm = gms(table), gm_spends_all(turn, check)
    others = masters if check.side == "players" or all_to_gm else tuple(s.id for s in players_with_a_character(table))
    for id, whom, symbols in (("spend", actor, HELPING), ("spend.against", others, HINDERING)):
        left = check.left.only(symbols)
        if left:
            moves = ("spend.buy", "spend.free", _goes_on(turn, check, whom))
            yield Wait(id, whom, moves, check.id, values={"left": priced(turn, left)})
    besides = check.left - check.left.only((*HELPING, *HINDERING))
    if besides and pips:
        yield Wait("pips", actor, (*pips, "check.close"), check.id, values={"left": in_words(turn, besides)})
    if not check.left.only((*HELPING, *HINDERING)) and not (besides and pips):
        yield Wait("close", actor, ("check.close",), check.id)


def _goes_on(turn: Turn, check: Check, whom: tuple[str, ...]) -> str:
    """The move of whoever spends nothing more: the end of the check, or, where others still spend, leaving the rest."""
    asked = turn.as_seat(turn.table.seats[whom[0]], check=check.id) if whom else turn
    return "spend.waive" if yours(asked) or nothing_left_to_others(asked) else "check.close"


def _beyond(turn: Turn) -> Iterator[Wait]:
    """What becomes of those who have passed a threshold."""
    for one in turn.table.characters.values():
        marks = unsettled(turn.table, one.id) if here(one) else []
        if marks:
            yield Wait(
                "beyond", gms(turn.table), ("track.settle",), args={"who": one.id}, values={"what": marks[0].text}
            )


def _contests(turn: Turn) -> Iterator[Wait]:
    """The rolls of those who have not rolled in a contest, and its end."""
    for contest in turn.table.of_kind("contest"):
        rolled = {result.about for result in turn.table.of_kind("result", at=contest.id)}
        missing = [one for one in _played(turn.table) if one.id not in rolled]
        values = {"contest": contest.text, "missing": _names(turn, missing)}
        args = {"contest": contest.id}
        if missing:
            yield Wait("contest", _seats(turn.table, missing), ("check.declare",), args=args, each=True, values=values)
        if rolled:
            id = "contest.end" if missing else "contest.over"
            yield Wait(id, gms(turn.table), ("contest.settle",), args=args, values=values)


def _order(turn: Turn, acts: tuple[str, ...]) -> Iterator[Wait]:
    """Who has not rolled for the order of a fight yet; from then on whose turn it is."""
    table, slot = turn.table, present(turn.table)
    masters = gms(table)
    if not slots(table):
        return
    if slot is None:
        missing = unrolled(table, "players")
        if missing:
            yield Wait("initiative", _seats(table, missing), ("initiative.roll",), each=True)
        values = {"missing": _names(turn, missing)}
        foes = any(one.about == "@gm" for one in slots(table)) or not unrolled(table, "gm")
        first = ("initiative.next", "initiative.roll") if foes else ("initiative.roll", "initiative.next")
        yield Wait("initiative.begin" if missing else "initiative.all", masters, first, values=values)
    elif slot.about == "@gm":
        values = {"left": _names(turn, ready_to_act(table, "gm"))}
        yield Wait("turn.gm" if values["left"] else "turn.gm.over", masters, (*acts, "initiative.next"), values=values)
    else:
        ready = ready_to_act(table, "players")
        if ready:
            yield Wait("turn", _seats(table, ready), (*acts, "initiative.next"))
        else:
            yield Wait("turn.over", masters, ("initiative.next",))


def _played(table: Table) -> list[Character]:
    """The players' characters whose players are here."""
    playing = {seat.id for seat in players_with_a_character(table)}
    return [one for one in table.characters.values() if one.side == "players" and one.seat in playing and here(one)]


def _seats(table: Table, people: list[Character]) -> tuple[str, ...]:
    """Who plays these characters."""
    return tuple(dict.fromkeys(seat for one in people for seat in player_of(table, one.id)))


def _names(turn: Turn, people: list[Character]) -> str:
    """These characters in words."""
    *most, last = [one.name for one in people] or [""]
    return turn.words["list.comma"].join(most) + (turn.words["list.last"] if most else "") + last
