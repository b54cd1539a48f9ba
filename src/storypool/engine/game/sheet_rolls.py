"""What the entries of a sheet roll, and the moves that they begin."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field

from storypool.engine.bag import Bag
from storypool.engine.game.turn import Turn
from storypool.engine.table import Character, Value

__all__ = ["SheetRoll"]


@dataclass(frozen=True, slots=True)
class SheetRoll:
    """The roll of one entry of a sheet, or of a trait by its id: its dice, or a text about it.

    `move` begins it with the answers `given`; seats that do not play the character get "".
    """

    entry: str
    _: KW_ONLY
    pool: Bag = field(default_factory=Bag)
    text: str = ""
    move: str = ""
    given: Mapping[str, Value] = field(default_factory=dict)


SheetRule = Callable[[Turn, Character], Iterable[SheetRoll]]
"""Yields the rolls of a character's entries, for a turn without a move."""
