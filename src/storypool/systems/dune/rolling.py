"""The roll of a test, from an opponent's and the helpers' dice to its end: Momentum or Threat that
is owed, complications, a success at a cost, and what the test was for.

Source: seed 004, Skill Test Procedure, Attack Sequence, Assistance, Complications, Success at Cost,
Challenging Drives and Advancement Points; dune.md 4.1, 4.2 and 4.6.
"""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.dune.checks import FOCUS, focuses
from storypool.systems.dune.conditions import (
    accepts_loss,
    before_roll,
    known,
    may_end,
    nothing_won,
    overflowing,
    spend,
    untouched,
)
from storypool.systems.dune.conflict import assets, attacks, turns
from storypool.systems.dune.payment import pool_of, refund
from storypool.systems.dune.people import sheet
from storypool.systems.dune.result import result_in_words
from storypool.systems.dune.test import (
    ORDINARY,
    Ability,
    Contest,
    Helper,
    Test,
    applying,
    awaits_opponent,
    opposed,
    pass_on_result,
    sum_of,
    with_abilities,
    with_difficulty,
)
from storypool.systems.twod20 import dice
from storypool.systems.twod20.dice import CHALLENGE, D20, HELPER, ONE, bound, counted
from storypool.words import Words

HARD = 3
"""The least Difficulty of a failed test that teaches something. Source: seed 004, Gaining
Advancement Points.
"""

# Assistance.

SKILL_RATING, DRIVE_RATING = sheet.ratings("helper")


def _can_help(turn: r.Turn, one: r.Character) -> bool:
    check = turn.here
    helps = one.id in (check.actor, *Test.of(check).helping)
    return check.knows(one) and one.team is check.team and not helps


def _none_helps(turn: r.Turn) -> r.Refusal | None:
    """This seat has a character who can help and does not yet."""
    if any(_helpers(turn)):
        return None
    in_already = [
        one for one in Test.of(turn.here).helping if r.plays(turn, turn.table.characters.get(one))
    ]
    return turn.firm("help.in") if in_already else turn.no("help.nobody")


_helpers = r.characters(own=True, only=_can_help)


@before_roll(
    "check.assist",
    only_if=[r.has_a_character, _none_helps],
    asks=[
        r.ChoiceAsk("helper", "Who helps?", _helpers),
        r.ChoiceAsk("skill", "Skill", sheet.skills),
        SKILL_RATING,
        r.ChoiceAsk("drive", "Drive", lambda t: sheet.drive_choices(t, t.character("helper"))),
        DRIVE_RATING,
        r.replace(FOCUS, choices=lambda t: focuses(t, t.character("helper"))),
    ],
    rule="Assistance",
    place=r.at("actions", 63),
)
def assist(turn: r.Turn) -> Iterator[r.Event]:
    """Help with this test

    One d20 for each helper, against a target number of their own choice of skill and drive. It is
    never more than one. Helpers' successes count where the leader has at least one; their
    complications always do.
    """
    helper, check = turn.table.characters[turn.text("helper")], turn.here
    if not check.hidden:
        yield from r.remember(turn, helper, sheet.RATED)
    helper = r.with_answers(turn, helper, sheet.RATED)
    skill, drive = (
        r.rating(helper, turn.text("skill")) or 0,
        r.rating(helper, turn.text("drive")) or 0,
    )
    why = turn.words.say("help.told", who=helper.name, target=skill + drive)
    critical = skill if turn.text("focus") else 1
    check = Test.add(check, helpers=(Helper(helper.id, skill + drive, critical),))
    check = with_abilities(turn.table, check)
    yield turn.amend(check, why, mods=(*check.mods, r.Mod("add", HELPER.name, 1, why, helper.id)))


# The roll.


def _settled(turn: r.Turn) -> r.Refusal | None:
    """No offer waits for its answer, and in a contest the opponent has rolled."""
    check = turn.check
    if _too_early(turn) and check is not None:
        return turn.no("contest.first", **_roller(turn, check.actor))
    if check is None or check.phase != "build":
        return None
    if Test.of(check).offer == "made":
        return turn.no("offer.waits")
    return (
        turn.no("contest.first", **_roller(turn, check.against)) if awaits_opponent(check) else None
    )


def _too_early(turn: r.Turn) -> bool:
    """Whether this seat, which names no test, means its own, which waits until the one that opposes
    it is over.
    """
    check = turn.check
    first = opposed(turn.table, check) if "check" not in turn.args else None
    return first is not None and not turn.is_gm and bool(r.yours(turn)) and r.acts_in(turn, first)


def _to_roll(turn: r.Turn) -> r.Refusal | None:
    return None if _too_early(turn) else r.building(turn)


