"""A skill test up to its roll: what is tried, how hard it is, with which skill and drive, and what eases or hardens it.

Source: seed 004, Difficulty Levels, Traits and Skill Test Procedure; dune.md 4.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

from storypool.engine.rules import (
    GM_ONLY,
    Ask,
    Bag,
    Character,
    Check,
    CheckClosed,
    CheckOpened,
    Choice,
    ChoiceAsk,
    Event,
    FacesAsk,
    FlagAsk,
    Move,
    NumberAsk,
    Refusal,
    TextAsk,
    Turn,
    Value,
    building,
    characters,
    idle,
    in_session,
    move,
)
from storypool.systems.dune.conflicts import usual_skill
from storypool.systems.dune.payment import refunded
from storypool.systems.dune.sheet import (
    QUALITY,
    STATEMENT_FROM,
    drive_choices,
    drives_of,
    first_own,
    label,
    rating,
    ratings,
    remembered,
    skills,
    statement,
    struck,
    traits_of,
)
from storypool.systems.dune.terms import (
    ACTIONS,
    ORDINARY,
    has_a_character,
    kind,
    shifted,
    text,
    with_difficulty,
    with_target,
    with_terms,
    yours,
)
from storypool.systems.twod20.dice import BASE

LEVELS = range(6)
"""Difficulty 0 to 5, by name in the catalogue. Source: seed 004, Difficulty Levels."""

# Questions.

ACTOR = ChoiceAsk("as", "Who acts?", characters(own=True), default=first_own)
TITLE = TextAsk("title", "What are you trying to do?", needed=False)
SKILL = ChoiceAsk("skill", "Skill", skills, needed=False)
DRIVE = ChoiceAsk("drive", "Drive", lambda t: drive_choices(t, _actor(t)), needed=False)
SKILL_RATING, DRIVE_RATING = ratings()


def _actor(turn: Turn) -> Character | None:
    """Whoever the answers so far, or the open test, name as acting."""
    named = turn.text("as")
    return turn.table.characters.get(named or (turn.check.actor if turn.check else ""))


def _drive_level(turn: Turn) -> int:
    return turn.number("drive_rating") or rating(_actor(turn), turn.text("drive")) or 0


def has_statement(turn: Turn) -> bool:
    """Whether the chosen drive can have a statement: one is written down, or it is rated high enough for one.

    Of a target number by hand nobody knows the drive, so whoever acts says whether a statement applies.
    """
    actor, drive = _actor(turn), turn.text("drive")
    if actor is None or drive in ("", QUALITY):
        return actor is not None and not drive and "target" in turn.args
    return statement(turn.table, actor.id, drive) is not None or _drive_level(turn) >= STATEMENT_FROM


def _fits(turn: Turn) -> Iterator[Choice]:
    # What contradicts is a drive that can be struck: one that is named.
    for key in ("applies", "none", "contradicts") if turn.text("drive") else ("applies", "none"):
        yield Choice(key, turn.system.words[f"fit.{key}"])


def _usual_fit(turn: Turn) -> str | None:
    actor = _actor(turn)
    found = statement(turn.table, actor.id, turn.text("drive")) if actor else None
    return "applies" if found and not struck(found) else "none"


FIT = ChoiceAsk("fit", "Its statement", _fits, default=_usual_fit, needed=False, shown=has_statement)


def _focuses(turn: Turn) -> Iterator[Choice]:
    actor = _actor(turn)
    for trait in traits_of(turn.table, "focus", actor.id, turn.text("skill")) if actor else ():
        # What was hidden with somebody who is not any more is not told by the way.
        if trait.seen_by is None or (actor and actor.seen_by):
            yield Choice(trait.text, trait.text, label(turn, trait.at))


FOCUS = ChoiceAsk("focus", "One focus, if it helps", _focuses, needed=False, free=True)


def _levels(turn: Turn) -> Iterator[Choice]:
    for n in LEVELS:
        yield Choice(str(n), turn.system.words[f"level.{n}"], str(n))


DIFFICULTY = ChoiceAsk("difficulty", "Difficulty", _levels, needed=False)


def _ranges(turn: Turn) -> Iterator[Choice]:
    for n in range(1, 6):
        yield Choice(str(n), turn.system.words[f"range.{n}"], turn.system.words[f"range.{n}.note"])


RANGE = ChoiceAsk("range", "Complications on", _ranges, needed=False)
AGAINST = ChoiceAsk("against", "Against whom, in a contest?", characters(), needed=False)
TARGET = NumberAsk("target", "Or a target number by hand", needed=False, low=1, high=20)
TWICE = NumberAsk(
    "twice", "Highest face that counts twice", default=1, low=1, high=20, shown=lambda t: "target" in t.args
)
SECRET = FlagAsk("secret", "Hidden from the players?", default=False, needed=False, shown=lambda t: t.seat.side == "gm")
FACES = FacesAsk("faces", "Faces of real dice, one for each die", needed=False)


def faces_of(dice: Callable[[Turn], Bag]) -> Ask:
    """The question for the faces of dice that are not those of the open test; it is put when there are any."""

    def each(turn: Turn) -> Iterator[Choice]:
        for name, n in dice(turn).items():
            yield from [Choice(name, turn.word(name))] * n

    return replace(FACES, dice=each, shown=lambda turn: bool(dice(turn)))


def _tasks(turn: Turn) -> Iterator[Choice]:
    for trait in turn.table.traits.values():
        if trait.kind == "task" and trait.rating < trait.goal:
            yield Choice(trait.id, trait.text, f"{trait.rating}/{trait.goal}")


TASK = ChoiceAsk("task", "Part of an extended task?", _tasks, needed=False, shown=lambda t: any(_tasks(t)))


def usual_drive(turn: Turn) -> str | None:
    """The highest drive of whoever acts that is not struck, or their Quality."""
    actor = _actor(turn)
    if actor is None:
        return None
    usable = [key for key in drives_of(actor) if not struck(statement(turn.table, actor.id, key))]
    return max(usable, key=lambda key: rating(actor, key) or 0, default=None)


TEST = (
    replace(SKILL, default=usual_skill),
    SKILL_RATING,
    replace(DRIVE, default=usual_drive),
    DRIVE_RATING,
    FIT,
    FOCUS,
    TARGET,
    TWICE,
)
"""The questions of every test that is rolled in a conflict: the usual skill and the highest drive unless said."""


def opened(turn: Turn, sort: str, title: str, **terms: Value) -> Check:
    """A test of this sort by whom the answers name, with base dice and everything about it that is known by now.

    `Refused` for a drive that is struck, for an action in a conflict by somebody who is defeated, and for a contest
    that everybody would have to see and may not.
    """
    actor = turn.table.characters[turn.text("as")]
    if sort in ACTIONS and f"defeated-{actor.id}" in turn.table.traits:
        raise turn.refused("argument", "defeat.acts", "as", who=actor.name)
    side: Literal["players", "gm"] = "gm" if actor.side == "gm" else "players"
    asset = turn.table.traits.get(turn.text("asset"))
    hidden = actor.seen_by or (asset.seen_by if asset else None) or (GM_ONLY if turn.flag("secret") else None)
    if hidden is not None and turn.text("against"):
        raise turn.refused("argument", "contest.hidden", "against")
    known: dict[str, Value] = {"kind": sort, "range": int(turn.text("range") or ORDINARY), **terms}
    if "target" in turn.args:
        known |= {"by_hand": True, "target": turn.number("target"), "critical": turn.number("twice", 1)}
    pool = Bag(d20=BASE)
    check = Check(
        turn.own_check,
        actor.id,
        side,
        turn.seat.id,
        turn.text("title") or title,
        turn.text("against"),
        base=pool,
        pool=pool,
        terms=known,
        seen_by=hidden,
    )
    if turn.text("against"):
        check = replace(check, windows=("target",))
    elif turn.text("difficulty"):
        check = with_difficulty(check, int(turn.text("difficulty")))
    return chosen(turn, check)


def chosen(turn: Turn, check: Check) -> Check:
    """The check with the skill, the drive and the focus of the answers, and the target number that follows."""
    answered = {key: turn.text(key) for key in ("skill", "drive", "focus") if turn.text(key)}
    if "drive" in answered and struck(statement(turn.table, check.actor, answered["drive"])):
        raise turn.refused("argument", "drive.struck", "drive", drive=label(turn, answered["drive"]))
    if "drive" in answered or "target" in turn.args:
        answered["fit"] = (turn.text("fit") or "none") if has_statement(turn) else "none"
    return with_target(turn.table, with_terms(check, **answered))


@move(
    "check.declare",
    when=lambda t: in_session(t) or idle(t),
    only_if=[has_a_character],
    asks=[
        ACTOR,
        TITLE,
        SKILL,
        SKILL_RATING,
        DRIVE,
        DRIVE_RATING,
        FIT,
        FOCUS,
        DIFFICULTY,
        RANGE,
        AGAINST,
        TASK,
        TARGET,
        TWICE,
        SECRET,
    ],
    rule="Skill Test Procedure",
)
def declare(turn: Turn) -> Iterator[Event]:
    """Try something

    Two d20 against skill and drive. What is not said here is chosen before the roll: the game master sets skill and
    Difficulty, the player chooses drive and focus. Against somebody it is a contest.
    """
    yield from remembered(turn, turn.table.characters[turn.text("as")])
    headline = label(turn, turn.text("skill")) if turn.text("skill") else turn.system.words["check.untitled"]
    more: dict[str, Value] = {"task": turn.text("task")} if turn.text("task") else {}
    yield CheckOpened(opened(turn, "test", headline, **more))


def _not_opposing(turn: Turn) -> Refusal | None:
    return turn.no("opposing") if kind(turn.check) == "oppose" else None


def _not_contested(turn: Turn) -> Refusal | None:
    check = turn.check
    return turn.no("contest.difficulty") if check and check.against and kind(check) != "oppose" else None


@move(
    "check.difficulty",
    by=["gm"],
    when=building,
    only_if=[_not_opposing, _not_contested],
    asks=[replace(DIFFICULTY, needed=True), RANGE, SKILL],
    rule="Difficulty Levels",
)
def set_difficulty(turn: Turn) -> Iterator[Event]:
    """Set the Difficulty

    The game master decides on the skill and gives a Difficulty from 0 to 5.
    """
    check = with_difficulty(turn.here, int(turn.text("difficulty")))
    if turn.text("range"):
        check = with_terms(check, range=int(turn.text("range")))
    if turn.text("skill") and turn.text("skill") != text(check, "skill"):
        check = with_target(turn.table, with_terms(check, skill=turn.text("skill"), focus=""))
    level = turn.system.words[f"level.{turn.text('difficulty')}"]
    yield turn.amend(check, turn.system.words.say("check.difficulty", level=level, n=turn.text("difficulty")))


def _no_offer(turn: Turn) -> Refusal | None:
    return turn.no("offer.made") if text(turn.check, "offer") else None


def _of_check(turn: Turn, key: str) -> str | None:
    return text(turn.check, key) or None


def _unknown(key: str) -> Ask:
    def shown(turn: Turn) -> bool:
        named = turn.text(key) or (text(turn.check, key))
        return bool(named) and rating(_actor(turn), named) is None

    return NumberAsk(f"{key}_rating", f"How high is the {key}?", default=5, low=4, high=8, shown=shown)


@move(
    "check.drive",
    when=building,
    only_if=[yours, _no_offer],
    asks=[
        replace(SKILL, default=lambda t: _of_check(t, "skill"), needed=True),
        _unknown("skill"),
        replace(DRIVE, default=lambda t: _of_check(t, "drive"), needed=True),
        _unknown("drive"),
        FIT,
        FOCUS,
    ],
    rule="Skill Test Procedure",
)
def choose_drive(turn: Turn) -> Iterator[Event]:
    """Choose drive and focus

    If its statement is relevant, that drive; if none is, one of the others, and no Determination on this test. At most
    one focus helps.
    """
    check = turn.here
    actor = turn.table.characters.get(check.actor)
    if actor is not None:
        yield from remembered(turn, actor)
    changed = chosen(turn, with_terms(turn.here, focus=""))
    say = {"skill": label(turn, text(changed, "skill")), "drive": label(turn, text(changed, "drive"))}
    told = turn.system.words.say("check.drive", fit=turn.system.words[f"fit.{text(changed, 'fit')}"], **say)
    yield turn.amend(changed, told)


def _known_traits(turn: Turn) -> Iterator[Choice]:
    check = turn.check
    for trait in turn.table.traits.values():
        shown = trait.kind in ("trait", "fact", "complication", "asset") and trait.text
        if shown and (trait.seen_by is None or (check is not None and check.seen_by is not None)):
            yield Choice(trait.text, trait.text)


def _effects(turn: Turn) -> Iterator[Choice]:
    for key in ("easier", "harder", "allow", "forbid"):
        yield Choice(key, turn.system.words[f"trait.{key}"], turn.system.words[f"trait.{key}.note"])


@move(
    "check.trait",
    when=building,
    asks=[
        ChoiceAsk("trait", "Which trait?", _known_traits, free=True),
        ChoiceAsk("effect", "What does it do?", _effects),
    ],
    approval=lambda t: t.seat.side == "player",
    rule="Traits",
)
def bring_trait(turn: Turn) -> Iterator[Event]:
    """Bring a trait to bear

    It makes the test easier or harder by 1, lets you try it at all, or stops it. A player proposes it.
    """
    check, name, effect = turn.here, turn.text("trait"), turn.text("effect")
    told = turn.system.words.say(f"trait.{effect}.told", trait=name)
    if effect == "forbid":
        if text(check, "offer"):
            raise turn.refused("argument", "offer.made", "effect")
        yield turn.amend(check, told)
        yield from called_off(turn)
    elif effect == "allow":
        yield turn.amend(check, told)
    else:
        yield turn.amend(shifted(check, -1 if effect == "easier" else 1, name), told)


def called_off(turn: Turn) -> Iterator[Event]:
    """The test ends before its roll, and with it one that opposes it; what was paid for either comes back."""
    check = turn.here
    for one in [*(c for c in turn.table.checks.values() if text(c, "opposes") == check.id), check]:
        yield from refunded(turn, one)
        yield CheckClosed(one.id, "cancelled")


@move("check.cancel", when=building, only_if=[yours, _no_offer], rule="Skill Test Procedure")
def cancel(turn: Turn) -> Iterator[Event]:
    """Call the test off

    Before the roll: every point comes back, and what was added to Threat is taken out again.
    """
    yield from called_off(turn)


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
