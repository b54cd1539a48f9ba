"""The roll of a test, from an opponent's and the helpers' dice to its end.

The end includes Momentum or Threat that is owed, complications, a success at a cost, and the
purpose of the test.

Source: seed 004, Skill Test Procedure, Attack Sequence, Assistance, Complications, Success at Cost,
Challenging Drives and Advancement Points; dune.md 4.1, 4.2 and 4.6.
"""

from storypool.engine import rules as r
from storypool.systems.dune import skill_test_terms as terms
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
from storypool.systems.dune.skill_test_terms import SkillTest
from storypool.systems.dune.skill_tests import FOCUS, focuses
from storypool.systems.twod20 import dice
from storypool.systems.twod20.dice import CHALLENGE, D20, HELPER, ONE, bound, counted
from storypool.systems.twod20.reading import result_in_words
from storypool.words import Words

HARD = 3
"""The least Difficulty of a failure that teaches. Source: seed 004, Advancement Points."""

SKILL_RATING, DRIVE_RATING = sheet.ratings("helper")


def _can_help(turn: r.Turn, one: r.Character) -> bool:
    check = turn.here
    helps = one.id in (check.actor, *SkillTest.of(check).helping)
    return check.knows(one) and one.team is check.team and not helps


def _none_helps(turn: r.Turn) -> r.Refusal | None:
    if any(_helpers(turn)):
        return None
    helping = map(turn.table.characters.get, SkillTest.of(turn.here).helping)
    helps = any(r.plays(turn, one) for one in helping)
    return turn.firm("help.in") if helps else turn.no("help.nobody")


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
def assist(turn: r.Turn) -> r.Events:
    """Help with this test

    One d20 for each helper, against a target number of their own choice of skill and drive. It is
    never more than one. Helpers' successes count where the leader has at least one; their
    complications always do.
    """
    one, check = turn.table.characters[turn.text("helper")], turn.here
    if not check.hidden:
        yield from r.remember(turn, one, sheet.RATED)
    one = r.with_answers(turn, one, sheet.RATED)
    skill, drive = (r.rating(one, turn.text(key)) or 0 for key in ("skill", "drive"))
    helper = terms.Helper(one.id, skill + drive, skill if turn.text("focus") else 1)
    why = turn.words.say("help.told", who=one.name, target=helper.target)
    check = terms.with_abilities(turn.table, SkillTest.add(check, helpers=(helper,)))
    yield turn.amend(check, why, mods=(*check.mods, r.Mod("add", HELPER.name, 1, why, one.id)))


def _settled(turn: r.Turn) -> r.Refusal | None:
    """No offer waits for its answer, and in a contest the opponent has rolled."""
    check = turn.check
    if _too_early(turn) and check is not None:
        return turn.no("contest.first", **_roller(turn, check.actor))
    if check is None or check.phase != "build":
        return None
    if SkillTest.of(check).offer == "made":
        return turn.no("offer.waits")
    return (
        turn.no("contest.first", **_roller(turn, check.against))
        if terms.awaits_opponent(check)
        else None
    )


def _too_early(turn: r.Turn) -> bool:
    """Whether this seat's own test waits until the one that opposes it is over."""
    check = turn.check
    first = terms.opposed(turn.table, check) if "check" not in turn.args else None
    return first is not None and not turn.is_gm and bool(r.yours(turn)) and r.acts_in(turn, first)


def _roller(turn: r.Turn, id: str) -> dict[str, str]:
    seats = r.player_of(turn.table, id)
    whom = turn.words["list.or"].join(turn.table.seats[seat].name for seat in seats)
    return {"who": turn.table.characters[id].name, "whom": whom}


def _for_another(turn: r.Turn) -> bool:
    check = turn.check
    return check is not None and turn.is_gm and turn.seat.id not in r.actor_of(turn.table, check)


def _whose_dice(turn: r.Turn) -> str:
    return (
        turn.words.say("roll.for", **_roller(turn, turn.here.actor)) if _for_another(turn) else ""
    )


@r.rolls(
    when=lambda t: None if _too_early(t) else r.building(t),
    window=_settled,
    only_if=[
        r.yours,
        r.all_of(r.of_check(lambda check: SkillTest.of(check).target is not None, "target"), known),
    ],
    caution=_whose_dice,
    rule="Skill Test Procedure",
    place=r.at("primary", 3),
)
def roll(turn: r.Turn) -> r.Events:
    """Roll the dice

    Each die up to the target number is a success, a 1 or a critical two. A die inside both ranges
    is a success and a complication. Or type in the faces of real dice.
    """
    check = turn.here
    if "check" not in turn.args and terms.opposed(turn.table, check) and _for_another(turn):
        raise turn.refused(
            "argument", "roll.whose", "check", title=check.title, **_roller(turn, check.actor)
        )
    rolled = yield from r.roll_pool(turn)
    yield turn.amend(with_result(turn, check, rolled), windows=())
    if check.id in turn.table.checks:
        yield from _guide(turn)