def _roller(turn: r.Turn, id: str) -> dict[str, str]:
    """Return the name of a character, and of the players or GMs who roll for them."""
    seats = r.player_of(turn.table, id)
    whom = turn.words["list.or"].join(turn.table.seats[seat].name for seat in seats)
    return {"who": turn.table.characters[id].name, "whom": whom}


def _for_another(turn: r.Turn) -> bool:
    """Whether the dice of the open test are those of a player who is here, and of no other seat."""
    check = turn.check
    return check is not None and turn.is_gm and turn.seat.id not in r.actor_of(turn.table, check)


def _whose_dice(turn: r.Turn) -> str:
    """Return whose dice a GM would roll, where a player could."""
    return (
        turn.words.say("roll.for", **_roller(turn, turn.here.actor)) if _for_another(turn) else ""
    )


@r.move(
    "check.roll",
    when=_to_roll,
    window=_settled,
    only_if=[
        r.yours,
        r.all_of(r.of_check(lambda check: Test.of(check).target is not None, "target"), known),
    ],
    asks=[r.FACES],
    caution=_whose_dice,
    rule="Skill Test Procedure",
    place=r.at("primary", 3),
)
def roll(turn: r.Turn) -> Iterator[r.Event]:
    """Roll the dice

    Each die up to the target number is a success, a 1 or a critical two. A die inside both ranges
    is a success and a complication. Or type in the faces of real dice.
    """
    check = turn.here
    if "check" not in turn.args and opposed(turn.table, check) and _for_another(turn):
        raise turn.refused(
            "argument", "roll.whose", "check", title=check.title, **_roller(turn, check.actor)
        )
    rolled = turn.cast(check.pool, turn.numbers("faces"))
    yield r.DiceRolled(check.id, turn.seat.id, rolled)
    yield turn.amend(with_result(turn, check, rolled), windows=())
    if check.id in turn.table.checks:
        yield from _guide(turn)


def bind(table: r.Table, check: r.Check) -> tuple[r.Die, ...]:
    """Return each die of a pool with what its faces say: the leader's by the target number,
    helpers' by theirs.
    """
    test = Test.of(check)
    return (
        *[test.die] * check.pool[D20.name],
        *[ONE] * check.pool[ONE.name],
        *[
            bound(HELPER.name, one.target, one.critical, test.range or ORDINARY)
            for one in test.helpers
        ],
        *[CHALLENGE] * check.pool[CHALLENGE.name],
    )


def read(words: Words, table: r.Table, check: r.Check, rolled: tuple[r.Rolled, ...]) -> r.Outcome:
    """Return what a roll comes to: passed when the successes meet the Difficulty; what is beyond it
    is the margin.

    A test that opposes another one passes nothing by itself. Where both sides of a contest test at
    one Difficulty, the active side has to match the Momentum of an opponent who passed.

    Source: seed 004, Skill Test Procedure; dune.md 4.2.
    """
    test = Test.of(check)
    if test.target is None:
        _, net, text = dice.result(rolled, words)
        return r.Outcome(None, 0, net, text)
    net, difficulty = counted(rolled, bind(table, check)), test.difficulty or 0
    margin = net["successes"] - difficulty
    passed: bool | None = margin >= 0
    rival = test.contest.rival
    if test.opposes and not test.contest.both_test:
        passed, margin = None, 0
    elif rival is not None:
        passed, margin = passed and margin >= rival, margin - max(0, rival)
    first = _opposed_by(table, check, net) if passed is None else check
    made_of, needed = sum_of(table, first), Test.of(first).difficulty or 0
    text = result_in_words(words, net, passed, needed, margin, _sides(table, check), made_of)
    if (opponent := table.target(check)) and passed is False and (won := _conceded(check, net)):
        key = "result.opponent.threat" if opponent.team is r.Team.GM else "result.opponent"
        text = f"{text} {words.say(key, who=opponent.name, n=won)}"
    return r.Outcome(passed, margin, net, text)


def _opposed_by(table: r.Table, check: r.Check, net: r.Bag) -> r.Check:
    """Return the test that this roll opposes, with the Difficulty that its successes make."""
    return with_difficulty(opposed(table, check) or check, net["successes"])


def _sides(table: r.Table, check: r.Check) -> tuple[str, ...]:
    """Return the names of both sides of a contest, where the opponent's successes are what has to
    be met.
    """
    actor, opponent = table.actor(check), table.target(check)
    met = Contest.of(check).opposed and Contest.of(check).rival is None
    return (actor.name, opponent.name) if actor and opponent and met else ()


