"""The characters who have joined an action of a game file: its terms, and what they can be.

The action keeps each as a term `with 1`, `with 2`, ..., which the page shows as their names, and
what each paid as a term `paid ID`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from storypool.engine import rules as r
from storypool.gamefile.file_format.expressions import JOINED, constant
from storypool.gamefile.file_format.game_bounds import Found, Path
from storypool.gamefile.file_format.schema import ActionRow, DoRow, GameFile, MoveRow
from storypool.gamefile.file_format.thing_rows import MOST_JOINED
from storypool.words import Phrase

__all__ = ["PAID", "PLACES", "joined", "joined_by_seat", "joining_row", "joining_rows"]
__all__ += ["with_joined", "without", "wrong_together"]

PLACES = tuple(f"with {n + 1}" for n in range(MOST_JOINED))
"""The terms of the characters who have joined, in the order in which they did."""
PAID = "paid "
"""Prefix of a term of the action: what the character of this id paid to join."""


def joined(terms: Mapping[str, object]) -> tuple[str, ...]:
    """The ids of the characters who have joined an action."""
    return tuple(str(terms[place]) for place in PLACES if place in terms)


def _has_joined(turn: r.Turn, one: r.Character) -> bool:
    return turn.check is not None and one.id in joined(turn.check.terms)


joined_by_seat = r.characters(own=True, only=_has_joined)
"""The characters of this seat who have joined the open action."""


def without(terms: Mapping[str, r.Value], *ids: str) -> dict[str, r.Value]:
    """The terms of an action that these characters have left again."""
    left = [one for one in joined(terms) if one not in ids]
    gone = (*PLACES, *map(PAID.__add__, ids))
    kept = {name: value for name, value in terms.items() if name not in gone}
    return {**kept, **dict(zip(PLACES, left, strict=False)), JOINED: len(left)}


def with_joined(game: GameFile) -> GameFile:
    """A game where actions that others can join have the term `joined`, 0 at first."""
    return replace(game, actions=tuple(map(_with_term, game.actions)))


def _with_term(row: ActionRow) -> ActionRow:
    return replace(row, terms={JOINED: constant(0), **row.terms}) if row.together else row


def joining_row(action: ActionRow) -> MoveRow | None:
    """The row of the move with which others join an action, if they can."""
    row = action.together
    if row is None:
        return None
    return MoveRow(
        key=f"join_{action.key}" if action.key else "join",
        title=row.title,
        about=row.about,
        rule=row.rule or action.rule or action.title,
        when="before the roll",
        action=(action.key,) if action.key else (),
        only=row.only,
        unless=row.unless,
        price=row.price,
        do=(DoRow(add=row.add),) if row.add else (),
        place="actions",
    )


def joining_rows(game: GameFile) -> Iterator[MoveRow]:
    """The rows of the moves with which others join the actions of a game."""
    return filter(None, map(joining_row, game.actions))


def wrong_together(game: GameFile) -> Found:
    """Wrong bounds and prices of joining, and what needs an action that others can join."""
    own = {row.key for row in game.move}
    for n, action in enumerate(game.actions):
        path: Path = ("action", n, "together")
        row, made = action.together, joining_row(action)
        if row is None or made is None:
            continue
        if not 1 <= row.most <= MOST_JOINED:
            yield (
                (*path, "most"),
                Phrase("gamefile.bounds.between", got=row.most, low=1, high=MOST_JOINED),
            )
        if made.key in own:
            yield path, Phrase("gamefile.together.key", name=made.key)
        if action.terms[JOINED].fixed != 0:
            yield ("action", n, "terms", JOINED), Phrase("gamefile.twice", name=JOINED)
        for name in (name for price in row.price for name in price):
            points = game.points.get(name)
            if points is None or points.of == "gm":
                yield (*path, "price"), Phrase("gamefile.together.price", name=name)
    for n, move in enumerate(game.move):
        known = [row for row in game.actions if not move.action or row.key in move.action]
        if move.who == "joined" and not any(row.together for row in known):
            yield ("move", n, "who"), Phrase("gamefile.together.none")
        if move.who == "joined" and move.when not in ("before the roll", "after the roll"):
            yield ("move", n, "who"), Phrase("gamefile.together.when")
        yield from _changed(("move", n, "do"), move.do)
    for n, follows in enumerate(game.whenever):
        yield from _changed(("whenever", n, "do"), follows.do)


def _changed(path: Path, rows: tuple[DoRow, ...]) -> Iterator[tuple[Path, Phrase]]:
    for n, row in enumerate(rows):
        if JOINED in (row.set, row.shift):
            yield (*path, n), Phrase("gamefile.together.changed")
