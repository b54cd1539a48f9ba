"""Dice that step along a ladder of sizes as they are used: a d8 that becomes a d6, and then none.

A number of the sheet, points, or the number of a statement is the size of such a die now.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from storypool.gamefile.file_format.expression_parser import parse
from storypool.gamefile.file_format.expressions import Expression, constant
from storypool.gamefile.file_format.game_bounds import Found, Path
from storypool.gamefile.file_format.schema import DoRow, EntriesRow, GameFile, PointsRow
from storypool.words import Phrase

__all__ = ["sizes_read", "stepped", "with_ends_of_steps", "wrong_steps"]

MOST_SIDES = 100


def stepped(steps: Sequence[int], now: int, n: int) -> int:
    """The size that is `n` steps on from the present one, at most at the end of the ladder.

    >>> [stepped((0, 4, 6, 8), 6, n) for n in (-1, 1, 5)], stepped((4, 6), 5, -1)
    ([4, 8, 8], 4)
    """
    further = [one for one in steps if one > now] if n > 0 else [one for one in steps if one < now]
    if not n or not further:
        return now
    return further[:n][-1] if n > 0 else further[n:][0]


def sizes_read(game: GameFile, row: DoRow) -> Iterator[Expression]:
    """What a row reads to know the size of a die."""
    for name in (*row.throw, *filter(None, [row.add])):
        if name not in game.pool_dice and name.isidentifier():
            yield parse(name)


def with_ends_of_steps(game: GameFile) -> GameFile:
    """A game where what has steps is bounded by the first and the last of them."""
    sheet = {name: _group(row) for name, row in game.sheet.items()}
    points = {name: _points(row) for name, row in game.points.items()}
    return replace(game, sheet=sheet, points=points)


def _group(row: EntriesRow) -> EntriesRow:
    if not row.steps:
        return row
    least, most = min(row.steps), max(row.steps)
    return replace(
        row,
        low=row.low or least,
        high=most if row.high == EntriesRow.high else row.high,
        default=row.default or least,
    )


def _points(row: PointsRow) -> PointsRow:
    if not row.steps:
        return row
    floor, cap = constant(min(row.steps)), constant(max(row.steps))
    return replace(row, floor=row.floor or floor, cap=row.cap or cap)


def wrong_steps(game: GameFile) -> Found:
    """Ladders that do not rise or lack a die, sizes between steps, and changes by other ways."""
    sizes = [row.sides for row in game.dice.values() if row.sides]
    ladders: dict[Path, Sequence[int]] = {}
    for kind in ("sheet", "points", "trait"):
        for name, row in getattr(game, kind).items():
            ladders[kind, name, "steps"] = row.steps
    for path, steps in ladders.items():
        if not steps:
            continue
        if len(steps) < 2 or list(steps) != sorted({*steps}) or not 0 <= steps[0]:
            yield path, Phrase("gamefile.steps.order")
        elif steps[-1] > MOST_SIDES:
            yield path, Phrase("gamefile.bounds.between", got=steps[-1], low=0, high=MOST_SIDES)
        elif missing := [n for n in steps if 0 < n < min(sizes, default=n + 1)]:
            yield path, Phrase("gamefile.steps.die", n=missing[0])
    yield from _sizes_between(game)
    yield from _other_bounds(game)
    yield from _other_ways(game)


def _sizes_between(game: GameFile) -> Found:
    numbers: list[tuple[Path, int, Sequence[int]]] = []
    for name, group in game.sheet.items():
        numbers.append((("sheet", name, "default"), group.default, group.steps))
    for name, points in game.points.items():
        if points.start is not None and points.start.fixed is not None:
            numbers.append((("points", name, "start"), points.start.fixed, points.steps))
    groups = {entry: group for group in game.sheet.values() for entry in group.entries}
    sheets: dict[Path, Mapping[str, int | str]] = {}
    sheets |= {("character", n, "sheet"): one.sheet for n, one in enumerate(game.character)}
    sheets |= {("npc", n, "sheet"): one.sheet for n, one in enumerate(game.npc)}
    for path, sheet in sheets.items():
        for entry in sheet.keys() & groups.keys():
            size = sheet[entry]
            if isinstance(size, int):
                numbers.append(((*path, entry), size, groups[entry].steps))
    for path, n, steps in numbers:
        if steps and n not in steps:
            known = ", ".join(map(str, steps))
            yield path, Phrase("gamefile.steps.between", got=n, known=known)


def _other_bounds(game: GameFile) -> Found:
    """Bounds of what has steps, which are its bounds already."""
    for name, group in game.sheet.items():
        for key, at in (("low", 0), ("high", -1)):
            if group.steps and getattr(group, key) != sorted(group.steps)[at]:
                yield ("sheet", name, key), Phrase("gamefile.idle", key=key, of="steps")
    for name, points in game.points.items():
        for key, at in (("floor", 0), ("cap", -1)):
            bound = getattr(points, key)
            if points.steps and bound.fixed != sorted(points.steps)[at]:
                yield ("points", name, key), Phrase("gamefile.idle", key=key, of="steps")
    for kind, trait in game.trait.items():
        if trait.steps and trait.goal:
            yield ("trait", kind, "goal"), Phrase("gamefile.idle", key="goal", of="steps")


def _other_ways(game: GameFile) -> Found:
    """Changes of what has steps that do not go along them, and steps of what has none."""
    with_steps = {name for name, row in game.points.items() if row.steps}
    for group in game.sheet.values():
        if group.steps:
            with_steps |= group.entries.keys()
    for n, move in enumerate(game.move):
        for price in move.price:
            for name in with_steps & price.keys():
                yield ("move", n, "price"), Phrase("gamefile.steps.only", name=name)
        asked: dict[str, bool] = {}
        for ask in move.asks:
            groups = [game.sheet[one].steps for one in ask.entry if one in game.sheet]
            groups += [game.trait[one].steps for one in ask.trait if one in game.trait]
            asked[ask.name] = any(groups)
        yield from _rows(("move", n, "do"), move.do, with_steps, asked)
    for n, follows in enumerate(game.whenever):
        yield from _rows(("whenever", n, "do"), follows.do, with_steps, {})
    for table, effects in game.effects.items():
        for n, effect in enumerate(effects):
            yield from _rows(("effects", table, n, "do"), effect.do, with_steps, {})


def _rows(
    path: Path, rows: Sequence[DoRow], with_steps: set[str], asked: Mapping[str, bool]
) -> Found:
    for n, row in enumerate(rows):
        changed = row.gain or row.lose or row.improve
        if changed in with_steps:
            yield (*path, n), Phrase("gamefile.steps.only", name=changed)
        elif row.fill and asked.get(row.fill):
            yield (*path, n), Phrase("gamefile.silent.steps.only", name=row.fill)
        elif row.step and not asked.get(row.step, row.step in with_steps):
            yield (*path, n), Phrase("gamefile.steps.none", name=row.step)
