"""The waits of a narrative dice game: the seats, and the moves that answer."""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.narrative import windows
from storypool.systems.narrative.attempt import Attempt
from storypool.systems.narrative.checks import is_unpaid
from storypool.systems.narrative.fight.attacks import undealt_hit, unproposed_hit
from storypool.systems.narrative.fight.slots import (
    ORDER,
    has_fallen,
    none_stands,
    npcs_left_out,
    of_side,
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
            if check.phase == "build":
                yield from _building(turn, check, prefix)
            else:
                yield from _rolled(turn, check, pips)
        yield from _thresholds(turn)
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
    if is_unpaid(check):
        yield r.Wait(
            "attempt",
            actor,
            (f"{prefix}.attempt", "check.cancel"),
            check.id,
            values=_point(turn, actor),
        )
    for window in windows.open_windows(turn, check, check.windows)[:1]:
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
    point, _ = windows.purses(turn, r.Team.GM if gm else r.Team.PLAYERS)
    return {"point": turn.word(point)}


def _rolled(turn: r.Turn, check: r.Check, pips: tuple[str, ...]) -> Iterator[r.Wait]:
    """The damage, the pips, the symbols from the roller's on, and the end.

    The last seat to spend ends the check; the end is a wait only if nobody has anything to
    spend.
    """
    actor, others = r.actor_of(turn.table, check), SHARES.other_seats(turn, check)
    hit = unproposed_hit(turn, check)
    if hit is not None:
        yield r.Wait("hit", actor, ("attack.hit",), check.id, values={"sum": hit.in_words(turn)})
    for id, whom, symbols in (
        ("spend", actor, SHARES.helping),
        ("spend.against", others, SHARES.hindering),
    ):
        left = check.left.only(symbols)
        if left:
            if check.outcome:
                rolled = turn.system.axes.named(check.outcome.net)
            else:
                rolled = check.left
            key = id
            if whom != actor and left != rolled.only(symbols):
                key = "spend.rest"
            moves = ["spend.buy", "spend.free"]
            if hit is None or whom != actor:
                moves.append(_finishing_move(turn, check, whom))
            yield r.Wait(key, whom, tuple(moves), check.id, values={"left": r.priced(turn, left)})
    besides = check.left - check.left.only(SHARES.both)
    if besides and pips:
        values = {"left": in_words(turn, besides)}
        yield r.Wait("pips", actor, (*pips, "check.close"), check.id, values=values)
    elif not check.left.only(SHARES.both) and undealt_hit(turn, check) is None:
        id = "close.hidden" if check.hidden else "close"
        yield r.Wait(id, actor, ("check.close",), check.id)


def _finishing_move(turn: r.Turn, check: r.Check, whom: tuple[str, ...]) -> str:
    """The move of a seat that spends no more: the end, or waiving while others go on.

    Others go on if they have symbols. Nobody ends the check before the damage of a hit.
    """
    asked = turn
    if whom:
        asked = turn.as_seat(turn.table.seats[whom[0]], check=check.id)
    hits = undealt_hit(turn, check) is not None
    if hits or r.yours(asked) or nothing_left_to_others(asked):
        return "spend.waive"
    return "check.close"


def _thresholds(turn: r.Turn) -> Iterator[r.Wait]:
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
    if not ORDER.slots(table):
        return
    if slot is None:
        yield from _before_first_turn(turn)
    elif none_stands(table):
        yield r.Wait("fought", r.gms(table), ("initiative.end", "initiative.next"))
    elif side_of(slot) is r.Team.GM:
        yield from _turn_of_gm(turn, acts)
    else:
        yield _turn_of_players(turn, acts)


def _before_first_turn(turn: r.Turn) -> Iterator[r.Wait]:
    table, missing = turn.table, unrolled(turn.table, r.Team.PLAYERS)
    if missing:
        whom = r.players_of(table, missing)
        yield r.Wait("initiative", whom, ("initiative.roll",), each=True)
    foes = [one for one in unrolled(table, r.Team.GM) if not has_fallen(table, one)]
    moves = ["initiative.next"]
    if any(one not in npcs_left_out(table) for one in foes):
        moves.insert(0, "initiative.roll")
    elif foes:
        moves.append("initiative.roll")
    if missing:
        id = "initiative.begin"
    elif foes:
        id = "initiative.foes"
    else:
        id = "initiative.all"
    values = {"missing": _names(turn, missing or foes)}
    yield r.Wait(id, r.gms(table), tuple(moves), values=values)


def _turn_of_gm(turn: r.Turn, acts: tuple[str, ...]) -> Iterator[r.Wait]:
    table, left = turn.table, usually_act(turn.table, r.Team.GM)
    if left:
        values = {"left": _names(turn, left)}
        yield r.Wait("turn.gm", r.gms(table), (*acts, "initiative.next"), values=values)
    else:
        values = {"left": ""}
        yield r.Wait("turn.gm.over", r.gms(table), ("initiative.next", *acts), values=values)
    missing = unrolled(table, r.Team.PLAYERS)
    if missing and not any(side_of(one) is r.Team.PLAYERS for one in ORDER.slots(table)):
        # The players have no turn in which they could roll.
        whom = r.players_of(table, missing)
        yield r.Wait("initiative.late", whom, ("initiative.roll",), each=True)


def _turn_of_players(turn: r.Turn, acts: tuple[str, ...]) -> r.Wait:
    table, ready = turn.table, usually_act(turn.table, r.Team.PLAYERS)
    if not ready:
        return r.Wait("turn.over", r.gms(table), ("initiative.next",))
    moves = [*acts, "initiative.next"]
    if unrolled(table, r.Team.PLAYERS):
        # A hero who joined after the first turn has no slot yet, and may roll for one.
        moves.insert(-1, "initiative.roll")
    return r.Wait("turn", r.players_of(table, ready), tuple(moves))


def _names(turn: r.Turn, people: list[r.Character]) -> str:
    """These characters in words."""
    return turn.words.joined(one.name for one in people)
