"""The roll and its end: what the dice come to, what points do for them, when it is done; what a scene has cost.

Source: c2d10.md 2.1, 2.2 and 2.4; seed 001, Hero points, Uses for hero and villain points; rulings.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine import rules as r
from storypool.systems.c2d10 import conflicts, gains, harm, initiative, sides
from storypool.systems.c2d10.declaring import ASSET, FACES, TESTING, begun, dice_of, free_to_act, opened, tested
from storypool.systems.c2d10.dice import ACTIVE, RIVAL, Part
from storypool.systems.c2d10.initiative import ORDER
from storypool.systems.c2d10.prices import buys, charged, price
from storypool.systems.c2d10.result import is_contest, trouble, winner


def _answered(turn: r.Turn) -> r.Refusal | None:
    check = turn.check
    if check is None or not is_contest(check) or check.pool.only(RIVAL.dice):
        return None
    rival = sides.roller(turn, check, RIVAL)
    return turn.no("contest.unanswered", who=rival.name if rival else "")


def free(check: r.Check) -> bool:
    """The DC has come down to 0, and the Keeper has not called for the roll."""
    tests = "dc" in check.terms and not is_contest(check)
    return tests and not check.terms.get("called") and not check.number("target")


_has_dc = r.of_check(lambda check: is_contest(check) or "dc" in check.terms, "dc")
_above_0 = r.of_check(lambda check: not free(check), "dc.free")
_at_0 = r.of_check(free, "dc.above")


def _tested_at_0(turn: r.Turn) -> r.Refusal | None:
    return tested(turn) or _at_0(turn)


@r.move(
    "check.roll",
    when=r.building,
    window=_answered,
    only_if=[sides.yours, _has_dc, _above_0],
    asks=[FACES],
    rule="Tests",
    place=r.at("primary", 2),
)
def roll(turn: r.Turn) -> Iterator[r.Event]:
    """Roll the dice

    Or type the faces of real dice, in the order of the pool. At DC 0 nothing is rolled, unless the Keeper asks for it.
    """
    check = turn.here
    lies = turn.cast(check.pool, turn.numbers("faces"))
    yield r.DiceRolled(check.id, turn.seat.id, lies)
    yield from reads(turn, turn.here, lies)


def reads(turn: r.Turn, check: r.Check, lies: tuple[r.Rolled, ...]) -> Iterator[r.Event]:
    """Read the dice as they lie now: the result, the trouble it brings, and the points that will arrive."""
    outcome = turn.system.read(turn.table, check, lies)
    if is_contest(check) and not outcome.margin and turn.option("contest_tie") == "reroll":
        fresh = replace(check, rolled=lies, outcome=None, phase="build", left=r.NOTHING, owed=r.NOTHING)
        yield turn.amend(fresh, turn.words["contest.again"])
        return
    check = replace(check, rolled=lies, outcome=outcome, phase="rolled")
    yield turn.amend(check, left=trouble(turn.table, check), owed=gains.owed(turn, check))
    if advice := harm.advice(turn):
        yield turn.amend(turn.here, advice)


@r.move("check.call", by=["gm"], when=_tested_at_0, rule="Tests", place=r.at("actions", 62))
def call(turn: r.Turn) -> Iterator[r.Event]:
    """Ask for the roll anyway

    At DC 0 nothing is rolled and nothing is gained, unless the Keeper wants to see the dice.
    """
    yield turn.amend(turn.here.with_terms(called=True), turn.words["check.called"])


# The window makes it wait, as a roll does, until the Keeper has agreed to a DC of 0.
@r.move(
    "check.pass", when=_tested_at_0, window=_answered, only_if=[sides.yours], rule="Tests", place=r.at("primary", 3)
)
def succeed(turn: r.Turn) -> Iterator[r.Event]:
    """Succeed without a roll

    At DC 0 there is nothing to roll for, and no points come of it.
    """
    yield turn.amend(turn.here, outcome=r.Outcome(True, 0, r.NOTHING, turn.words["result.free"]), phase="rolled")


def _nothing_left(turn: r.Turn) -> r.Refusal | None:
    """What the roll brought the party has been taken or ignored, and no offer of the Keeper's waits for an answer."""
    check = turn.check
    if check is None or check.phase != "rolled":
        return None
    if turn.table.of_kind(harm.OFFER, at=check.id):
        return turn.no("crisis.waits")
    undecided = r.Bag({one.symbol: one.n for one in harm.unsettled(turn) if one.decided})
    return replace(turn.no("trouble", left=r.priced(turn, undecided)), remedy=harm.advice(turn)) if undecided else None


