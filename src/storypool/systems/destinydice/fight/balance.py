"""How two people of Destiny Dice would fare in a fight: their attacks, and the hits they stand.

An attack is with the best ability, against the best of the target, mirrored; nobody invokes an
aspect. A hit is of the shifts by which such an attack succeeds on average.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from storypool.engine import rules as r
from storypool.odds import ge
from storypool.systems.destinydice.dice import mirrored
from storypool.systems.destinydice.odds import distribution
from storypool.systems.destinydice.sheet import (
    SHIFTS,
    abilities,
    is_out,
    open_consequences,
    rating_at,
    rung,
    unchecked_boxes,
)
from storypool.systems.game_parts import Attack


def attacks(turn: r.Turn, who: r.Character, target: r.Character) -> Iterator[Attack]:
    """The attack with the best ability; none of a character without any."""
    ours, theirs = _best(turn, who), _best(turn, target)
    if ours is not None:
        pool = rung(ours).pool + mirrored(rung(theirs or 0).pool)
        yield _reckoned(pool, turn.option("hope_success_uncancellable") == "yes")


def _best(turn: r.Turn, who: r.Character) -> int | None:
    """The highest rating of a character, or None without any."""
    rated = (rating_at(turn, who, one.value) for one in abilities(turn, who))
    return max((n for n in rated if n is not None), default=None)


@lru_cache(maxsize=512)
def _reckoned(pool: r.Bag, hope_stands: bool) -> Attack:
    of = distribution(pool, hope_stands).on("margin")
    chance = of.p(margin=ge(1))
    return Attack(chance, of.given(margin=ge(1)).mean("margin") if chance else Fraction())


def hits(turn: r.Turn, target: r.Character, harm: Fraction) -> int:
    """The hits that take the target out, each taken with as little waste as possible."""
    if is_out(turn.table, target.id):
        return 0
    shifts, count = max(1, round(harm)), 1
    boxes = unchecked_boxes(turn.table, target.id)
    slots = [SHIFTS[severity] for severity in open_consequences(turn.table, target.id)]
    while _absorb(shifts, boxes, slots):
        count += 1
    return count


def _absorb(shifts: int, boxes: list[int], slots: list[int]) -> bool:
    """Take one hit with the lowest box that is enough, else with consequences; False if it cannot.

    Those that are used are taken out of the lists.
    """
    if box := next((one for one in boxes if one >= shifts), 0):
        boxes.remove(box)
        return True
    left = shifts - (boxes[-1] if boxes else 0)
    if sum(slots) < left:
        return False
    if boxes:
        boxes.pop()
    while left > 0:
        slot = next((one for one in slots if one >= left), slots[-1])
        slots.remove(slot)
        left -= slot
    return True