def _conceded(check: r.Check, net: r.Bag) -> int:
    """Return the opponent's Momentum from a contest that is lost. Where both test, one who failed
    has none.
    """
    test = Test.of(check)
    short = (test.difficulty or 0) - net["successes"]
    rival = test.contest.rival
    if not test.contest.opposed:
        return 0
    return short if rival is None else max(0, rival - max(0, -short))


def with_result(turn: r.Turn, check: r.Check, rolled: tuple[r.Rolled, ...]) -> r.Check:
    """Return the check with its outcome, complications to settle, and the points it owes.

    What is beyond the Difficulty becomes Momentum, or Threat for an NPC; who loses a contest owes
    it to the opponent.
    """
    outcome = turn.system.read(turn.table, check, rolled)
    if _promised(check):
        outcome = r.replace(outcome, words=f"{outcome.words} {turn.words['result.complied']}")
    left = r.Bag(complication=outcome.net["complications"] + _promised(check))
    check = r.replace(check, rolled=rolled, outcome=outcome, phase="rolled", left=left)
    return r.replace(check, owed=_owed(turn, check))


def places(check: r.Check, die: str = D20.name) -> list[int]:
    """Return the places, from 1, of the dice of this name that have not been rolled again."""
    again = Test.of(check).again
    return [i for i, one in enumerate(check.rolled, 1) if one.die == die and i not in again]


@r.whenever(r.CheckChanged)
def owe_revealed(turn: r.Turn, event: r.CheckChanged) -> Iterator[r.Event]:
    """Whenever a roll that was hidden is revealed before it closes, it owes what an open one would
    have.
    """
    check = event.check
    if (
        turn.key == "check.reveal"
        and check.outcome is not None
        and check.owed != _owed(turn, check)
    ):
        yield turn.amend(check, owed=_owed(turn, check))


def place_of_helper(check: r.Check, who: str) -> int:
    """Return the place, from 1, of the die of a helper; 0 where no dice were rolled."""
    dice = [i for i, one in enumerate(check.rolled, 1) if one.die == HELPER.name]
    return dict(zip(Test.of(check).helping, dice, strict=False)).get(who, 0)


def roll_again(turn: r.Turn, chosen: list[int], die: str, why: str = "") -> Iterator[r.Event]:
    """Roll the dice in these places once more, and read the result again; `why` says what for."""
    check = turn.here
    new = turn.cast(r.Bag({die: len(chosen)}), turn.numbers("faces"))
    yield r.DiceRolled(check.id, turn.seat.id, new, why or turn.words["reroll.told"])
    rolled = list[r.Rolled](check.rolled)
    for i, one in zip(chosen, new, strict=True):
        rolled[i - 1] = one
    check = Test.add(turn.here, again=tuple(chosen))
    changed = with_result(turn, check, tuple(rolled))
    # The log has the outcome by itself only the first time.
    yield turn.amend(changed, changed.outcome.words if changed.outcome else "")


def _guide(turn: r.Turn) -> Iterator[r.Event]:
    """Roll the d20 of a helper with guidance once more, where it brought no success. Real dice are
    rolled by hand.

    Source: seed 004, Non-player Character Special Abilities.
    """
    guides = [
        trait
        for trait in applying(turn.table, turn.here)
        if Ability.of(trait).ability == "guidance"
    ]
    for trait in guides if "faces" not in turn.args else ():
        check, at = turn.here, place_of_helper(turn.here, trait.about)
        die = bind(turn.table, check)[at - 1]
        if at not in Test.of(check).again and not die.face(check.rolled[at - 1].face)["success"]:
            yield from roll_again(turn, [at], HELPER.name, trait.text.partition(":")[0])


def _promised(check: r.Check) -> int:
    """Return how many complications complying with a drive brings."""
    return int(Test.of(check).offer == "comply")


def _owed(turn: r.Turn, check: r.Check) -> r.Bag:
    outcome, opponent = check.outcome, turn.table.target(check)
    if outcome is None or outcome.passed is None or check.hidden or Test.of(check).opposes:
        return r.NOTHING
    if outcome.passed:
        return r.Bag({pool_of(check.team): outcome.margin})
    return r.Bag({pool_of(opponent.team): _conceded(check, outcome.net)}) if opponent else r.NOTHING


_SIMPLE = r.of_check(
    lambda check: Test.of(check).difficulty == 0 and not check.against, "not.simple"
)


@before_roll(
    "check.simple",
    window=_settled,
    only_if=[r.yours, _SIMPLE],
    rule="Difficulty Levels",
    place=r.at("actions", 62),
)
def succeed(turn: r.Turn) -> Iterator[r.Event]:
    """Succeed without a roll

    At Difficulty 0 no roll is needed; rolling anyway can bring Momentum, and complications.
    """
    # What was paid for dice that are not rolled comes back.
    yield from refund(turn, turn.here)
    outcome = r.Outcome(True, 0, r.NOTHING, turn.words["result.simple"])
    left = r.Bag(complication=_promised(turn.here))
    yield turn.amend(
        turn.here, outcome=outcome, phase="rolled", left=left, windows=(), spent=r.Points()
    )