def tempting(turn: r.Turn) -> tuple[str, ...]:
    """The moves by which this seat could still spend points on the roll so that more comes of it.

    In a conflict that is what a success buys, unless it would lapse, and after a failure a die that is rolled again. To
    roll again after a success would cost more than it brings.
    """
    check = turn.check
    if check is None or check.outcome is None:
        return ()
    won, mine = winner(turn.table, check), sides.paid_parts(turn)
    bought = (buy_success, initiative.seize) if won in mine else ()
    again = (reroll,) if any(part is not won for part in mine) else ()
    found = (row for row in (*bought, *again, harm.inflict) if not r.why_not(turn, row))
    return tuple(row.key for row in found if not (row.caution and row.caution(turn)))


def buyers(turn: r.Turn) -> dict[str, tuple[str, ...]]:
    """The seats that could still spend points on the roll, each with the moves by which."""
    seats = [seat for seat in turn.table.seats.values() if seat.here] if turn.check else []
    return {seat.id: found for seat in seats if (found := tempting(turn.as_seat(seat, check=turn.here.id)))}


def may_grant(turn: r.Turn) -> bool:
    """Whether the Keeper can still grant a bonus for what was found out."""
    masters = [turn.table.seats[id] for id in r.gms(turn.table)] if turn.check else []
    return any(not r.why_not(turn.as_seat(seat, check=turn.here.id), grant) for seat in masters)


def _lost(turn: r.Turn) -> str:
    """What others can no longer do with this roll once it is closed; of their own points, players are asked."""
    found = buyers(turn)
    if turn.seat.id in found:
        return ""
    if found:
        return turn.words.say("caution.others", who=r.named(turn, tuple(found)))
    return turn.words["caution.bonus"] if may_grant(turn) else ""


@r.move(
    "check.close",
    when=r.rolled,
    window=_nothing_left,
    only_if=[sides.yours],
    caution=_lost,
    rule="Hero points",
    place=r.at("primary", 4),
)
def close(turn: r.Turn) -> Iterator[r.Event]:
    """Done

    Now the points arrive: one for each success above the DC, for the party from its heroes and those aligned with them,
    for the Keeper from whoever is opposed. In a conflict it moves on by what was achieved. What went wrong for an NPC
    is taken.
    """
    yield from r.lapsed(turn)
    yield from harm.taken_by_npcs(turn)
    check = turn.here
    yield r.CheckClosed(check.id, "done")
    if check.text("kind") != "end":
        yield from ORDER.mark_acted(turn, check)
    part = winner(turn.table, check)
    gainer = sides.roller(turn, check, part) if part else None
    for account, n in check.owed.items():
        why = turn.words.say("gain.excess", n=n, what=check.title, who=gainer.name if gainer else "")
        yield from gains.arriving(turn, account, n, why)
    yield from conflicts.moved_on(turn, check)
    if check.text("due") in turn.table.traits:
        yield r.TraitRemoved(check.text("due"))
    if check.text("kind") == "end" and check.outcome is not None and not check.outcome.passed:
        why = turn.words.say("track.failed", track=turn.word(check.text("track"), 2))
        yield from turn.change("crisis", 1, check.actor, why)
    yield from ORDER.follow_action(turn)


