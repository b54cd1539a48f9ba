"""The sides of a check: who rolls, who pays, and for which of the two a seat speaks."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine.rules import Character, Check, Choice, ChoiceAsk, Refusal, Turn, building
from storypool.systems.c2d10.dice import ACTIVE, PARTS, Part
from storypool.systems.c2d10.reading import is_contest, winner
from storypool.systems.c2d10.sheet import acts_for, pays_for


def parts(check: Check) -> tuple[Part, ...]:
    """Those who roll in a check: one in a test, two in a contest."""
    return PARTS if is_contest(check) else (ACTIVE,)


def who(turn: Turn, check: Check, part: Part) -> Character | None:
    """The character on this side of the roll."""
    return turn.table.characters.get(check.actor if part is ACTIVE else check.against)


def purse(turn: Turn) -> str:
    """The account that this seat spends from."""
    return "villain" if turn.seat.side == "gm" else "hero"


def paid_parts(turn: Turn) -> list[Part]:
    """The sides of the check in sight that this seat spends points on."""
    check = turn.check
    return [part for part in parts(check) if pays_for(turn, who(turn, check, part))] if check else []


def paid(turn: Turn) -> Part:
    """The side that this seat spends points on: the one named by the argument `for`, else the first.

    Whoever acts, where the Keeper has set aside that none is this seat's.
    """
    found = paid_parts(turn)
    return next((part for part in found if part.regular == turn.text("for")), found[0] if found else ACTIVE)


def asks_for(found: list[Part], turn: Turn) -> Iterator[Choice]:
    """These sides of the check as choices."""
    check = turn.check
    for part in found if check else ():
        assert check is not None
        one = who(turn, check, part)
        yield Choice(part.regular, one.name if one else "")


FOR = ChoiceAsk(
    "for",
    "For whom?",
    lambda t: asks_for(paid_parts(t), t),
    default=lambda t: found[0].regular if (found := paid_parts(t)) else None,
    shown=lambda t: len(paid_parts(t)) > 1,
)


def pays(turn: Turn) -> Refusal | None:
    """This seat spends points on whoever rolls here, and the check is not hidden: the pool would tell of it."""
    check = turn.check
    if check is None:
        return None
    if check.seen_by is not None:
        return turn.firm("points.secret")
    return None if paid_parts(turn) else turn.no("points.theirs")


def succeeded(turn: Turn) -> Refusal | None:
    """The test was successful, and this seat spends points on whoever succeeded."""
    check = turn.check
    if check is None or check.outcome is None:
        return turn.firm("check" if check is None else "unrolled")
    won = winner(turn.table, check)
    if won is None:
        return turn.no("unsuccessful")
    return None if won in paid_parts(turn) else turn.no("points.theirs")


def yours(turn: Turn) -> Refusal | None:
    """The check is this seat's own, or this is the Keeper."""
    check = turn.check
    if check is None or turn.seat.side == "gm" or acts_for(turn, who(turn, check, ACTIVE)):
        return None
    return turn.no("yours")


def unrolled(turn: Turn) -> Refusal | None:
    """A check is going on that nobody has rolled for yet, not even once for a tie."""
    check = turn.check
    return building(turn) or (turn.no("rolled") if check and check.rolled else None)
