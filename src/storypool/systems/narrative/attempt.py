"""What is kept about a check from its declaration until its end, in the terms of the action."""

from dataclasses import dataclass

from storypool.engine import rules as r


@dataclass(frozen=True)
class Attempt(r.State):
    """What was declared, who has yet to decide about points, and what they have paid for.

    `value` and `rank` are numbers that a hidden action brings along and no sheet has; `by_value`
    and `by_rank` those that were given for an opponent whose sheet lacked them. `damage` is what
    the weapon does, `dealt` the wounds that a hit has done, each None before. `undecided` are the
    windows to come, `passed` are those who spend nothing, `ready` is the seat that rolls once
    nobody decides any more.
    """

    kind: str = ""
    skill: str = ""
    characteristic: str = ""
    difficulty: str = ""
    by_skill: str = ""
    by_characteristic: str = ""
    by_value: int = 0
    by_rank: int = 0
    by_hand: str = ""
    contest: str = ""
    helper: str = ""
    value: int = 0
    rank: int = 0
    damage: int | None = None
    dealt: int | None = None
    paid: bool = False
    drawn: bool = False
    ready: str = ""
    undecided: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
