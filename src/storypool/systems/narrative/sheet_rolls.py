"""The rolls of a sheet: each skill and each characteristic as a check, weapons as attacks."""

from collections.abc import Callable, Iterator

from storypool.engine import rules as r
from storypool.systems.narrative.fight.attacks import WEAPON
from storypool.systems.narrative.fight.weapons import Weapon, carried
from storypool.systems.narrative.points import OWN
from storypool.systems.narrative.sheet import all_skills, is_combat, ready_dice, skill_dice
from storypool.systems.narrative.symbol_dice import skilled, strength

Rolls = Callable[[r.Turn, r.Character], Iterator[r.SheetRoll]]


def sheet_rolls(prefix: str, *further: Rolls) -> Rolls:
    """The rolls in a game whose point moves begin with `prefix`, and `further` ones."""

    def rolls(turn: r.Turn, who: r.Character) -> Iterator[r.SheetRoll]:
        yield from _checks(turn, who)
        for trait in turn.table.of_kind(OWN, about=who.id):
            given = {"as": who.id, "talent": trait.terms["talent"]}
            yield r.SheetRoll(trait.id, move=f"{prefix}.talent", given=given)
        for one in further:
            yield from one(turn, who)

    return rolls


def _checks(turn: r.Turn, who: r.Character) -> Iterator[r.SheetRoll]:
    """The dice of skills, characteristics and weapons, each with the check that it begins."""
    move = "check.declare"

    for entry in turn.system.sheet:
        if entry.group == "characteristic":
            pool = skilled(who.rating(entry.key) or 0, 0)
            given = {"as": who.id, "characteristic": entry.key}
            yield r.SheetRoll(entry.key, pool=pool, move=move, given=given)
    dice = {
        key: skill_dice(turn, who, key) or ready_dice(turn, who, key)
        for key in all_skills(turn, who)
    }
    for key, pool in dice.items():
        given = {"as": who.id, "skill": key}
        yield r.SheetRoll(key, pool=pool, move=move, given=given)
    for trait in carried(turn, who):
        skill = Weapon.of(trait).skill
        given = {"as": who.id, "skill": skill, "weapon": trait.id}
        text = turn.system.entry(skill)
        yield r.SheetRoll(trait.id, pool=dice[skill], text=text, move=move, given=given)
    if who.rating(WEAPON) is not None:
        attacks = [key for key in dice if is_combat(turn, key)]
        best = max(attacks, key=lambda key: strength(dice[key]))
        yield r.SheetRoll(
            WEAPON,
            pool=dice[best],
            text=turn.system.entry(best),
            move=move,
            given={"as": who.id, "skill": best},
        )
