"""The moves and the board of the zones of a game file."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.gamefile.file_rules import Rules

__all__ = ["board", "zone_moves"]

RULE = "Zones"


def zone_moves(rules: Rules) -> Iterator[r.Move]:
    """The moves that lay out zones, place characters, and let them go to another zone."""
    row = rules.game.zones
    if row is None:
        return
    yield from r.laying_out(RULE)
    yield r.gathering(RULE, r.at("scene"))
    yield r.placing(RULE, r.at("actions", 74))

    def reach(turn: r.Turn, who: str) -> r.Reach:
        slots = [slot.id for slot in turn.table.of_kind("slot")]
        if rules.game.turns is not None and not slots:
            return r.Reach()
        # Another order of turns of the scene counts its rounds from 1 again.
        now = f"{min(slots)}/{turn.table.periods['round']}" if row.once else ""
        return r.Reach(row.far or None, now)

    if row.moved_by == "players":
        yield r.going(RULE, r.at("actions", 73), reach)


def board(rules: Rules) -> Iterator[r.BoardPanel]:
    """The board, in a game with zones."""
    row = rules.game.zones
    if row is None:
        return
    goes = row.moved_by == "players"
    declared = (f"{one.declared} as" for one in rules.actions.values())
    yield r.BoardPanel(
        "Zones",
        place="zone",
        beside="next",
        people="place",
        own=("zone.move who", *declared) if goes else tuple(declared),
        any=("zone.place what",),
        here=("zone.move to", "zone.join zone") if goes else ("zone.join zone",),
        puts=("zone.gather", "zone.place what zone"),
        drags=("zone.move who to", "zone.place what zone") if goes else ("zone.place what zone",),
        bands=row.ranges,
        words={text: text for text in row.ranges},
    )
