"""Aspects: writing them down, their free invokes, and invoking them for a die.

Source: seed 002, Aspects; destinydice.md 3.5, Invoke.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import (
    GM_ONLY,
    SECRET,
    Check,
    Choice,
    ChoiceAsk,
    DiceRolled,
    Event,
    Mod,
    Move,
    NumberAsk,
    Points,
    Purse,
    Refusal,
    Rolled,
    TextAsk,
    Trait,
    TraitRemoved,
    TraitSet,
    Turn,
    acting,
    characters,
    derive,
    here,
    move,
)
from storypool.systems.destinydice.dice import MIRROR
from storypool.systems.destinydice.promises import concealed
from storypool.systems.destinydice.sheet import first_of
from storypool.systems.destinydice.sides import opposes, own_side, takes_part

INVOCABLE = ("aspect", "boost", "consequence")


def name(trait: Trait) -> str:
    """What an aspect is called, without the count of its free invokes."""
    return str(trait.terms.get("name", trait.text))


def free(trait: Trait, side: str) -> int:
    """How many free invokes a side has of an aspect."""
    n = trait.terms.get(side, 0)
    return n if isinstance(n, int) else 0


def made_aspect(turn: Turn, kind: str, text: str, about: str, side: str, n: int) -> TraitSet:
    """A new aspect of the scene, or a boost, with free invokes for a side."""
    trait = Trait(turn.fresh("t"), kind, text, about, by=turn.seat.id, until="scene", terms={"name": text})
    trait = replace(trait, seen_by=concealed(turn, about))
    return free_invokes(turn, trait, side, n)


def free_invokes(turn: Turn, trait: Trait, side: str, n: int) -> TraitSet:
    """An aspect with so many more free invokes for a side, or fewer; its text says how many there are."""
    terms = {**trait.terms, "name": name(trait), side: free(trait, side) + n}
    changed = replace(trait, terms=terms)
    counts = {side: free(changed, side) for side in ("players", "gm") if free(changed, side)}
    listed = ", ".join(turn.system.words.say(f"aspect.free.{side}", n=n) for side, n in counts.items())
    told = turn.system.words.say(f"aspect.{trait.kind}", name=name(trait), at=trait.at)
    text = turn.system.words.say("aspect.with", text=told, free=listed) if listed else told
    rating = changed.rating if trait.kind == "consequence" else sum(counts.values())
    return TraitSet(replace(changed, text=text, rating=rating))


def _about(turn: Turn) -> Iterator[Choice]:
    for one in turn.table.characters.values():
        if here(one) and (turn.seat.side == "gm" or one.seat == turn.seat.id):
            yield Choice(one.id, one.name)


def _is_gm(turn: Turn) -> bool:
    return turn.seat.side == "gm"


def _sides(turn: Turn) -> Iterator[Choice]:
    yield Choice("players", turn.system.words["aspect.side.players"])
    yield Choice("gm", turn.system.words["aspect.side.gm"])


@move(
    "aspect.add",
    asks=[
        TextAsk("text", "What is true?"),
        ChoiceAsk("about", "About whom, if not the scene?", _about, needed=False),
        NumberAsk("free", "How many free invokes?", default=0, high=9, needed=False, shown=_is_gm),
        ChoiceAsk("side", "For whom are they?", _sides, default="players", shown=lambda t: t.number("free") > 0),
        replace(SECRET, shown=_is_gm),
    ],
    approval=lambda t: t.seat.side == "player" and not t.text("about"),
    rule="Aspects",
)
def add_aspect(turn: Turn) -> Iterator[Event]:
    """Write down an aspect

    Of a character it stays; of the scene it ends with the scene. A player proposes one of the scene.
    """
    about, text = turn.text("about"), turn.text("text")
    if turn.seat.side == "player" and (turn.number("free") or turn.flag("secret")):
        raise turn.refused("argument", "aspect.gm", "free")
    hidden = GM_ONLY if turn.flag("secret") else None
    until = "" if about else "scene"
    trait = Trait(turn.fresh("t"), "aspect", text, about, by=turn.seat.id, until=until, seen_by=hidden)
    yield free_invokes(turn, trait, turn.text("side") or "players", turn.number("free"))


# Invoking.


def invoked(check: Check) -> tuple[str, ...]:
    """What was invoked for a roll: side, trait, and whether it was free, as "players:t7:free"."""
    held = check.terms.get("invoked", ())
    return tuple(str(one) for one in held) if isinstance(held, tuple) else ()


def free_now(turn: Turn, trait: Trait, side: str) -> int:
    """The free invokes that a side has left, those counted off that wait for a roll."""
    waiting = sum(
        invoked(check).count(f"{side}:{trait.id}:free")
        for check in turn.table.checks.values()
        if check.phase == "build"
    )
    return max(0, free(trait, side) - waiting)


def purses(turn: Turn) -> Iterator[Choice]:
    """The Fate points that this seat can spend: of its own characters, and the budget of the GM."""
    if turn.seat.side == "gm" and turn.table.balance("budget"):
        yield Choice("budget", turn.plural("budget"), str(turn.table.balance("budget")))
    for choice in characters(own=True)(turn):
        n = turn.table.balance("fate", choice.value)
        hidden = turn.table.characters[choice.value].seen_by
        if n and not hidden:
            yield Choice(str(Purse("fate", choice.value)), f"{choice.label}: {turn.plural('fate')}", str(n))


def _at_hand(turn: Turn) -> Iterator[Trait]:
    """The aspects that this side has not invoked for this roll, and has something to invoke with: each once a roll."""
    check = turn.check
    if check is None:
        return
    side = own_side(turn, check)
    used = {tuple(one.split(":")[:2]) for one in invoked(check)}
    pays = any(purses(turn))
    for trait in turn.table.traits.values():
        fresh = trait.kind in INVOCABLE and trait.seen_by is None and (side, trait.id) not in used
        if fresh and (free_now(turn, trait, side) or (pays and trait.kind != "boost")):
            yield trait


def _choices(turn: Turn) -> Iterator[Choice]:
    for trait in _at_hand(turn):
        yield Choice(trait.id, name(trait), trait.text)


def _ways(turn: Turn) -> Iterator[Choice]:
    """What pays for it: a free invoke where there is one, else a Fate point."""
    trait = turn.table.traits.get(turn.text("aspect")) or next(_at_hand(turn), None)
    check = turn.check
    if trait is None or check is None:
        return
    n = free_now(turn, trait, own_side(turn, check))
    if n:
        yield Choice("free", turn.system.words["invoke.free"], str(n))
    if trait.kind != "boost":
        yield from purses(turn)


def paid_with(turn: Turn) -> str:
    """The answer to what pays for it, or the one that counts without one."""
    return turn.text("with") or next((choice.value for choice in _ways(turn)), "")


def _price(turn: Turn) -> Points:
    """A Fate point, or a free invoke"""
    paid = paid_with(turn)
    return Points({Purse.read(paid): 1}) if paid not in ("", "free") else Points()


def _dice(turn: Turn) -> tuple[str, str]:
    """The die that this side adds, and the one that it upgrades."""
    check = turn.check
    other = check is not None and opposes(turn, check)
    return (MIRROR["aid"], MIRROR["skill"]) if other else ("aid", "skill")


def _uses(turn: Turn) -> Iterator[Choice]:
    """The added die, or the upgrade where there is a die to upgrade, each with the odds that would follow."""
    check = turn.check
    if check is None:
        return
    die, lesser = _dice(turn)
    words = turn.system.words
    added = Mod("add", die)
    yield Choice("aid", words.say("invoke.add", die=turn.word(die)), _odds(turn, check, added))
    if check.phase == "build" and check.pool[lesser]:
        upgraded = Mod("upgrade", lesser)
        greater = turn.word(turn.system.upgrades[lesser])
        label = words.say("invoke.upgrade", die=turn.word(lesser), to=greater)
        yield Choice("upgrade", label, _odds(turn, check, upgraded))


_MOST_WEIGHED = 24
"""Dice in a pool whose odds are reckoned beside the choice; with more, it is not the odds that decide."""


def _odds(turn: Turn, check: Check, mod: Mod) -> str:
    """What this choice makes of the odds; nothing once the dice lie, or where the odds are the GM's alone."""
    from storypool.systems.destinydice.odds import chances

    pool = derive(check.base, (*check.mods, mod), turn.system.upgrades)
    if check.phase != "build" or not check.terms.get("difficulty") or pool.total > _MOST_WEIGHED:
        return ""
    if turn.option("odds") == "gm" and turn.seat.side != "gm":
        return ""
    succeeds, hope = chances(pool, turn.option("hope_success_uncancellable") == "yes")
    return turn.system.words.say("invoke.odds", succeeds=f"{float(succeeds):.1%}", hope=f"{float(hope):.1%}")


