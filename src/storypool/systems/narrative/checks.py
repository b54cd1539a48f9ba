"""An action as it is declared: who acts, the basic pool, the difficulty.

Sources: seed 003, Dice Pool; starwars.md 1.2 to 1.6.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from storypool.engine.rules import (
    GM_ONLY,
    Bag,
    Character,
    CharacterSet,
    Check,
    CheckOpened,
    Choice,
    ChoiceAsk,
    Event,
    FlagAsk,
    Limit,
    Mod,
    Move,
    NumberAsk,
    Points,
    PoolAsk,
    Purse,
    Refusal,
    SheetAsk,
    TextAsk,
    Turn,
    Value,
    building,
    characters,
    derive,
    idle,
    in_session,
    move,
    sheet_of,
    slug,
)
from storypool.systems.narrative import promises, windows
from storypool.systems.narrative.dice import HELPING, HINDERING
from storypool.systems.narrative.sheet import characteristics, entry, label, rating, skilled, skills

LEVELS = {"simple": 0, "easy": 1, "average": 2, "hard": 3, "daunting": 4, "formidable": 5, "impossible": 5}
"""Difficulty dice by level. Source: seed 003, Difficulty Levels; counts from starwars.md 1.2."""


# Conditions.


def ready(turn: Turn) -> Refusal | None:
    """The points of this session are set; the systems say how with a trait of this kind while they are not."""
    rolling = any(trait.kind == "points-unset" for trait in turn.table.traits.values())
    return turn.no("points.unset") if rolling else None


def has_a_character(turn: Turn) -> Refusal | None:
    """This seat has somebody to act with."""
    return None if any(characters(own=True)(turn)) else turn.no("nobody")


def acts_in(turn: Turn, check: Check) -> bool:
    """Whether this seat plays whoever acts."""
    actor = turn.table.characters.get(check.actor)
    if check.side == "gm":
        return turn.seat.side == "gm"
    return actor is not None and actor.seat == turn.seat.id


def difficulty_known(turn: Turn) -> Refusal | None:
    """The basic pool stands; only then either side upgrades it. Source: seed 003, Basic Dice Pool."""
    check = turn.check
    return turn.no("difficulty") if check and not check.terms.get("difficulty") else None


def unpaid(check: Check) -> bool:
    """The point for attempting the impossible is still due; a hidden action takes none."""
    return check.terms.get("difficulty") == "impossible" and not check.terms.get("paid") and check.seen_by is None


def _paid_for(check: Check) -> bool:
    return check.terms.get("difficulty") == "impossible" and bool(check.terms.get("paid"))


# Questions.

TITLE = TextAsk("title", "What are you trying to do?", needed=False)
SKILL = ChoiceAsk("skill", "Skill", skills, needed=False, free=True, shown=lambda t: not t.text("pool"))
POOL = PoolAsk("pool", "Or dice by hand", needed=False)


def _usual(turn: Turn) -> str | None:
    found = entry(turn, turn.text("skill"))
    return found.notes.get("with") if found else None


CHARACTERISTIC = ChoiceAsk(
    "characteristic",
    "Characteristic",
    characteristics,
    default=_usual,
    needed=False,
    shown=lambda t: not t.text("pool"),
)


def _unknown(turn: Turn, key: str) -> bool:
    actor = turn.table.characters.get(turn.text("as"))
    return actor is not None and bool(turn.text(key)) and rating(actor, turn.text(key)) is None


VALUE = NumberAsk("value", "How high is it?", default=2, low=1, high=10, shown=lambda t: _unknown(t, "characteristic"))
RANK = NumberAsk("rank", "Ranks in the skill", default=0, low=0, high=10, shown=lambda t: _unknown(t, "skill"))


def _levels(turn: Turn) -> Iterator[Choice]:
    for level, n in LEVELS.items():
        yield Choice(level, turn.system.words[f"level.{level}"], turn.system.words.say("level.note", n=n))
    yield Choice("opposed", turn.system.words["level.opposed"])


def _opposed(turn: Turn) -> bool:
    return turn.text("difficulty") == "opposed"


DIFFICULTY = ChoiceAsk("difficulty", "Difficulty", _levels, needed=False)
AGAINST = ChoiceAsk("against", "Against whom?", characters(), needed=False)
BY_SKILL = ChoiceAsk("by_skill", "Their skill", skills, needed=False, free=True, shown=_opposed)
BY_CHARACTERISTIC = ChoiceAsk(
    "by_characteristic",
    "Their characteristic",
    characteristics,
    default=lambda t: e.notes.get("with") if (e := entry(t, t.text("by_skill"))) else None,
    needed=False,
    shown=_opposed,
)
SECRET = FlagAsk("secret", "Hidden from the players?", default=False, needed=False, shown=lambda t: t.seat.side == "gm")


def _contests(turn: Turn) -> Iterator[Choice]:
    for trait in turn.table.traits.values():
        if trait.kind == "contest":
            yield Choice(trait.id, trait.text)


CONTEST = ChoiceAsk("contest", "Part of a contest?", _contests, needed=False, shown=lambda t: any(_contests(t)))


def _attempts(turn: Turn) -> bool:
    contest = turn.table.traits.get(turn.text("contest"))
    level = contest.terms["difficulty"] if contest else turn.text("difficulty")
    return level == "impossible" and not _hides(turn)


def _hides(turn: Turn) -> bool:
    """The action is the GM's secret, by choice or because nobody knows of whoever acts."""
    actor = turn.table.characters.get(turn.text("as"))
    return turn.flag("secret") or bool(actor and actor.seen_by)


