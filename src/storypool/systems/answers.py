"""Odds as plain data, the same for every game and every surface: exact fractions as texts, the joint odds in order."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from storypool.odds import Distribution
from storypool.refusal import Refusal, Refused

Answer = dict[str, Any]
"""`system`, `pool`, `terms`, `axes`, `joint` (rows with their odds), `outcomes`, `mean`; and `against` in a contest."""


def answer(
    system: str,
    pool: Mapping[str, int],
    terms: Mapping[str, str],
    distribution: Distribution,
    outcomes: Mapping[str, Fraction],
    against: Mapping[str, int] | None = None,
) -> Answer:
    """The odds of a pool as plain data."""
    whole: Answer = {"system": system, "pool": dict(pool)}
    if against is not None:
        whole["against"] = dict(against)
    return whole | {
        "terms": dict(terms),
        "axes": list(distribution.axes),
        "joint": [[list(row), text(odds)] for row, odds in distribution.joint()],
        "outcomes": {name: text(odds) for name, odds in outcomes.items()},
        "mean": {axis: text(distribution.mean(axis)) for axis in distribution.axes},
    }


def text(n: Fraction) -> str:
    """An exact number as a reduced fraction.

    >>> text(Fraction(2, 4)), text(Fraction(0))
    ('1/2', '0/1')
    """
    return f"{n.numerator}/{n.denominator}"


def chosen(terms: Mapping[str, str], known: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """What these terms say, with the first value of each that is not given; `Refused` for any that is not known."""
    for key, value in terms.items():
        if key not in known:
            named = ", ".join(known) or "no terms at all"
            raise Refused(
                Refusal("argument", f"“{key}” is nothing that these odds depend on; known: {named}.", field=key)
            )
        if value not in known[key]:
            text = f"“{key}” cannot be “{value}”; choose one of: {', '.join(known[key])}."
            raise Refused(Refusal("argument", text, field=key))
    return {key: terms.get(key, values[0]) for key, values in known.items()}
