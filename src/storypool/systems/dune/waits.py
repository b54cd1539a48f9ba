"""The waits of a table of Dune: tests, their consequences and turns, with seats and moves."""

from collections.abc import Callable, Iterator
from functools import partial

from storypool.engine import rules as r
from storypool.systems.dune.conditions import overflowing, plays, winners
from storypool.systems.dune.conflict import turns
from storypool.systems.dune.conflict.assets import shiftable
from storypool.systems.dune.conflict.attacks import can_last, defeat_by
from storypool.systems.dune.contests import can_roll_again
from storypool.systems.dune.payment import pool_of
from storypool.systems.dune.people import sheet
from storypool.systems.dune.pools import price_of_success
from storypool.systems.dune.skill_test_terms import SkillTest, awaits_opponent, opposed, opposing

WON = ("momentum.ask", "momentum.trait")
"""What Momentum buys after any success."""
TURN = ("conflict.attack", "asset.use", "asset.move")
"""The actions of a turn."""


def waits(turn: r.Turn) -> Iterator[r.Wait]:
    """The waits of tests, the latest first, then those of the turns of a conflict."""
    for check in reversed([*turn.table.checks.values()]):
        yield from _building(turn, check) if check.phase == "build" else _rolled(turn, check)
    if r.idle(turn) is None:
        yield from _turns(turn)


def _wait(turn: r.Turn, check: r.Check) -> Callable[..., r.Wait]:
    """Makes the waits of a test; the one that it opposes goes on only after them."""
    first = opposed(turn.table, check)
    return partial(r.Wait, check=check.id, also=(first.id,) if first else ())


def _building(turn: r.Turn, check: r.Check) -> Iterator[r.Wait]:
    """The waits of a test before its roll."""
    table, actor = turn.table, r.actor_of(turn.table, check)
    test, wait = SkillTest.of(check), _wait(turn, check)
    if test.offer == "made":
        drive = sheet.label(turn, test.drive)
        yield wait("offer", actor, ("drive.accept", "drive.refuse"), values={"drive": drive})
        return
    opposes = test.opposes
    contradicts = test.fit == "contradicts" and not test.offer and not test.let_be
    if test.difficulty is None and not check.against and not opposes:
        # Once the Difficulty is set the dice may fall: an offer comes before it.
        id = "difficulty.own" if actor == r.gms(table) else "difficulty"
        if contradicts:
            yield wait("speaks", r.gms(table), ("drive.offer", "check.difficulty"))
        else:
            yield wait(id, r.gms(table), ("check.difficulty",))
    if test.target is None:
        yield wait("drive", actor, ("check.drive",))
    elif awaits_opponent(check):
        if opposing(table, check) is None:
            whom = r.player_of(table, check.against)
            yield wait("oppose", whom, ("contest.oppose",), args={"as": check.against})
    elif opposes:
        yield wait("oppose.roll", actor, ("check.roll", "check.drive"))
    elif test.difficulty == 0 and not check.against:
        yield wait("simple", actor, ("check.simple", "check.roll"))
    else:
        yield wait("roll", actor, ("check.roll",), values={"difficulty": test.difficulty or 0})
    if contradicts:
        yield r.Wait("contradicts", r.gms(table), ("drive.offer",), check.id)


def _rolled(turn: r.Turn, check: r.Check) -> Iterator[r.Wait]:
    """The waits for a defeat to resist, complications, either side's gains, and the end."""
    table, actor = turn.table, r.actor_of(turn.table, check)
    wait, defeat = _wait(turn, check), defeat_by(turn, check)
    resistible = defeat is not None and sheet.Defeat.of(defeat).asked
    if resistible:
        whom, answers = r.player_of(table, check.against), ("defeat.resist", "defeat.accept")
        yield wait("resist", whom, answers, args={"who": check.against})
    if n := check.left["complication"]:
        settles = tuple(dict.fromkeys((*actor, *r.gms(table))))
        theirs = check.team is r.Team.PLAYERS
        if check.hidden or (theirs and actor == r.gms(table)):
            # It moves no pool, or its player is not here to pay, so no complication of it is
            # ignored.
            yield wait("suffer", settles, ("complication.suffer",), values={"n": n})
        elif n > price_of_success(turn, check):
            settle: tuple[str, ...] = ("complication.suffer", "complication.ignore")
            # The GM pays for no complication of a player's.
            key = "theirs" if turn.is_gm and theirs else turn.team
            pay = turn.words.say(f"complication.pay.{key}", who=r.named(turn, actor))
            # What is settled is not rolled again, and what is rolled again may need no settling.
            id = "complication"
            if can_roll_again(turn, check):
                id, settle = "again", ("determination.reroll", *settle)
            yield wait(id, settles, settle, values={"n": n, "pay": pay})
        else:
            yield r.Wait("cost", settles, ("complication.suffer",), check.id)
    if check.failed:
        yield from _answered(turn, check)
    won = winners(turn.as_seat(turn.seat, check=check.id)) and SkillTest.of(check).answered
    if resistible or won:
        # What more the attack brings depends on the answer; a loss that is accepted is the
        # opponent's to end.
        return
    id, moves = _spends(turn, check)
    left = {"left": r.priced(turn, check.owed)}
    yield wait(id if len(moves) > 1 else "close", actor, moves, values=left)