def _attempt_price(turn: Turn) -> Bag:
    return Bag({windows.purse(turn, turn.seat.side): 1}) if _attempts(turn) else Bag()


@move(
    "check.declare",
    when=lambda t: in_session(t) or idle(t),
    price=_attempt_price,
    limit=lambda t: (windows.spending_limit(t, t.own_check),) if _attempts(t) else (),
    only_if=[has_a_character, ready],
    asks=[
        ChoiceAsk("as", "Who acts?", characters(own=True), default=lambda t: _first(t)),
        TITLE,
        POOL,
        SKILL,
        CHARACTERISTIC,
        VALUE,
        RANK,
        DIFFICULTY,
        AGAINST,
        BY_SKILL,
        BY_CHARACTERISTIC,
        CONTEST,
        SECRET,
    ],
    rule="Dice Pool",
)
def declare(turn: Turn) -> Iterator[Event]:
    """Try something

    The pool is built from the skill and its characteristic, or from dice by hand. An Impossible task is paid for with
    a point as it is declared (seed 003, Impossible Tasks).
    """
    actor = turn.table.characters[turn.text("as")]
    yield from _remember(turn, actor)
    actor = turn.table.characters[actor.id]
    terms: dict[str, Value] = {"kind": "check"}
    for key in ("skill", "characteristic", "difficulty", "by_skill", "by_characteristic", "contest"):
        if turn.text(key):
            terms[key] = turn.text(key)
    if turn.text("pool"):
        terms["by_hand"] = turn.text("pool")
        if any(turn.system.notation.parse(turn.text("pool"))[die] for die in HINDERING):
            terms.setdefault("difficulty", "by hand")
    contest = turn.table.traits.get(turn.text("contest"))
    if contest is not None:
        terms["difficulty"] = contest.terms["difficulty"]
    side: Literal["players", "gm"] = "gm" if actor.side == "gm" else "players"
    check = Check(
        turn.own_check,
        actor.id,
        side,
        turn.seat.id,
        turn.text("title") or _headline(turn),
        turn.text("against"),
        terms=terms,
        seen_by=GM_ONLY if _hides(turn) else None,
    )
    if _attempts(turn):
        own, other = windows.purse(turn, turn.seat.side), windows.other_purse(turn, turn.seat.side)
        owed = Bag() if windows.at_once(turn) else Bag({other: 1})
        check = replace(check, terms={**terms, "paid": True}, spent=Points({Purse(own): 1}), owed=owed)
    _openly(turn, check)
    check = founded(turn, check)
    check = replace(check, mods=(*_adversary(turn, check), *promises.waiting_for(turn, check)))
    check = replace(check, pool=derive(check.base, check.mods, turn.system.upgrades))
    if not check.pool:
        raise turn.refused("argument", "no.dice", "skill")
    yield CheckOpened(check)
    for (account, _), n in ({} if check.owed else check.spent).items():
        own = "gm" if account == windows.purse(turn, "gm") else "player"
        yield from turn.change(windows.other_purse(turn, own), n, why=turn.system.words["points.turned"])
    yield turn.amend(check, windows=windows.order(turn, check))


def _first(turn: Turn) -> str | None:
    return next((choice.value for choice in characters(own=True)(turn)), None)


def _headline(turn: Turn) -> str:
    key = turn.text("skill") or turn.text("characteristic")
    return label(turn, key) if key else turn.system.words["check.untitled"]


def _remember(turn: Turn, actor: Character) -> Iterator[Event]:
    """A number asked for the first time is on the sheet from now on."""
    new: dict[str, Value] = {}
    for ask, key in (("value", turn.text("characteristic")), ("rank", turn.text("skill"))):
        if key and ask in turn.args and rating(actor, key) is None:
            new[key] = turn.number(ask)
    if new:
        yield CharacterSet(replace(actor, sheet={**actor.sheet, **new}))


