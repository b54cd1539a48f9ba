"""What changes a pool before the roll: circumstances, help, stunts.

Source: seed 002, Stunts, Building Your Die Pool; destinydice.md 3.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from storypool.engine.rules import (
    Ask,
    Check,
    Choice,
    ChoiceAsk,
    Event,
    FlagAsk,
    Mod,
    Move,
    NumberAsk,
    Refusal,
    TextAsk,
    Trait,
    TraitSet,
    Turn,
    building,
    here,
    move,
)
from storypool.systems.destinydice.dice import MIRROR
from storypool.systems.destinydice.sheet import FREE_STUNTS, knacks, number, out, plays, side_of
from storypool.systems.destinydice.sides import contested, opposes, takes_part


def _dice(*names: str) -> Ask:
    return ChoiceAsk("die", "Which die?", lambda t: [Choice(n, t.word(n)) for n in names], default=names[0])


COUNT = NumberAsk("n", "How many?", default=1, low=1, high=6, needed=False)
WHY = TextAsk("why", "Why?")


def _modified(turn: Turn, kind: Literal["add", "remove"]) -> Iterator[Event]:
    check = turn.here
    mod = Mod(kind, turn.text("die"), turn.number("n", 1), turn.text("why"), turn.seat.id)
    what = turn.system.words.say(f"mod.{kind}", n=mod.n, die=turn.word(mod.die), why=mod.why)
    yield turn.amend(check, what, mods=(*check.mods, mod))


@move(
    "pool.add",
    when=building,
    asks=[_dice("hindrance", "aid", "difficulty", "skill", "expertise", "challenge"), COUNT, WHY],
    approval=lambda t: t.seat.side == "player",
    rule="Types of Dice",
)
def add_dice(turn: Turn) -> Iterator[Event]:
    """Add dice for the circumstances

    Aid for what helps from outside, Hindrance for what makes things harder. A player proposes them.
    """
    yield from _modified(turn, "add")


@move(
    "pool.remove",
    when=building,
    asks=[_dice("hindrance", "aid", "difficulty", "challenge", "skill", "expertise"), COUNT, WHY],
    approval=lambda t: t.seat.side == "player",
    rule="Types of Dice",
)
def remove_dice(turn: Turn) -> Iterator[Event]:
    """Remove dice

    Last of all; a removal beyond what is there is dropped. A player proposes it.
    """
    yield from _modified(turn, "remove")


def added(turn: Turn, check: Check, die: str, why: str, by: str, **terms: tuple[str, ...]) -> Event:
    """One die more for a reason: as it is for whoever acts, as its mirror image from the other side."""
    mod = Mod("add", die, 1, why, by)
    return turn.amend(check, f"{why}.", mods=(*check.mods, mod), terms={**check.terms, **terms})


def listed(check: Check, key: str) -> tuple[str, ...]:
    """A list in the terms of a check: who has helped, which stunts were used."""
    held = check.terms.get(key, ())
    return tuple(str(one) for one in held) if isinstance(held, tuple) else ()


# Help.


def _helpers(turn: Turn) -> Iterator[Choice]:
    check = turn.check
    if check is None:
        return
    for one in turn.table.characters.values():
        known = one.seen_by is None or check.seen_by is not None
        busy = one.id in (check.actor, check.against, *listed(check, "helped")) or out(turn.table, one.id)
        useful = side_of(turn.table, one.id) == check.side or contested(check)
        if plays(turn, one) and here(one) and known and useful and not busy:
            yield Choice(one.id, one.name)


def _can_help(turn: Turn) -> Refusal | None:
    return None if turn.check is None or any(_helpers(turn)) else turn.firm("help")


@move(
    "check.help",
    when=building,
    only_if=[_can_help],
    asks=[ChoiceAsk("helper", "Who helps?", _helpers)],
    rule="Building Your Die Pool",
)
def help_out(turn: Turn) -> Iterator[Event]:
    """Help with this action

    Each helper adds one Aid die, once; whoever helps the opponent adds it mirrored, as a Hindrance.
    """
    check = turn.here
    helper = turn.table.characters[turn.text("helper")]
    helps = side_of(turn.table, helper.id) == check.side
    why = turn.system.words.say("help.aid" if helps else "help.hindrance", who=helper.name)
    die = "aid" if helps else MIRROR["aid"]
    yield added(turn, check, die, why, helper.id, helped=(*listed(check, "helped"), helper.id))


# Stunts.


def _owners(turn: Turn) -> Iterator[Choice]:
    for one in turn.table.characters.values():
        ours = turn.seat.side == "gm" or one.seat == turn.seat.id
        if ours and here(one) and not knacks(turn, one.id):
            yield Choice(one.id, one.name)


def _has_owner(turn: Turn) -> Refusal | None:
    return None if any(_owners(turn)) else turn.firm("nobody")


@move(
    "stunt.add",
    only_if=[_has_owner],
    asks=[
        ChoiceAsk("who", "Whose stunt is it?", _owners),
        TextAsk("text", "What can they do, and when?"),
        FlagAsk("bonus", "Does it give +2?", default=True, needed=False),
    ],
    rule="Stunts",
)
def add_stunt(turn: Turn) -> Iterator[Event]:
    """Write down a stunt

    Three are free; each further one lowers Refresh by one, and Refresh is never less than one (destinydice.md 3.5).
    """
    who = turn.table.characters[turn.text("who")]
    owned = sum(1 for trait in turn.table.traits.values() if trait.kind == "stunt" and trait.about == who.id)
    if who.side == "players" and owned - FREE_STUNTS >= number(who, "refresh") - 1:
        raise turn.refused("argument", "stunt.refresh", "who", who=who.name)
    terms = {"bonus": turn.flag("bonus")}
    yield TraitSet(Trait(turn.fresh("t"), "stunt", turn.text("text"), who.id, by=turn.seat.id, terms=terms))


def _usable(turn: Turn) -> Iterator[Choice]:
    check = turn.check
    if check is None:
        return
    who = check.against if opposes(turn, check) else check.actor
    one = turn.table.characters.get(who)
    if one is None or not (turn.seat.side == "gm" or one.seat == turn.seat.id):
        return
    for trait in turn.table.traits.values():
        known = trait.seen_by is None or check.seen_by is not None
        theirs = trait.kind == "stunt" and trait.about == who and trait.terms["bonus"] is True
        if theirs and known and trait.id not in listed(check, "stunts"):
            yield Choice(trait.id, trait.text)


def _has_stunts(turn: Turn) -> Refusal | None:
    return None if turn.check is None or any(_usable(turn)) else turn.firm("stunt")


@move(
    "stunt.use",
    when=building,
    only_if=[takes_part, _has_stunts],
    asks=[ChoiceAsk("stunt", "Which stunt?", _usable)],
    rule="Stunts",
)
def use_stunt(turn: Turn) -> Iterator[Event]:
    """Use a stunt

    Where it would give +2 it gives an Aid die; the opponent's stunt comes mirrored, as a Hindrance.
    """
    check, stunt = turn.here, turn.table.traits[turn.text("stunt")]
    die = MIRROR["aid"] if stunt.about == check.against else "aid"
    why = turn.system.words.say("stunt.used", text=stunt.text)
    yield added(turn, check, die, why, turn.seat.id, stunts=(*listed(check, "stunts"), stunt.id))


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
