"""The waits of a C2D10 table: the seats, and the moves that answer."""

from collections.abc import Iterator, Mapping

from storypool.engine import rules as r
from storypool.systems.c2d10 import harm, rolling
from storypool.systems.c2d10.dice import RIVAL
from storypool.systems.c2d10.initiative import ORDER, awaited
from storypool.systems.c2d10.sides import is_replaced, stance
from storypool.systems.c2d10.test import Test

ACTIONS = ("check.declare", "contest.declare", "information.seek")
"""The moves that begin an action."""


def of_actions(turn: r.Turn) -> Iterator[r.Wait]:
    """The waits of every open action."""
    for check in turn.table.checks.values():
        if check.phase == "build":
            yield from _building(turn, check)
        else:
            yield from _rolled(turn, check)


def _building(turn: r.Turn, check: r.Check) -> Iterator[r.Wait]:
    """The other side's dice or the DC, then the roll."""
    actor, table, test = r.actor_of(turn.table, check), turn.table, Test.of(check)
    answered = check.pool.only(RIVAL.dice) and not any(
        name.startswith("by_") for name in check.suggested
    )
    if test.is_contest and check.against and not answered:
        yield r.Wait("oppose", r.player_of(table, check.against), ("contest.answer",), check.id)
    if not test.is_contest and test.dc is None:
        own = "dc.own" if actor == r.gms(table) else "dc"
        yield r.Wait(own, r.gms(table), ("check.dc",), check.id)
    if test.needs_no_roll:
        yield r.Wait("free", actor, ("check.pass",), check.id)
    else:
        yield r.Wait("roll", actor, ("check.roll",), check.id)


def _rolled(turn: r.Turn, check: r.Check) -> Iterator[r.Wait]:
    """The crisis, the trouble, purchases, a bonus, and the end of the action."""
    table, actor = turn.table, r.actor_of(turn.table, check)
    here = turn.as_seat(turn.seat, check=check.id)
    for offer in table.of_kind(harm.OFFER, at=check.id):
        values = {"hero": table.characters[offer.about].name}
        whom = r.player_of(table, offer.about)
        yield r.Wait(
            "crisis", whom, ("crisis.answer",), check.id, {"offer": offer.id}, values=values
        )
    buyers = rolling.buyers(here)
    for trouble in harm.troubles(here):
        if trouble.decided:
            yield _settling(here, check, trouble, buyers)
    if others := tuple(id for id in buyers if id not in actor):
        theirs = dict.fromkeys(key for id in others for key in buyers[id])
        # The Keeper may also close it.
        yield r.Wait("buy", others, (*theirs, "check.close"), check.id)
    if rolling.may_grant(here):
        yield r.Wait("grant", r.gms(table), ("information.grant", "check.close"), check.id)
    for trouble in harm.troubles(here):
        if not trouble.decided:
            what = r.priced(turn, r.Bag({trouble.symbol: trouble.n}))
            values = {"what": what, "name": trouble.owner.name if trouble.owner else ""}
            args = {"what": trouble.symbol}
            yield r.Wait(
                "theirs", r.gms(table), ("trouble.take",), check.id, args=args, values=values
            )
    moves = buyers.get(actor[0], ())
    # While the Keeper decides whether to spend or grant, only she is asked to end it.
    hers = {id for id in r.gms(table) if id in buyers and id not in actor}
    if not moves and (hers or (rolling.may_grant(here) and actor != r.gms(table))):
        return
    yield r.Wait("finish" if moves else "close", actor, (*moves, "check.close"), check.id)


def _settling(
    turn: r.Turn, check: r.Check, trouble: harm.Trouble, buyers: Mapping[str, tuple[str, ...]]
) -> r.Wait:
    """A hero's player decides about their trouble; any player may ignore an ally's.

    They may re-roll before that; settled trouble ends re-rolls.
    """
    owner, table = trouble.owner, turn.table
    whom = r.player_of(table, owner.id) if owner else r.gms(table)
    if owner is not None and owner.team is r.Team.GM:
        whom += r.players(table)
    advice = turn.words.say(
        f"todo.{trouble.advice}", n=trouble.n, gives=harm.gain_in_words(turn, trouble.kind)
    )
    values = {"what": r.priced(turn, r.Bag({trouble.symbol: trouble.n})), "advice": advice}
    moves = ["trouble.take"]
    if trouble.kind != "mess":
        moves.append("trouble.ignore")
    if any("check.reroll" in buyers.get(id, ()) for id in whom):
        moves.append("check.reroll")
    return r.Wait("trouble", whom, tuple(moves), check.id, {"what": trouble.symbol}, values=values)


def of_the_last_scene(turn: r.Turn) -> Iterator[r.Wait]:
    """The tests for the last scene's harm, the players' characters' first."""
    table = turn.table
    if r.between_actions(turn):
        return
    dues = table.of_kind("due")
    for due in sorted(dues, key=lambda due: r.player_of(table, due.about) == r.gms(table)):
        owner = table.characters.get(due.about)
        if owner is not None and not is_replaced(table, owner):
            values = {"name": owner.name, "test": due.text}
            whom = r.player_of(table, owner.id)
            yield r.Wait("due", whom, ("track.test",), args={"due": due.id}, values=values)


def of_the_order(turn: r.Turn) -> Iterator[r.Wait]:
    """The missing initiative rolls in an order, and the turn."""
    table = turn.table
    if r.between_actions(turn):
        return
    waited_for = awaited(table)
    whom = r.players_of(table, waited_for)
    if waited_for:
        values = {"missing": turn.words["list.comma"].join(one.name for one in waited_for)}
        yield r.Wait("initiative", whom, ("initiative.roll",), each=True, values=values)
    now, who, first = ORDER.present(table), ORDER.acts_now(table), ORDER.acts_next(table)
    # The Keeper's own characters roll before she can start.
    if now is None and first is not None and not any(id in whom for id in r.gms(table)):
        id, name = ("next", "") if "round" in table.running else ("start", first.name)
        yield r.Wait(id, r.gms(table), ("initiative.next",), values={"name": name})
    elif now is not None and who is not None:
        yield from _turn(turn, who.id)
        # Seats that cannot see a hidden turn wait for the Keeper to go on.
        if now.hidden:
            yield r.Wait("next", r.gms(table), ("initiative.next",), values={"name": ""})


def _turn(turn: r.Turn, id: str) -> Iterator[r.Wait]:
    """The action of this character; the Keeper may go on for one whom nobody plays."""
    table, who = turn.table, turn.table.characters[id]
    whom = r.player_of(table, who.id)
    if ORDER.has_acted(table):
        yield r.Wait("skip", r.gms(table), ("initiative.next",), values={"name": who.name})
        return
    theirs = who.team is r.Team.GM
    if not theirs and whom == r.gms(table):
        yield r.Wait("away", whom, ("check.declare", "initiative.next"), values={"name": who.name})
        return
    if who.hidden and any(check.hidden for check in table.checks.values()):
        return
    # A hidden character starts no contest, and the Keeper spends no hero points for an ally.
    if who.hidden:
        n = 1
    elif theirs and stance(who) == "heroes":
        n = 2
    else:
        n = len(ACTIONS)
    # The Keeper plays many; a player's form asks only for the attempt.
    asked: dict[str, r.Value] = {"as": who.id} if theirs else {}
    yield r.Wait("turn", whom, ACTIONS[:n], args=asked, values={"name": who.name})


WAITS = (of_actions, of_the_last_scene, of_the_order)
"""The waits of this game."""
