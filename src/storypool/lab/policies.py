"""Policies: functions from what a seat may see to one of its ways to spend points, or None to spend
nothing.

Those with a name are made of conditions, joined by commas: `gains=0.1,keep=2` spends where each
point adds at least a tenth to a chance, and never the last two points. Of the ways that meet every
condition the one that gains most is taken, and the cheaper of two that gain the same.

- `never`, `always`: nothing, or whatever can be bought
- `solved`: what serves the side best to the end of the evening, by the solution of its economy;
  only alone
- `gains=X`: only what adds at least X to a chance for each point that it costs, as `gains=0.05`,
  five in 100
- `helps`: only what adds at least a twentieth for each point, or, where that is not known, what may
  still mend a
  roll that went against this side
- `keep=N`: only what leaves N points
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
"""What a point adds at least to a chance where it `helps`."""

Condition = Callable[[Position, Spend], bool]
"""Whether a policy would make this spend."""


def never(position: Position) -> Spend | None:
    """Spend nothing."""
    return None


def best(position: Position, *conditions: Condition) -> Spend | None:
    """Return the spend that gains most among those that meet every condition; None where there is
    none.

    What is not known counts as nothing gained.
    """
    open_now = [one for one in position.spends if all(holds(position, one) for holds in conditions)]
    if len(open_now) < 2:
        return open_now[0] if open_now else None
    return max(open_now, key=lambda one: (position.gain(one) or Fraction(0), -position.cost(one)))


def named(text: str) -> SeatPolicy:
    """Return the policy with this name; `Refused` says what is not known, and what there is.

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
    """Return the condition with this name; None for an unknown one, `ValueError` for a value that
    is no number.
    """
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
    """Return a function of a file that a designer wrote."""
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
