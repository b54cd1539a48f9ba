"""Contests: the opponent's test, which is rolled first, and ends by itself.

Source: seed 004, Attack Sequence; dune.md 4.2 and 4.6.
"""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.dune.checks import TEST, chosen, unopened
from storypool.systems.dune.conditions import holds_any, plays
from storypool.systems.dune.conflict.conflicts import usual_skill
from storypool.systems.dune.determination import fitting, price
from storypool.systems.dune.people.abilities import AGAIN
from storypool.systems.dune.people.sheet import RATED, best_skill
from storypool.systems.dune.rolling import finish, places
from storypool.systems.dune.test import (
    ORDINARY,
    Ability,
    Contest,
    Test,
    awaits_opponent,
    opposing,
    with_difficulty,
)


def _contested(turn: r.Turn) -> r.Refusal | None:
    """A contest waits for its opponent, who has not rolled yet."""
    check = turn.check
    waits = check is not None and check.phase == "build" and awaits_opponent(check)
    return (
        None
        if waits and check is not None and not opposing(turn.table, check)
        else turn.firm("contest.none")
    )


def _theirs(turn: r.Turn) -> r.Refusal | None:
    who = turn.table.target(turn.here)
    return (
        None
        if who is None or turn.is_gm or plays(turn, who)
        else turn.firm("contest.theirs", who=who.name)
    )


def _whom(turn: r.Turn) -> Iterator[r.Choice]:
    who = turn.table.characters[turn.here.against]
    yield r.Choice(who.id, who.name)


def _same_skill(turn: r.Turn) -> str | None:
    """Return the skill that the conflict mostly uses, or else that of the test which is opposed."""
    return usual_skill(turn) or Test.of(turn.here).skill or best_skill(turn.character("as"))


_OPPOSING = tuple(
    r.replace(ask, default=_same_skill) if ask.name == "skill" else ask for ask in TEST
)


def _defends(turn: r.Turn) -> str:
    """Return the title of the roll against an attack: it defends its target."""
    first = turn.check
    who = turn.table.target(first) if first else None
    attacked = first is not None and Test.of(first).kind == "attack"
    return turn.words.say("contest.defend", who=who.name) if who and attacked else ""


@r.move(
    "contest.oppose",
    when=_contested,
    only_if=[_theirs],
    asks=[r.first_choice("as", "Who opposes?", _whom), *_OPPOSING],
    rule="Attack Sequence",
    place=r.at("primary", 1),
    shown_as=_defends,
)
def oppose(turn: r.Turn) -> Iterator[r.Event]:
    """Oppose it

    The opponent rolls first: their successes are the Difficulty. At a table where both test against
    1, their Momentum is what has to be met.
    """
    first, both = turn.here, turn.option("contest_style") == "srd"
    yield from r.remember(turn, turn.table.characters[turn.text("as")], RATED)
    actor = turn.table.characters[first.actor].name
    title = turn.words.say("contest.title", actor=actor, what=first.title)
    contest = Contest(opposes=first.id, both_test=both)
    check = Test.put(
        unopened(turn, title, first.actor), kind="oppose", range=ORDINARY, contest=contest
    )
    check = chosen(turn, with_difficulty(check, 1) if both else check)
    yield turn.open(check, beside=True)


# The end of the opponent's roll, once nothing of it is left to decide.


def can_roll_again(turn: r.Turn, check: r.Check) -> bool:
    """Whether Determination, or for an NPC Threat, can roll dice of this test again."""
    if check.phase != "rolled" or check.hidden or not places(check):
        return False
    if Test.of(check).touched or holds_any(turn.table, check):
        return False
    about = turn.as_seat(turn.seat, check=check.id)
    return fitting(about) is None and all(
        turn.table.points[purse] >= n for purse, n in price(about).items()
    )


def is_over(turn: r.Turn, check: r.Check) -> bool:
    """Whether nothing of an opponent's roll is left to decide: no complication, and no dice to roll
    again.
    """
    if not Test.of(check).opposes or check.phase != "rolled" or check.outcome is None:
        return False
    held = any(one.check == check.id for one in turn.table.proposals.values())
    people = (check.actor, *Test.of(check).helping)
    called = any(
        Ability.of(trait).ability in AGAIN and trait.about in people
        for trait in turn.table.of_kind("ability")
    )
    return not (check.left["complication"] or held or called or can_roll_again(turn, check))


@r.whenever(r.CheckChanged)
def end_opposing(turn: r.Turn, event: r.CheckChanged) -> Iterator[r.Event]:
    """Whenever nothing of an opponent's roll is left to decide, it is over, and the character who
    acts goes on.
    """
    check = turn.table.checks.get(event.check.id)
    if check is not None and is_over(turn, check):
        yield from finish(turn, check)
