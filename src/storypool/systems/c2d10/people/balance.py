"""How two sides of a C2D10 conflict would fare: their tests, and how many make a side's score.

A test is with the best skill and its usual talent against the usual DC of the conflict that is
going on, or 2. The score is its target, or that of a new one.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import ceil

from storypool.engine import rules as r
from storypool.odds import ge
from storypool.systems.c2d10.abilities import READY_DICE
from storypool.systems.c2d10.conflicts import PROGRESS, ROUNDS, USUAL_DC, Conflict, current
from storypool.systems.c2d10.declaring import dice_for
from storypool.systems.c2d10.dice import ACTIVE
from storypool.systems.c2d10.odds import distribution
from storypool.systems.game_parts import Attack


def attacks(turn: r.Turn, who: r.Character, target: r.Character) -> Iterator[Attack]:
    """The best test, which adds to the score of a side, no matter which target."""
    most = max([r.rating(who, READY_DICE) or 0, *_dots(turn, who)])
    if not most:
        return
    dc = Conflict.of(current(turn.table)).dc
    pool = dice_for(turn.table, who, ACTIVE, most)
    yield _reckoned(pool, USUAL_DC if dc is None else dc)


def _dots(turn: r.Turn, who: r.Character) -> Iterator[int]:
    """The dots of each skill with its usual talent."""
    for entry in turn.system.sheet:
        if entry.group == "skill":
            yield sum(r.rating(who, key) or 0 for key in (entry.key, entry.notes["with"]))


@lru_cache(maxsize=512)
def _reckoned(pool: r.Bag, dc: int) -> Attack:
    """The chance to pass, and the progress of a passing test."""
    of = distribution(pool).on("successes")
    chance = of.p(successes=ge(dc))
    if not chance:
        return Attack(chance, Fraction())
    passed = of.given(successes=ge(dc))
    return Attack(chance, PROGRESS + passed.mean(lambda successes: successes - dc))


def hits(turn: r.Turn, target: r.Character, harm: Fraction) -> int:
    """The passing tests until the score of the side that is against this character is complete."""
    ours = (r.Team.PLAYERS if target.team is r.Team.GM else r.Team.GM).mark
    scores = turn.table.of_kind("progress", about=ours, at=current(turn.table).id)
    left = max(1, len(r.players_with_a_character(turn.table))) * ROUNDS
    if scores and current(turn.table).id:
        left = scores[0].goal - scores[0].rating
    return max(0, ceil(left / harm))
