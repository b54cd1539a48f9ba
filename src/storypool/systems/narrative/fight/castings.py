"""Ready-made people of a narrative game: minions, rivals and nemeses from its people.toml."""

from collections.abc import Iterator
from dataclasses import dataclass

from storypool.engine import rules as r
from storypool.systems.narrative.fight.adversaries import MOST_WOUNDS
from storypool.systems.narrative.fight.attacks import MAX_DAMAGE, SOAK
from storypool.systems.narrative.fight.weapons import (
    ENGAGED,
    KIND,
    RANGES,
    Weapon,
    set_weapon,
    usual_range,
)
from storypool.systems.narrative.points import OWN, own_talent
from storypool.systems.narrative.sheet import FULL, MINIONS, NARRATIVE, is_combat
from storypool.systems.supporting_cast.bringing import MOST_OF_A_GROUP, Casting, Row
from storypool.systems.supporting_cast.whole import cast_moves

USUAL_RANGES = ("", ENGAGED, *RANGES)


@dataclass(frozen=True)
class OwnTalent(r.State):
    """The key of a talent on a sheet."""

    talent: str = ""


RANKS = ("minion", "rival", "nemesis")


def casting_of(game: str) -> Casting:
    """The casting of the people in the people.toml of a game."""
    return Casting(
        package=game,
        ranks=RANKS,
        sheet=_sheet,
        best=_best_skill,
        gives=_gives,
        size="group",
        members=MINIONS,
        most=_most,
        resized=_resized,
        kinds={OWN: OwnTalent, KIND: Weapon},
        fits=_fits,
        placed=_placed,
    )


def moves_of_people(game: str) -> tuple[r.Move, ...]:
    """The moves that bring in this game's people, alone or in an encounter, and copy an NPC."""
    casting = casting_of(game)

    group = r.NumberAsk(
        "group",
        "How many are they?",
        default=lambda t: casting.chosen(t).get("group"),
        low=1,
        high=MOST_OF_A_GROUP,
        most=lambda t: _most(casting.chosen(t)),
        capped=True,
        needed=False,
        shown=lambda t: "group" in casting.chosen(t),
    )
    return cast_moves(casting, group, place=r.at("scene", 59))


def _most(row: Row) -> int:
    """The most of a group that the wounds of a sheet have room for."""
    wounds: int = row.get("wounds", 1)
    return min(MOST_OF_A_GROUP, MOST_WOUNDS // wounds)


def _resized(who: r.Character, n: int) -> dict[str, r.Value] | None:
    """The sheet of a group with `n` members: the wounds of each stay the same."""
    members, wounds = who.rating(MINIONS), who.rating(FULL["wounds"])
    if not members:
        return None
    each = max(1, (wounds or 0) // members)
    return {**who.sheet, MINIONS: n, FULL["wounds"]: min(MOST_WOUNDS, each * n)}


def _placed(turn: r.Turn, who: r.Character, zone: str) -> Iterator[r.Event]:
    yield r.put_in_zone(turn, who.id, zone)


def _fits(turn: r.Turn, trait: r.Trait) -> bool:
    """Whether this game has the talent, or a weapon of such numbers."""
    if trait.kind == KIND:
        weapon = Weapon.of(trait)
        numbers = 1 <= weapon.damage <= MAX_DAMAGE and 1 <= weapon.critical <= 6
        return numbers and is_combat(turn, weapon.skill) and weapon.range in USUAL_RANGES
    return f"talent.{OwnTalent.of(trait).talent}" in turn.words


def _sheet(turn: r.Turn, row: Row) -> dict[str, r.Value]:
    """The numbers of a row; the wounds of a group are those of all its members.

    A group has a rank in a skill for each who stands after the first, whatever its sheet says.
    """
    members = turn.number("group", 1) if "group" in row else 1
    names = r.rows(NARRATIVE, "skills")["characteristics"]
    sheet: dict[str, r.Value] = dict(zip(names, row["characteristics"], strict=True))
    sheet |= row["skills"]
    sheet |= {FULL["wounds"]: row["wounds"] * members, SOAK: row["soak"]}
    if "group" in row:
        sheet[MINIONS] = members
    if "strain" in row:
        sheet[FULL["strain"]] = row["strain"]
    return {**sheet, **row.get("further", {})}


def _best_skill(turn: r.Turn, key: str, row: Row) -> str:
    skills = row["skills"]
    return turn.system.entry(max(skills, key=skills.__getitem__))


def _gives(turn: r.Turn, who: r.Character, row: Row) -> Iterator[r.Event]:
    """Yield the weapons of a row, and the talents that the GM pays for."""
    for skill, weapon in row.get("weapons", {}).items():
        name = turn.words[f"people.{turn.text('person')}.{skill}"]
        at = usual_range(turn, skill, weapon.get("range", ""))
        numbers = weapon["damage"], weapon["critical"]
        yield set_weapon(turn, who, Weapon(name, skill, *numbers, at))
    for talent in row.get("talents", ()):
        yield own_talent(turn, who, talent)