def bind(table: r.Table, check: r.Check) -> tuple[r.Die, ...]:
    """Each die of a pool with what its faces say, by the target number of who rolls it."""
    test, pool = SkillTest.of(check), check.pool
    helpers = [
        bound(HELPER.name, one.target, one.critical, test.range or terms.ORDINARY)
        for one in test.helpers
    ]
    return (
        *[test.die] * pool[D20.name],
        *[ONE] * pool[ONE.name],
        *helpers,
        *[CHALLENGE] * pool[CHALLENGE.name],
    )


def read(words: Words, table: r.Table, check: r.Check, rolled: tuple[r.Rolled, ...]) -> r.Outcome:
    """The result of a roll: passed when its successes meet the Difficulty; the rest is the margin.

    A test that opposes another one passes nothing by itself. Where both sides of a contest test at
    one Difficulty, the active side has to match the Momentum of an opponent who passed. Source:
    seed 004, Skill Test Procedure.
    """
    test = SkillTest.of(check)
    if test.target is None:
        _, net, text = dice.result(rolled, words)
        return r.Outcome(None, 0, net, text)
    net, rival = counted(rolled, bind(table, check)), test.contest.rival
    margin = net["successes"] - (test.difficulty or 0)
    passed: bool | None = margin >= 0
    if test.opposes and not test.contest.both_test:
        passed, margin = None, 0
    elif rival is not None:
        passed, margin = passed and margin >= rival, margin - max(0, rival)
    first = check
    if passed is None:
        first = terms.with_difficulty(terms.opposed(table, check) or check, net["successes"])
    made_of, needed = terms.sum_of(table, first), SkillTest.of(first).difficulty or 0
    text = result_in_words(
        words, net, passed, needed, margin, sides=_sides(table, check), made_of=made_of
    )
    if (opponent := table.target(check)) and passed is False and (won := _conceded(check, net)):
        key = "result.opponent.threat" if opponent.team is r.Team.GM else "result.opponent"
        text = f"{text} {words.say(key, who=opponent.name, n=won)}"
    return r.Outcome(passed, margin, net, text)


def _sides(table: r.Table, check: r.Check) -> tuple[str, ...]:
    actor, opponent = table.actor(check), table.target(check)
    met = terms.Contest.of(check).opposed and terms.Contest.of(check).rival is None
    return (actor.name, opponent.name) if actor and opponent and met else ()


def _conceded(check: r.Check, net: r.Bag) -> int:
    """The opponent's Momentum from a lost contest. Where both test, one who failed has none."""
    short, rival = (
        (SkillTest.of(check).difficulty or 0) - net["successes"],
        terms.Contest.of(check).rival,
    )
    if not terms.Contest.of(check).opposed:
        return 0
    return short if rival is None else max(0, rival - max(0, -short))


def with_result(turn: r.Turn, check: r.Check, rolled: tuple[r.Rolled, ...]) -> r.Check:
    """The check with its outcome, complications to settle, and the points it owes."""
    outcome = turn.system.read(turn.table, check, rolled)
    if _promised(check):
        outcome = r.replace(outcome, words=f"{outcome.words} {turn.words['result.complied']}")
    left = r.Bag(complication=outcome.net["complications"] + _promised(check))
    check = r.replace(check, rolled=rolled, outcome=outcome, phase="rolled", left=left)
    return r.replace(check, owed=_owed(turn, check))


def places(check: r.Check, die: str = D20.name) -> list[int]:
    """The places, from 1, of the dice of this name that have not been rolled again."""
    again = SkillTest.of(check).again
    return [i for i, one in enumerate(check.rolled, 1) if one.die == die and i not in again]


@r.whenever(r.CheckChanged)
def owe_revealed(turn: r.Turn, event: r.CheckChanged) -> r.Events:
    """Whenever a hidden roll is revealed, it owes what an open one would have."""
    check = event.check
    owed = _owed(turn, check)
    if turn.key == "check.reveal" and check.outcome is not None and check.owed != owed:
        yield turn.amend(check, owed=owed)


def place_of_helper(check: r.Check, who: str) -> int:
    """The place, from 1, of the die of a helper; 0 where no dice were rolled."""
    dice = [i for i, one in enumerate(check.rolled, 1) if one.die == HELPER.name]
    return dict(zip(SkillTest.of(check).helping, dice, strict=False)).get(who, 0)


def roll_again(turn: r.Turn, chosen: list[int], die: str, why: str = "") -> r.Events:
    """Roll the dice in these places once more, and read the result again; `why` says what for."""
    pool, why = r.Bag({die: len(chosen)}), why or turn.words["reroll.told"]
    new = yield from r.roll_pool(turn, pool=pool, why=why)
    rolled = dict(enumerate(turn.here.rolled, 1)) | dict(zip(chosen, new, strict=True))
    changed = with_result(
        turn, SkillTest.add(turn.here, again=tuple(chosen)), tuple(rolled.values())
    )
    # The log has the outcome by itself only the first time.
    yield turn.amend(changed, changed.outcome.words if changed.outcome else "")


