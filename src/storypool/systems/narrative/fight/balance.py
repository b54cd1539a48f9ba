"""How two people of a narrative game would fare in a fight: their attacks, and what they stand.

An attack is against the difficulty of the weapon's usual range, Average without one, and what its
target brings; its wounds are those of a hit, less soak.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import ceil

from storypool.engine import rules as r
from storypool.odds import ge
from storypool.systems.game_parts import Attack
from storypool.systems.narrative.attempt import Attempt
from storypool.systems.narrative.checks import AT_RANGE, LEVELS
from storypool.systems.narrative.fight.attacks import usual_damage, usual_soak
from storypool.systems.narrative.fight.targets import opposing_mods
from storypool.systems.narrative.fight.weapons import Weapon, carried
from storypool.systems.narrative.sheet import FULL, is_combat, ready_dice, skill_dice
from storypool.systems.narrative.symbol_dice import AXES, DICE
from storypool.systems.narrative.symbol_odds import distribution

USUAL_LEVEL = "average"
USUAL_WOUNDS = 12
"""The threshold of a sheet without one: the default of the entry."""


def attacks(turn: r.Turn, who: r.Character, target: r.Character) -> Iterator[Attack]:
    """The attacks with each weapon, and with each combat skill for the weapon of the sheet."""
    own = [Weapon.of(trait) for trait in carried(turn, who)]
    for entry in turn.system.sheet:
        if is_combat(turn, entry.key):
            own.append(Weapon(skill=entry.key, damage=usual_damage(turn, who, entry.key) or 0))
    for weapon in own:
        dice = ready_dice(turn, who, weapon.skill) or skill_dice(turn, who, weapon.skill)
        if dice and weapon.damage:
            yield _attack(turn, who, target, weapon, dice)


def _attack(
    turn: r.Turn, who: r.Character, target: r.Character, weapon: Weapon, dice: r.Bag
) -> Attack:
    level = AT_RANGE.get(weapon.range, USUAL_LEVEL)
    check = Attempt.put(r.Check("", who.id, "gm", against=target.id), skill=weapon.skill)
    base = dice + r.Bag(difficulty=LEVELS[level])
    pool = turn.system.pool(base, tuple(opposing_mods(turn, check)))
    soak = usual_soak(target) or 0
    return _reckoned(pool, weapon.damage - soak)


@lru_cache(maxsize=512)
def _reckoned(pool: r.Bag, damage: int) -> Attack:
    """The chance of a success, and the mean of the wounds where there is one."""
    of = distribution(pool, DICE, AXES).on("success")
    chance = of.p(success=ge(1))
    if not chance:
        return Attack(chance, Fraction())
    hit = of.given(success=ge(1))
    return Attack(chance, hit.mean(lambda success: max(0, damage + success)))


def hits(turn: r.Turn, target: r.Character, harm: Fraction) -> int:
    """The hits until the wounds pass the threshold."""
    most = r.rating(target, FULL["wounds"]) or USUAL_WOUNDS
    left = most + 1 - turn.table.balance("wounds", target.id)
    return max(0, ceil(left / harm))