def _in_time(turn: Turn) -> Refusal | None:
    """Before the roll; or after it, where the table has chosen so, as long as nothing was spent or carried out."""
    check = turn.check
    if check is None or check.phase == "build":
        return acting(turn)
    if turn.option("late_invoke") == "no":
        return turn.no("late")
    return turn.no("late.spent") if check.terms.get("spent") or check.terms.get("taken") else None


def _lies(turn: Turn) -> bool:
    return turn.check is not None and turn.check.phase == "rolled"


def _in_the_open(turn: Turn) -> Refusal | None:
    check = turn.check
    return turn.firm("invoke.secret") if check is not None and check.seen_by is not None else None


def _any_at_hand(turn: Turn) -> Refusal | None:
    return None if turn.check is None or any(_at_hand(turn)) else turn.firm("invoke")


@move(
    "aspect.invoke",
    when=_in_time,
    price=_price,
    only_if=[_in_the_open, takes_part, _any_at_hand],
    asks=[
        # Aid or upgrade is asked first: the odds of either follow whatever the aspect.
        ChoiceAsk("how", "What for?", _uses, default="aid"),
        ChoiceAsk("aspect", "Which aspect?", _choices, default=first_of(_choices)),
        ChoiceAsk("with", "With what?", _ways, default=first_of(_ways)),
        NumberAsk("face", "The face of a real die", needed=False, low=1, high=6, shown=_lies),
    ],
    rule="Aspects",
)
def invoke(turn: Turn) -> Iterator[Event]:
    """Invoke an aspect

    For a Fate point or a free invoke: an Aid die, or a Skill die upgraded to Expertise. Who opposes a contested action
    adds a Hindrance die instead, or upgrades a Difficulty die to Challenge. Each aspect once a roll; nothing is
    rolled again.
    """
    check, trait = turn.here, turn.table.traits[turn.text("aspect")]
    side, paid = own_side(turn, check), paid_with(turn)
    die, lesser = _dice(turn)
    why = turn.system.words.say("invoke.why", who=turn.seat.name, name=name(trait))
    upgrade = turn.text("how") == "upgrade"
    mod = Mod("upgrade" if upgrade else "add", lesser if upgrade else die, 1, why, turn.seat.id)
    mark = f"{side}:{trait.id}" + (":free" if paid == "free" else "")
    terms = {**check.terms, "invoked": (*invoked(check), mark)}
    yield turn.amend(check, f"{why}.", mods=(*check.mods, mod), terms=terms, spent=check.spent + turn.paid)
    if check.phase == "rolled":
        yield from _late(turn, die)
        if paid == "free":
            yield from _used(turn, trait, side)