def _unspent(turn: r.Turn) -> r.Refusal | None:
    """The failure has brought nobody anything yet, and was not chosen by refusing a point."""
    check = turn.here
    test = Test.of(check)
    used = test.offer == "refused" or test.answered or check.owed != _owed(turn, check)
    return untouched(turn) if used else None


def _asked_once(turn: r.Turn) -> r.Refusal | None:
    """It is not proposed for this test already: a further proposal of the same would change
    nothing.
    """
    mine = (one for one in turn.table.proposals.values() if one.seat == turn.seat.id)
    waits = any(one.move == "check.at_cost" and one.check == turn.here.id for one in mine)
    return turn.firm("at_cost.proposed") if waits else None


@spend(
    "check.at_cost",
    only_if=[
        r.yours,
        r.of_check(lambda check: check.failed, "not.failed", firm=True),
        _unspent,
        _asked_once,
    ],
    approval=r.proposes,
    rule="Success at Cost",
    place=r.at("menu", 70),
)
def succeed_at_cost(turn: r.Turn) -> Iterator[r.Event]:
    """Succeed at a cost

    The failure becomes a bare success, and a complication follows, which cannot be ignored. No
    Momentum is spent on it, nothing moves further by it, and nothing lasts. A player proposes it.
    """
    check = turn.here
    assert check.outcome is not None
    outcome = r.replace(check.outcome, passed=True, margin=0, words=turn.words["result.at_cost"])
    changed = Test.put(check, at_cost=True, unpaid=True, touched=True)
    left = check.left + r.Bag(complication=1)
    yield turn.amend(changed, outcome.words, outcome=outcome, left=left, owed=r.NOTHING)


# The end.


def _keeps(turn: r.Turn) -> str:
    """Return the title of the end of an opponent's roll, which brings nothing to spend."""
    opposes = turn.check is not None and Test.of(turn.check).opposes
    return turn.words["contest.keep"] if opposes else ""


@r.move(
    "check.close",
    when=r.rolled,
    window=r.all_of(attacks.answered, nothing_won),
    only_if=[may_end],
    caution=overflowing,
    rule="Skill Test Procedure",
    place=r.at("primary", 5),
    shown_as=_keeps,
)
def close(turn: r.Turn) -> Iterator[r.Event]:
    """Done

    A hit is counted. Momentum that is left goes to the party's pool, up to its cap; an NPC's goes
    to Threat. A character who challenged a drive strikes its statement. It waits where the hit
    defeats a character who can resist, or whose defeat can be made to last, and where an opponent
    who held out has points to spend.
    """
    id = turn.here.id
    yield from r.lapsed(turn)
    if id not in turn.table.checks:
        # An opponent's roll ends by itself once nothing is proposed for it any more.
        return
    if accepts_loss(turn):
        what = turn.words.say("contest.lost", who=turn.table.characters[turn.here.actor].name)
        yield turn.amend(Test.put(turn.here, touched=True, answered=True), what)
        return
    yield from attacks.count_hit(turn, turn.here)
    if attacks.is_undecided(turn, turn.here):
        return
    yield from finish(turn, turn.here)


def finish(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """End a test, with all that follows from it."""
    test = Test.of(check)
    yield from _save(turn, check)
    if test.offer == "challenge":
        yield sheet.strike(turn, check.actor, test.drive)
    if test.opposes:
        yield from pass_on_result(turn, check)
    yield from attacks.learn_from_defeat(turn, check)
    yield from assets.carry_out(turn, check)
    yield from _learn(turn, check)
    yield from turns.end_turn(turn, check)
    yield r.CheckClosed(check.id, "done")
    yield from turns.update_order(turn)


def _save(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """Save what this roll still owes; what the pool has no room for is lost, and the log says so."""
    for account, n in check.owed.items():
        before = turn.table.balance(account)
        yield from turn.change(account, n, why=turn.words.say("momentum.saved", what=check.title))
        lost = before + n - turn.table.balance(account)
        if lost:
            yield turn.amend(
                turn.here, turn.words.say("momentum.lost", n=lost, points=turn.word(account, lost))
            )


def _learn(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    actor, test = turn.table.actor(check), Test.of(check)
    hard = (test.difficulty or 0) >= HARD and not test.opposes and test.offer != "refused"
    if hard and check.failed and actor and actor.team is r.Team.PLAYERS and r.here(actor):
        yield from turn.change("advancement", 1, actor.id, turn.words["advance.failure"])
