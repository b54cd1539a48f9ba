"""An action from its declaration to the roll: who acts and how, and what stands against it.

Source: seed 002, Building Your Die Pool, Roll and Interpret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from storypool.engine import rules as r
from storypool.systems.destinydice import aspects, outcomes
from storypool.systems.destinydice.dice import HINDERING, MIRROR, mirrored
from storypool.systems.destinydice.fight.conflict import ORDER, acting, in_turn
from storypool.systems.destinydice.pool import has_somebody, side_of
from storypool.systems.destinydice.sheet import (
    HIGHEST,
    LOWEST,
    abilities,
    best,
    label,
    out,
    rating_at,
    rung,
    rungs,
)
from storypool.systems.destinydice.state import Action


def _answered(**given: str) -> Callable[[r.Turn], bool]:
    return lambda turn: all(turn.text(name) == answer for name, answer in given.items())


def _aspects(turn: r.Turn) -> list[r.Choice]:
    return [r.Choice(trait.id, aspects.name(trait)) for trait in aspects.invocable(turn)]


def _usual_action(turn: r.Turn) -> str | None:
    """What a form begins with: an attack, where turns are taken."""
    return "attack" if ORDER.slots(turn.table) else None


ADVANTAGE, DEFENCE = r.answers("known", *outcomes.ADVANTAGES), r.answers("action", "attack", "create")
ACTION = (
    r.ChoiceAsk(
        "action", "Which action?", r.answers("action", *outcomes.FOUR), default="overcome", preset=_usual_action
    ),
    r.ChoiceAsk("known", "Which aspect will it be?", ADVANTAGE, default="new", shown=_answered(action="create")),
    r.ChoiceAsk("aspect", "Which aspect?", _aspects, shown=_answered(action="create", known="known")),
    r.ChoiceAsk("versus", "Against what do you defend?", DEFENCE, default="attack", shown=_answered(action="defend")),
)


def _opponent(turn: r.Turn) -> r.Character | None:
    check = turn.check
    return turn.table.characters.get(turn.text("against") or (check.against if check else ""))


_opposed = _answered(difficulty="opposed")


def _decides(turn: r.Turn) -> r.Decider:
    """What stands against an action is the GM's to say, and how a character opposes also their player's."""
    opponent = _opponent(turn)
    mine = opponent is not None and opponent.seat == turn.seat.id
    return "" if mine and turn.text("difficulty") in ("", "opposed") else "gm"


RATING = r.NumberAsk("rating", "How good are they at it?", default=0, low=LOWEST, high=HIGHEST, needed=False)


def _with_what(
    name: str,
    label: str,
    rating: str,
    pool: str,
    whose: Callable[[r.Turn], r.Character | None],
    asked: Callable[[r.Turn], bool],
    decides: Callable[[r.Turn], r.Decider] | r.Decider = "",
    needed: bool = False,
    usual: bool = False,
    new: bool = True,
) -> tuple[r.ChoiceAsk, r.NumberAsk]:
    """Ask what somebody acts with, `usual`ly what they are best at, and how good they are where no sheet says so.

    `new` says that this is asked of a new action, which need not be as hidden as one that is open.
    """

    def unrated(turn: r.Turn) -> bool:
        who, key = whose(turn), turn.text(name)
        hidden = turn.flag("secret") if new else turn.here.hidden
        # A number on a sheet that everybody knows would tell of a hidden action.
        tells = who is not None and not who.hidden and hidden
        writes = who is not None and (turn.is_gm or who.seat == turn.seat.id) and not tells
        return asked(turn) and not turn.text(pool) and bool(key) and writes and rating_at(turn, who, key) is None

    def choices(turn: r.Turn) -> Iterator[r.Choice]:
        return abilities(turn, whose(turn))

    def shown(turn: r.Turn) -> bool:
        return asked(turn) and not turn.text(pool)

    return (
        r.ChoiceAsk(
            name,
            label,
            choices,
            default=(lambda turn: best(turn, whose(turn))) if usual else None,
            needed=needed,
            shown=shown,
            whose=decides,
        ),
        replace(RATING, name=rating, shown=unrated),
    )


def _targets(turn: r.Turn) -> Iterator[r.Choice]:
    check = turn.check
    actor = turn.text("as") or (check.actor if check else "")
    for choice in r.characters()(turn):
        if choice.value != actor and not out(turn.table, choice.value):
            yield choice


def _usual_target(turn: r.Turn) -> str | None:
    """The first on the other side, where somebody has to be there."""
    if turn.text("action") not in ("attack", "defend"):
        return None
    own = side_of(turn.table, turn.text("as"))
    return next((choice.value for choice in _targets(turn) if side_of(turn.table, choice.value) != own), None)


def _levels(turn: r.Turn) -> Iterator[r.Choice]:
    for key, row in rungs().items():
        if row.rating >= 0:
            n = row.difficulty
            note = turn.words.say("level.note", n=n) if n else turn.words["level.note.none"]
            yield r.Choice(key, row.title(turn.words), note)
    yield r.Choice("opposed", turn.words["level.opposed"])


LEVEL = r.ChoiceAsk(
    "difficulty", "Difficulty", lambda t: (one for one in _levels(t) if one.value != "opposed"), whose="gm"
)
AGAINST = r.ChoiceAsk("against", "Target", _targets, default=_usual_target, needed=False)
DIFFICULTY = r.ChoiceAsk(
    "difficulty",
    "Difficulty",
    _levels,
    default=lambda t: "opposed" if _opponent(t) is not None else None,
    whose=_decides,
)
OPPOSING = (
    *_with_what("by", "How do they defend?", "by_rating", "theirs", _opponent, _opposed, _decides),
    r.PoolAsk("theirs", "Or the dice that they would roll", needed=False, shown=_opposed, whose="gm"),
)


def _may_set(turn: r.Turn) -> bool:
    """Whether a difficulty is asked for: how somebody holds who is attacked, or attacks, is not for a player to say."""
    return turn.is_gm or turn.text("action") not in ("attack", "defend")


@r.move(
    "check.declare",
    when=lambda t: r.in_session(t) or r.may_open(t),
    only_if=[has_somebody, in_turn],
    asks=[
        r.ChoiceAsk("as", "Who acts?", acting, first=True),
        r.HIDE_ACTION,
        r.TextAsk("title", "What are you trying to do?", needed=False),
        *ACTION,
        *_with_what(
            "approach", "How do you do it?", "rating", "pool", lambda t: t.character("as"), _answered(), usual=True
        ),
        r.PoolAsk("pool", "Dice by hand", needed=False, whose="gm"),
        AGAINST,
        replace(DIFFICULTY, needed=False, default=None, shown=_may_set),
        *OPPOSING,
    ],
    rule="Building Your Die Pool",
    place=r.at("primary", 5),
)
def declare(turn: r.Turn) -> Iterator[r.Event]:
    """Take an action

    The pool starts with the Skill and Expertise dice of the approach, and with what was promised for this roll. What
    stands against it, the GM says: a difficulty, or what the opponent would roll.
    """
    actor = turn.table.characters[turn.text("as")]
    against, action, by_hand = turn.text("against"), turn.text("action"), turn.text("pool")
    if action in ("attack", "defend") and not against:
        raise turn.refused("argument", "against.none", "against", action=turn.words[f"action.{action}"])
    if not by_hand and not turn.text("approach") and actor.side == "players":
        raise turn.refused("argument", "dice.own", "approach", who=actor.name)
    yield from _remember(turn, actor.id, "approach", "rating")
    # Who defends stands on the row of what they defend against.
    row = {"create": outcomes.ADVANTAGES.get(turn.text("known"), ""), "defend": turn.text("versus")}.get(action, action)
    given = {key: turn.text(key) for key in ("approach", "known", "aspect", "versus")}
    stands = bool(by_hand) and any(turn.system.notation.parse(by_hand).only(HINDERING[:2]))
    declared = Action().changed(action=action, row=row, by_hand=by_hand, **given)
    terms = {"kind": "check", **declared.changed(difficulty="by hand" if stands else "").terms}
    title = turn.text("title") or label(turn, turn.text("approach")) or turn.words["check.untitled"]
    check = turn.action(actor, title, against, terms=terms)
    check = replace(check, mods=r.promised(turn, check))
    if _opposed(turn):
        yield from _remember(turn, against, "by", "by_rating")
    level = turn.text("difficulty")
    check = _founded(turn, _against(turn, check, level, against) if level else check)
    yield turn.open(check)


def _remember(turn: r.Turn, who: str, ability: str, rated: str) -> Iterator[r.Event]:
    """A number asked for the first time is on somebody's sheet from now on; the names are those of the questions."""
    character, key = turn.table.characters.get(who), turn.text(ability)
    if character is not None and key and rated in turn.args and rating_at(turn, character, key) is None:
        yield r.CharacterSet(replace(character, sheet={**character.sheet, key: turn.number(rated)}))


