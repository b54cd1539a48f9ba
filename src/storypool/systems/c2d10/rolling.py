"""The roll and its end: the result, points spent on it, gains, and the test of a scene.

Source: c2d10.md 2.1, 2.2 and 2.4; seed 001, Hero points, Uses for hero and villain points;
rulings.md.
"""

from collections.abc import Callable, Iterator

from storypool.engine import rules as r
from storypool.systems.c2d10 import conflicts, gains, harm, initiative, sides
from storypool.systems.c2d10.abilities import READY_DICE
from storypool.systems.c2d10.dc import with_target
from storypool.systems.c2d10.declaring import ASSET, TESTING, dice_of, open_test, tested
from storypool.systems.c2d10.dice import ACTIVE, RIVAL, Part, net
from storypool.systems.c2d10.initiative import ORDER
from storypool.systems.c2d10.prices import buys, charged, price
from storypool.systems.c2d10.test import Test, roller, trouble, winner


def _opposition_known(turn: r.Turn) -> r.Refusal | None:
    """In a contest, the dice of the other side are known."""
    check = turn.check
    if check is None or not Test.of(check).is_contest or check.pool.only(RIVAL.dice):
        return None
    rival = roller(turn.table, check, RIVAL)
    return turn.no("contest.unanswered", who=rival.name if rival else "")


_has_dc = r.of_check(lambda check: Test.of(check).is_contest or Test.of(check).dc is not None, "dc")
_above_0 = r.of_check(lambda check: not Test.of(check).needs_no_roll, "dc.free")
_tested_at_0 = r.all_of(tested, r.of_check(lambda check: Test.of(check).needs_no_roll, "dc.above"))


def _proposals_caution(turn: r.Turn) -> str:
    """The unanswered proposals for the test: too late once the dice fall."""
    texts = [one.text for one in turn.visible.proposals.values() if one.check == turn.here.id]
    if texts:
        return turn.words.say("caution.proposed", what="; ".join(texts))
    return ""


def _player_caution(turn: r.Turn) -> str:
    """The player whose dice the Keeper would roll, or ""."""
    return sides.player_caution(turn, roller(turn.table, turn.here, ACTIVE), "caution.theirs")


@r.rolls(
    window=_opposition_known,
    only_if=[sides.yours, _has_dc, _above_0],
    caution=lambda t: _player_caution(t) or _proposals_caution(t),
    rule="Tests",
    place=r.at("primary", 2),
)
def roll(turn: r.Turn) -> Iterator[r.Event]:
    """Roll the dice

    Or type the faces of real dice, in the order of the pool. At DC 0 nothing is rolled, unless the
    Keeper asks for it.
    """
    rolled = yield from r.roll_pool(turn)
    yield from _read(turn, turn.here, rolled)


def _read(turn: r.Turn, check: r.Check, rolled: tuple[r.Rolled, ...]) -> Iterator[r.Event]:
    """Read the dice: the result, its trouble, and the points to come."""
    known = harm.advice(turn)
    outcome = turn.system.read(turn.table, check, rolled)
    if Test.of(check).is_contest and not outcome.margin and turn.option("contest_tie") == "reroll":
        fresh = r.replace(
            check, rolled=rolled, outcome=None, phase="build", left=r.NOTHING, owed=r.NOTHING
        )
        yield turn.amend(fresh, turn.words["contest.again"])
        return
    check = r.replace(check, rolled=rolled, outcome=outcome, phase="rolled")
    yield turn.amend(check, left=trouble(turn.table, check), owed=gains.points_owed(turn, check))
    if (advice := harm.advice(turn)) != known and advice:
        yield turn.amend(turn.here, advice)


@r.gm_move("check.call", when=_tested_at_0, rule="Tests", place=r.at("actions", 62))
def call(turn: r.Turn) -> Iterator[r.Event]:
    """Ask for the roll anyway

    At DC 0 nothing is rolled and nothing is gained, unless the Keeper wants to see the dice.
    """
    yield turn.amend(Test.put(turn.here, called=True), turn.words["check.called"])


# Like a roll, it waits in the window until the Keeper has agreed to a DC of 0.
@r.move(
    "check.pass",
    when=_tested_at_0,
    window=_opposition_known,
    only_if=[sides.yours],
    rule="Tests",
    place=r.at("primary", 3),
)
def succeed(turn: r.Turn) -> Iterator[r.Event]:
    """Succeed without a roll

    At DC 0 there is nothing to roll for, and no points come of it.
    """
    yield turn.amend(
        turn.here, outcome=r.Outcome(True, 0, r.NOTHING, turn.words["result.free"]), phase="rolled"
    )


