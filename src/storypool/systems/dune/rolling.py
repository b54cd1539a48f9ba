"""The roll of a test and what it comes to: Momentum or Threat that is owed, complications, a success at a cost.

Source: seed 004, Skill Test Procedure, Assistance, Complications and Success at Cost; dune.md 4.1 and 4.6.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import (
    Bag,
    Check,
    ChoiceAsk,
    DiceRolled,
    Event,
    Mod,
    Move,
    Outcome,
    Refusal,
    Rolled,
    TextAsk,
    Turn,
    building,
    characters,
    move,
    rolled,
)
from storypool.systems.dune.checks import FACES
from storypool.systems.dune.sheet import drive_choices, label, rating, ratings, remembered, skills, statement, struck
from storypool.systems.dune.terms import (
    has_a_character,
    kind,
    number,
    numbers,
    purse,
    text,
    texts,
    untouched,
    with_terms,
    yours,
)
from storypool.systems.twod20.dice import HELPER

SKILL_RATING, DRIVE_RATING = ratings("helper")


def _helpers(turn: Turn) -> Iterator[tuple[str, str]]:
    check = turn.check
    for choice in characters(own=True)(turn):
        one = turn.table.characters[choice.value]
        known = check is not None and (one.seen_by is None or check.seen_by is not None)
        if check and known and one.id != check.actor and (one.side == "gm") == (check.side == "gm"):
            yield one.id, one.name


HELPER_ASK = ChoiceAsk(
    "helper",
    "Who helps?",
    lambda t: [choice for choice in characters(own=True)(t) if choice.value in dict(_helpers(t))],
)


def _can_help(turn: Turn) -> Refusal | None:
    return None if turn.check is None or any(_helpers(turn)) else turn.no("help.nobody")


@move(
    "check.assist",
    when=building,
    only_if=[has_a_character, _can_help],
    asks=[
        HELPER_ASK,
        ChoiceAsk("skill", "Skill", skills),
        SKILL_RATING,
        ChoiceAsk("drive", "Drive", lambda t: drive_choices(t, t.table.characters.get(t.text("helper")))),
        DRIVE_RATING,
        TextAsk("focus", "One focus, if it helps", needed=False),
    ],
    rule="Assistance",
)
def assist(turn: Turn) -> Iterator[Event]:
    """Help with this test

    One d20 for each helper, against a target number of their own choice of skill and drive. It is never more than one.
    Helpers' successes count where the leader has at least one; their complications always do.
    """
    helper = turn.table.characters[turn.text("helper")]
    if helper.id in texts(turn.here, "helpers"):
        raise turn.refused("argument", "help.twice", "helper", who=helper.name)
    if struck(statement(turn.table, helper.id, turn.text("drive"))):
        raise turn.refused("argument", "drive.struck", "drive", drive=label(turn, turn.text("drive")))
    yield from remembered(turn, helper)
    helper, check = turn.table.characters[helper.id], turn.here
    skill, drive = rating(helper, turn.text("skill")) or 0, rating(helper, turn.text("drive")) or 0
    why = turn.system.words.say("help.told", who=helper.name, target=skill + drive)
    check = with_terms(
        check,
        helpers=(*texts(check, "helpers"), helper.id),
        helper_targets=(*numbers(check, "helper_targets"), skill + drive),
        helper_criticals=(*numbers(check, "helper_criticals"), skill if turn.text("focus") else 1),
    )
    yield turn.amend(check, why, mods=(*check.mods, Mod("add", HELPER.name, 1, why, helper.id)))


# What has to be settled before the roll.


def _settled(turn: Turn) -> Refusal | None:
    """No offer waits for its answer, and in a contest the opponent has rolled."""
    check = turn.check
    if check is None or check.phase != "build":
        return None
    if text(check, "offer") == "made":
        return turn.no("offer.waits")
    return (
        turn.no("contest.first") if check.against and "opposed" not in check.terms and kind(check) != "oppose" else None
    )


def _complete(turn: Turn) -> Refusal | None:
    """The target number and the Difficulty are known."""
    check = turn.check
    if check is None:
        return None
    if "target" not in check.terms:
        return turn.no("target")
    return None if "difficulty" in check.terms or check.against or kind(check) == "oppose" else turn.no("difficulty")


@move(
    "check.roll", when=building, window=_settled, only_if=[yours, _complete], asks=[FACES], rule="Skill Test Procedure"
)
def roll(turn: Turn) -> Iterator[Event]:
    """Roll the dice

    Each die up to the target number is a success, a 1 or a critical two. A die inside both ranges is a success and a
    complication. Or type in the faces of real dice.
    """
    check = turn.here
    lies = turn.cast(check.pool, turn.numbers("faces"))
    yield DiceRolled(check.id, turn.seat.id, lies)
    yield turn.amend(result(turn, check, lies), windows=())


def result(turn: Turn, check: Check, lies: tuple[Rolled, ...]) -> Check:
    """The check with what the dice came to: its outcome, complications to settle, and the points it owes.

    What is beyond the Difficulty becomes Momentum, or Threat for an NPC; who loses a contest owes it to the opponent.
    """
    outcome = turn.system.read(turn.table, check, lies)
    promised = text(check, "offer") == "comply"
    left = Bag(complication=outcome.net["complications"] + promised)
    check = replace(check, rolled=lies, outcome=outcome, phase="rolled", left=left)
    return replace(check, owed=_owed(turn, check, outcome))


def _owed(turn: Turn, check: Check, outcome: Outcome) -> Bag:
    if check.seen_by is not None or outcome.passed is None or kind(check) == "oppose":
        return Bag()
    if outcome.passed:
        return Bag({purse(check.side): outcome.margin})
    opponent = turn.table.characters.get(check.against)
    if opponent is None or "opposed" not in check.terms:
        return Bag()
    won = -outcome.margin
    if "rival" in check.terms:
        # Both tested: an opponent who failed has won nothing.
        rival = number(check, "rival")
        own_margin = outcome.net["successes"] - number(check, "difficulty")
        won = rival - max(0, own_margin) if rival >= 0 else 0
    return Bag({purse("gm" if opponent.side == "gm" else "players"): max(0, won)})


def _simple(turn: Turn) -> Refusal | None:
    check = turn.check
    if check is None:
        return None
    easy = "difficulty" in check.terms and not number(check, "difficulty") and not check.against
    return None if easy else turn.no("not.simple")


@move("check.simple", when=building, window=_settled, only_if=[yours, _simple], rule="Difficulty Levels")
def succeed(turn: Turn) -> Iterator[Event]:
    """Succeed without a roll

    At Difficulty 0 no roll is needed; rolling anyway can bring Momentum, and complications.
    """
    check = turn.here
    promised = text(check, "offer") == "comply"
    outcome = Outcome(True, 0, Bag(), turn.system.words["result.simple"])
    yield turn.amend(check, outcome=outcome, phase="rolled", left=Bag(complication=int(promised)), windows=())


def _failed(turn: Turn) -> Refusal | None:
    check = turn.check
    if check is None:
        return None
    return None if check.outcome and check.outcome.passed is False else turn.firm("not.failed")


def _unspent(turn: Turn) -> Refusal | None:
    """The failure has brought nobody anything yet, and was not chosen by refusing a point."""
    check = turn.check
    if check is None or not check.terms.get("touched"):
        return None
    used = text(check, "offer") == "refused" or check.owed != _owed(
        turn, check, check.outcome or Outcome(None, 0, Bag())
    )
    return untouched(turn) if used else None


@move(
    "check.at_cost",
    when=rolled,
    only_if=[yours, _failed, _unspent],
    approval=lambda t: t.seat.side == "player",
    rule="Success at Cost",
    group="spend",
)
def succeed_at_cost(turn: Turn) -> Iterator[Event]:
    """Succeed at a cost

    The failure becomes a bare success, and a complication follows. No Momentum is spent on it. A player proposes it.
    """
    check = turn.here
    assert check.outcome is not None
    outcome = replace(check.outcome, passed=True, margin=0, words=turn.system.words["result.at_cost"])
    changed = with_terms(check, at_cost=True, touched=True)
    yield turn.amend(changed, outcome.words, outcome=outcome, left=check.left + Bag(complication=1), owed=Bag())


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
