"""The rolls of a sheet: each skill and each characteristic as a check."""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.narrative.fight.opponents import actors
from storypool.systems.narrative.sheet import all_skills, ready_dice, skill_dice
from storypool.systems.narrative.symbol_dice import skilled


def sheet_rolls(turn: r.Turn, who: r.Character) -> Iterator[r.SheetRoll]:
    """The dice of every skill and characteristic, each with the check that it begins."""
    acts = any(choice.value == who.id and not choice.closed for choice in actors(turn))
    move = "check.declare" if acts else ""

    def of(entry: str, question: str, pool: r.Bag) -> r.SheetRoll:
        given = {"as": who.id, question: entry}
        return r.SheetRoll(entry, pool=pool, move=move, given=given)

    for entry in turn.system.sheet:
        if entry.group == "characteristic":
            yield of(entry.key, "characteristic", skilled(who.rating(entry.key) or 0, 0))
    for key in all_skills(turn, who):
        yield of(key, "skill", skill_dice(turn, who, key) or ready_dice(turn, who, key))
