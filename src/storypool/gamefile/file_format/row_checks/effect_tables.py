"""Tables of effects that cannot work: without rows, out of order, too deep, or without an end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from storypool.gamefile.file_format.schema import EffectRow, GameFile
from storypool.words import Phrase

__all__ = ["MOST_NESTED", "nested_rows", "wrong_tables"]

MOST_NESTED = 5
"""The most tables that are consulted inside each other."""

Path = tuple[str | int, ...]
Found = Iterator[tuple[Path, Phrase]]


class _Step(NamedTuple):
    """A row that consults another table."""

    path: Path
    to: str
    throws: bool
    """Whether dice of the same row are thrown first, so that the next row is another each time."""


def nested_rows(game: GameFile, table: str) -> Iterator[tuple[Path, EffectRow]]:
    """Every row of a table and of the tables that its rows consult, each once."""
    found, ahead = set[str](), [table]
    while ahead:
        name = ahead.pop()
        if name in found or name not in game.effects:
            continue
        found.add(name)
        for n, row in enumerate(game.effects[name]):
            yield ("effects", name, n), row
            ahead += [do.consult for do in row.do if do.consult]


def wrong_tables(game: GameFile) -> Found:
    """Each wrong row of the tables: they rise, and whatever they consult comes to an end."""
    for name, rows in game.effects.items():
        before = None
        if not rows:
            yield ("effects", name), Phrase("gamefile.effects")
        for n, row in enumerate(rows):
            path: Path = ("effects", name, n)
            if before is not None and row.at <= before:
                yield (*path, "at"), Phrase("gamefile.effects.order")
            before = row.at
    ending = _ending(game)
    steps = {name: list(_steps(game, name)) for name in game.effects}
    for name, own in steps.items():
        for step in own:
            if not step.throws and name in _reached(steps, step.to):
                yield step.path, Phrase("gamefile.effects.endless", name=name)
        if game.effects[name] and name not in ending:
            yield ("effects", name, 0), Phrase("gamefile.effects.always", name=name)
        if own and (n := _depth(steps, name)) > MOST_NESTED:
            yield own[0].path, Phrase("gamefile.effects.deep", n=n, most=MOST_NESTED)


def _steps(game: GameFile, table: str) -> Iterator[_Step]:
    for n, row in enumerate(game.effects[table]):
        thrown = False
        for i, do in enumerate(row.do):
            thrown = thrown or bool(do.throw)
            if do.consult in game.effects:
                yield _Step(("effects", table, n, "do", i, "consult"), do.consult, thrown)


def _reached(steps: Mapping[str, list[_Step]], begin: str) -> set[str]:
    """The tables to which one leads by rows without dice, itself too."""
    found, ahead = set[str](), [begin]
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            ahead += [step.to for step in steps[name] if not step.throws]
    return found


def _ending(game: GameFile) -> set[str]:
    """The tables with a row that comes to an end, itself or by tables that do."""
    found = set[str]()
    while True:
        new = {name for name in game.effects.keys() - found if _ends(game, name, found)}
        if not new:
            return found
        found |= new


def _ends(game: GameFile, table: str, ending: set[str]) -> bool:
    """Whether a row of a table consults in any case only tables that end."""
    going = game.effects.keys() - ending
    return any(going.isdisjoint(_always(row)) for row in game.effects[table])


def _always(row: EffectRow) -> Iterator[str]:
    """The tables that a row consults in any case."""
    return (do.consult for do in row.do if do.consult and do.when is None)


def _depth(steps: Mapping[str, list[_Step]], table: str, behind: tuple[str, ...] = ()) -> int:
    """How many tables are consulted inside each other, without those that roll again."""
    if table in behind or len(behind) > MOST_NESTED:
        return 0
    onward = {step.to for step in steps[table]}
    return 1 + max((_depth(steps, one, (*behind, table)) for one in onward), default=0)
