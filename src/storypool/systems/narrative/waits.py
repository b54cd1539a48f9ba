"""The waits of a narrative dice game: the seats, and the moves that answer."""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.narrative import windows
from storypool.systems.narrative.attempt import Attempt
from storypool.systems.narrative.checks import unpaid
from storypool.systems.narrative.fight.attacks import hit_of, unhurt
from storypool.systems.narrative.fight.slots import (
    ORDER,
    has_fallen,
    none_stands,
    of_side,
    passed_over,
    side_of,
    unrolled,
    usually_act,
)
from storypool.systems.narrative.open_check import SHARES, in_words, nothing_left_to_others
from storypool.systems.narrative.sheet import unsettled


def waits(prefix: str, powers: tuple[str, ...] = (), pips: tuple[str, ...] = ()) -> r.WaitRule:
    """The waits of a game whose point moves begin with `prefix`.

    `powers` are its own moves that open an action; `pips` those that use its other symbols.
    """

    def of_a_game(turn: r.Turn) -> Iterator[r.Wait]:
        for check in turn.table.checks.values():
            yield from (
                _building(turn, check, prefix)
                if check.phase == "build"
                else _rolled(turn, check, pips)
            )
        yield from _beyond(turn)
        if not r.between_actions(turn):
            yield from _contests(turn)
            yield from _order(turn, ("check.declare", *powers))

    return of_a_game


def _building(turn: r.Turn, check: r.Check, prefix: str) -> Iterator[r.Wait]:
    """The difficulty, the point for the impossible, the windows, the roll."""
    actor, table = r.actor_of(turn.table, check), turn.table
    if not Attempt.of(check).difficulty:
        id = "difficulty.npc" if check.team is r.Team.GM else "difficulty"
        yield r.Wait(id, r.gms(table), ("check.difficulty",), check.id)
    if unpaid(check):
        yield r.Wait(
            "attempt",
            actor,
            (f"{prefix}.attempt", "check.cancel"),
            check.id,
            values=_point(turn, actor),
        )
    for window in windows.waiting(turn, check, check.windows)[:1]:
        whom = tuple(seat.id for seat in windows.deciders(turn, check, window))
        yield _window(turn, check, window, whom, prefix)
        return
    yield r.Wait("roll", actor, ("check.roll",), check.id)


def _window(
    turn: r.Turn, check: r.Check, window: str, whom: tuple[str, ...], prefix: str
) -> r.Wait:
    """The wait for a point: the roller passes by rolling, and one player may pass for all."""
    spends, values = (f"{prefix}.pass", f"{prefix}.upgrade"), _point(turn, whom)
    if whom == r.actor_of(turn.table, check):
        return r.Wait(
            "point", whom, ("check.roll", "check.ready", *spends), check.id, values=values
        )
    if window == "gm":
        return r.Wait("point.gm", whom, spends, check.id, values=values)
    alone = window == "target" and turn.option("pass_for_all") == "nobody"
    passes = spends if alone else (f"{prefix}.pass_all", *spends)
    return r.Wait(f"point.{window}", whom, passes, check.id, values=values)


def _point(turn: r.Turn, whom: tuple[str, ...]) -> dict[str, object]:
    """The word for a point of these seats."""
    gm = any(turn.table.seats[id].team is r.Team.GM for id in whom)
    return {"point": turn.word(windows.purses(turn, r.Team.GM if gm else r.Team.PLAYERS)[0])}


def _rolled(turn: r.Turn, check: r.Check, pips: tuple[str, ...]) -> Iterator[r.Wait]:
    """The damage, the pips, the symbols from the roller's on, and the end.

    The last seat to spend ends the check; the end is a wait only if nobody has anything to
    spend.
    """
    actor, others = r.actor_of(turn.table, check), SHARES.other_seats(turn, check)
    hit = hit_of(turn, check)
    if hit is not None:
        yield r.Wait("hit", actor, ("attack.hit",), check.id, values={"sum": hit.in_words(turn)})
    for id, whom, symbols in (
        ("spend", actor, SHARES.helping),
        ("spend.against", others, SHARES.hindering),
    ):
        left = check.left.only(symbols)
        if left:
            rolled = turn.system.axes.named(check.outcome.net) if check.outcome else check.left
            key = "spend.rest" if whom != actor and left != rolled.only(symbols) else id
            goes_on = () if hit is not None and whom == actor else (_goes_on(turn, check, whom),)
            moves = ("spend.buy", "spend.free", *goes_on)
            yield r.Wait(key, whom, moves, check.id, values={"left": r.priced(turn, left)})
    besides = check.left - check.left.only(SHARES.both)
    if besides and pips:
        yield r.Wait(
            "pips",
            actor,
            (*pips, "check.close"),
            check.id,
            values={"left": in_words(turn, besides)},
        )
    if not check.left.only(SHARES.both) and not (besides and pips) and unhurt(turn, check) is None:
        yield r.Wait("close.hidden" if check.hidden else "close", actor, ("check.close",), check.id)


