"""The results of an action by its roll, from actions.toml, and those still due.

Source: seed 002, Roll and Interpret; destinydice.md 3.5.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from storypool.engine import rules as r
from storypool.systems.destinydice import result
from storypool.systems.destinydice.pool import contested, defends
from storypool.systems.destinydice.sheet import HERE
from storypool.systems.destinydice.state import Action

GRADES = ("fail", "tie", "succeed", "style")
FOUR = ("overcome", "create", "attack", "defend")
ADVANTAGES = {"new": "create", "unknown": "discover", "known": "exploit"}
"""The row for creating an advantage, by the aspect: new, undiscovered, or known."""


@dataclass(frozen=True, slots=True)
class Result:
    """A possible result of an action. The fields are explained in actions.toml."""

    id: str
    key: str
    text: str
    effect: str = ""
    n: int = 0
    theirs: bool = False
    trade: int = 0


PRINTED = r.rows(HERE, "actions")


def _results(key: str, row: Mapping[str, Any]) -> dict[str, tuple[Result, ...]]:
    found = dict[str, tuple[Result, ...]]()
    for grade in GRADES:
        found[grade] = tuple(Result(f"{key}.{grade}.{way['key']}", **way) for way in row[grade])
    return found


ROWS = {key: _results(key, row) for key, row in PRINTED.items()}
"""The possible results of each action, by its key and the outcome."""


def row(check: r.Check) -> str:
    """The row of this action."""
    return Action.of(check).row or "overcome"


def margin_of_attempt(check: r.Check) -> int:
    """The margin of the side that attempts something: in a defence the opponent's.

    Source: seed 002, Roll and Interpret.
    """
    margin = check.outcome.margin if check.outcome else 0
    return -margin if defends(check) else margin


def results(check: r.Check) -> tuple[Result, ...]:
    """The possible results of the action, given its roll."""
    return ROWS[row(check)][result.grade(margin_of_attempt(check))]


def warded_off(check: r.Check) -> bool:
    """Whether the opponent held by three or more, and so gets a boost."""
    opposed = (contested(check) or defends(check)) and PRINTED[row(check)].get("defended")
    return bool(opposed) and margin_of_attempt(check) <= -result.STYLE


def is_due(check: r.Check) -> bool:
    """Whether a result of the roll has not been carried out."""
    if check.phase != "rolled" or Action.of(check).taken:
        return False
    ways = results(check)
    return len(ways) > 1 or any(way.effect for way in ways) or warded_off(check)


def is_plain_hit(turn: r.Turn, check: r.Check) -> bool:
    """Whether the only result of the roll is a hit, without a choice."""
    ways = results(check) if is_due(check) else ()
    final = turn.option("late_invoke") == "no" and not warded_off(check)
    return final and [way.effect for way in ways] == ["hit"]


def attempter(check: r.Check) -> str:
    """The id of the character who attempts something: in a defence the opponent."""
    return check.against if defends(check) else check.actor


def resister(check: r.Check) -> str:
    """The id of the character who resists it."""
    return check.actor if defends(check) else check.against