def _founded(turn: r.Turn, check: r.Check) -> r.Check:
    """The check with its basic pool: the dice of the approach or dice by hand, and the opposition."""
    action = Action.of(check)
    if action.by_hand:
        own = turn.system.notation.parse(action.by_hand)
        if action.difficulty != "by hand":
            own -= own.only(HINDERING[:2])
    else:
        own = _dice_of(turn, check.actor, action.approach)
    return replace(check, base=own + _opposition(turn, check))


def _dice_of(turn: r.Turn, who: str, key: str) -> r.Bag:
    """The dice with which somebody acts in this way; where nothing says how good they are, those of Mediocre."""
    return rung(rating_at(turn, turn.table.characters.get(who), key) or 0).pool


def _opposition(turn: r.Turn, check: r.Check) -> r.Bag:
    """A fixed difficulty, or what the opponent would roll, mirrored. Source: seed 002, Building Your Die Pool."""
    action = Action.of(check)
    level = action.difficulty
    if level in rungs():
        return r.Bag(difficulty=rungs()[level].difficulty)
    if level != "opposed":
        return r.Bag()
    if action.theirs:
        return mirrored(turn.system.notation.parse(action.theirs))
    return mirrored(_dice_of(turn, check.against, action.by))


def _against(turn: r.Turn, check: r.Check, level: str, against: str) -> r.Check:
    """The check with this opposition, and with what was promised to the opponent, mirrored."""
    if level == "opposed" and not against:
        raise turn.refused("argument", "opponent", "against")
    ours = {mod.promise for mod in r.promised(turn, check)}
    mods = tuple(mod for mod in check.mods if not mod.promise or mod.promise in ours)
    by, theirs = (turn.text(key) if level == "opposed" else "" for key in ("by", "theirs"))
    check = Action.put(replace(check, against=against, mods=mods), difficulty=level, by=by, theirs=theirs)
    if level == "opposed":
        mirrored_mods = (replace(mod, die=MIRROR[mod.die]) for mod in r.promised(turn, check, against))
        check = replace(check, mods=(*mods, *mirrored_mods))
    return check


