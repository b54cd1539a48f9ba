"""An attack that hits: what its weapon does to the target, less what the target's soak takes.

The damage of the weapon and one more for each net success, less soak, is so many wounds. No source
of ours has this sum: it is a house reading. What hits and has got through soak may bring a critical
injury (starwars.md 1.5).
"""

from collections.abc import Iterator
from typing import NamedTuple

from storypool.engine import rules as r
from storypool.systems.narrative.attempt import Attempt
from storypool.systems.narrative.sheet import is_combat, noted, remembered

WEAPON, SOAK = "damage", "soak"
"""The entries of a sheet for the damage of the usual weapon, and for what takes from a hit."""
MAX_DAMAGE = 40


def bare_hands(turn: r.Turn, who: r.Character | None, skill: str, typed: int = 0) -> int | None:
    """The damage of bare hands with this skill, by the sheet or as `typed`, or None."""
    key = noted(turn, skill, "bare")
    return (r.rating(who, key) or typed or None) if key else None


def usual_damage(turn: r.Turn, who: r.Character | None, skill: str, typed: int = 0) -> int | None:
    """The damage of the sheet's weapon, else of bare hands with this skill, or None."""
    weapon = r.rating(who, WEAPON)
    return bare_hands(turn, who, skill, typed) if weapon is None else weapon


def typed_value(turn: r.Turn) -> int:
    """Return the number that was typed for the characteristic of bare hands, or 0."""
    key = noted(turn, turn.text("skill"), "bare")
    return turn.number("value") if key and turn.text("characteristic") == key else 0


DAMAGE = r.NumberAsk(
    "damage",
    "Damage of the weapon",
    default=lambda t: usual_damage(t, t.character("as"), t.text("skill"), typed_value(t)),
    high=MAX_DAMAGE,
    needed=False,
    shown=lambda t: bool(t.text("against")) and is_combat(t, t.text("skill")),
)
"""What the weapon of an attack does, asked as the attack is declared; if no sheet has it, when it
hits.
"""


class Hit(NamedTuple):
    """A hit whose damage is still to come: its actor, its target, what the weapon does, the net
    successes, and soak.

    The weapon and the soak are None while no sheet has them.
    """

    actor: r.Character
    target: r.Character
    weapon: int | None
    successes: int
    soak: int | None

    def in_words(self, turn: r.Turn) -> str:
        """What comes of it, in a sentence, or what is not known yet."""
        if self.weapon is None or self.soak is None:
            return turn.words["attack.unknown"]
        return _sum(turn, self.weapon + self.successes, self.soak)


def hit_of(turn: r.Turn, check: r.Check | None) -> Hit | None:
    """Return the hit of a roll whose damage is still to be dealt, or None; none once that is
    proposed.
    """
    proposals = turn.table.proposals.values()
    if any(
        one.move == "attack.hit" and check is not None and one.check == check.id
        for one in proposals
    ):
        return None
    return unhurt(turn, check)


def unhurt(turn: r.Turn, check: r.Check | None) -> Hit | None:
    """Return the hit of a roll that has hurt nobody yet, proposed or not, or None.

    A hidden roll deals none to a target whom everybody sees, for that would tell of it.
    """
    if check is None or check.outcome is None or not check.outcome.passed:
        return None
    attempt, people = Attempt.of(check), turn.table.characters
    actor, target = people.get(check.actor), people.get(check.against)
    if (
        attempt.dealt is not None
        or actor is None
        or target is None
        or not is_combat(turn, attempt.skill)
    ):
        return None
    if not check.may_use(target):
        return None
    weapon = attempt.damage
    if weapon is None:
        weapon = usual_damage(turn, actor, attempt.skill)
    return Hit(actor, target, weapon, check.outcome.net["success"], r.rating(target, SOAK))


def _open_hit(turn: r.Turn) -> Hit | None:
    return hit_of(turn, turn.check)


def _weapon(turn: r.Turn) -> int | None:
    hit = _open_hit(turn)
    return hit.weapon if hit else None


def _of_an_npc(turn: r.Turn) -> r.Decider:
    """The soak of an NPC is the GM's to say."""
    hit = _open_hit(turn)
    return "gm" if hit and hit.target.team is r.Team.GM else ""


def _soak(turn: r.Turn) -> int | None:
    hit = _open_hit(turn)
    return hit.soak if hit else None


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
            shown=lambda t: _soak(t) is None,
            known=_soak,
            whose=_of_an_npc,
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
    soak = turn.number("soak") if hit.soak is None else hit.soak
    # What bare hands do is no weapon on a sheet.
    bare = bare_hands(turn, hit.actor, Attempt.of(check).skill) == turn.number("damage")
    for one, entry, n in (
        (hit.actor, WEAPON, 0 if bare else turn.number("damage")),
        (hit.target, SOAK, soak),
    ):
        if one.hidden == check.hidden:
            yield from remembered(one, {entry: n})
    damage = turn.number("damage") + hit.successes
    wounds, text = max(0, damage - soak), _sum(turn, damage, soak)
    done = turn.words.say("attack.dealt", who=hit.target.name, n=wounds) if wounds else text
    yield turn.amend(Attempt.put(turn.here, dealt=wounds).also(done), "" if wounds else text)
    if wounds:
        why = turn.words.say("attack.why", damage=damage, soak=soak)
        yield from turn.change("wounds", wounds, hit.target.id, why)


def _sum(turn: r.Turn, damage: int, soak: int) -> str:
    """The sum of a hit in words."""
    wounds = max(0, damage - soak)
    return turn.words.say(
        "attack.wounds" if wounds else "attack.soaked", n=wounds, damage=damage, soak=soak
    )
