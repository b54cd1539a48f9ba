"""The waits of a Destiny Dice table: the seats, and the moves that answer."""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.destinydice.actions import reveals_attack
from storypool.systems.destinydice.fight.conflict import ORDER, has_beaten_side
from storypool.systems.destinydice.fight.stress import absorptions
from storypool.systems.destinydice.outcomes import attempter, is_due, resister, results, warded_off
from storypool.systems.destinydice.pool import name_of
from storypool.systems.destinydice.spends import SHARES, affordable_to_any
from storypool.systems.destinydice.state import Action, TakenOut

INVOKING = ("aspect.invoke", "stunt.use", "check.help")
"""The optional moves before a roll."""


def compels(turn: r.Turn) -> Iterator[r.Wait]:
    """A compel, until the compelled character's player takes it or buys it off."""
    for compel in turn.table.of_kind("compel"):
        whom = r.player_of(turn.table, compel.about)
        values = {"name": name_of(turn, compel.about), "text": compel.text}
        moves = ("compel.accept", "compel.refuse")
        yield r.Wait("compel", whom, moves, args={"compel": compel.id}, values=values)


def actions(turn: r.Turn) -> Iterator[r.Wait]:
    """The waits of each open action; a hidden hit is revealed after the action in the open."""
    later = _later(turn)
    for check in turn.table.checks.values():
        for wait in _building(turn, check) if check.phase == "build" else _rolled(turn, check):
            yield wait if check.hidden else r.replace(wait, also=later)


def hits(turn: r.Turn) -> Iterator[r.Wait]:
    """The hits, until they are taken."""
    table = turn.table
    for hit in table.of_kind("hit"):
        bearable = absorptions(table, hit.about, hit.rating)
        answered = ("harm.absorb", "harm.fall") if bearable else ("harm.fall",)
        values = {"name": name_of(turn, hit.about), "n": hit.rating}
        check = hit.at if hit.at in table.checks else ""
        kind, whom = "hit" if bearable else "fall", r.player_of(table, hit.about)
        also = _later(turn) if check and not table.checks[check].hidden else ()
        yield r.Wait(kind, whom, answered, check, {"hit": hit.id}, values=values, also=also)


def fates(turn: r.Turn) -> Iterator[r.Wait]:
    """The fate of those taken out, until the attacker has decided it."""
    for trait in turn.table.of_kind("taken-out"):
        by = TakenOut.of(trait).by
        if by in turn.table.characters:
            values = {"name": name_of(turn, trait.about), "by": name_of(turn, by)}
            whom, args = r.player_of(turn.table, by), {"who": trait.id}
            yield r.Wait("taken-out", whom, ("harm.describe",), args=args, values=values)


def _building(turn: r.Turn, check: r.Check) -> Iterator[r.Wait]:
    """The opposition, then the roll."""
    table, action = turn.table, Action.of(check)
    target = table.target(check)
    if action.difficulty:
        # While the roll waits for the GM, ask for nothing that only precedes it.
        moves = ["check.roll"]
        if not check.suggested and not table.paid_proposals(check.id):
            moves += INVOKING
        yield r.Wait("roll", r.actor_of(table, check), tuple(moves), check.id)
    elif target is None:
        yield r.Wait("difficulty", r.gms(table), ("check.oppose", "check.defend"), check.id)
    else:
        yield _opposing(turn, check, target)


def _opposing(turn: r.Turn, check: r.Check, target: r.Character) -> r.Wait:
    """The defence of the target."""
    if target.team is r.Team.GM:
        moves = ("check.defend", "check.oppose")
        return r.Wait("opposition", r.gms(turn.table), moves, check.id)
    id = "attacked" if Action.of(check).action == "attack" else "defence"
    # A stunt for the defence comes before it, and is easily forgotten further down.
    needed = ("check.defend", "stunt.use", "check.oppose")
    return r.Wait(id, r.player_of(turn.table, target.id), needed, check.id)


def _rolled(turn: r.Turn, check: r.Check) -> Iterator[r.Wait]:
    """The result, then its symbols, and the end of the action."""
    table, actor = turn.table, r.actor_of(turn.table, check)
    if is_due(check):
        yield _outcome(turn, check)
    owed = affordable_to_any(turn, check, SHARES.hindering)
    waits = is_due(check) or owed or bool(table.of_kind("hit", at=check.id))
    if affordable_to_any(turn, check, SHARES.helping):
        moves = ("spend.buy", "spend.waive" if waits else "check.close")
        yield r.Wait("spend", actor, moves, check.id, values=_left(turn, check, SHARES.helping))
    elif not waits:
        yield r.Wait("close", actor, ("check.close",), check.id)
    if owed:
        others, left = SHARES.other_seats(turn, check), _left(turn, check, SHARES.hindering)
        yield r.Wait("spend", others, ("spend.buy", "spend.waive"), check.id, values=left)


def _left(turn: r.Turn, check: r.Check, symbols: tuple[str, ...]) -> dict[str, object]:
    return {"left": r.priced(turn, check.left.only(symbols))}


def _later(turn: r.Turn) -> tuple[str, ...]:
    """The hidden actions that go on only after the one in the open."""
    checks = turn.table.checks.values()
    return tuple(check.id for check in checks if check.hidden and _hits_openly(turn, check))


def _hits_openly(turn: r.Turn, check: r.Check) -> bool:
    """Whether this roll has a hit that can be taken only in the open."""
    hit = is_due(check) and any(way.effect == "hit" for way in results(check))
    return hit and reveals_attack(turn, check)


def _outcome(turn: r.Turn, check: r.Check) -> r.Wait:
    """The results to carry out, by the seat that takes them."""
    table, ways = turn.table, results(check)
    if _hits_openly(turn, check):
        values = {"name": name_of(turn, resister(check))}
        return r.Wait("reveal", r.gms(table), ("check.reveal",), check.id, values=values)
    held = len(ways) == 1 and warded_off(check)
    kind = "boost" if held else ways[0].effect
    if len(ways) > 1:
        kind = "harm" if kind == "hit" else "choice"
    who = resister(check) if held else attempter(check)
    values = {"name": name_of(turn, who), "target": name_of(turn, resister(check))}
    return r.Wait(
        f"outcome.{kind}", r.player_of(table, who), ("outcome.take",), check.id, values=values
    )


def turns(turn: r.Turn) -> Iterator[r.Wait]:
    """The turn in a conflict, or its end once a side has nobody left."""
    table, now, after = turn.table, ORDER.acts_now(turn.table), ORDER.acts_next(turn.table)
    if r.idle(turn) is not None or r.in_session(turn) is not None or not table.of_kind("slot"):
        return
    if has_beaten_side(table):
        yield r.Wait("over", r.gms(table), ("conflict.end",))
    elif now is None or after is None:
        yield r.Wait(
            "next", r.gms(table), ("conflict.next",), values={"name": after.name if after else ""}
        )
    else:
        names = {"name": now.name, "after": after.name}
        npc = now.team is r.Team.GM
        if npc:
            moves = ("check.declare", "conflict.next")
        else:
            moves = ("check.declare", "conflict.concede")
        yield r.Wait("turn.gm" if npc else "turn", r.player_of(table, now.id), moves, values=names)


WAITS = (hits, actions, fates, compels, turns)
"""The waits of the game, the most pressing first."""
