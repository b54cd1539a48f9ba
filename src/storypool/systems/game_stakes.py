"""The odds of an open action and the effect of points, from a game's module `stakes`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from storypool import systems
from storypool.systems.game_files import is_one_page

if TYPE_CHECKING:
    from storypool.engine.table import Check, Table
    from storypool.odds.question import Question, Worth
    from storypool.systems.game_parts import Stakes


def stakes(key: str) -> Stakes | None:
    """The module `stakes` of a game, or None."""
    if not systems.is_known(key):
        return None
    return cast("Stakes | None", systems.part(key, "stakes"))


def further(key: str, table: Table, check: Check) -> Iterable[Worth]:
    """The worth of a game's moves that do not change the pool of an action, such as re-rolls.

    They come from `further` in its module `stakes`; a game without that function has none.
    """
    found = getattr(stakes(key), "further", None)
    if found:
        return cast("Iterable[Worth]", found(table, check))
    return ()


def scene(key: str, question: Question) -> str | None:
    """A play of a game that ends with a player's open action for this question, or None.

    `Refused` if there can be no such action.
    """
    found = getattr(stakes(key), "scene", None)
    return cast(str, found(question)) if found else None


def tried(key: str) -> frozenset[str] | None:
    """The moves that can change the roll of an open action, so that only these are tried.

    They are `TRIED` in its module `stakes`, or None; the file that is a game's base cannot know
    the moves that Python adds.
    """
    found, game = stakes(key), systems.file_behind(key) if key in systems.names() else None
    if game is not None and not is_one_page(key) and found is game.modules["stakes"]:
        return None
    return cast("frozenset[str] | None", getattr(found, "TRIED", None))
