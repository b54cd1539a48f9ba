"""Moving between zones: one is free in each exchange of a conflict, more is an overcome action.

Source: destinydice.md 3.5. Outside of a conflict nobody counts zones.
"""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.destinydice.fight.conflict import ORDER
from storypool.systems.destinydice.state import Action

RULE = "Conflicts"


def _reach(turn: r.Turn, who: str) -> r.Reach:
    """One zone, once in each exchange, in a conflict; any outside of one."""
    slots = [slot.id for slot in ORDER.slots(turn.table)]
    if not slots:
        return r.Reach()
    # Another conflict of the scene counts its exchanges from 1 again.
    return r.Reach(1, f"{min(slots)}/{turn.table.periods['round']}")


MOVES = (
    *r.laying_out(RULE),
    r.gathering(RULE, r.at("scene", 12)),
    r.placing(RULE, r.at("actions", 74)),
    r.going(RULE, r.at("actions", 70), _reach),
)
"""The moves of the zones, and of the characters in them."""

BOARD = r.BoardPanel(
    "Zones",
    place="zone",
    beside="next",
    people="place",
    own=("zone.move who", "check.declare as"),
    any=("check.declare against", "zone.place what"),
    here=("zone.move to", "check.declare zone", "zone.join zone"),
    puts=("zone.gather", "zone.place what zone"),
    drags=("zone.move who to", "zone.place what zone"),
)


def _zones_beyond(turn: r.Turn) -> r.Choices:
    """The zones other than the actor's, if the actor is in one."""
    start = r.place_of(turn.table, turn.text("as"))
    if start:
        yield from (zone for zone in r.zones(turn) if zone.value != start)


ZONE = r.ChoiceAsk(
    "zone",
    "To another zone?",
    _zones_beyond,
    needed=False,
    shown=lambda t: t.text("action") == "overcome" and any(_zones_beyond(t)),
    implies=("action", "overcome"),
)
"""The question of an overcome action for the zone that it leads to."""


@r.whenever(r.CheckClosed)
def arrive(turn: r.Turn, event: r.CheckClosed) -> Iterator[r.Event]:
    """Put the actor in the zone of an overcome action that reached its goal, at a cost or not."""
    check = turn.before.checks.get(event.id)
    if check is None or check.outcome is None or event.how != "done":
        return
    action, actor = Action.of(check), turn.table.characters.get(check.actor)
    reached = check.outcome.margin >= 0 or action.taken == "serious-cost"
    # A hidden action puts nobody elsewhere whom everybody sees.
    if actor and reached and action.zone in turn.table.traits and actor.hidden == check.hidden:
        yield r.put_in_zone(turn, actor.id, action.zone)
