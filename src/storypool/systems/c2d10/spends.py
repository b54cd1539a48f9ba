"""What points do for a roll: more dice, dice rolled again, more successes, and finding something out.

Source: seed 001, Uses for hero and villain points. What they do in a conflict is in `conflicts`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import (
    Bag,
    Choice,
    ChoiceAsk,
    DiceRolled,
    Event,
    Limit,
    Mod,
    Move,
    NumberAsk,
    Refusal,
    TextAsk,
    Trait,
    TraitSet,
    Turn,
    building,
    idle,
    in_session,
    move,
    rolled,
)
from storypool.systems.c2d10 import conflicts
from storypool.systems.c2d10.declaring import (
    AS,
    ASSET,
    DC,
    FACES,
    IN_CONFLICT,
    OWN,
    POOL,
    TITLE,
    has_a_character,
    known,
)
from storypool.systems.c2d10.declaring import opened as declared
from storypool.systems.c2d10.dice import Part
from storypool.systems.c2d10.prices import costs
from storypool.systems.c2d10.reading import number, winner
from storypool.systems.c2d10.rolling import reads
from storypool.systems.c2d10.sheet import pays_for
from storypool.systems.c2d10.sides import FOR, paid, pays, succeeded

# Dice rolled again, and more of them.


def unsettled(turn: Turn) -> Refusal | None:
    """Nothing has followed from this roll yet, so its dice may still be changed."""
    check = turn.check
    return turn.no("settled") if check and check.terms.get("settled") else None


def _rollable(turn: Turn) -> Iterator[Choice]:
    """The dice of this seat's side that may be rolled again: all but crisis dice, a 0 first."""
    check, part = turn.check, paid(turn)
    if check is None:
        return
    places = [i for i, one in enumerate(check.rolled) if one.die == part.regular]
    for i in sorted(places, key=lambda i: (check.rolled[i].face != 0, check.rolled[i].face > 6, i)):
        one = check.rolled[i]
        yield Choice(str(i + 1), turn.system.words.say("die.showing", die=turn.word(one.die), face=one.face))


@move(
    "check.reroll",
    when=rolled,
    price=costs("reroll", "1 point of one's own side for each die"),
    only_if=[pays, unsettled, lambda t: None if any(_rollable(t)) else t.no("dice.none")],
    asks=[
        FOR,
        ChoiceAsk("die", "Which die?", _rollable, default=lambda t: next((c.value for c in _rollable(t)), None)),
        FACES,
    ],
    rule="Uses for hero and villain points",
    group="spend",
)
def reroll(turn: Turn) -> Iterator[Event]:
    """Spend a point to roll a die again

    Any die but a crisis die, a point for each, as often as there are points. What it shows then counts.
    """
    check, part = turn.here, paid(turn)
    place = int(turn.text("die")) - 1
    [new] = turn.cast(Bag({part.regular: 1}), turn.numbers("faces"))
    yield DiceRolled(check.id, turn.seat.id, (new,), turn.system.words["die.again"])
    lies = tuple(new if i == place else one for i, one in enumerate(check.rolled))
    key = f"{part.mark}rerolled"
    terms = {**check.terms, key: number(check, key) + 1}
    spent = check.spent + turn.paid
    yield from reads(turn, replace(check, terms=terms, spent=spent), lies)


N = NumberAsk("n", "How many?", default=1, low=1, high=5, needed=False)


@move(
    "dice.buy",
    when=building,
    price=costs("die", "1 point for the first die of this test, 2 for the second, 3 for the third", "bought", True),
    only_if=[pays],
    asks=[FOR, N],
    rule="Uses for hero and villain points",
    group="spend",
)
def buy_dice(turn: Turn) -> Iterator[Event]:
    """Spend points on more dice

    A d10 for a test or a contest; each further one costs 1 more. A roll with bought dice brings no points.
    """
    check, part, n = turn.here, paid(turn), turn.number("n", 1)
    spent = check.spent + turn.paid
    why = turn.system.words.say("die.bought", who=turn.seat.name)
    key = f"{part.mark}bought"
    changed = replace(check, terms={**check.terms, key: number(check, key) + n}, spent=spent)
    yield turn.amend(changed, why, mods=(*check.mods, Mod("add", part.regular, n, why, turn.seat.id)))


def _in_conflict(turn: Turn) -> Refusal | None:
    check = turn.check
    return None if check is None or check.terms.get("conflict") in turn.table.traits else turn.no("conflict.not")


def _winning(turn: Turn) -> Part:
    """The side that succeeded, which alone can have successes added."""
    return (winner(turn.table, turn.check) if turn.check else None) or paid(turn)


@move(
    "success.buy",
    when=succeeded,
    price=costs(
        "success",
        "2 points for the first success of this test, 4 for the second, 8 for the third",
        "added",
        whose=_winning,
    ),
    only_if=[_in_conflict, pays],
    rule="Uses for hero and villain points",
    group="spend",
)
def buy_success(turn: Turn) -> Iterator[Event]:
    """Spend points to add a success

    After a successful test, in a conflict; each further one costs twice as much. It counts for the conflict, and brings
    no points.
    """
    check, part = turn.here, _winning(turn)
    key = f"{part.mark}added"
    spent = check.spent + turn.paid
    terms = {**check.terms, key: number(check, key) + 1, "settled": True}
    changed = replace(check, terms=terms, spent=spent)
    outcome = turn.system.read(turn.table, changed, check.rolled)
    yield turn.amend(changed, turn.system.words.say("success.bought", who=turn.seat.name), outcome=outcome)


# Finding something out. Source: seed 001, Uses for hero and villain points.


def _seekers(turn: Turn) -> Iterator[Choice]:
    return known(True, pays_for)(turn)


@move(
    "information.seek",
    when=lambda t: in_session(t) or idle(t),
    price=costs("information", "1 point"),
    only_if=[has_a_character, conflicts.in_turn],
    asks=[
        replace(AS, choices=_seekers, default=lambda t: next((c.value for c in _seekers(t)), None)),
        TITLE,
        POOL,
        *OWN,
        DC,
        IN_CONFLICT,
        ASSET,
    ],
    rule="Uses for hero and villain points",
    group="spend",
)
def seek(turn: Turn) -> Iterator[Event]:
    """Spend a point to find something out

    The point buys the attempt; a fitting skill is still tested, and where it passes the Keeper may grant a bonus.
    """
    yield from declared(turn, "information")
    yield turn.amend(turn.table.checks[turn.own_check], spent=turn.paid)


def _found_out(turn: Turn) -> Refusal | None:
    check = turn.check
    if check is None or check.phase != "rolled":
        return rolled(turn)
    found = check.terms.get("kind") == "information" and check.outcome is not None and check.outcome.passed
    return None if found else turn.firm("information.none")


@move(
    "information.grant",
    by=["gm"],
    when=_found_out,
    limit=Limit("bonus", ("check",)),
    asks=[TextAsk("text", "What have they found out?")],
    rule="Uses for hero and villain points",
    group="spend",
)
def grant(turn: Turn) -> Iterator[Event]:
    """Grant a bonus for what was found out

    It waits as something true that can be brought into play once, to make a test easier.
    """
    check = turn.here
    yield turn.amend(check, terms={**check.terms, "settled": True})
    yield TraitSet(
        Trait(turn.fresh("t"), "bonus", turn.text("text"), check.actor, by=turn.seat.id, seen_by=check.seen_by)
    )


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
