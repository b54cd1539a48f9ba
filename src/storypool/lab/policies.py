"""Policies: functions from a seat's view to one of its ways to spend points, or None.

A named policy consists of conditions, joined by commas: `gains=0.1,keep=2` spends if each point
adds at least a tenth to a chance, and never the last two points. Of the ways that meet every
condition it takes the one with the highest gain, and the cheaper of two with equal gains.

- `never`, `always`: nothing, or everything that can be bought
- `solved`: the best choice until the end of the evening, by the solution of its economy; only alone
- `gains=X`: only ways that add at least X to a chance for each point, as `gains=0.05`, five in 100
- `helps`: only ways that add at least a twentieth for each point, or, if that is unknown, that may
  still mend a roll that went against this side
- `keep=N`: only ways that leave N points
- `own`, `answer`: only in actions of this side, or only in those of the other
- `FILE.py:NAME`: the function NAME of a file
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from storypool.engine.refusal import Refusal, Refused
from storypool.lab.position import Position, Spend
from storypool.lab.solutions import solved
from storypool.words import Phrase

SeatPolicy = Callable[[Position], Spend | None]
"""Returns one of the position's `spends`, or None."""

ENOUGH = Fraction(1, 20)
"""The least that a point must add to a chance if it `helps`."""

Condition = Callable[[Position, Spend], bool]
"""Whether a policy would make this spend."""


def never(position: Position) -> Spend | None:
    """Spend nothing."""
    return None


def best(position: Position, *conditions: Condition) -> Spend | None:
    """The spend with the highest gain that meets every condition; None without one.

    An unknown gain counts as 0.
    """
    open_now = list(position.spends)
    for holds in conditions:
        open_now = [one for one in open_now if holds(position, one)]
    if len(open_now) < 2:
        return open_now[0] if open_now else None
    return max(open_now, key=lambda one: (position.gain(one) or Fraction(0), -position.cost(one)))


def named(text: str) -> SeatPolicy:
    """The policy with this name; `Refused` lists the known ones.

    >>> named("never") is never
    True
    """
    if text in ("never", "solved"):
        return never if text == "never" else solved
    if ".py:" in text:
        return _from_file(*text.rsplit(":", 1))
    conditions = tuple(_conditions(text))

    def policy(position: Position) -> Spend | None:
        return best(position, *conditions)

    return policy


def _conditions(text: str) -> Iterator[Condition]:
    for part in text.split(","):
        name, _, value = part.strip().partition("=")
        try:
            condition = _condition(name, value)
        except (ValueError, ZeroDivisionError):
            condition = None
        if condition is None:
            raise Refused(
                Refusal.of("unknown", Phrase("lab.policy.unknown", policy=part[:40]), "policy")
            )
        if name != "always":
            yield condition


def _condition(name: str, value: str) -> Condition | None:
    """The condition with this name; None for an unknown one, `ValueError` for a bad number."""
    if name == "gains" and value:
        least = Fraction(value)
        return lambda position, spend: (
            (position.gain(spend) or Fraction(0)) >= least * position.cost(spend)
        )
    if name == "keep" and value:
        kept = int(value)
        return lambda position, spend: position.balance(spend) - spend.price.total >= kept
    known: dict[str, Condition] = {
        "always": lambda position, spend: True,
        "helps": _helps,
        "own": lambda position, spend: position.mine,
        "answer": lambda position, spend: position.check is not None and not position.mine,
    }
    return None if value else known.get(name)


def _helps(position: Position, spend: Spend) -> bool:
    gain, check = position.gain(spend), position.check
    if gain is not None:
        return gain >= ENOUGH * max(1, position.cost(spend))
    return (
        check is not None
        and check.outcome is not None
        and check.outcome.passed is not position.mine
    )


def _from_file(file: str, name: str) -> SeatPolicy:
    """A function from a designer's file."""
    spec = spec_from_file_location(Path(file).stem, file)
    try:
        if spec is None or spec.loader is None:
            raise ImportError(file)
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        policy: SeatPolicy = getattr(module, name)
    except (ImportError, OSError, AttributeError, SyntaxError) as wrong:
        raise Refused(
            Refusal.of(
                "argument", Phrase("lab.policy.file", file=file, name=name, why=wrong), "policy"
            )
        ) from None
    return policy