def _goes_on(turn: r.Turn, check: r.Check, whom: tuple[str, ...]) -> str:
    """The move of a seat that spends no more: the end, or waiving while others go on.

    Others go on if they have symbols. Nobody ends the check before the damage of a hit.
    """
    asked = turn.as_seat(turn.table.seats[whom[0]], check=check.id) if whom else turn
    hits = unhurt(turn, check) is not None
    return (
        "spend.waive" if hits or r.yours(asked) or nothing_left_to_others(asked) else "check.close"
    )


def _beyond(turn: r.Turn) -> Iterator[r.Wait]:
    """The fate of those past a threshold."""
    for one in turn.table.characters.values():
        marks = unsettled(turn.table, one.id) if r.here(one) else []
        if marks:
            yield r.Wait(
                "beyond",
                r.gms(turn.table),
                ("track.settle",),
                args={"who": one.id},
                values={"what": marks[0].text},
            )


def _contests(turn: r.Turn) -> Iterator[r.Wait]:
    """The missing rolls of a contest, and its end."""
    for contest in turn.table.of_kind("contest"):
        rolled = {result.about for result in turn.table.of_kind("result", at=contest.id)}
        missing = [one for one in of_side(turn.table, r.Team.PLAYERS) if one.id not in rolled]
        values = {"contest": contest.text, "missing": _names(turn, missing)}
        args = {"contest": contest.id}
        if missing:
            whom = r.players_of(turn.table, missing)
            yield r.Wait("contest", whom, ("check.declare",), args=args, each=True, values=values)
        if rolled:
            id = "contest.end" if missing else "contest.over"
            yield r.Wait(id, r.gms(turn.table), ("contest.settle",), args=args, values=values)


def _order(turn: r.Turn, acts: tuple[str, ...]) -> Iterator[r.Wait]:
    """The missing initiative rolls; then the turn, or that no enemy stands."""
    table, slot = turn.table, ORDER.present(turn.table)
    masters = r.gms(table)
    if not ORDER.slots(table):
        return
    if slot is None:
        missing = unrolled(table, r.Team.PLAYERS)
        if missing:
            yield r.Wait(
                "initiative", r.players_of(table, missing), ("initiative.roll",), each=True
            )
        foes = [one for one in unrolled(table, r.Team.GM) if not has_fallen(table, one)]
        fight = ("initiative.next", "initiative.roll") if foes else ("initiative.next",)
        first = fight[::-1] if any(one not in passed_over(table) for one in foes) else fight
        id = "initiative.begin" if missing else "initiative.foes" if foes else "initiative.all"
        yield r.Wait(id, masters, first, values={"missing": _names(turn, missing or foes)})
    elif none_stands(table):
        yield r.Wait("fought", masters, ("initiative.end", "initiative.next"))
    elif side_of(slot) is r.Team.GM:
        left = usually_act(table, r.Team.GM)
        moves = (*acts, "initiative.next") if left else ("initiative.next", *acts)
        values = {"left": _names(turn, left)}
        yield r.Wait("turn.gm" if left else "turn.gm.over", masters, moves, values=values)
        missing = unrolled(table, r.Team.PLAYERS)
        if missing and not any(side_of(one) is r.Team.PLAYERS for one in ORDER.slots(table)):
            # The players have no turn in which they could roll.
            whom = r.players_of(table, missing)
            yield r.Wait("initiative.late", whom, ("initiative.roll",), each=True)
    else:
        ready = usually_act(table, r.Team.PLAYERS)
        if ready:
            # A hero who joined after the first turn has no slot yet, and may roll for one.
            late = ("initiative.roll",) if unrolled(table, r.Team.PLAYERS) else ()
            yield r.Wait("turn", r.players_of(table, ready), (*acts, *late, "initiative.next"))
        else:
            yield r.Wait("turn.over", masters, ("initiative.next",))


def _names(turn: r.Turn, people: list[r.Character]) -> str:
    """These characters in words."""
    return turn.words.joined(one.name for one in people)