def _stands(turn: r.Turn, level: str, against: str, what: str) -> Iterator[r.Event]:
    """The open action with this opposition in place of what it had."""
    check = _founded(turn, _against(turn, turn.here, level, against))
    changes = [(mod.kind, mod.n) for mod in check.mods if mod.die == "difficulty"]
    ups, more = (sum(n for kind, n in changes if kind == which) for which in ("upgrade", "add"))
    if ups > check.base["difficulty"] + more:
        raise turn.refused("argument", "opposition.upgraded", "difficulty", n=ups)
    said = ("difficulty", "by", "theirs")
    yield turn.amend(check, what, suggested={key: text for key, text in check.suggested.items() if key not in said})


@r.move(
    "check.oppose", by=["gm"], when=r.building, asks=[LEVEL], rule="Building Your Die Pool", place=r.at("actions", 61)
)
def oppose(turn: r.Turn) -> Iterator[r.Event]:
    """Set the difficulty

    So many Difficulty dice. Said again after aspects were invoked, this gives their points back and takes out what
    they bought.
    """
    level = turn.text("difficulty")
    if Action.of(turn.here).difficulty:
        yield from _uninvoked(turn)
    what = turn.words.say("check.difficulty", level=rungs()[level].title(turn.words))
    yield from _stands(turn, level, turn.here.against, what)


def _may_defend(turn: r.Turn) -> r.Refusal | None:
    """The GM says how an NPC defends, and for a player's character who is acted against, their player."""
    check = turn.check
    if check is None or turn.is_gm:
        return None
    target = turn.table.characters.get(check.against)
    if target is None or target.seat != turn.seat.id:
        return turn.no("difficulty.gm")
    return turn.no("difficulty.spent") if check.spent and Action.of(check).difficulty else None


@r.move(
    "check.defend",
    when=r.building,
    only_if=[_may_defend],
    asks=[
        replace(AGAINST, label="Who opposes it?", default=lambda t: t.here.against or None, shown=lambda t: t.is_gm),
        r.PoolAsk("theirs", "Or the dice that they would roll", needed=False, shown=lambda t: t.is_gm, whose="gm"),
        *_with_what(
            "by",
            "Defend with what?",
            "by_rating",
            "theirs",
            _opponent,
            lambda turn: _opponent(turn) is not None,
            _decides,
            needed=True,
            usual=True,
            new=False,
        ),
    ],
    rule="Building Your Die Pool",
    place=r.at("actions", 60),
)
def defend(turn: r.Turn) -> Iterator[r.Event]:
    """Defend

    An opponent's whole pool comes mirrored, die for die: Skill as Difficulty, Expertise as Challenge, Aid as
    Hindrance, and the other way round. Said again after aspects were invoked, this gives their points back and takes
    out what they bought.
    """
    opponent = _opponent(turn)
    if opponent is None:
        raise turn.refused("argument", "opponent", "against")
    if Action.of(turn.here).difficulty:
        yield from _uninvoked(turn)
    yield from _remember(turn, opponent.id, "by", "by_rating")
    how = label(turn, turn.text("by")) or turn.words["check.somehow"]
    what = turn.words.say("check.opposed", who=opponent.name, how=how)
    yield from _stands(turn, "opposed", opponent.id, what)


def _uninvoked(turn: r.Turn) -> Iterator[r.Event]:
    """What stands against the action is being corrected: what was invoked is as if it had not been."""
    yield from r.corrected(turn)
    if Action.of(turn.here).invoked:
        yield turn.amend(Action.put(turn.here, invoked=()))


STANDING = r.standing(LEVEL, rule="Building Your Die Pool", place=r.at("scene", 11))


@r.move("check.cancel", when=r.building, only_if=[r.yours], rule="Building Your Die Pool", place=r.at("actions", 67))
def cancel(turn: r.Turn) -> Iterator[r.Event]:
    """Cancel the action

    Before the roll: every point spent on it comes back, and what was promised goes on waiting.
    """
    check = turn.here
    yield r.CheckClosed(check.id, "cancelled")
    yield from turn.refund(check.spent, check.title)
