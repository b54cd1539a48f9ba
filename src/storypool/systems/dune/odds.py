"""Odds of this game's pools, and of a test that is open at a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from storypool.bag import Bag
from storypool.systems.answers import Answer
from storypool.systems.twod20 import odds

if TYPE_CHECKING:
    from storypool.table import Check


def answer(pool: Bag, terms: Mapping[str, str], against: Bag | None = None) -> Answer:
    """The exact odds of a pool or a contest as plain data; `Refused` for what is not known or out of bounds."""
    return odds.reckoned("dune", pool, terms, against)


def terms(check: Check) -> dict[str, str]:
    """What the odds of an open test depend on besides its d20, as far as it is agreed by now.

    With `reroll` = failed besides, they say what a re-roll is worth.
    """
    known = {"target": "target", "focus": "critical", "difficulty": "difficulty", "range": "range"}
    found = {key: str(check.terms[term]) for key, term in known.items() if term in check.terms}
    if "target" in found:
        found.setdefault("focus", "1")
    targets, criticals = check.terms.get("helper_targets", ()), check.terms.get("helper_criticals", ())
    if isinstance(targets, tuple) and isinstance(criticals, tuple) and targets:
        found["assist"] = ",".join(f"{aim}:{twice}" for aim, twice in zip(targets, criticals, strict=True))
    return found
