"""Hits: the damage of a weapon, less the target's soak.

Wounds are the weapon's damage and the net successes, less soak. This sum is a house reading, and so
is the soak of a sheet without one: no source has them. A hit that gets through soak may cause a
critical injury (starwars.md 1.5).
"""

from collections.abc import Iterator
from typing import NamedTuple

from storypool.engine import rules as r
from storypool.systems.narrative.attempt import Attempt
from storypool.systems.narrative.fight import weapons
from storypool.systems.narrative.sheet import is_combat, note_of, remember

WEAPON, SOAK = weapons.DAMAGE, "soak"
"""The entries of a sheet for the damage of its weapon, and for soak."""
BRAWN, ARMOUR = "brawn", "armour"
"""The entries whose sum is the soak of a sheet without one: a house reading."""
MAX_DAMAGE = 40


def bare_hands(turn: r.Turn, who: r.Character | None, skill: str, typed: int = 0) -> int | None:
    """The damage of bare hands with this skill, from the sheet or `typed`; or None."""
    key = note_of(turn, skill, "bare")
    if key:
        return r.rating(who, key) or typed or None
    return None


def usual_damage(turn: r.Turn, who: r.Character | None, skill: str, typed: int = 0) -> int | None:
    """The damage of the sheet's weapon, or of bare hands with this skill; or None."""
    weapon = r.rating(who, WEAPON)
    if weapon is None:
        return bare_hands(turn, who, skill, typed)
    return weapon


def _declared_damage(turn: r.Turn) -> int | None:
    """The damage of the named weapon of a declaration, else the usual one."""
    who, skill = turn.character("as"), turn.text("skill")
    weapon = weapons.wielded(turn, who, skill, turn.text("weapon"))
    if weapon is not None:
        return weapons.Weapon.of(weapon).damage
    return usual_damage(turn, who, skill, typed_value(turn))


def typed_value(turn: r.Turn) -> int:
    """The number typed for the characteristic of bare hands, or 0."""
    key = note_of(turn, turn.text("skill"), "bare")
    if key and turn.text("characteristic") == key:
        return turn.number("value")
    return 0


DAMAGE = r.NumberAsk(
    "damage",
    "Damage of the weapon",
    default=_declared_damage,
    high=MAX_DAMAGE,
    needed=False,
    shown=lambda t: bool(t.text("against")) and is_combat(t, t.text("skill")),
)
"""The question for the weapon's damage, at the declaration or, without one, at the hit."""


def usual_soak(who: r.Character) -> int | None:
    """The soak of a sheet, else Brawn and worn armour; None without either number."""
    soak, brawn = who.rating(SOAK), who.rating(BRAWN)
    if soak is not None or brawn is None:
        return soak
    return brawn + (who.rating(ARMOUR) or 0)


class Hit(NamedTuple):
    """A hit whose damage is not dealt yet.

    The weapon and the soak are None if no sheet has them.
    """

    actor: r.Character
    target: r.Character
    weapon: int | None
    successes: int
    soak: int | None

    def in_words(self, turn: r.Turn) -> str:
        """The damage of the hit in a sentence, or that a number is missing."""
        if self.weapon is None or self.soak is None:
            return turn.words["attack.unknown"]
        return _sum(turn, self.weapon + self.successes, self.soak)


def unproposed_hit(turn: r.Turn, check: r.Check | None) -> Hit | None:
    """The hit of a roll whose damage is neither dealt nor proposed, or None."""
    for one in turn.table.proposals.values():
        if one.move == "attack.hit" and check is not None and one.check == check.id:
            return None
    return undealt_hit(turn, check)


def undealt_hit(turn: r.Turn, check: r.Check | None) -> Hit | None:
    """The hit of a roll whose damage is not dealt, proposed or not; or None.

    A hidden roll hits no target that everybody sees: the damage would reveal it.
    """
    if check is None or check.outcome is None or not check.outcome.passed:
        return None
    attempt, people = Attempt.of(check), turn.table.characters
    actor, target = people.get(check.actor), people.get(check.against)
    if attempt.dealt is not None or not is_combat(turn, attempt.skill):
        return None
    if actor is None or target is None or not check.may_use(target):
        return None
    named, damage = weapons.weapon_of(turn, attempt.weapon), attempt.damage
    if damage is None and named is not None:
        damage = named.damage
    elif damage is None:
        damage = usual_damage(turn, actor, attempt.skill)
    return Hit(actor, target, damage, check.outcome.net["success"], usual_soak(target))


def _open_hit(turn: r.Turn) -> Hit | None:
    return unproposed_hit(turn, turn.check)


def _weapon(turn: r.Turn) -> int | None:
    hit = _open_hit(turn)
    return hit.weapon if hit else None


def _soak_decider(turn: r.Turn) -> r.Decider:
    """The GM answers for the soak of an NPC."""
    hit = _open_hit(turn)
    if hit and hit.target.team is r.Team.GM:
        return "gm"
    return ""


def _soak(turn: r.Turn) -> int | None:
    hit = _open_hit(turn)
    return hit.soak if hit else None


def _written_soak(turn: r.Turn) -> int | None:
    """The soak on the sheet of the target, which leaves nothing to ask."""
    hit = _open_hit(turn)
    return r.rating(hit.target, SOAK) if hit else None


@r.move(
    "attack.hit",
    when=r.all_of(r.rolled, r.requires(_open_hit, "hit.none", firm=True)),
    only_if=[r.yours],
    asks=[
        r.NumberAsk("damage", "Damage of the weapon", default=_weapon, high=MAX_DAMAGE),
        r.NumberAsk(
            "soak",
            "Soak of the target",
            high=30,
            default=_soak,
            shown=lambda t: _written_soak(t) is None,
            known=_written_soak,
            whose=_soak_decider,
        ),
    ],
    rule="Strain and wounds",
    place=r.at("primary", 9),
)
def deal(turn: r.Turn) -> Iterator[r.Event]:
    """Deal the damage

    What the weapon does and the net successes, less the target's soak, are wounds. A number that a
    sheet lacks is asked for once.
    """
    check, hit = turn.here, _open_hit(turn)
    if hit is None:
        raise turn.refused("when", "hit.none")
    soak = turn.number("soak", hit.soak or 0)
    attempt = Attempt.of(check)
    # Neither bare hands nor a named weapon are the weapon of a sheet.
    bare = bare_hands(turn, hit.actor, attempt.skill) == turn.number("damage")
    for one, entry, n in (
        (hit.actor, WEAPON, 0 if bare or attempt.weapon else turn.number("damage")),
        (hit.target, SOAK, 0 if soak == hit.soak else soak),
    ):
        if one.hidden == check.hidden:
            yield from remember(one, {entry: n})
    damage = turn.number("damage") + hit.successes
    wounds, text = max(0, damage - soak), _sum(turn, damage, soak)
    check = Attempt.put(turn.here, dealt=wounds)
    if not wounds:
        yield turn.amend(check.also(text), text)
        return
    yield turn.amend(check.also(turn.words.say("attack.dealt", who=hit.target.name, n=wounds)))
    why = turn.words.say("attack.why", damage=damage, soak=soak)
    yield from turn.change("wounds", wounds, hit.target.id, why)


def _sum(turn: r.Turn, damage: int, soak: int) -> str:
    """The sum of a hit in words."""
    wounds = max(0, damage - soak)
    id = "attack.wounds" if wounds else "attack.soaked"
    return turn.words.say(id, n=wounds, damage=damage, soak=soak)