@r.move("check.cancel", when=sides.unrolled, only_if=[sides.yours], rule="Tests", place=r.at("actions", r.LAST))
def cancel(turn: r.Turn) -> Iterator[r.Event]:
    """Cancel this test

    Before the roll: every point spent on it comes back, and so does a bonus that was used for it.
    """
    check = turn.here
    yield r.CheckClosed(check.id, "cancelled")
    purse = "villain" if check.side == "gm" else "hero"
    attempt = r.Points.of_the_table({purse: price("information")} if check.terms.get("attempt") else {})
    yield from turn.refund(check.spent + attempt, check.title)
    bonuses = iter(check.names("bonus"))
    for about, text in zip(bonuses, bonuses, strict=True):
        yield turn.result("bonus", text, about)


def _dues(turn: r.Turn) -> Iterator[r.Choice]:
    for trait in turn.table.of_kind("due"):
        owner = turn.table.characters.get(trait.about)
        if owner is not None and sides.acts_for(turn, owner):
            yield r.Choice(trait.id, f"{owner.name}: {trait.text}")


@r.move(
    "track.test",
    when=lambda t: (None if any(_dues(t)) else t.firm("due.none")) or free_to_act(t),
    asks=[r.first_choice("due", "Which?", _dues)],
    rule="Strain and stress",
    place=r.at("primary", 5),
)
def tell_scene(turn: r.Turn) -> Iterator[r.Event]:
    """Test strain or stress

    Endurance against the strain of the scene, Willpower against its stress; a failed test is a point of crisis.
    """
    due = turn.table.traits[turn.text("due")]
    actor = turn.table.characters[due.about]
    terms: dict[str, r.Value] = {**due.terms, "kind": "end", "due": due.id, "dc": due.rating}
    yield begun(turn, actor, due.text, dice_of(turn, actor, ACTIVE, terms), terms)


_unsettled = r.of_check(lambda check: not check.terms.get("settled"), "settled")


def _rollable(turn: r.Turn) -> Iterator[r.Choice]:
    """The dice of this seat's side, a 0 first; crisis dice last, which are not rolled again."""
    check, part = turn.check, sides.paid(turn)
    lies = [(die, place) for place, die in enumerate(check.rolled, 1) if die.die in part.dice] if check else []
    lies.sort(key=lambda lie: (lie[0].die == part.crisis, lie[0].face != 0, lie[0].face > 6, lie[1]))
    for die, place in lies:
        closed = turn.words["no.dice.crisis"] if die.die == part.crisis else ""
        label = turn.words.say("die.showing", die=turn.word(die.die), face=die.face)
        yield r.Choice(str(place), label, closed=closed)


def _any_rollable(turn: r.Turn) -> r.Refusal | None:
    """There is a die that may be rolled again."""
    return None if any(not die.closed for die in _rollable(turn)) else turn.no("dice.none")


@buys("reroll")
@r.move(
    "check.reroll",
    when=r.rolled,
    only_if=[sides.pays, _unsettled, _any_rollable],
    asks=[sides.FOR, r.first_choice("die", "Which die?", _rollable), FACES],
    place=r.at("menu", 60, row=True),
)
def reroll(turn: r.Turn) -> Iterator[r.Event]:
    """Roll a die again

    Any die but a crisis die, a point for each, as often as there are points. What it shows then counts.
    """
    check, part = turn.here, sides.paid(turn)
    place = int(turn.text("die"))
    [new] = turn.cast(r.Bag({part.regular: 1}), turn.numbers("faces"))
    yield r.DiceRolled(check.id, turn.seat.id, (new,), turn.words["die.again"])
    lies = (*check.rolled[: place - 1], new, *check.rolled[place:])
    yield from reads(turn, charged(turn, check, f"{part.mark}rerolled"), lies)


@buys("die", had="bought")
@r.move(
    "dice.buy",
    when=r.building,
    window=_answered,
    only_if=[sides.pays, _has_dc],
    asks=[sides.FOR, r.NumberAsk("n", "How many?", default=1, low=1, high=5, needed=False)],
    place=r.at("actions", 10),
)
def buy_dice(turn: r.Turn) -> Iterator[r.Event]:
    """Buy dice

    A d10 for a test or a contest; each further one costs 1 more. A roll with bought dice brings no points.
    """
    check, part, n = turn.here, sides.paid(turn), turn.number("n", 1)
    why = turn.words.say("die.bought", who=turn.seat.name)
    mods = (*check.mods, r.Mod("add", part.regular, n, why, turn.seat.id, bought=True))
    yield turn.amend(charged(turn, check, f"{part.mark}bought", n), why, mods=mods)