def _nothing_left(turn: r.Turn) -> r.Refusal | None:
    """The party's trouble is settled, and no crisis waits for an answer."""
    check = turn.check
    if check is None or check.phase != "rolled":
        return None
    if turn.table.of_kind(harm.OFFER, at=check.id):
        return turn.no("crisis.waits")
    undecided = r.Bag({one.symbol: one.n for one in harm.troubles(turn) if one.decided})
    if not undecided:
        return None
    return r.replace(turn.no("trouble", left=r.priced(turn, undecided)), remedy=harm.advice(turn))


def useful_moves(turn: r.Turn) -> tuple[str, ...]:
    """The keys of moves that could still improve the roll for this seat's points.

    After a success in a conflict, purchases that would not lapse; after a failure, a re-roll.
    Re-rolling a success would cost more than it brings.
    """
    check = turn.check
    if check is None or check.outcome is None:
        return ()
    moves = []
    if winner(turn.table, check) in sides.paid_parts(turn):
        if not conflicts.wasted_caution(turn):
            moves.append(buy_success)
        if not initiative.no_order_caution(turn):
            moves.append(initiative.seize)
    if harm.can_turn(turn):
        moves.append(reroll)
    moves.append(harm.inflict)
    return tuple(move.key for move in moves if r.is_allowed(turn, move))


def buyers(turn: r.Turn) -> dict[str, tuple[str, ...]]:
    """The seats that could still spend points on the roll, each with the keys of the moves."""
    found = dict[str, tuple[str, ...]]()
    for seat in turn.table.seats.values():
        if seat.here and (moves := useful_moves(turn.as_seat(seat, check=turn.here.id))):
            found[seat.id] = moves
    return found


def may_grant(turn: r.Turn) -> bool:
    """Whether the Keeper can still grant a bonus for a finding."""
    masters = [turn.table.seats[id] for id in r.gms(turn.table)]
    return any(r.is_allowed(turn.as_seat(seat, check=turn.here.id), grant) for seat in masters)


def _loss_caution(turn: r.Turn) -> str:
    """The uses of this roll that closing ends for others, and the points without room."""
    found = buyers(turn)
    others = ""
    if found:
        others = turn.words.say("caution.others", who=r.named(turn, tuple(found)))
    bonus = turn.words["caution.bonus"] if may_grant(turn) and not found else ""
    # Closing asks for one's own points anyway.
    later = "" if turn.seat.id in found else others or bonus
    return f"{later} {gains.overflow_caution(turn)}".strip()


@r.closes(
    window=_nothing_left,
    only_if=[sides.yours],
    caution=_loss_caution,
    rule="Hero points",
    place=r.at("primary", 4),
)
def close(turn: r.Turn) -> Iterator[r.Event]:
    """Done

    Now the points arrive: one for each success above the DC, for the party from its heroes and
    those aligned with them, for the Keeper from those opposed. In a conflict it moves on by what
    was achieved. What went wrong for an NPC is taken.
    """
    # A Keeper who closes it herself has decided.
    found = may_grant(turn) and not turn.is_gm
    yield from r.lapsed(turn)
    yield from harm.take_for_npcs(turn)
    check, test = turn.here, Test.of(turn.here)
    if found:
        yield r.TraitSet(r.Trait(check.id, FINDING, check.title, check.actor, until="scene"))
    yield r.CheckClosed(check.id, "done")
    if test.kind != "end":
        yield from ORDER.mark_acted(turn, check)
    part = winner(turn.table, check)
    gainer = roller(turn.table, check, part) if part else None
    for account, n in check.owed.items():
        name = gainer.name if gainer else ""
        why = turn.words.say("gain.excess", n=n, what=check.title, who=name)
        yield from gains.add_points(turn, account, n, why)
    yield from conflicts.record_progress(turn, check)
    if test.due in turn.table.traits:
        yield r.TraitRemoved(test.due)
    if test.kind == "end" and check.failed:
        why = turn.words.say("track.failed", track=turn.word(test.track, 2))
        yield from turn.change("crisis", 1, check.actor, why)
    yield from ORDER.follow_action(turn)


def _refund(turn: r.Turn) -> r.Points:
    """The points that come back on a cancelled test: for dice, and for an attempt to find out."""
    check = turn.here
    if not Test.of(check).attempt:
        return check.spent
    attempt = r.Bag({sides.POOLS[check.team]: price("information")})
    return check.spent + r.Points.of_the_table(attempt)


def _unrefunded(turn: r.Turn) -> r.Bag:
    """The points that stay spent, because their effect has happened."""
    return r.Bag({sides.POOLS[turn.here.team]: Test.of(turn.here).gone})


