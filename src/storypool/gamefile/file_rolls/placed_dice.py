"""Rolled dice that a player puts at a place by hand: the two that are kept, the one for the goal.

The action remembers the dice of each place as a term, by their numbers in the order of the roll,
and what the page shows at each die as another.
"""

from __future__ import annotations

from collections.abc import Mapping

from storypool.engine import rules as r
from storypool.gamefile.file_format.game_bounds import Found, Path
from storypool.gamefile.file_format.schema import DoRow, GameFile
from storypool.gamefile.file_rolls.roll_reading import RollReading
from storypool.words import Phrase

__all__ = ["LABELS", "dice_at", "lifted", "place_labels", "put_at", "wrong_places"]

PLACE = "at "
"""Prefix of a term of the action: the dice at the place of this name."""
LABELS = f"{PLACE}each die"
"""The term with the label of its place for each rolled die, "" for one at none; a die that exploded
has it at all of its rolls.
"""
AFTER = ("after the roll", "any time")
"""The times of moves that can ask for a rolled die."""


def dice_at(reading: RollReading, terms: Mapping[str, object]) -> Mapping[str, tuple[int, ...]]:
    """The numbers of the dice at each place of an action."""
    if not reading.game.action.places:
        return {}
    texts = {name: str(terms.get(f"{PLACE}{name}", "")) for name in reading.game.action.places}
    return {name: tuple(map(int, text.split())) for name, text in texts.items()}


def place_labels(reading: RollReading, terms: Mapping[str, object]) -> dict[int, str]:
    """The label of the place of each placed die of an action, by the number of the die."""
    labels = reading.game.action.places
    there = dice_at(reading, terms)
    return {n: labels[name] for name, dice in there.items() for n in dice}


def put_at(reading: RollReading, check: r.Check, die: int, place: str) -> dict[str, r.Value]:
    """The terms of an action with a die at this place, and at no other."""
    found = dict(check.terms)
    for name, there in dice_at(reading, check.terms).items():
        dice = [one for one in there if one != die]
        if name == place:
            dice = sorted([*dice, die])
        found[f"{PLACE}{name}"] = " ".join(map(str, dice))
    labels, shown = place_labels(reading, found), list[str]()
    for n, rolls in enumerate(reading.by_die(check.rolled, reading.thrown(check.pool))):
        shown += [labels.get(n, "")] * len(rolls)
    return {**found, LABELS: tuple(shown)}


def lifted(terms: Mapping[str, r.Value]) -> dict[str, r.Value]:
    """The terms of an action without dice at places."""
    return {name: value for name, value in terms.items() if not name.startswith(PLACE)}


def wrong_places(game: GameFile) -> Found:
    """Unknown places, questions for a die before there is one, and places of no roll."""
    for n, action in enumerate(game.actions):
        path: Path = ("action", n)
        figures = {(*path, "figures", name): row for name, row in action.figures.items()}
        if action.empty is not None:
            empty = action.empty.figures.items()
            figures |= {(*path, "empty", "figures", name): row for name, row in empty}
        for where, figure in figures.items():
            yield from _known((*where, "at"), figure.at, action.places)
        for i, ask in enumerate(action.asks):
            if ask.rolled:
                yield (*path, "asks", i), Phrase("gamefile.places.early")
        used = {figure.at for figure in figures.values()}
        for place in action.places.keys() - used:
            yield (*path, "places", place), Phrase("gamefile.places.unread", name=place)
    for n, move in enumerate(game.move):
        for i, ask in enumerate(move.asks):
            if ask.rolled and move.when not in AFTER:
                yield ("move", n, "asks", i), Phrase("gamefile.places.early")
        keys = move.action or tuple(row.key for row in game.actions)
        known = [row.places for row in game.actions if row.key in keys]
        for i, row in enumerate(move.do):
            here: Path = ("move", n, "do", i)
            for places in known if row.put else ():
                yield from _known((*here, "at"), row.at or "at", places)
            yield from _thrown(here, row)
    for n, follows in enumerate(game.whenever):
        for i, row in enumerate(follows.do):
            yield from _thrown(("whenever", n, "do", i), row)


def _thrown(path: Path, row: DoRow) -> Found:
    for name, figure in row.figures.items():
        if figure.at:
            yield (*path, "figures", name), Phrase("gamefile.idle", key="at", of="throw")


def _known(path: Path, name: str, places: Mapping[str, str]) -> Found:
    if name and name not in places:
        known = ", ".join(places) or "-"
        yield path, Phrase("gamefile.places", name=name[:40], known=known)