def _answered(turn: r.Turn, check: r.Check) -> Iterator[r.Wait]:
    """The other side's gains from a failure: Momentum, or an asset moved in answer."""
    table, opponent, test = turn.table, turn.table.target(check), SkillTest.of(check)
    if opponent is not None and check.owed[pool_of(opponent.team)]:
        left, theirs = {"left": r.priced(turn, check.owed)}, r.player_of(table, opponent.id)
        # Until the loss is accepted it is not theirs to end, and there is nothing to press that
        # saves the rest.
        id, end = ("won", ("check.close",)) if test.answered else ("held", ())
        yield r.Wait(id, theirs, (*WON, *end), check.id, values=left)
    owners = _movable(table, check) if test.kind == "move" and test.offer != "refused" else []
    if owners:
        yield r.Wait("shift", _seats(table, check.team.other, owners), ("asset.shift",), check.id)


def _movable(table: r.Table, check: r.Check) -> list[r.Character]:
    owners = [table.characters[asset.about] for asset in shiftable(r.public(table), check)]
    return owners if table.of_kind("zone") else []


def _spends(turn: r.Turn, check: r.Check) -> tuple[str, tuple[str, ...]]:
    """The wait of a roll for who made it, and what they can do with it, the end last."""
    test, again = SkillTest.of(check), ("determination.reroll",) * can_roll_again(turn, check)
    if test.opposes:
        return "opposed", (*again, "check.close")
    if not check.passed:
        # A success at a cost is a bargain, and nothing that would be lost.
        return "failed", (*again, "check.close", "check.at_cost")
    moves = tuple[str, ...]()
    id, defeat = "spend", defeat_by(turn, check)
    counts = test.kind == "attack" or test.deed.task in turn.table.traits
    if counts and not test.scored and not test.at_cost:
        id, moves = "hit", ("track.score",)
    if defeat is not None and not sheet.Defeat.of(defeat).lasting and can_last(turn, check):
        id, moves = "beaten", ("track.lasting",)
    if test.kind == "move":
        bold = test.deed.style == "boldly" and _movable(turn.table, check)
        moves = ("asset.shift", "asset.further") if bold else ("asset.further",)
    if test.deed.use == "asset":
        moves = ("asset.keep",)
    if check.owed:
        moves = (*moves, *WON)
    if id == "spend" and overflowing(turn.as_seat(turn.seat, check=check.id)):
        id = "full"
    # Everything else that it can buy is in the menu.
    return id, (*moves[:2], "check.close")


def _turns(turn: r.Turn) -> Iterator[r.Wait]:
    """The waits for the end of a lost conflict, keeping the turn, and the next actor."""
    table, trait = turn.table, turns.conflict(turn.table)
    if trait is None:
        return
    for team in (r.Team.GM, r.Team.PLAYERS):
        if turns.is_beaten(table, team):
            values = {"side": turn.words[f"turn.{team}"], "text": trait.text}
            yield r.Wait(f"over.{team}", r.gms(table), ("conflict.end",), values=values)
    named, side = turns.next_one(table), turns.state_of(table).to_act
    if turns.is_beaten(table, side):
        return
    if first := turns.decider(turn):
        yield r.Wait("keep", r.player_of(table, first.id), ("initiative.keep", "turn.pass"))
        return
    who = [table.characters[named]] if named else turns.fighters(table, side)
    acted = turns.state_of(table).acted_by
    yet = [one for one in turns.fighters(table, side) if one.id not in acted] or who
    seats = _seats(table, side, who if named else yet)
    names = turn.words["list.comma"].join(one.name for one in yet)
    values = {"yet": names or turn.words[f"turn.{side}.yet"]}
    if named or (side is r.Team.GM and yet):
        values["next"] = table.characters[named].name if named else yet[0].name
    ours = {one.id for one in who if plays(turn, one)} or {one.id for one in who}
    armed = any(trait.about in ours for trait in table.of_kind("asset"))
    moves = (*TURN, "turn.pass") if armed else ("asset.add", "asset.move", "turn.pass")
    yield r.Wait("turn.of" if "next" in values else f"turn.{side}", seats, moves, values=values)


def _seats(table: r.Table, team: r.Team, who: list[r.Character]) -> tuple[str, ...]:
    """The seats of a side: the GMs, or the players of these characters, or of any."""
    if team is r.Team.GM:
        return r.gms(table)
    everybody = [seat.id for seat in r.players_with_a_character(table)]
    theirs = {one.seat for one in who} or {*everybody}
    return tuple(id for id in everybody if id in theirs)