@r.cancels(
    when=sides.unrolled,
    only_if=[sides.yours],
    rule="Tests",
    caution=lambda t: r.coming_back(t, _refund(t), stays=_unrefunded(t)),
)
def cancel(turn: r.Turn) -> Iterator[r.Event]:
    """Call it off

    Before the roll: what was paid for dice, or to find something out, comes back, and so does a
    bonus that was used for it. What has had an effect stays, and so does its price.
    """
    bonuses = iter(Test.of(turn.here).bonus)
    yield from r.call_off(turn, _refund(turn))
    for about, text in zip(bonuses, bonuses, strict=True):
        yield turn.result("bonus", text, about)


DUE = r.PendingTrait("due", "Which?")


@r.move(
    "track.test",
    when=r.all_of(r.any_of(DUE.choices, "due.none"), r.between_actions),
    asks=[DUE.ask],
    rule="Strain and stress",
    place=r.at("primary", 5),
)
def tell_scene(turn: r.Turn) -> Iterator[r.Event]:
    """Test strain or stress

    Endurance against the strain of the scene, Willpower against its stress; a failed test is a
    point of crisis.
    """
    due = turn.table.traits[turn.text("due")]
    actor = turn.table.characters[due.about]
    of = harm.Due.of(due)
    # An NPC without these dots uses its ready dice.
    talent = ""
    if r.rating(actor, of.talent) or not r.rating(actor, READY_DICE):
        talent = of.talent
    check = turn.action(actor, due.text)
    check = Test.put(check, kind="end", track=of.track, talent=talent, due=due.id, dc=due.rating)
    yield turn.open(with_target(turn.table, r.replace(check, base=dice_of(turn, check, ACTIVE))))


_unsettled = r.of_check(lambda check: not Test.of(check).settled, "settled")


def _rollable(turn: r.Turn) -> Iterator[r.Choice]:
    """The dice of this seat's side, 0s first; crisis dice last, which are never re-rolled."""
    part = sides.paid_part(turn)
    dice = [(die, place) for place, die in enumerate(turn.here.rolled, 1) if die.die in part.dice]
    dice.sort(
        key=lambda one: (one[0].die == part.crisis, one[0].face != 0, one[0].face > 6, one[1])
    )
    for die, place in dice:
        closed = turn.words["no.dice.crisis"] if die.die == part.crisis else ""
        label = turn.words.say("die.showing", die=turn.word(die.die), face=die.face)
        n = net((die,))[f"{part.axis}successes"]
        note = turn.words.say("die.has", n=n) if n else ""
        yield r.Choice(str(place), label, note, closed)


def _has_rollable(turn: r.Turn) -> bool:
    """Whether one of these dice is a regular one."""
    part = sides.paid_part(turn)
    return any(die.die == part.regular for die in turn.here.rolled)


def _no_gain_caution(had: str) -> Callable[[r.Turn], str]:
    """The caution that this use ends the roll's gain of points; "" if it has none anyway."""

    def caution(turn: r.Turn) -> str:
        check, part = turn.here, sides.paid_part(turn)
        bought = Test.add(check, **{f"{part.axis}{had}": 1})
        before = gains.pool_of(turn.table, check, part, turn.option)
        after = gains.pool_of(turn.table, bought, part, turn.option)
        if not before or after:
            return ""
        return turn.words.say("caution.earns_nothing", points=turn.plural(before))

    return caution


ONE_DIE = r.replace(
    r.FACES,
    dice=lambda t: [r.Choice(sides.paid_part(t).regular, t.word(sides.paid_part(t).regular))],
)


@buys("reroll")
@r.move(
    "check.reroll",
    when=r.rolled,
    only_if=[sides.pays, _unsettled, r.requires(_has_rollable, "dice.none")],
    asks=[sides.FOR, r.first_choice("die", "Which die?", _rollable), ONE_DIE],
    caution=_no_gain_caution("rerolled"),
    place=r.at("menu", 60, row=True),
)
def reroll(turn: r.Turn) -> Iterator[r.Event]:
    """Roll a die again

    Any die but a crisis die, a point for each, as often as there are points. What it shows then
    counts.
    """
    check, part = turn.here, sides.paid_part(turn)
    place = int(turn.text("die"))
    dice = r.Bag({part.regular: 1})
    [new] = yield from r.roll_pool(turn, pool=dice, why=turn.words["die.again"])
    rolled = (*check.rolled[: place - 1], new, *check.rolled[place:])
    yield from _read(turn, charged(turn, check, part, "rerolled"), rolled)


