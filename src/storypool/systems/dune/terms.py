"""What is agreed about a test: the target number, the Difficulty and what shifts it, and who may touch it.

The terms of a check are plain values; these functions read and change them, so that each rule says what it means.
"""

from __future__ import annotations

from dataclasses import replace

from storypool.engine.rules import Check, Refusal, Table, Turn, Value, characters
from storypool.systems.dune.sheet import rating

ORDINARY = 1
"""The complication range of most tests: only a 20."""
ACTIONS = ("attack", "move", "use")
"""Kinds of test that are a side's action in a conflict."""


def with_terms(check: Check, **changes: Value) -> Check:
    """The check with some of its terms changed."""
    return replace(check, terms={**check.terms, **changes})


def number(check: Check | None, key: str, default: int = 0) -> int:
    """A term that is a number."""
    value = check.terms.get(key) if check else None
    return value if isinstance(value, int) else default


def numbers(check: Check, key: str) -> tuple[int, ...]:
    """A term that is a list of numbers."""
    value = check.terms.get(key, ())
    return tuple(n for n in value if isinstance(n, int)) if isinstance(value, tuple) else ()


def texts(check: Check, key: str) -> tuple[str, ...]:
    """A term that is a list of texts."""
    value = check.terms.get(key, ())
    return tuple(str(text) for text in value) if isinstance(value, tuple) else ()


def text(check: Check | None, key: str) -> str:
    """A term that is a text."""
    return str(check.terms.get(key, "")) if check else ""


def kind(check: Check | None) -> str:
    """What sort of test this is: test, attack, move, use, or oppose."""
    return text(check, "kind")


def with_difficulty(check: Check, base: int | None = None) -> Check:
    """The check with its Difficulty derived: the base that was set, and everything that shifts it, never below 0.

    Source: seed 004, Traits and Spending Threat; dune.md 4.6.
    """
    check = check if base is None else with_terms(check, base=base)
    if "base" not in check.terms:
        return check
    return with_terms(check, difficulty=max(0, number(check, "base") + sum(numbers(check, "shifts"))))


def shifted(check: Check, n: int, why: str) -> Check:
    """The check made harder or easier, with the reason on record."""
    shifts, reasons = (*numbers(check, "shifts"), n), (*texts(check, "reasons"), f"{n:+d} {why}")
    return with_difficulty(with_terms(check, shifts=shifts, reasons=reasons))


def with_target(table: Table, check: Check) -> Check:
    """The check with its target number, where skill and drive are known: their sum; with a focus, up to the skill is
    a critical. Numbers given by hand stay.

    Source: seed 004, Skill Test Procedure.
    """
    if check.terms.get("by_hand"):
        return check
    actor = table.characters.get(check.actor)
    skill, drive = rating(actor, text(check, "skill")), rating(actor, text(check, "drive"))
    if skill is None or drive is None:
        return check
    return with_terms(check, target=skill + drive, critical=skill if text(check, "focus") else 1)


def purse(side: str) -> str:
    """The pool that a side saves to and spends from."""
    return "threat" if side == "gm" else "momentum"


def acts_in(turn: Turn, check: Check) -> bool:
    """Whether this seat plays whoever acts."""
    actor = turn.table.characters.get(check.actor)
    if check.side == "gm":
        return turn.seat.side == "gm"
    return actor is not None and actor.seat == turn.seat.id


# Conditions.


def has_a_character(turn: Turn) -> Refusal | None:
    """This seat has somebody to act with."""
    return None if any(characters(own=True)(turn)) else turn.no("nobody")


def yours(turn: Turn) -> Refusal | None:
    """The test is this seat's own, or this is the GM."""
    check = turn.check
    return None if check is None or turn.seat.side == "gm" or acts_in(turn, check) else turn.no("yours")


def own(turn: Turn) -> Refusal | None:
    """The test is this seat's own: what it costs is paid by nobody else."""
    check = turn.check
    return None if check is None or acts_in(turn, check) else turn.no("own")


def own_or_won(turn: Turn) -> Refusal | None:
    """The test is this seat's own; or it was lost, and what it brought is for whoever plays the opponent."""
    check = turn.check
    opponent = turn.table.characters.get(check.against) if check else None
    if check is None or opponent is None or check.outcome is None or check.outcome.passed is not False:
        return own(turn)
    ours = turn.seat.side == "gm" if opponent.side == "gm" else opponent.seat == turn.seat.id
    return None if ours else turn.no("failed")


def in_the_open(turn: Turn) -> Refusal | None:
    """A test that the players do not see moves no pool: the change would tell of it."""
    check = turn.check
    return turn.firm("hidden.points") if check is not None and check.seen_by is not None else None


def succeeded(turn: Turn) -> Refusal | None:
    """The test was passed, and not at a cost, or it was lost to this side: Momentum can be spent on it."""
    check = turn.check
    if check is None or check.outcome is None:
        return None
    if check.terms.get("at_cost"):
        return turn.no("at_cost.spend")
    if check.owed[purse(turn.seat.side)]:
        return None
    return None if check.outcome.passed is not False else turn.no("failed")


def untouched(turn: Turn) -> Refusal | None:
    """Nothing has come of the roll yet, so it can still be changed."""
    check = turn.check
    return turn.no("touched") if check is not None and check.terms.get("touched") else None
