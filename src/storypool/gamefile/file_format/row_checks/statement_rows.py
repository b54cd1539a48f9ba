"""Mistakes in kinds and ranks of statements, and in numbers for a next action."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.gamefile.file_format.readable_names import one_of
from storypool.gamefile.file_format.row_checks.row_paths import done_rows
from storypool.gamefile.file_format.schema import GameFile, TraitRow
from storypool.words import Phrase

__all__ = ["wrong_forwards", "wrong_kinds"]

MOST_RANK = 99

Path = tuple[str | int, ...]
Found = Iterator[tuple[Path, Phrase]]


def wrong_kinds(game: GameFile) -> Found:
    """Each wrong bound of ranks, and each row that means a kind or a rank that is not there."""
    for name, row in game.trait.items():
        yield from _ranks(("trait", name), row)
    for path, do, asks in done_rows(game):
        made = game.trait.get(do.make)
        if do.kind and made is not None:
            if not made.kinds:
                yield (*path, "kind"), Phrase("gamefile.kind.none", name=do.make)
                continue
            ask = asks.get(do.kind)
            for kind in [do.kind] if ask is None or not ask.choices else ask.choices:
                if kind not in made.kinds:
                    known = ", ".join(made.kinds)
                    what = Phrase("gamefile.bounds.choice", got=kind[:40], known=known)
                    yield (*path, "kind"), what
        if do.rank in asks:
            for kind in asks[do.rank].trait:
                if kind in game.trait and not game.trait[kind].rank:
                    yield (*path, "rank"), Phrase("gamefile.rank.none", name=kind)


def wrong_forwards(game: GameFile) -> Found:
    """Each row that raises what its actions do not have, or means an unknown action."""
    actions = {row.key: row for row in game.actions}
    for path, do, _ in done_rows(game):
        if not do.forward:
            continue
        for key in do.action:
            yield from one_of((*path, "action"), key, actions)
        meant = [actions[key] for key in do.action or actions if key in actions]
        raised = [set(row.raised) for row in meant]
        common = sorted(set.intersection(*raised or [set()]))
        yield from one_of((*path, "forward"), do.forward, common)


def _ranks(path: Path, row: TraitRow) -> Found:
    if not row.rank:
        return
    for key in ("goal", "held", "steps"):
        if getattr(row, key):
            yield (*path, "rank"), Phrase("gamefile.rank.alone", key=key)
    fixed = [one.fixed for one in row.rank if one.fixed is not None]
    rises = fixed == sorted(fixed) and all(0 <= n <= MOST_RANK for n in fixed)
    if len(row.rank) != 2 or not rises:
        yield (*path, "rank"), Phrase("gamefile.rank.bounds", most=MOST_RANK)