@buys("die", had="bought")
@r.move(
    "dice.buy",
    when=r.building,
    window=_opposition_known,
    only_if=[sides.pays, _has_dc, _above_0],
    caution=_no_gain_caution("bought"),
    asks=[sides.FOR, r.NumberAsk("n", "How many?", default=1, low=1, high=5, needed=False)],
    place=r.at("tray"),
)
def buy_dice(turn: r.Turn) -> Iterator[r.Event]:
    """Buy dice

    A d10 for a test or a contest; each further one costs 1 more. A roll with bought dice brings no
    points.
    """
    check, part, n = turn.here, sides.paid_part(turn), turn.number("n", 1)
    why = turn.words.say("die.bought", who=turn.seat.name, n=n)
    mods = (*check.mods, r.Mod("add", part.regular, n, why, turn.seat.id, bought=True))
    yield turn.amend(charged(turn, check, part, "bought", n), why, mods=mods)


def _beside_the_conflict(turn: r.Turn) -> r.Refusal | None:
    """This open test is not part of the conflict, but could be."""
    hidden = turn.firm("conflict.none") if turn.here.hidden else None
    test = Test.of(turn.here)
    if test.counts(turn.table) or test.kind == "end":
        return turn.no("conflict.counts")
    return conflicts.going_on(turn) or hidden


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

    A roll that was made beside the conflict becomes part of it: it makes progress when it is done.
    Its DC stays.
    """
    asset = turn.text("asset") or Test.of(turn.here).asset
    check = Test.put(turn.here, conflict=conflicts.current(turn.table).id, asset=asset)
    yield turn.amend(check, turn.words["check.counted"], owed=gains.points_owed(turn, check))


_in_conflict = r.requires(lambda t: Test.of(t.here).counts(t.table), "conflict.not")


def _winning(turn: r.Turn) -> Part:
    """The successful side, which alone can have successes added."""
    return winner(turn.table, turn.here) or sides.paid_part(turn)


@buys("success", had="added", whose=_winning)
@r.move(
    "success.buy",
    when=r.rolled,
    only_if=[sides.succeeded, _in_conflict, sides.pays],
    caution=lambda t: conflicts.wasted_caution(t) or harm.final_dice_caution(t),
    place=r.at("menu", 61, row=True),
)
def buy_success(turn: r.Turn) -> Iterator[r.Event]:
    """Add a success

    After a successful test, in a conflict; each further one costs twice as much. It counts for the
    conflict, and brings no points.
    """
    check = Test.put(charged(turn, turn.here, _winning(turn), "added"), settled=True)
    outcome = turn.system.read(turn.table, check, check.rolled)
    yield turn.amend(check, turn.words.say("success.bought", who=turn.seat.name), outcome=outcome)


@buys("information")
@r.move(
    "information.seek",
    when=r.all_of(r.in_session, r.none_open),
    only_if=[r.has_a_character, initiative.in_turn],
    asks=[r.first_choice("as", "Who acts?", initiative.actors(only=sides.pays_for)), *TESTING],
    place=r.at("actions", 68),
)
def seek(turn: r.Turn) -> Iterator[r.Event]:
    """Find something out

    The point buys the attempt; a fitting skill is still tested, and where it passes the Keeper may
    grant a bonus.
    """
    # The attempt was bought, not the DC, whose correction does not refund it.
    yield from open_test(turn, "information", attempt=True)


FINDING = "finding"
"""The kind of trait for a finding that the Keeper has not answered with a bonus.

Its id is the test's, so that an answer names it before and after the test is done.
"""


def _findings(turn: r.Turn) -> Iterator[r.Choice]:
    """The reasons for a bonus: the open test with a finding, and finished ones."""
    check = turn.check
    if check and check.passed and Test.of(check).kind == "information":
        yield r.Choice(check.id, check.title)
    for trait in turn.table.of_kind(FINDING):
        yield r.Choice(trait.id, trait.text, turn.table.characters[trait.about].name)


@r.gm_move(
    "information.grant",
    when=r.any_of(_findings, "information.none"),
    limit=r.Limit("bonus", ("check",)),
    asks=[
        r.first_choice("found", "For what?", _findings),
        r.TextAsk("text", "What have they found out?"),
    ],
    rule="Uses for hero and villain points",
    group="spend",
    place=r.at("actions", 65),
)
def grant(turn: r.Turn) -> Iterator[r.Event]:
    """Grant a bonus

    It waits as something true that can be brought into play once, to make a test easier. Until the
    scene is over it can be granted for a test that is done too, unless the Keeper ended that test
    herself.
    """
    found = turn.table.traits.get(turn.text("found"))
    if found is not None:
        yield r.TraitRemoved(found.id)
        yield turn.trait("bonus", turn.text("text"), found.about)
        return
    yield turn.amend(Test.put(turn.here, settled=True))
    yield turn.result("bonus", turn.text("text"), turn.here.actor)
