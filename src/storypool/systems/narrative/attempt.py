"""The terms of a check from its declaration to its end."""

from dataclasses import dataclass

from storypool.engine import rules as r


@dataclass(frozen=True)
class Attempt(r.State):
    """The declaration of a check, the undecided windows, and what was paid.

    `value` and `rank` are numbers of a hidden action that are on no sheet; `by_value` and
    `by_rank` those given for an opponent whose sheet lacked them. `weapon` is the id of a named
    one, `damage` that of any, `dealt` the wounds of a hit; both are None until known. `injury` is
    the id of the one that is treated. `undecided` are the windows to come, `passed` the seats that
    spend nothing, `ready` the seat that rolls as soon as no window is open.
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
    injury: str = ""
    weapon: str = ""
    value: int = 0
    rank: int = 0
    damage: int | None = None
    dealt: int | None = None
    paid: bool = False
    drawn: bool = False
    ready: str = ""
    undecided: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