def _guide(turn: r.Turn) -> r.Events:
    """Roll a guided helper's d20 once more, where it brought no success."""
    for trait in terms.applying(turn.table, turn.here) if "faces" not in turn.args else ():
        check, at = turn.here, place_of_helper(turn.here, trait.about)
        if terms.Ability.of(trait).ability != "guidance" or at in SkillTest.of(check).again:
            continue
        if not bind(turn.table, check)[at - 1].face(check.rolled[at - 1].face)["success"]:
            yield from roll_again(turn, [at], HELPER.name, trait.text.partition(":")[0])


def _promised(check: r.Check) -> int:
    return int(SkillTest.of(check).offer == "comply")


def _owed(turn: r.Turn, check: r.Check) -> r.Bag:
    outcome, opponent = check.outcome, turn.table.target(check)
    if outcome is None or outcome.passed is None or check.hidden or SkillTest.of(check).opposes:
        return r.NOTHING
    if outcome.passed:
        return r.Bag({pool_of(check.team): outcome.margin})
    return r.Bag({pool_of(opponent.team): _conceded(check, outcome.net)}) if opponent else r.NOTHING


@before_roll(
    "check.simple",
    window=_settled,
    only_if=[
        r.yours,
        r.of_check(
            lambda check: SkillTest.of(check).difficulty == 0 and not check.against, "not.simple"
        ),
    ],
    rule="Difficulty Levels",
    place=r.at("actions", 62),
)
def succeed(turn: r.Turn) -> r.Events:
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
    check, test = turn.here, SkillTest.of(turn.here)
    unspent = test.offer != "refused" and not test.answered and check.owed == _owed(turn, check)
    return None if unspent else untouched(turn)


def _asked_once(turn: r.Turn) -> r.Refusal | None:
    same = (turn.seat.id, "check.at_cost", turn.here.id)
    asked = any((one.seat, one.move, one.check) == same for one in turn.table.proposals.values())
    return turn.firm("at_cost.proposed") if asked else None


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
def succeed_at_cost(turn: r.Turn) -> r.Events:
    """Succeed at a cost

    The failure becomes a bare success, and a complication follows, which cannot be ignored. No
    Momentum is spent on it, nothing moves further by it, and nothing lasts. A player proposes it.
    """
    check = turn.here
    assert check.outcome is not None
    outcome = r.replace(check.outcome, passed=True, margin=0, words=turn.words["result.at_cost"])
    changed = SkillTest.put(check, at_cost=True, unpaid=True, touched=True)
    left = check.left + r.Bag(complication=1)
    yield turn.amend(changed, outcome.words, outcome=outcome, left=left, owed=r.NOTHING)


@r.closes(
    window=r.all_of(attacks.answered, nothing_won),
    only_if=[may_end],
    caution=overflowing,
    rule="Skill Test Procedure",
    place=r.at("primary", 5),
    shown_as=lambda t: t.words["contest.keep"] if t.check and SkillTest.of(t.check).opposes else "",
)
def close(turn: r.Turn) -> r.Events:
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
        yield turn.amend(SkillTest.put(turn.here, touched=True, answered=True), what)
        return
    yield from attacks.count_hit(turn, turn.here)
    if attacks.is_undecided(turn, turn.here):
        return
    yield from finish(turn, turn.here)


def finish(turn: r.Turn, check: r.Check) -> r.Events:
    test = SkillTest.of(check)
    yield from _save_owed(turn, check)
    if test.offer == "challenge":
        yield sheet.strike(turn, check.actor, test.drive)
    if test.opposes:
        yield from terms.pass_on_result(turn, check)
    yield from attacks.learn_from_defeat(turn, check)
    yield from assets.carry_out(turn, check)
    yield from _learn_from_failure(turn, check)
    yield from turns.end_turn(turn, check)
    yield r.CheckClosed(check.id, "done")
    yield from turns.update_order(turn)


def _save_owed(turn: r.Turn, check: r.Check) -> r.Events:
    for account, n in check.owed.items():
        before = turn.table.balance(account)
        yield from turn.change(account, n, why=turn.words.say("momentum.saved", what=check.title))
        if lost := before + n - turn.table.balance(account):
            what = turn.words.say("momentum.lost", n=lost, points=turn.word(account, lost))
            yield turn.amend(turn.here, what)


def _learn_from_failure(turn: r.Turn, check: r.Check) -> r.Events:
    actor, test = turn.table.actor(check), SkillTest.of(check)
    hard = (test.difficulty or 0) >= HARD and not test.opposes and test.offer != "refused"
    if hard and check.failed and actor and actor.team is r.Team.PLAYERS and r.here(actor):
        yield from turn.change("advancement", 1, actor.id, turn.words["advance.failure"])
