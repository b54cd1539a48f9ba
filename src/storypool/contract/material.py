"""The material that a game brings for its checks: its plays, and `check.toml`.

Every part of `check.toml` is optional:

- `[weights]`: how often random play makes a move, by its key or its group; 4 by default, 1 for a
  move of the house. A move of `SELDOM` or more is rarely open, so some games start where a play
  makes it.
- `[opening]`: `moves` are the keys of the moves that the GM makes before moves are counted.
- `[rules]`: `unwritten` are moves that no book describes; `instead` lists the looks of substitutes
  for points, such as a free invoke; `reveals` are moves that reveal hidden things.
- `[menus]`: `traits` are kinds of traits that a character needs before a menu shows all its rows.
- `[roll]`: `apart` are dice that an action ignores, and that a roll without a table reports
  separately.
- `[odds]`, for a game with odds: `terms` and `contests` list tables of terms to ask with, for one
  pool and for two, besides none; `example` is a `pool` to draw, with its `terms`; `table` is a
  table of odds: its `rows`, its `cols` and further `words`, as `storypool odds-table` takes them.
- `[words]`: `typed` lists words that are typed the same in every language, such as a term of the
  odds and its values; `own` are words of this game that nothing general may use, besides its key
  and name; `shared` are names of its dice, symbols and points that the page uses in another sense.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from storypool import systems
from storypool.engine import house
from storypool.words import BadValue

SELDOM = 30.0
"""The weight from which a move is so rarely open that some games start where a play makes it."""
HOUSE = frozenset(move.key for move in (*house.MOVES, *house.PLAYERS_CONSENT))
WEIGHTS: Mapping[str, float] = {
    "session.end": 0.1,
    "seat.remove": 0.2,
    "table.settings": 0.3,
    "character.leave": 0.2,
    "table.undo": 0.7,
    "table.redo": 60.0,
    "try.add": 2.0,
    "try.call": 4.0,
    "try.decline": 60.0,
    "paper": 0.2,
    "proposal.accept": 3.0,
    "consent.give": 3.0,
    "proposal.withdraw": 0.5,
    "check.declare": 9.0,
    "action": 9.0,
    "check.roll": 16.0,
    "check.close": 2.0,
    "check.cancel": 1.0,
}
"""The weights in random play of the house's moves, and of moves that carry any action on.

Moves that end much of the current state have a low weight, and rarely open moves a high one.
"""


@dataclass(frozen=True, eq=False, slots=True)
class Material:
    """A game's material for its checks: the parts of `check.toml`, and its plays by file name."""

    weights: Mapping[str, float] = field(default_factory=dict)
    opening: tuple[str, ...] = ()
    unwritten: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    odds: Mapping[str, Any] = field(default_factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    plays: Mapping[str, str] = field(default_factory=dict)
    instead: tuple[str, ...] = ()
    reveals: tuple[str, ...] = ()

    def weight(self, key: str, group: str) -> float:
        """The weight of a move in random play."""
        weights = {**WEIGHTS, **self.weights}
        return weights.get(key, weights.get(group, 1.0 if key in HOUSE else 4.0))


PARTS: Mapping[str, tuple[str, ...]] = {
    "weights": (),
    "opening": ("moves",),
    "rules": ("unwritten", "instead", "reveals"),
    "menus": ("traits",),
    "roll": ("apart",),
    "odds": ("terms", "contests", "example", "table"),
    "words": ("typed", "own", "shared"),
}
"""The parts of `check.toml` and their keys; the keys of the weights are moves and groups."""


@cache
def material(key: str) -> Material:
    """The material of this game; `ValueError` names an invalid part of its `check.toml`."""
    parts = systems.data(key, "check")
    for part, rows in parts.items():
        if part not in PARTS or (PARTS[part] and not set(rows) <= set(PARTS[part])):
            known = []
            for name, keys in PARTS.items():
                known.append(f"{name}: {', '.join(keys)}" if keys else name)
            raise BadValue(
                f"[{part}] is not known, or holds what is not known; known is {'; '.join(known)}"
            )
    return Material(
        {name: float(weight) for name, weight in parts.get("weights", {}).items()},
        tuple(parts.get("opening", {}).get("moves", ())),
        tuple(parts.get("rules", {}).get("unwritten", ())),
        needed=tuple(parts.get("menus", {}).get("traits", ())),
        apart=tuple(parts.get("roll", {}).get("apart", ())),
        odds=parts.get("odds", {}),
        words={name: tuple(words) for name, words in parts.get("words", {}).items()},
        plays=systems.plays(key),
        instead=tuple(parts.get("rules", {}).get("instead", ())),
        reveals=tuple(parts.get("rules", {}).get("reveals", ())),
    )
