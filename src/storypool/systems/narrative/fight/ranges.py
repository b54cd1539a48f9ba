"""The ranges of a fight on the board of its zones.

Source: starwars.md 1.2: an attack is easier the nearer its target is. How many zones lie between
two people at which range is a reading of this house, and so is one zone for one manoeuvre.
"""

from storypool.engine import rules as r
from storypool.systems.narrative.fight.slots import ORDER
from storypool.systems.narrative.fight.weapons import ENGAGED, RANGES, usual_range


def _reach(turn: r.Turn, who: str) -> r.Reach:
    """One zone at once in a fight, as far as one likes outside of one."""
    return r.Reach(1 if ORDER.present(turn.table) else None)


RULE = "Difficulty"
MOVES = (
    *r.laying_out(RULE),
    r.gathering(RULE, r.at("scene")),
    r.placing(RULE, r.at("actions", 74)),
    r.going(RULE, r.at("actions", 73), _reach),
)
"""The moves of the zones, and of the people in them."""

BOARD = r.BoardPanel(
    "Zones",
    place="zone",
    beside="next",
    people="place",
    own=("zone.move who", "check.declare as"),
    any=("check.declare against", "zone.place what"),
    here=("zone.move to", "zone.join zone"),
    puts=("zone.gather", "zone.place what zone"),
    drags=("zone.move who to", "zone.place what zone"),
    bands=RANGES,
    words={
        "close": "close range",
        "medium": "medium range",
        "long": "long range",
        "extreme": "extreme range",
    },
)


def range_between(turn: r.Turn, one: str, other: str, skill: str) -> str:
    """The range of an attack with this skill, by the zones of two people; "" for none.

    With Brawn one is engaged in the zone of the target, and nowhere else.
    """
    table = turn.table
    way = r.steps(table, r.place_of(table, one), r.place_of(table, other))
    if way is None:
        return ""
    band = RANGES[min(way, len(RANGES) - 1)]
    if usual_range(turn, skill) == ENGAGED:
        return "" if way else ENGAGED
    return band