def _beside_the_conflict(turn: r.Turn) -> r.Refusal | None:
    """A conflict is going on that this open test or contest is not part of, nor the test of a scene."""
    check = turn.check
    counts = check is not None and (check.terms.get("conflict") in turn.table.traits or check.text("kind") == "end")
    hidden = check is not None and check.hidden
    beside = turn.firm("conflict.none") if conflicts.current(turn.table) is None or hidden else None
    return (turn.no("conflict.counts") if counts else None) or beside


@r.move(
    "check.count",
    when=r.rolled,
    only_if=[_beside_the_conflict, sides.yours],
    asks=[ASSET],
    rule="Conflicts",
    place=r.at("actions", 74),
)
def count(turn: r.Turn) -> Iterator[r.Event]:
    """Count it for the conflict

    A roll that was made beside the conflict becomes part of it: it makes progress when it is done. Its DC stays.
    """
    check = turn.here.with_terms(conflict=conflicts.current_id(turn.table))
    check = check.with_terms(asset=turn.text("asset")) if turn.text("asset") else check
    yield turn.amend(check, turn.words["check.counted"], owed=gains.owed(turn, check))


def _in_conflict(turn: r.Turn) -> r.Refusal | None:
    check = turn.check
    return None if check is None or check.terms.get("conflict") in turn.table.traits else turn.no("conflict.not")


def _winning(turn: r.Turn) -> Part:
    """The side that succeeded, which alone can have successes added."""
    return (winner(turn.table, turn.check) if turn.check else None) or sides.paid(turn)


@buys("success", had="added", whose=_winning)
@r.move(
    "success.buy",
    when=r.rolled,
    only_if=[sides.succeeded, _in_conflict, sides.pays],
    caution=conflicts.without_target,
    place=r.at("menu", 61, row=True),
)
def buy_success(turn: r.Turn) -> Iterator[r.Event]:
    """Add a success

    After a successful test, in a conflict; each further one costs twice as much. It counts for the conflict, and brings
    no points.
    """
    check = charged(turn, turn.here, f"{_winning(turn).mark}added").with_terms(settled=True)
    outcome = turn.system.read(turn.table, check, check.rolled)
    yield turn.amend(check, turn.words.say("success.bought", who=turn.seat.name), outcome=outcome)


@buys("information")
@r.move(
    "information.seek",
    when=free_to_act,
    only_if=[r.has_a_character, initiative.in_turn],
    asks=[r.first_choice("as", "Who acts?", initiative.actors(sides.pays_for)), *TESTING],
    place=r.at("actions", 68),
)
def seek(turn: r.Turn) -> Iterator[r.Event]:
    """Find something out

    The point buys the attempt; a fitting skill is still tested, and where it passes the Keeper may grant a bonus.
    """
    yield from opened(turn, "information")
    # The attempt was bought, and not the DC: a correction of that gives back nothing of it.
    yield turn.amend(turn.table.checks[turn.own_check].with_terms(attempt=True))


def _found_out(turn: r.Turn) -> r.Refusal | None:
    check = turn.check
    found = check and check.outcome and check.outcome.passed and check.text("kind") == "information"
    return r.rolled(turn) or (None if found else turn.firm("information.none"))


@r.move(
    "information.grant",
    by=["gm"],
    when=_found_out,
    limit=r.Limit("bonus", ("check",)),
    asks=[r.TextAsk("text", "What have they found out?")],
    rule="Uses for hero and villain points",
    group="spend",
    place=r.at("actions", 65),
)
def grant(turn: r.Turn) -> Iterator[r.Event]:
    """Grant a bonus

    It waits as something true that can be brought into play once, to make a test easier.
    """
    check = turn.here
    yield turn.amend(check.with_terms(settled=True))
    yield turn.result("bonus", turn.text("text"), check.actor)