def _late(turn: Turn, die: str) -> Iterator[Event]:
    """Only the added die is rolled, and counts with the others (option `late_invoke`)."""
    check = turn.here
    lies = turn.cast({die: 1}, (turn.number("face"),) if "face" in turn.args else ())
    yield DiceRolled(check.id, turn.seat.id, lies)
    yield lying(turn, (*check.rolled, *lies))


def lying(turn: Turn, lies: tuple[Rolled, ...]) -> Event:
    """The check once its dice lie: what they came to, and what there is to spend."""
    check = turn.here
    outcome = turn.system.read(turn.table, check, lies)
    left = turn.system.axes.named(outcome.net).only(("advantage", "disadvantage", "hope", "despair"))
    return turn.amend(check, rolled=lies, outcome=outcome, left=left, phase="rolled")


def used_up(turn: Turn, check: Check) -> Iterator[Event]:
    """Free invokes are gone when the dice that they gave are rolled; a boost goes with its last one."""
    for one in invoked(check):
        side, id, *how = one.split(":")
        if how and id in turn.table.traits:
            yield from _used(turn, turn.table.traits[id], side)


def _used(turn: Turn, trait: Trait, side: str) -> Iterator[Event]:
    left = free_invokes(turn, trait, side, -min(1, free(trait, side)))
    if trait.kind == "boost" and not left.trait.rating:
        yield TraitRemoved(trait.id, turn.system.words["invoke.boost"])
    else:
        yield left


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
