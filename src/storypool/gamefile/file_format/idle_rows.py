"""Rows of a game file that nothing reaches or reads, and starts that are never kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from storypool.gamefile.file_format.expressions import Expression, expressions_in
from storypool.gamefile.file_format.readable_names import PLAYERS
from storypool.gamefile.file_format.row_checks.effect_tables import nested_rows
from storypool.gamefile.file_format.row_checks.gm_rows import rows_of_a_gm
from storypool.gamefile.file_format.row_checks.secret_rows import wrong_secrets
from storypool.gamefile.file_format.row_checks.unrolled_rows import unrolled_rows
from storypool.gamefile.file_format.schema import (
    AskRow,
    CharacterRow,
    DoRow,
    GameFile,
    NpcRow,
    OutcomeRow,
)
from storypool.gamefile.file_rolls.usual_terms import UsualScope
from storypool.words import Phrase

__all__ = ["idle_rows", "wrong_goal"]

Path = tuple[str | int, ...]
Found = Iterator[tuple[Path, Phrase]]


def idle_rows(game: GameFile, extended: bool) -> Found:
    """The rows without a use; Python may read the options of a game that it has `extended`."""
    yield from wrong_secrets(game)
    yield from unrolled_rows(game)
    yield from rows_of_a_gm(game)
    yield from _outcomes(("outcome",), game.outcome)
    for n, action in enumerate(game.actions):
        yield from _outcomes(("action", n, "outcome"), action.outcome)
        yield from _counts(("action", n, "counts"), action.counts)
    yield from _circles(game)
    yield from _starts(game)
    for kind, trait in game.trait.items():
        if trait.sheet and trait.of == "scene":
            yield ("trait", kind, "sheet"), Phrase("gamefile.silent.idle.sheet")
    if not extended:
        read = {name for one in expressions_in(game) for name in one.names}
        for name in game.option:
            if name not in read:
                yield ("option", name), Phrase("gamefile.silent.idle.option", name=name)
    rows = [row for move in game.move for row in move.do]
    rows += [row for follows in game.whenever for row in follows.do]
    first = {row.consult for row in rows if row.consult}
    used = {path[1] for name in first for path, _ in nested_rows(game, name)}
    for name, effects in game.effects.items():
        if effects and name not in used:
            yield ("effects", name), Phrase("gamefile.silent.idle.effects", name=name)


def wrong_goal(game: GameFile, path: Path, row: DoRow) -> Found:
    """A number of segments that a new statement of the kind cannot have."""
    if row.goal is None or row.make not in game.trait:
        return
    goals, got = game.trait[row.make].goal, set[str]()
    if not goals:
        yield path, Phrase("gamefile.silent.goal.none", name=row.make)
        return
    if row.goal.fixed is not None:
        got = {str(row.goal.fixed)}
    for ask in (ask for action in game.actions for ask in action.asks):
        if ask.name in row.goal.results:
            got |= set(ask.choices)
    for one in sorted(got - {str(n) for n in goals}):
        known = ", ".join(map(str, goals))
        yield path, Phrase("gamefile.silent.goal", got=one, name=row.make, known=known)


def _outcomes(path: Path, rungs: Sequence[OutcomeRow]) -> Found:
    """Outcomes of one key, those that no roll comes to, and a last one that pretends to ask."""
    keys, open_one = set[str](), ""
    for n, row in enumerate(rungs):
        if row.key in keys:
            yield (*path, n, "key"), Phrase("gamefile.silent.twice", name=row.key)
        if open_one:
            yield (*path, n), Phrase("gamefile.silent.outcome.never", name=open_one)
        keys.add(row.key)
        if row.when is None:
            open_one = open_one or row.key
    if rungs and not open_one:
        yield (*path, len(rungs) - 1, "when"), Phrase("gamefile.silent.outcome.last")


def _counts(of_action: Path, counts: Mapping[str, Expression]) -> Found:
    """Counts that read one that is counted later."""
    later = list(counts)
    for name, count in counts.items():
        path: Path = (*of_action, name)
        if name in count.names:
            yield path, Phrase("gamefile.silent.circle", name=name)
        later.remove(name)
        for other in later:
            if other in count.names:
                yield path, Phrase("gamefile.silent.counts.order", name=other, by=name)


def _circles(game: GameFile) -> Found:
    """Terms and questions that follow from themselves."""
    for a, action in enumerate(game.actions):
        steps: dict[Path, tuple[str, frozenset[str]]] = {}
        for name, term in action.terms.items():
            steps["action", a, "terms", name] = name, term.names
        for n, ask in enumerate(action.asks):
            steps["action", a, "asks", n] = ask.name, _read_by(ask)
        yield from _on_circles(steps)
    for m, move in enumerate(game.move):
        yield from _on_circles(
            {("move", m, "asks", n): (ask.name, _read_by(ask)) for n, ask in enumerate(move.asks)}
        )


def _read_by(ask: AskRow) -> frozenset[str]:
    return frozenset(name for one in expressions_in(ask) for name in one.names)


def _on_circles(steps: Mapping[Path, tuple[str, frozenset[str]]]) -> Found:
    reads = dict(steps.values())
    for path, (name, read) in steps.items():
        found, ahead = set[str](), list(read)
        while ahead:
            other = ahead.pop()
            if other not in found:
                found.add(other)
                ahead += reads.get(other, ())
        if name in found:
            yield path, Phrase("gamefile.silent.circle", name=name)


def _starts(game: GameFile) -> Found:
    """Starts that read points that start later, and those out of bounds for a known character."""
    later = list(game.points)
    for name, row in game.points.items():
        for other in later:
            if row.start is not None and other in row.start.names:
                path: Path = ("points", name, "start")
                yield path, Phrase("gamefile.silent.start.order", name=other, by=name)
        later.remove(name)
        yield from _start_out_of_bounds(game, name, ("points", name, "start"))
        people: Mapping[str, Sequence[CharacterRow | NpcRow]] = {}
        if row.is_own:
            people = {"character": game.character}
        if row.of == "character":
            people = {**people, "npc": game.npc}
        for kind, ones in people.items():
            for n, one in enumerate(ones):
                yield from _start_out_of_bounds(game, name, (kind, n, "sheet"), one)


def _start_out_of_bounds(
    game: GameFile, name: str, path: Path, one: CharacterRow | NpcRow | None = None
) -> Found:
    """A start below the floor or above the cap of a character, if a number of theirs decides."""
    row, sheet = game.points[name], one.sheet if one is not None else {}
    sheet = {key: n for key, n in sheet.items() if isinstance(n, int)}
    scope, start, who = UsualScope(game, sheet), row.start, one.name if one is not None else ""
    key = "gamefile.silent.start" + (".who" if who else "")
    for bound, side in ((row.floor, "least"), (row.cap, "most")):
        read = [one for one in (start, bound) if one is not None]
        if start is None or bound is None or any(PLAYERS in one.names for one in read):
            continue
        if all(one.fixed is not None for one in read):
            continue  # Fixed numbers are compared once and for all.
        n, limit = start.number(scope), bound.number(scope)
        if n < limit if side == "least" else n > limit:
            yield path, Phrase(f"{key}.{side}", name=name, who=who, n=n, bound=limit)
