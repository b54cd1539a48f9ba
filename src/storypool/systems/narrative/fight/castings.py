"""Ready-made people of a narrative game: minions, rivals and nemeses from its people.toml."""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.narrative.fight.adversaries import MOST_WOUNDS
from storypool.systems.narrative.fight.attacks import SOAK
from storypool.systems.narrative.fight.weapons import Weapon, set_weapon, usual_range
from storypool.systems.narrative.points import own_talent
from storypool.systems.narrative.sheet import FULL, MINIONS, NARRATIVE
from storypool.systems.supporting_cast.bringing import Casting, Row, bringing
from storypool.systems.supporting_cast.copying import copying

RANKS = ("minion", "rival", "nemesis")
MOST_OF_A_GROUP = 12
"""The most minions in one group."""


def cast_moves(game: str) -> tuple[r.Move, ...]:
    """The moves that bring in one of this game's people, and copy an NPC."""
    casting = Casting(package=game, ranks=RANKS, sheet=_sheet, best=_best_skill, gives=_gives)

    def most(turn: r.Turn) -> int:
        """The most of a group that the wounds of a sheet have room for."""
        wounds: int = casting.chosen(turn).get("wounds", 1)
        return min(MOST_OF_A_GROUP, MOST_WOUNDS // wounds)

    group = r.NumberAsk(
        "group",
        "How many are they?",
        default=lambda t: casting.chosen(t).get("group"),
        low=1,
        high=MOST_OF_A_GROUP,
        most=most,
        capped=True,
        needed=False,
        shown=lambda t: "group" in casting.chosen(t),
    )
    place = r.at("scene", 59)
    return bringing(casting, group, place=place), copying(place=place)


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
