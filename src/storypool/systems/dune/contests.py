"""The opponent's test, which is rolled first.

Source: seed 004, Attack Sequence; dune.md 4.2 and 4.6.
"""

from storypool.engine import rules as r
from storypool.systems.dune import skill_test_terms as terms
from storypool.systems.dune.conditions import holds_any, plays
from storypool.systems.dune.conflict.conflicts import usual_skill
from storypool.systems.dune.determination import fitting, price, unasked
from storypool.systems.dune.people.abilities import REROLLS
from storypool.systems.dune.people.sheet import RATED, best_skill
from storypool.systems.dune.skill_test_rolls import finish, places
from storypool.systems.dune.skill_test_terms import SkillTest
from storypool.systems.dune.skill_tests import TEST, chosen, unopened


def _contested(turn: r.Turn) -> r.Refusal | None:
    """The open test is a contest that nobody opposes yet."""
    check = turn.check
    waits = check is not None and check.phase == "build" and terms.awaits_opponent(check)
    if check is None or not waits or terms.opposing(turn.table, check):
        return turn.firm("contest.none")
    return None


def _plays_opponent(turn: r.Turn) -> r.Refusal | None:
    who = turn.table.target(turn.here)
    if who is None or turn.is_gm or plays(turn, who):
        return None
    return turn.firm("contest.theirs", who=who.name)


def _opponent(turn: r.Turn) -> r.Choices:
    who = turn.table.characters[turn.here.against]
    yield r.Choice(who.id, who.name)


def _same_skill(turn: r.Turn) -> str | None:
    return usual_skill(turn) or SkillTest.of(turn.here).skill or best_skill(turn.character("as"))


_SKILL, *_OTHERS = TEST


def _title(turn: r.Turn) -> str:
    first = turn.check
    who = turn.table.target(first) if first and SkillTest.of(first).kind == "attack" else None
    return turn.words.say("contest.defend", who=who.name) if who else ""


@r.move(
    "contest.oppose",
    when=_contested,
    only_if=[_plays_opponent],
    asks=[
        r.first_choice("as", "Who opposes?", _opponent),
        r.replace(_SKILL, default=_same_skill),
        *_OTHERS,
    ],
    rule="Attack Sequence",
    place=r.at("primary", 1),
    shown_as=_title,
)
def oppose(turn: r.Turn) -> r.Events:
    """Oppose it

    The opponent rolls first: their successes are the Difficulty. At a table where both test against
    1, their Momentum is what has to be met.
    """
    first, actor = turn.here, turn.table.characters[turn.here.actor]
    yield from r.remember(turn, turn.table.characters[turn.text("as")], RATED)
    title = turn.words.say("contest.title", actor=actor.name, what=first.title)
    contest = terms.Contest(opposes=first.id, both_test=turn.option("contest_style") == "srd")
    check = SkillTest.put(
        unopened(turn, title, actor.id), kind="oppose", range=terms.ORDINARY, contest=contest
    )
    yield turn.open(
        chosen(turn, terms.with_difficulty(check, 1) if contest.both_test else check), beside=True
    )


# The end of the opponent's roll, once nothing of it is left to decide.


def can_roll_again(turn: r.Turn, check: r.Check) -> bool:
    """Whether Determination, or for an NPC Threat, can roll dice of this test again."""
    if check.phase != "rolled" or check.hidden or not places(check):
        return False
    if SkillTest.of(check).touched or holds_any(turn.table, check) or unasked(turn.table, check):
        return False
    about = turn.as_seat(turn.seat, check=check.id)
    return fitting(about) is None and all(
        turn.table.points[purse] >= n for purse, n in price(about).items()
    )


def is_over(turn: r.Turn, check: r.Check) -> bool:
    """Whether an opponent's roll has no complication left, and no dice to roll again."""
    if not SkillTest.of(check).opposes or check.phase != "rolled" or check.outcome is None:
        return False
    held = any(one.check == check.id for one in turn.table.proposals.values())
    people, abilities = (check.actor, *SkillTest.of(check).helping), turn.table.of_kind("ability")
    called = any(
        terms.Ability.of(one).ability in REROLLS and one.about in people for one in abilities
    )
    return not (check.left["complication"] or held or called or can_roll_again(turn, check))


@r.whenever(r.CheckChanged)
def end_opposing(turn: r.Turn, event: r.CheckChanged) -> r.Events:
    """Whenever nothing of an opponent's roll is left to decide, it is over."""
    check = turn.table.checks.get(event.check.id)
    if check is not None and is_over(turn, check):
        yield from finish(turn, check)
