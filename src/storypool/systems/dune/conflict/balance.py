"""How two people of Dune would fare in a conflict: their attacks, and the hits they stand.

An attack is a contest of two dice on each side, with the usual skill of the conflict that is going
on, or Battle, the highest drive, and no focus. A hit counts 2 and the Potency of the best asset.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import ceil

from storypool.engine import rules as r
from storypool.odds.question import Question
from storypool.systems.dune.conflict.assets import defences
from storypool.systems.dune.conflict.attacks import HIT
from storypool.systems.dune.conflict.conflicts import usual_skill
from storypool.systems.dune.odds import reckon
from storypool.systems.dune.people.sheet import MINOR, drives_of, is_defeated, rank
from storypool.systems.game_parts import Attack
from storypool.systems.twod20.dice import BASE

USUAL_SKILL = "battle"


def attacks(turn: r.Turn, who: r.Character, target: r.Character) -> Iterator[Attack]:
    """The attack with the best asset; none of a character without the skill and a drive."""
    skill = usual_skill(turn) or USUAL_SKILL
    ours, theirs = _target(who, skill), _target(target, skill)
    if ours is None:
        return
    potency = max((one.rating for one in turn.table.of_kind("asset", about=who.id)), default=0)
    defence = len(defences(turn.table, target.id))
    chance = _won(ours, theirs or 1, defence, turn.option("contest_style"))
    yield Attack(chance, Fraction(HIT + potency))


def _target(who: r.Character, skill: str) -> int | None:
    """The target number: the skill and the highest drive, or the Quality of a minor one."""
    drive = max((r.rating(who, key) or 0 for key in drives_of(who)), default=0)
    rating = r.rating(who, skill)
    return rating + drive if rating and drive else None


@lru_cache(maxsize=512)
def _won(ours: int, theirs: int, defence: int, style: str) -> Fraction:
    """The chance of the attacker to win the contest."""
    terms = {"target": ours, "their_target": theirs, "defence": defence}
    pool = r.Bag(d20=BASE)
    given = {"contest_style": style, **{key: str(n) for key, n in terms.items()}}
    return reckon(Question(pool, given, pool)).outcomes["active"]


def hits(turn: r.Turn, target: r.Character, harm: Fraction) -> int:
    """The hits that defeat the target: one for a minor one, else those that fill its track."""
    if is_defeated(turn.table, target.id):
        return 0
    if rank(target) <= MINOR:
        return 1
    skill = usual_skill(turn) or USUAL_SKILL
    track = turn.table.traits.get(f"track-{target.id}")
    left = (r.rating(target, skill) or 4) - (track.rating if track else 0)
    return max(1, ceil(left / harm))