def founded(turn: Turn, check: Check) -> Check:
    """The check with its basic pool: skill and characteristic, or dice by hand, and the difficulty."""
    base = Bag()
    actor, helper = (turn.table.characters.get(str(id)) for id in (check.actor, check.terms.get("helper", "")))
    key, rank_key = str(check.terms.get("characteristic", "")), str(check.terms.get("skill", ""))
    if "by_hand" in check.terms:
        base = turn.system.notation.parse(str(check.terms["by_hand"]))
    elif key:
        best = max(rating(actor, key) or 0, rating(helper, key) or 0)
        base = skilled(best, max(rating(actor, rank_key) or 0, rating(helper, rank_key) or 0))
    elif actor:
        base = Bag({die: rating(actor, die) or 0 for die in HELPING[:2]})
    level = str(check.terms.get("difficulty", ""))
    if level == "opposed":
        base = base - base.only(HINDERING) + _opposition(turn, check)
    elif level in LEVELS:
        base = base - base.only(HINDERING) + Bag(difficulty=LEVELS[level])
    return replace(check, base=base)


def _openly(turn: Turn, check: Check) -> None:
    """An action that everybody sees does not name somebody whom the players know nothing of."""
    opponent = turn.table.characters.get(check.against)
    if check.seen_by is None and opponent is not None and opponent.seen_by is not None:
        raise turn.refused("argument", "opponent.hidden", "against", who=opponent.name)


def _opposition(turn: Turn, check: Check) -> Bag:
    """The opponent's characteristic and skill, as difficulty. Source: starwars.md 1.6, Opposed."""
    opponent = turn.table.characters.get(check.against)
    if opponent is None:
        raise turn.refused("argument", "opponent", "against")
    key, rank_key = str(check.terms.get("by_characteristic", "")), str(check.terms.get("by_skill", ""))
    if key:
        return skilled(rating(opponent, key) or 2, rating(opponent, rank_key) or 0, "difficulty", "challenge")
    dice = Bag({HINDERING[i]: rating(opponent, HELPING[i]) or 0 for i in range(2)})
    if not dice:
        raise turn.refused("argument", "opponent.dice", "by_skill", who=opponent.name)
    return dice


def _adversary(turn: Turn, check: Check) -> tuple[Mod, ...]:
    """The upgrades of a combat check's difficulty by the rank of its target. Source: starwars.md 1.6, Adversary."""
    target = turn.table.characters.get(check.against)
    found = entry(turn, str(check.terms.get("skill", "")))
    rank = rating(target, "adversary") or 0
    if target is None or not rank or found is None or found.notes.get("kind") != "combat":
        return ()
    why = turn.system.words.say("mod.adversary", who=target.name, rank=rank)
    return (Mod("upgrade", "difficulty", rank, why, target.id),)


@move(
    "check.difficulty",
    by=["gm"],
    when=building,
    limit=Limit("difficulty", ("check",)),
    only_if=[lambda t: t.no("impossible.paid") if t.check and _paid_for(t.check) else None],
    asks=[replace(DIFFICULTY, needed=True), AGAINST, BY_SKILL, BY_CHARACTERISTIC],
    rule="Difficulty",
)
def set_difficulty(turn: Turn) -> Iterator[Event]:
    """Set the difficulty

    The GM sets it once, before the roll (seed 003, Basic Dice Pool).
    """
    check = turn.here
    terms = {**check.terms, "difficulty": turn.text("difficulty")}
    for key in ("by_skill", "by_characteristic"):
        if turn.text(key):
            terms[key] = turn.text(key)
    against = turn.text("against") or check.against
    _openly(turn, replace(check, against=against))
    changed = founded(turn, replace(check, terms=terms, against=against))
    if against != check.against:
        kept = tuple(mod for mod in check.mods if mod.by != check.against or not check.against)
        changed = replace(changed, mods=(*kept, *_adversary(turn, changed)))
    what = turn.system.words.say("check.difficulty", level=turn.system.words[f"level.{turn.text('difficulty')}"])
    yield turn.amend(changed, what)
    check = turn.here
    if not check.spent and not windows.passed(check):
        yield turn.amend(check, windows=windows.order(turn, check))


# An adversary in one line.


@move(
    "adversary.add",
    by=["gm"],
    asks=[
        TextAsk("name", "Who is it?"),
        PoolAsk("pool", "Their dice", default="2 ability", needed=False),
        NumberAsk("adversary", "Adversary rank", default=0, high=5, needed=False),
        SheetAsk("sheet", "More numbers, as key=number", needed=False),
        FlagAsk("secret", "Hidden from the players?", default=False, needed=False),
    ],
)
def add_adversary(turn: Turn) -> Iterator[Event]:
    """Bring in an adversary"""
    dice = turn.system.notation.parse(turn.text("pool")).only(HELPING[:2])
    sheet: dict[str, Value] = {**dice, **sheet_of(turn.text("sheet"))}
    if turn.number("adversary"):
        sheet["adversary"] = turn.number("adversary")
    hidden = GM_ONLY if turn.flag("secret") else None
    id = slug(turn.text("name"), turn.table.characters)
    yield CharacterSet(Character(id, turn.text("name")[:40], "gm", "", sheet, hidden))


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
