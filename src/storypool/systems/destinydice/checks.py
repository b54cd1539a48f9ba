"""An action from its declaration to its close: who acts and how, the opposition, the roll, reading it.

Source: seed 002, Building Your Die Pool, Roll and Interpret.
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
    CheckClosed,
    CheckOpened,
    Choice,
    ChoiceAsk,
    Event,
    FlagAsk,
    Move,
    NumberAsk,
    PoolAsk,
    Refusal,
    TextAsk,
    Trait,
    Turn,
    Value,
    building,
    characters,
    derive,
    idle,
    in_session,
    move,
)
from storypool.systems.destinydice import actions, promises
from storypool.systems.destinydice.dice import HINDERING, mirrored
from storypool.systems.destinydice.ladder import HIGHEST, LOWEST, rung, rungs
from storypool.systems.destinydice.sheet import SHEET, able, choices, first_of, label, listed, out, rating, side_of
from storypool.systems.destinydice.sides import has_somebody, yours

# Questions.

TITLE = TextAsk("title", "What are you trying to do?", needed=False)
AS = ChoiceAsk("as", "Who acts?", able, default=first_of(able))
ACTION = ChoiceAsk(
    "action",
    "Which action?",
    lambda t: [Choice(key, t.system.words[f"action.{key}"]) for key in actions.FOUR],
    default="overcome",
)
KNOWN = ChoiceAsk(
    "known",
    "Which aspect will it be?",
    lambda t: [Choice(key, t.system.words[f"known.{key}"]) for key in actions.ADVANTAGES],
    default="new",
    shown=lambda t: t.text("action") == "create",
)
ASPECT = ChoiceAsk(
    "aspect",
    "Which aspect?",
    lambda t: [Choice(x.id, str(x.terms.get("name", x.text))) for x in aspects(t.table.traits.values())],
    shown=lambda t: t.text("action") == "create" and t.text("known") == "known",
)
VERSUS = ChoiceAsk(
    "versus",
    "Against what do you defend?",
    lambda t: [Choice(key, t.system.words[f"action.{key}"]) for key in ("attack", "create")],
    default="attack",
    shown=lambda t: t.text("action") == "defend",
)


def aspects(traits: object) -> Iterator[Trait]:
    """The traits that can be invoked, of those that everybody sees."""
    assert hasattr(traits, "__iter__")
    for trait in traits:
        if trait.kind in ("aspect", "boost", "consequence") and trait.seen_by is None:
            yield trait


def _actor(turn: Turn) -> Character | None:
    return turn.table.characters.get(turn.text("as"))


def _opponent(turn: Turn) -> Character | None:
    check = turn.check
    return turn.table.characters.get(turn.text("against") or (check.against if check else ""))


APPROACH = ChoiceAsk(
    "approach",
    "How?",
    lambda t: choices(t, _actor(t)),
    needed=False,
    free=True,
    shown=lambda t: not t.text("pool"),
)
RATING = NumberAsk(
    "rating",
    "How good are they at it?",
    default=0,
    low=LOWEST,
    high=HIGHEST,
    needed=False,
    shown=lambda t: bool(t.text("approach")) and rating(t, _actor(t), t.text("approach")) is None,
)
POOL = PoolAsk("pool", "Or dice by hand", needed=False)


def _targets(turn: Turn) -> Iterator[Choice]:
    check = turn.check
    actor = turn.text("as") or (check.actor if check else "")
    for choice in characters()(turn):
        if choice.value != actor and not out(turn.table, choice.value):
            yield choice


def _usual_target(turn: Turn) -> str | None:
    """The first on the other side, where somebody has to be there."""
    actor = turn.text("as")
    if turn.text("action") not in ("attack", "defend"):
        return None
    sides = ((choice.value, side_of(turn.table, choice.value)) for choice in _targets(turn))
    return next((who for who, side in sides if side != side_of(turn.table, actor)), None)


AGAINST = ChoiceAsk("against", "Against whom?", _targets, default=_usual_target, needed=False)


def _levels(turn: Turn) -> Iterator[Choice]:
    words = turn.system.words
    for key, row in rungs().items():
        if row.rating >= 0:
            yield Choice(key, row.title(words), words.say("level.note", n=row.difficulty))
    yield Choice("opposed", words["level.opposed"])


def _opposed(turn: Turn) -> bool:
    return turn.text("difficulty") == "opposed"


def _usual(turn: Turn) -> str | None:
    return "opposed" if _opponent(turn) is not None else None


DIFFICULTY = ChoiceAsk("difficulty", "How hard is it?", _levels, default=_usual)
BY = ChoiceAsk(
    "by",
    "How do they oppose it?",
    lambda t: choices(t, _opponent(t)),
    needed=False,
    free=True,
    shown=lambda t: _opposed(t) and not t.text("theirs"),
)
BY_RATING = NumberAsk(
    "by_rating",
    "How good are they at it?",
    default=0,
    low=LOWEST,
    high=HIGHEST,
    needed=False,
    shown=lambda t: _opposed(t) and bool(t.text("by")) and rating(t, _opponent(t), t.text("by")) is None,
)
THEIRS = PoolAsk("theirs", "Or the dice that they would roll", needed=False, shown=_opposed)
SECRET = FlagAsk("secret", "Hidden from the players?", default=False, needed=False, shown=lambda t: t.seat.side == "gm")
GM_LEVEL = replace(DIFFICULTY, needed=False, default=None, shown=lambda t: t.seat.side == "gm")


@move(
    "check.declare",
    when=lambda t: in_session(t) or idle(t),
    only_if=[has_somebody],
    asks=[
        *(AS, TITLE, ACTION, KNOWN, ASPECT, VERSUS, APPROACH, RATING, POOL, AGAINST),
        *(GM_LEVEL, BY, BY_RATING, THEIRS, SECRET),
    ],
    rule="Building Your Die Pool",
)
def declare(turn: Turn) -> Iterator[Event]:
    """Try something

    The pool starts with the Skill and Expertise dice of the approach, and with what was promised for this roll. What
    stands against it, the GM says: a difficulty, or what the opponent would roll.
    """
    if turn.seat.side == "player" and (turn.text("difficulty") or turn.text("by") or turn.text("theirs")):
        raise turn.refused("argument", "difficulty.gm", "difficulty")
    actor = turn.table.characters[turn.text("as")]
    against = turn.text("against")
    action = turn.text("action")
    if action in ("attack", "defend") and not against:
        raise turn.refused("argument", "against.none", "against", action=turn.system.words[f"action.{action}"])
    yield from _remember(turn, actor, turn.text("approach"), "rating")
    terms: dict[str, Value] = {"kind": "check", "action": action, "row": actions.row_of(turn)}
    for key in ("approach", "known", "aspect", "versus"):
        if turn.text(key):
            terms[key] = turn.text(key)
    if turn.text("pool"):
        terms["by_hand"] = turn.text("pool")
        if any(turn.system.notation.parse(turn.text("pool"))[die] for die in HINDERING[:2]):
            terms["difficulty"] = "by hand"
    side: Literal["players", "gm"] = "gm" if actor.side == "gm" else "players"
    hidden = turn.flag("secret") or actor.seen_by is not None
    title = turn.text("title") or label(turn, turn.text("approach")) or turn.system.words["check.untitled"]
    check = Check(
        *(turn.own_check, actor.id, side, turn.seat.id, title, against),
        terms=terms,
        seen_by=GM_ONLY if hidden else None,
    )
    _openly(turn, check)
    check = replace(check, mods=promises.waiting(turn, check))
    if turn.text("difficulty"):
        yield from _remember_theirs(turn, check)
        check = _against(turn, check)
    else:
        check = founded(turn, check)
    yield CheckOpened(replace(check, pool=derive(check.base, check.mods, turn.system.upgrades)))


def _remember(turn: Turn, one: Character, key: str, ask: str) -> Iterator[Event]:
    """A number asked for the first time is on the sheet from now on."""
    abilities = {entry.key for entry in SHEET if entry.group in ("approach", "skill")} | set(listed(turn))
    if key in {entry.key for entry in SHEET} - abilities:
        raise turn.refused("argument", "ability", "approach", key=key)
    if key and ask in turn.args and rating(turn, one, key) is None:
        yield CharacterSet(replace(one, sheet={**one.sheet, key: turn.number(ask)}))


def _remember_theirs(turn: Turn, check: Check) -> Iterator[Event]:
    opponent = turn.table.characters.get(check.against)
    if opponent is not None and turn.text("difficulty") == "opposed":
        yield from _remember(turn, opponent, turn.text("by"), "by_rating")


def _openly(turn: Turn, check: Check) -> None:
    """An action that everybody sees does not name somebody whom the players know nothing of."""
    opponent = turn.table.characters.get(check.against)
    if check.seen_by is None and opponent is not None and opponent.seen_by is not None:
        raise turn.refused("argument", "opponent.hidden", "against", who=opponent.name)


def founded(turn: Turn, check: Check) -> Check:
    """The check with its basic pool: the dice of the approach or dice by hand, and the opposition."""
    own = rung(rating(turn, turn.table.characters.get(check.actor), str(check.terms.get("approach", ""))) or 0).pool
    if "by_hand" in check.terms:
        own = turn.system.notation.parse(str(check.terms["by_hand"]))
        if check.terms.get("difficulty") != "by hand":
            own -= own.only(HINDERING[:2])
    return replace(check, base=own + _opposition(turn, check))


def _opposition(turn: Turn, check: Check) -> Bag:
    """A fixed difficulty, or what the opponent would roll, mirrored. Source: seed 002, Building Your Die Pool."""
    level = str(check.terms.get("difficulty", ""))
    if level in rungs():
        return Bag(difficulty=rungs()[level].difficulty)
    if level != "opposed":
        return Bag()
    if "theirs" in check.terms:
        return mirrored(turn.system.notation.parse(str(check.terms["theirs"])))
    opponent = turn.table.characters.get(check.against)
    return mirrored(rung(rating(turn, opponent, str(check.terms.get("by", ""))) or 0).pool)


def _against(turn: Turn, check: Check) -> Check:
    """The check with the opposition that was chosen, and with what was promised to the opponent, mirrored."""
    level, against = turn.text("difficulty"), turn.text("against") or check.against
    if level == "opposed" and not against:
        raise turn.refused("argument", "opponent", "against")
    mods = promises.without_opponent(turn, check)
    terms = {key: value for key, value in check.terms.items() if key not in ("by", "theirs")} | {"difficulty": level}
    for key in ("by", "theirs") if level == "opposed" else ():
        if turn.text(key):
            terms[key] = turn.text(key)
    check = replace(check, terms=terms, against=against, mods=mods)
    _openly(turn, check)
    if level == "opposed":
        check = replace(check, mods=(*mods, *promises.opposing(turn, check)))
    return founded(turn, check)


def _sets_opposition(turn: Turn) -> Refusal | None:
    """The GM says what stands against an action, or of a character that is acted against, their player."""
    check = turn.check
    if check is None or turn.seat.side == "gm":
        return None
    target = turn.table.characters.get(check.against)
    return None if target is not None and target.seat == turn.seat.id else turn.no("difficulty.gm")


@move(
    "check.oppose",
    when=building,
    only_if=[_sets_opposition],
    asks=[DIFFICULTY, replace(AGAINST, shown=_opposed), BY, BY_RATING, THEIRS],
    rule="Building Your Die Pool",
)
def oppose(turn: Turn) -> Iterator[Event]:
    """Say what stands against it

    A difficulty is so many Difficulty dice. An opponent's whole pool comes mirrored, die for die: Skill as Difficulty,
    Expertise as Challenge, Aid as Hindrance, and the other way round.
    """
    check = turn.here
    if turn.seat.side == "player" and (turn.text("difficulty") != "opposed" or turn.text("theirs")):
        raise turn.refused("argument", "difficulty.gm", "difficulty")
    yield from _remember_theirs(turn, replace(check, against=turn.text("against") or check.against))
    check = _against(turn, turn.here)
    ups = sum(mod.n for mod in check.mods if mod.kind == "upgrade" and mod.die == "difficulty")
    there = check.base["difficulty"] + sum(m.n for m in check.mods if (m.kind, m.die) == ("add", "difficulty"))
    if ups > there:
        raise turn.refused("argument", "opposition.upgraded", "difficulty", n=ups)
    opponent = turn.table.characters.get(check.against)
    words = turn.system.words
    if _opposed(turn) and opponent is not None:
        what = words.say("check.opposed", who=opponent.name, how=label(turn, turn.text("by")) or words["check.somehow"])
    else:
        what = words.say("check.difficulty", level=rungs()[turn.text("difficulty")].title(words))
    yield turn.amend(check, what)


def opposition_known(turn: Turn) -> Refusal | None:
    """What stands against the action has been said."""
    check = turn.check
    return turn.no("difficulty") if check and not check.terms.get("difficulty") else None


@move("check.cancel", when=building, only_if=[yours], rule="Building Your Die Pool")
def cancel(turn: Turn) -> Iterator[Event]:
    """Call the action off

    Before the roll: every point spent on it comes back, and what was promised goes on waiting.
    """
    check = turn.here
    yield CheckClosed(check.id, "cancelled")
    why = turn.system.words.say("points.refund", what=check.title)
    for (account, owner), n in check.spent.items():
        yield from turn.change(account, n, owner, why)


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
