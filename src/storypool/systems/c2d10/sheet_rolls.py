"""The rolls of a sheet: the dice of each skill with its usual talent, and of each talent."""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.c2d10.declaring import dice_for
from storypool.systems.c2d10.dice import ACTIVE


def sheet_rolls(turn: r.Turn, who: r.Character) -> Iterator[r.SheetRoll]:
    """The dice of skills and talents, each with the test that it begins."""
    for entry in turn.system.sheet:
        if entry.group in ("skill", "talent"):
            usual = entry.notes.get("with", "")
            n = sum(who.rating(key) or 0 for key in (entry.key, usual) if key)
            given = {"as": who.id, entry.group: entry.key}
            pool = dice_for(turn.table, who, ACTIVE, max(1, n))
            yield r.SheetRoll(entry.key, pool=pool, move="check.declare", given=given)
